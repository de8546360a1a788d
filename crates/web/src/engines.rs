//! The engines behind the ports.

pub mod http;
