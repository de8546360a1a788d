//! The engines: implementations of the five ports.

pub mod memory;
pub mod nats;
mod notifier;
pub mod sqlite;
