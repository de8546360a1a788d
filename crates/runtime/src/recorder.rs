//! From what an agent says to what the log keeps: the one place that sets numbers and times.
//!
//! Events are taken at once and written in batches: while one batch goes to the disk the next one gathers. Readers
//! see an event only after it was written, so an agent that runs ahead of its log is never seen to.

use std::sync::{Mutex, PoisonError};

use agents::cancel::{CancelSignal, Cancelled};
use agents::run::Journal;
use async_trait::async_trait;
use jiff::Timestamp;
use store::jobs::Lease;
use store::log::{Ending, EventLog};
use tokio::sync::{mpsc, oneshot};
use wire::{Entry, Stamped};

use std::sync::Arc;

use crate::outcome::{Outcome, Speaks};

/// Events that may wait for the log before their agent has to.
const WAITING: usize = 256;

/// Most events written at once.
const BATCH: usize = 128;

/// The journal of one run under one lease.
pub(crate) struct Recorder<E> {
    said: mpsc::Sender<Said<E>>,
    iteration: Mutex<Option<String>>,
}

enum Said<E> {
    Event {
        event: E,
        at: Timestamp,
        iteration: Option<String>,
    },
    /// Answered when everything said before is in the log.
    Settle(oneshot::Sender<Result<(), Cancelled>>),
}

impl<E: Speaks> Recorder<E> {
    /// A recorder that goes on after number `after`. When the log refuses an event the run is stopped.
    pub(crate) fn start(log: Arc<dyn EventLog>, lease: Lease, after: u64, cancel: CancelSignal) -> Self {
        let (said, waiting) = mpsc::channel(WAITING);
        let scribe = Scribe {
            log,
            lease,
            after,
            cancel,
            outcome: Outcome::default(),
            ended: false,
        };
        tokio::spawn(scribe.write_all(waiting));
        Self {
            said,
            iteration: Mutex::new(None),
        }
    }
}

#[async_trait]
impl<E: Speaks> Journal<E> for Recorder<E> {
    async fn record(&self, event: E) -> Result<(), Cancelled> {
        let iteration = self
            .iteration
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let said = Said::Event {
            event,
            at: Timestamp::now(),
            iteration,
        };
        self.said.send(said).await.map_err(|_| Cancelled::LogUnavailable {
            reason: "the log is closed".into(),
        })
    }

    async fn settle(&self) -> Result<(), Cancelled> {
        let closed = || Cancelled::LogUnavailable {
            reason: "the log is closed".into(),
        };
        let (tell, settled) = oneshot::channel();
        self.said.send(Said::Settle(tell)).await.map_err(|_| closed())?;
        settled.await.map_err(|_| closed())?
    }

    fn turn(&self, iteration: String) {
        *self.iteration.lock().unwrap_or_else(PoisonError::into_inner) = Some(iteration);
    }
}

/// The task that writes.
struct Scribe {
    log: Arc<dyn EventLog>,
    lease: Lease,
    after: u64,
    cancel: CancelSignal,
    outcome: Outcome,
    ended: bool,
}

impl Scribe {
    async fn write_all<E: Speaks>(mut self, mut waiting: mpsc::Receiver<Said<E>>) {
        let mut batch = Vec::new();
        let mut failure = None;
        while waiting.recv_many(&mut batch, BATCH).await > 0 {
            let mut entries = Vec::new();
            let mut waiters = Vec::new();
            for said in batch.drain(..) {
                match said {
                    Said::Event { event, at, iteration } => {
                        entries.extend(self.entry(event, at, iteration, entries.len()))
                    }
                    Said::Settle(waiter) => waiters.push(waiter),
                }
            }
            if failure.is_none()
                && let Err(reason) = self.write(entries).await
            {
                self.cancel.cancel(reason.clone());
                failure = Some(reason);
            }
            for waiter in waiters {
                // Whoever asked may have gone.
                let _ = waiter.send(failure.clone().map_or(Ok(()), Err));
            }
        }
    }

    /// The entry of an event; none once the log has ended, since nothing may follow.
    fn entry<E: Speaks>(
        &mut self,
        event: E,
        at: Timestamp,
        iteration: Option<String>,
        ahead: usize,
    ) -> Option<Entry> {
        if self.ended {
            tracing::warn!(run = %self.lease.run, event = event.name(), "an event after the last one was dropped");
            return None;
        }
        event.tell(&mut self.outcome);
        self.ended = event.is_terminal();
        Some(
            Stamped {
                seq: self.after + ahead as u64 + 1,
                at,
                iteration,
                event,
            }
            .entry(),
        )
    }

    async fn write(&mut self, entries: Vec<Entry>) -> Result<(), Cancelled> {
        if entries.is_empty() {
            return Ok(());
        }
        let count = entries.len() as u64;
        let written = if entries.last().is_some_and(|it| it.terminal) {
            self.log
                .finish(&self.lease, self.after, entries, self.ending())
                .await
        } else {
            self.log.append(&self.lease, self.after, entries).await
        };
        written.map_err(|error| match error {
            store::Error::Fenced { .. } => Cancelled::Fenced,
            other => Cancelled::LogUnavailable {
                reason: other.to_string(),
            },
        })?;
        self.after += count;
        Ok(())
    }

    fn ending(&self) -> Ending {
        let json = |value: &Option<serde_json::Value>| value.as_ref().map(ToString::to_string);
        Ending {
            status: self.outcome.status,
            result: json(&self.outcome.result),
            error: self
                .outcome
                .error
                .as_ref()
                .and_then(|it| serde_json::to_string(it).ok()),
            usage: serde_json::to_string(&self.outcome.usage).ok(),
        }
    }
}
