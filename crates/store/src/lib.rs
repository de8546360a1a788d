//! Storage of jobs, event logs, commands, blobs, owners, records, the vault and addresses of crawls: ports with written promises,
//! their engines, and the conformance suite that every engine passes.

pub mod blobs;
#[cfg(any(test, feature = "conformance"))]
pub mod conformance;
pub mod engines;
mod error;
pub mod frontier;
pub mod inbox;
pub mod index;
pub mod jobs;
pub mod keyring;
pub mod log;
pub mod owners;
pub mod private_files;
pub mod records;
pub mod retention;
pub mod shares;
pub mod vault;

use std::sync::Arc;

pub use error::Error;

/// One engine seen through its ports. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    /// Jobs and leases.
    pub jobs: Arc<dyn jobs::Jobs>,
    /// Event logs.
    pub log: Arc<dyn log::EventLog>,
    /// Commands to runs.
    pub inbox: Arc<dyn inbox::Inbox>,
    /// Large values by their hash.
    pub blobs: Arc<dyn blobs::Blobs>,
    /// What may be deleted, and how much room there is.
    pub retention: Arc<dyn retention::Retention>,
    /// Shares and usage of owners.
    pub owners: Arc<dyn owners::Owners>,
    /// Small values by name.
    pub records: Arc<dyn records::Records>,
    /// Named values that outlive runs.
    pub vault: Arc<dyn vault::Vault>,
    /// Addresses of crawls; none where the engine keeps none, and then crawls are refused.
    pub frontier: Option<Arc<dyn frontier::Frontier>>,
}
