//! The engines: implementations of the seven ports.

pub mod memory;
mod notifier;
pub mod sqlite;
