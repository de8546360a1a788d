//! The running house: the service that takes jobs, the workers that run them, the recorder that logs them.

pub mod config;
mod dispatch;
mod follow;
mod letters;
mod outcome;
pub mod reading;
mod recorder;
pub mod refused;
pub mod service;
pub mod tooling;
pub mod worker;

pub use refused::Refused;
pub use service::Service;
