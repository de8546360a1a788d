//! The runtime: the service that takes jobs, the workers that run them, and the recorder that logs them.

mod answers;
mod attached_clients;
pub mod config;
mod diagnostics;
mod dispatch;
mod due_index;
mod earlier_usage;
mod equal_runs;
pub mod error;
mod fault;
pub mod files;
mod follow;
mod leased_frontier;
mod logins;
pub mod memory;
pub mod metrics;
pub mod monitors;
mod outcome;
pub mod pages;
mod patience;
mod placement;
pub mod profiles;
mod recorder;
pub mod retention;
pub mod run_removal;
pub mod secrets;
pub mod service;
pub mod tenants;
pub mod tooling;
pub mod trace_parent;
mod turns;
mod views;
pub mod webhooks;
pub mod worker;

pub use error::ServiceError;
pub use service::Service;
