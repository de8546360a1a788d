//! Port `EventLog`: the append-only log of a run's events.

use async_trait::async_trait;
use tokio::sync::watch;
use wire::run::RunStatus;
use wire::{LogEntry, RunId};

use crate::Error;
use crate::jobs::Lease;
use crate::owners::MeteredUsage;

/// How a run ended, written together with its last event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunEnd {
    /// One of the final statuses.
    pub status: RunStatus,
    /// Its result, as JSON.
    pub result: Option<String>,
    /// What went wrong, as JSON.
    pub error: Option<String>,
    /// What it used, as JSON.
    pub usage: Option<String>,
    /// What it used, by model, to be added to the usage of its owner.
    pub metered: Vec<MeteredUsage>,
}

/// Event logs.
///
/// Promises, for every engine:
/// - An append that returned is durable.
/// - Numbers are dense from 1 and ours: the writer says where it believes the end is, and is refused when wrong.
/// - Readers see a prefix of the log and never a gap.
/// - A terminal event is appended together with the run's final status, once, and is last.
#[async_trait]
pub trait EventLog: Send + Sync {
    /// Appends entries numbered `after + 1`, `after + 2`, … to the run of the lease. None of them ends the log.
    ///
    /// # Errors
    /// [`Error::Fenced`], [`Error::Conflict`] when the log does not end at `after`, [`Error::Disorder`].
    async fn append(&self, lease: &Lease, after: u64, entries: Vec<LogEntry>) -> Result<(), Error>;

    /// Appends entries of which the last ends the log, and the run with it.
    ///
    /// # Errors
    /// As for [`EventLog::append`].
    async fn finish(
        &self,
        lease: &Lease,
        after: u64,
        entries: Vec<LogEntry>,
        ending: RunEnd,
    ) -> Result<(), Error>;

    /// At most `limit` entries after number `after`, in order. Empty at the end and for an unknown run.
    ///
    /// # Errors
    /// Those of the engine.
    async fn read(&self, run: &RunId, after: u64, limit: usize) -> Result<Vec<LogEntry>, Error>;

    /// A hint of the log's last number: it changes when this process appends. Appends by another process do not show,
    /// so wait on it with a bound.
    fn tail(&self, run: &RunId) -> watch::Receiver<u64>;
}

/// Checks what both appends ask of their entries.
///
/// # Errors
/// [`Error::Disorder`].
pub(crate) fn check_order(run: &RunId, after: u64, entries: &[LogEntry], ends: bool) -> Result<(), Error> {
    let dense = entries
        .iter()
        .zip(after + 1..)
        .all(|(entry, seq)| entry.seq == seq);
    let last = entries.len().saturating_sub(1);
    let terminal = entries
        .iter()
        .enumerate()
        .all(|(at, entry)| entry.terminal == (ends && at == last));
    if dense && terminal && !(ends && entries.is_empty()) {
        Ok(())
    } else {
        Err(Error::Disorder { run: run.clone() })
    }
}
