//! The engines: implementations of the four ports.

pub mod memory;
mod notifier;
pub mod sqlite;
