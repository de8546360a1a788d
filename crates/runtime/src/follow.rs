//! Following a log: many readers of one run share what was read last, so that an event costs the store one read and
//! not one a reader.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use store::Store;
use tokio::sync::watch;
use wire::{Entry, RunId};

use crate::refused::Refused;

/// Entries read at once: what a followed run costs in memory, whatever the length of its log and the number of its
/// readers.
const PORTION: usize = 64;

/// Runs remembered before those that nobody follows any more are cleared away.
const MANY: usize = 1024;

/// The runs that are followed in this process.
#[derive(Default)]
pub(crate) struct Followed(Mutex<HashMap<RunId, Weak<Portion>>>);

/// The last portion that any reader of a run has read. Whoever needs another one replaces it; the lock is held while
/// the store is read, so that those who need the same wait for one read.
#[derive(Default)]
struct Portion(tokio::sync::Mutex<Vec<Arc<Entry>>>);

impl Followed {
    /// A reader of a run's log after number `after`.
    pub(crate) fn reader(&self, store: &Store, run: &RunId, after: u64, patience: Duration) -> Reader {
        let mut runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if runs.len() > MANY {
            runs.retain(|_, it| it.strong_count() > 0);
        }
        let shared = runs.get(run).and_then(Weak::upgrade).unwrap_or_default();
        runs.insert(run.clone(), Arc::downgrade(&shared));
        Reader {
            tail: store.log.tail(run),
            store: store.clone(),
            run: run.clone(),
            after,
            patience,
            shared,
            portion: Vec::new().into_iter(),
            ended: false,
        }
    }
}

/// One reader of one log.
pub(crate) struct Reader {
    store: Store,
    run: RunId,
    after: u64,
    tail: watch::Receiver<u64>,
    patience: Duration,
    shared: Arc<Portion>,
    portion: std::vec::IntoIter<Arc<Entry>>,
    ended: bool,
}

impl Reader {
    /// The next entry; waits for it. None after the last one.
    pub(crate) async fn next(&mut self) -> Result<Option<Arc<Entry>>, Refused> {
        while !self.ended {
            if let Some(entry) = self.portion.next() {
                self.after = entry.seq;
                self.ended = entry.terminal;
                return Ok(Some(entry));
            }
            // What is appended from here on changes the hint again, so that nothing is missed between look and wait.
            self.tail.borrow_and_update();
            let portion = self.read().await?;
            if portion.is_empty() {
                if self.is_past_the_end().await? {
                    return Ok(None);
                }
                // The hint only says "look again"; that time passed says the same.
                let _ = tokio::time::timeout(self.patience, self.tail.changed()).await;
            }
            self.portion = portion.into_iter();
        }
        Ok(None)
    }

    /// What follows: from the shared portion where that has it, else from the store.
    async fn read(&self) -> Result<Vec<Arc<Entry>>, Refused> {
        let mut shared = self.shared.0.lock().await;
        let at = shared.iter().position(|it| it.seq == self.after + 1);
        if let Some(rest) = at.and_then(|at| shared.get(at..)) {
            return Ok(rest.to_vec());
        }
        let read = self.store.log.read(&self.run, self.after, PORTION).await?;
        let read: Vec<Arc<Entry>> = read.into_iter().map(Arc::new).collect();
        if !read.is_empty() {
            shared.clone_from(&read);
        }
        Ok(read)
    }

    /// Whether the reader already stands behind the last event of a run that has ended.
    async fn is_past_the_end(&self) -> Result<bool, Refused> {
        let job = self.store.jobs.get(&self.run).await?;
        Ok(job.is_none_or(|it| it.status.is_final() && it.last_seq <= self.after))
    }
}
