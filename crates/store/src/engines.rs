//! The engines: implementations of the five ports.

pub mod memory;
mod notifier;
pub mod sqlite;
