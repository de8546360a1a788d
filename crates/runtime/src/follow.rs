//! `LogReader`: follows a log. Readers of one run share the last batch, so that an event costs the store one read
//! however many follow it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use store::Store;
use tokio::sync::watch;
use wire::{LogEntry, RunId};

use crate::error::ServiceError;

/// Entries read at once: what a followed run costs in memory, whatever the length of its log and the number of its
/// readers.
const BATCH: usize = 64;

/// Runs held before those without readers are removed.
const MAX_IDLE: usize = 1024;

/// The runs that are followed in this process.
#[derive(Default)]
pub(crate) struct LogFollowers(Mutex<HashMap<RunId, Weak<SharedBatch>>>);

/// The last batch that any reader of a run has read. A reader that needs another one replaces it; the lock is held
/// while the store is read, so that readers of the same batch wait for one read.
#[derive(Default)]
struct SharedBatch(tokio::sync::Mutex<Vec<Arc<LogEntry>>>);

impl LogFollowers {
    /// A reader of a run's log after number `after`.
    pub(crate) fn reader(
        &self,
        store: &Store,
        run: &RunId,
        after: u64,
        poll_interval: Duration,
    ) -> LogReader {
        let mut runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if runs.len() > MAX_IDLE {
            runs.retain(|_, batch| batch.strong_count() > 0);
        }
        let shared = runs.get(run).and_then(Weak::upgrade).unwrap_or_default();
        runs.insert(run.clone(), Arc::downgrade(&shared));
        LogReader {
            tail: store.log.tail(run),
            store: store.clone(),
            run: run.clone(),
            after,
            poll_interval,
            shared,
            batch: Vec::new().into_iter(),
            ended: false,
        }
    }
}

/// One reader of one log.
pub(crate) struct LogReader {
    store: Store,
    run: RunId,
    after: u64,
    tail: watch::Receiver<u64>,
    poll_interval: Duration,
    shared: Arc<SharedBatch>,
    batch: std::vec::IntoIter<Arc<LogEntry>>,
    ended: bool,
}

impl LogReader {
    /// The next entry; waits for it. None after the last one.
    pub(crate) async fn next(&mut self) -> Result<Option<Arc<LogEntry>>, ServiceError> {
        while !self.ended {
            if let Some(entry) = self.batch.next() {
                self.after = entry.seq;
                self.ended = entry.terminal;
                return Ok(Some(entry));
            }
            // What is appended from here on changes the hint again, so that nothing is missed between read and wait.
            self.tail.borrow_and_update();
            let batch = self.read().await?;
            if batch.is_empty() {
                if self.is_past_the_end().await? {
                    return Ok(None);
                }
                // A notification and a timeout both mean: read again.
                let _ = tokio::time::timeout(self.poll_interval, self.tail.changed()).await;
            }
            self.batch = batch.into_iter();
        }
        Ok(None)
    }

    /// The entries that follow: from the shared batch where it has them, else from the store.
    async fn read(&self) -> Result<Vec<Arc<LogEntry>>, ServiceError> {
        let mut shared = self.shared.0.lock().await;
        let at = shared.iter().position(|entry| entry.seq == self.after + 1);
        if let Some(rest) = at.and_then(|at| shared.get(at..)) {
            return Ok(rest.to_vec());
        }
        let read = self.store.log.read(&self.run, self.after, BATCH).await?;
        let read: Vec<Arc<LogEntry>> = read.into_iter().map(Arc::new).collect();
        if !read.is_empty() {
            shared.clone_from(&read);
        }
        Ok(read)
    }

    /// Whether the reader has passed the last event of a run that has ended.
    async fn is_past_the_end(&self) -> Result<bool, ServiceError> {
        let job = self.store.jobs.summary(&self.run).await?;
        // Events that expired under a reader do not come any more.
        Ok(job.is_none_or(|job| job.status.is_final() && job.last_seq <= self.after.max(job.expired_seq)))
    }
}
