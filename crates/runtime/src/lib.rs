//! The running house: the service that takes jobs, the workers that run them, the recorder that logs them.

pub mod config;
