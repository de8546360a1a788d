//! Change notifications within one process. A notification says "read again", never what changed.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;
use wire::RunId;

/// Tails held before those without subscribers are removed.
const MANY_TAILS: usize = 1024;

/// The notifier of one engine.
#[derive(Debug)]
pub(crate) struct ChangeNotifier {
    tails: Mutex<HashMap<RunId, watch::Sender<u64>>>,
    jobs: watch::Sender<u64>,
    inbox: watch::Sender<u64>,
}

impl ChangeNotifier {
    pub(crate) fn new() -> Self {
        Self {
            tails: Mutex::default(),
            jobs: watch::channel(0).0,
            inbox: watch::channel(0).0,
        }
    }

    /// Announces a log's new last number.
    pub(crate) fn notify_log(&self, run: &RunId, seq: u64) {
        let tails = self.tails.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tail) = tails.get(run) {
            tail.send_replace(seq);
        }
    }

    /// Subscribes to a log's last number.
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

    /// Announces a new job or a cancellation.
    pub(crate) fn notify_jobs(&self) {
        self.jobs.send_modify(|count| *count += 1);
    }

    /// Subscribes to [`ChangeNotifier::notify_jobs`].
    pub(crate) fn jobs(&self) -> watch::Receiver<u64> {
        self.jobs.subscribe()
    }

    /// Announces a new command.
    pub(crate) fn notify_inbox(&self) {
        self.inbox.send_modify(|count| *count += 1);
    }

    /// Subscribes to [`ChangeNotifier::notify_inbox`].
    pub(crate) fn inbox(&self) -> watch::Receiver<u64> {
        self.inbox.subscribe()
    }
}
