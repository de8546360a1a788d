//! Port `Inbox`: commands that wait for a run.

use async_trait::async_trait;
use tokio::sync::watch;
use wire::RunId;

use crate::Error;
use crate::jobs::Lease;

/// A command as it waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InboxCommand {
    /// Its place among the run's commands, from 1.
    pub number: u64,
    /// The command, as JSON.
    pub body: String,
}

/// Commands to runs.
///
/// Promises, for every engine:
/// - What was sent reaches the holder of the lease, or the next holder, in order.
/// - Each `topic` of a run takes one command: the second sender gets `false`.
/// - What was sent is kept no longer than the run goes on.
#[async_trait]
pub trait Inbox: Send + Sync {
    /// Leaves a command. False when this topic of this run has one already.
    ///
    /// # Errors
    /// [`Error::UnknownRun`]; [`Error::Fenced`] when the run has ended.
    async fn send(&self, run: &RunId, topic: &str, body: &str) -> Result<bool, Error>;

    /// The commands after number `after`.
    ///
    /// # Errors
    /// [`Error::Fenced`] when the lease is no longer valid.
    async fn receive(&self, lease: &Lease, after: u64) -> Result<Vec<InboxCommand>, Error>;

    /// A counter that changes when a command may have arrived. A hint, as for jobs.
    fn subscribe(&self) -> watch::Receiver<u64>;
}
