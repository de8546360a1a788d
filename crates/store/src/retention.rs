//! Port `Retention`: how much is stored, and the removal of what is old.

use async_trait::async_trait;
use jiff::Timestamp;
use wire::RunId;

use crate::Error;

/// How much room a store takes, and how much is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StoreSpace {
    /// Bytes that jobs, logs and blobs take.
    pub used: u64,
    /// Bytes that are free for more; none when the engine has no disk or the system does not say.
    pub free: Option<u64>,
}

/// What is removed of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    /// The run whole: the job, its log and its commands.
    Run,
    /// Its events; the job stays with its result, and says up to where its log expired.
    Events,
}

/// Removal of what is old.
///
/// Promises, for every engine:
/// - A run that has not ended is never touched.
/// - A run is removed whole or not at all.
#[async_trait]
pub trait Retention: Send + Sync {
    /// How much room there is.
    ///
    /// # Errors
    /// Those of the engine.
    async fn space(&self) -> Result<StoreSpace, Error>;

    /// At most `limit` runs that have ended, before `before` where it is given, and still have what the removal would take;
    /// the one that ended first comes first.
    ///
    /// # Errors
    /// Those of the engine.
    async fn ended(
        &self,
        removal: Removal,
        before: Option<Timestamp>,
        limit: usize,
    ) -> Result<Vec<RunId>, Error>;

    /// Removes a run that has ended, or its events. False when there is nothing to remove, or the run goes on.
    ///
    /// # Errors
    /// Those of the engine.
    async fn remove(&self, run: &RunId, removal: Removal) -> Result<bool, Error>;
}
