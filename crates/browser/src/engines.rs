//! The engines behind the ports.

pub mod auto;
pub mod chromium;
pub mod http;
