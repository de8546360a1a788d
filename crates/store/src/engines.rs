//! The engines behind the ports.

mod hints;
pub mod memory;
pub mod sqlite;
