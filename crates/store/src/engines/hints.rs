//! Waking those who wait, within one process. A hint says "look again", never what there is to see.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;
use wire::RunId;

/// Tails kept before those that nobody listens to are cleared away.
const MANY_TAILS: usize = 1024;

/// The hints of one engine.
#[derive(Debug)]
pub(crate) struct Hints {
    tails: Mutex<HashMap<RunId, watch::Sender<u64>>>,
    jobs: watch::Sender<u64>,
    inbox: watch::Sender<u64>,
}

impl Hints {
    pub(crate) fn new() -> Self {
        Self {
            tails: Mutex::default(),
            jobs: watch::channel(0).0,
            inbox: watch::channel(0).0,
        }
    }

    /// A log's end has moved.
    pub(crate) fn moved(&self, run: &RunId, seq: u64) {
        let tails = self.tails.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tail) = tails.get(run) {
            tail.send_replace(seq);
        }
    }

    /// Where a log's end is told.
    pub(crate) fn tail(&self, run: &RunId) -> watch::Receiver<u64> {
        let mut tails = self.tails.lock().unwrap_or_else(PoisonError::into_inner);
        if tails.len() > MANY_TAILS {
            tails.retain(|_, tail| tail.receiver_count() > 0);
        }
        tails
            .entry(run.clone())
            .or_insert_with(|| watch::channel(0).0)
            .subscribe()
    }

    /// A job or a cancellation has come.
    pub(crate) fn stir_jobs(&self) {
        self.jobs.send_modify(|count| *count += 1);
    }

    /// What [`Hints::stir_jobs`] changes.
    pub(crate) fn jobs(&self) -> watch::Receiver<u64> {
        self.jobs.subscribe()
    }

    /// A command has come.
    pub(crate) fn stir_inbox(&self) {
        self.inbox.send_modify(|count| *count += 1);
    }

    /// What [`Hints::stir_inbox`] changes.
    pub(crate) fn inbox(&self) -> watch::Receiver<u64> {
        self.inbox.subscribe()
    }
}
