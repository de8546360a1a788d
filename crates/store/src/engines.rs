//! The engines: implementations of the seven ports.

pub mod memory;
pub mod nats;
mod notifier;
pub mod sqlite;
