//! `EventRecorder`: stamps the events of a run and appends them to its log.
//!
//! Events are taken at once and written in batches: while one batch goes to the disk the next one gathers. Readers
//! see an event only after it was written, so an agent that runs ahead of its log is never seen to.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agents::cancel::{CancelSignal, Cancelled};
use agents::run::Journal;
use agents::services::Ledger;
use async_trait::async_trait;
use jiff::Timestamp;
use serde_json::Value;
use store::jobs::Lease;
use store::log::{EventLog, RunEnd};
use store::owners::{MeteredUsage, UsageAmounts};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout, timeout_at};
use tokio_util::task::TaskTracker;
use wire::request_secrets::RequestSecrets;
use wire::run::RunUsage;
use wire::{LogEntry, Stamped};

use crate::diagnostics::store_write;
use crate::earlier_usage::EarlierUsage;
use crate::metrics::{self, CountedEvent, ToolLabels};
use crate::outcome::{OutcomeReducer, RunOutcome};
use crate::tenants::usage::metered;

/// Events that may wait for the log before their agent has to.
const MAX_WAITING: usize = 256;

/// Most events written at once.
const MAX_BATCH: usize = 128;

/// Least time between two writes that nobody waits for. What comes faster is written together: of a crawl with hundreds of
/// events in a second, most of the work would be commits.
const GATHERING: Duration = Duration::from_millis(25);

/// How long the end of a run that broke waits until all that its agent has said is written. Work that the agent has left
/// behind may hold its recorder for longer.
const MAX_DRAINING: Duration = Duration::from_secs(10);

/// What is spent on a run, by one worker and by those before it. Cheap to clone; clones are the same.
#[derive(Clone)]
pub(crate) struct RunAccount {
    /// What the models of the run cost.
    ledger: Ledger,
    /// What else its events tell of.
    recorded: Arc<Mutex<RunUsage>>,
    /// What workers before this one have spent.
    earlier: Arc<EarlierUsage>,
    /// The writers of its log.
    writers: TaskTracker,
}

impl RunAccount {
    pub(crate) fn new(ledger: Ledger, earlier: EarlierUsage) -> Self {
        Self {
            ledger,
            recorded: Arc::default(),
            earlier: Arc::new(earlier),
            writers: TaskTracker::new(),
        }
    }

    /// What the models of the run cost.
    pub(crate) fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    fn recorded(&self) -> MutexGuard<'_, RunUsage> {
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the events of a run whose agent is gone are in the log, at most for [`MAX_DRAINING`].
    pub(crate) async fn wait_for_writers(&self) {
        self.writers.close();
        if timeout(MAX_DRAINING, self.writers.wait()).await.is_err() {
            tracing::warn!("a run that broke still writes events");
        }
    }

    /// What was spent so far, by earlier workers too: as the run's own detail tells, and as it is metered.
    pub(crate) fn spent(&self) -> (RunUsage, Vec<MeteredUsage>) {
        let recorded = *self.recorded();
        let metered = metered(&recorded, &self.ledger);
        let spent = |amount: fn(&UsageAmounts) -> u64| -> u64 {
            metered.iter().map(|used| amount(&used.amounts)).sum()
        };
        // Events of a family need not tell of every call of a model; the ledger does.
        let usage = RunUsage {
            model_calls: recorded.model_calls.max(spent(|it| it.model_calls)),
            input_tokens: recorded.input_tokens.max(spent(|it| it.input_tokens)),
            output_tokens: recorded.output_tokens.max(spent(|it| it.output_tokens)),
            micro_dollars: spent(|it| it.micro_dollars),
            ..recorded
        };
        self.earlier.plus(usage, metered)
    }
}

/// The journal of one run under one lease.
pub(crate) struct EventRecorder<E> {
    messages: mpsc::Sender<RecorderMessage<E>>,
    iteration: Mutex<Option<String>>,
}

enum RecorderMessage<E> {
    Event {
        event: E,
        at: Timestamp,
        iteration: Option<String>,
    },
    /// Answered when every earlier event is in the log.
    Flush(oneshot::Sender<Result<(), Cancelled>>),
}

impl<E: CountedEvent> RecorderMessage<E> {
    /// Whether somebody waits for what was said so far.
    fn is_awaited(&self) -> bool {
        match self {
            RecorderMessage::Event { event, .. } => event.is_terminal(),
            RecorderMessage::Flush(_) => true,
        }
    }
}

/// Receives the messages of the next write. The first ones after a pause are written at once.
async fn gather<E: CountedEvent>(
    waiting: &mut mpsc::Receiver<RecorderMessage<E>>,
    batch: &mut Vec<RecorderMessage<E>>,
    written: Option<Instant>,
) {
    waiting.recv_many(batch, MAX_BATCH).await;
    let Some(next) = written.map(|written| written + GATHERING) else {
        return;
    };
    while (1..MAX_BATCH).contains(&batch.len()) && !batch.iter().any(RecorderMessage::is_awaited) {
        let room = MAX_BATCH - batch.len();
        match timeout_at(next, waiting.recv_many(batch, room)).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
    }
}

impl<E: OutcomeReducer + CountedEvent> EventRecorder<E> {
    /// A recorder that continues after number `after`. When the log refuses an event the run is cancelled.
    pub(crate) fn start(
        log: Arc<dyn EventLog>,
        lease: Lease,
        after: u64,
        cancel: CancelSignal,
        tools: ToolLabels,
        secrets: RequestSecrets,
        account: RunAccount,
    ) -> Self {
        let writers = account.writers.clone();
        let (messages, waiting) = mpsc::channel(MAX_WAITING);
        let writer = LogWriter {
            log,
            lease,
            after,
            cancel,
            tools,
            secrets,
            account,
            outcome: RunOutcome::default(),
            ended: false,
        };
        writers.spawn(writer.write_all(waiting));
        Self {
            messages,
            iteration: Mutex::new(None),
        }
    }

    async fn send(&self, message: RecorderMessage<E>) -> Result<(), Cancelled> {
        self.messages.send(message).await.map_err(|_| log_closed())
    }
}

fn log_closed() -> Cancelled {
    Cancelled::LogUnavailable {
        reason: "the log is closed".into(),
    }
}

#[async_trait]
impl<E: OutcomeReducer + CountedEvent> Journal<E> for EventRecorder<E> {
    async fn record(&self, event: E) -> Result<(), Cancelled> {
        let iteration = self
            .iteration
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let at = Timestamp::now();
        self.send(RecorderMessage::Event { event, at, iteration }).await
    }

    async fn settle(&self) -> Result<(), Cancelled> {
        let (reply, flushed) = oneshot::channel();
        self.send(RecorderMessage::Flush(reply)).await?;
        flushed.await.map_err(|_| log_closed())?
    }

    fn turn(&self, iteration: String) {
        *self.iteration.lock().unwrap_or_else(PoisonError::into_inner) = Some(iteration);
    }
}

/// The task that writes.
struct LogWriter {
    log: Arc<dyn EventLog>,
    lease: Lease,
    after: u64,
    cancel: CancelSignal,
    tools: ToolLabels,
    /// Values of the request that are in no event.
    secrets: RequestSecrets,
    account: RunAccount,
    outcome: RunOutcome,
    ended: bool,
}

impl LogWriter {
    async fn write_all<E: OutcomeReducer + CountedEvent>(
        mut self,
        mut waiting: mpsc::Receiver<RecorderMessage<E>>,
    ) {
        let mut batch = Vec::new();
        let mut failure = None;
        let mut written = None;
        loop {
            gather(&mut waiting, &mut batch, written).await;
            if batch.is_empty() {
                return;
            }
            let mut entries = Vec::new();
            let mut replies = Vec::new();
            for message in batch.drain(..) {
                match message {
                    RecorderMessage::Event { event, at, iteration } => {
                        let seq = self.after + entries.len() as u64 + 1;
                        let stamped = Stamped {
                            seq,
                            at,
                            iteration,
                            event,
                        };
                        entries.extend(self.entry(&stamped));
                    }
                    RecorderMessage::Flush(reply) => replies.push(reply),
                }
            }
            if failure.is_none()
                && let Err(reason) = self.write::<E>(entries).await
            {
                self.cancel.cancel(reason.clone());
                failure = Some(reason);
            }
            written = Some(Instant::now());
            for reply in replies {
                // The caller may be gone.
                let _ = reply.send(failure.clone().map_or(Ok(()), Err));
            }
        }
    }

    /// The entry of an event; none once the log has ended, since nothing may follow.
    fn entry<E: OutcomeReducer + CountedEvent>(&mut self, stamped: &Stamped<E>) -> Option<LogEntry> {
        let event = &stamped.event;
        if self.ended {
            tracing::warn!(run = %self.lease.run, event = event.name(), "an event after the last one was dropped");
            return None;
        }
        event.reduce(&mut self.outcome);
        *self.account.recorded() = self.outcome.usage;
        event.count(&self.tools);
        self.ended = event.is_terminal();
        let mut entry = stamped.entry();
        if !self.secrets.is_empty() {
            entry.data = self.masked(Value::Object(stamped.body()));
        }
        Some(entry)
    }

    /// A JSON value as text, without the values that nobody sees. They are looked for in its strings: within the text they would be
    /// spelled otherwise, and might be part of its syntax.
    fn masked(&self, mut value: Value) -> String {
        self.secrets.mask_value(&mut value);
        value.to_string()
    }

    async fn write<E: OutcomeReducer>(&mut self, entries: Vec<LogEntry>) -> Result<(), Cancelled> {
        if entries.is_empty() {
            return Ok(());
        }
        let count = entries.len() as u64;
        let bytes: usize = entries.iter().map(|entry| entry.data.len()).sum();
        let run = &self.lease.run;
        let written = if entries.last().is_some_and(|entry| entry.terminal) {
            let finish = self.log.finish(&self.lease, self.after, entries, self.run_end());
            let written = store_write("finish", run, count, bytes, finish).await;
            if written.is_ok() {
                metrics::run_ended(E::FAMILY, self.outcome.status);
            }
            written
        } else {
            let append = self.log.append(&self.lease, self.after, entries);
            store_write("append", run, count, bytes, append).await
        };
        written.map_err(crate::error::cancelled)?;
        self.after += count;
        Ok(())
    }

    fn run_end(&self) -> RunEnd {
        let RunOutcome {
            status,
            result,
            error,
            usage: _,
        } = &self.outcome;
        let (usage, metered) = self.account.spent();
        RunEnd {
            status: *status,
            result: result.clone().map(|result| self.masked(result)),
            error: error
                .as_ref()
                .and_then(|error| serde_json::to_value(error).ok())
                .map(|error| self.masked(error)),
            usage: serde_json::to_string(&usage).ok(),
            metered,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use store::conformance::job;
    use store::engines::memory::InMemoryStore;
    use store::jobs::ClaimScope;
    use wire::run::RunBudget;
    use wire::scrape::ScrapeEvent;
    use wire::{Event as _, RunId};

    use super::*;
    use crate::tenants::usage;

    #[tokio::test]
    async fn events_stay_readable_whatever_the_secrets_of_their_run_are() {
        let store = InMemoryStore::open();
        let new = job(7);
        let id: RunId = new.id.clone();
        let time = Duration::from_secs(60);
        store.jobs.enqueue(new).await.unwrap();
        let (lease, _) = store.jobs.claim(time, ClaimScope::Any).await.unwrap().unwrap();
        // A name of a field, and what has quotes of its own.
        let headers =
            json!({"X-Mode": "extracted_data", "If-None-Match": "\"page one\"", "X-Key": "ab\"cd\\123"});
        let recorder = EventRecorder::<ScrapeEvent>::start(
            store.log.clone(),
            lease,
            0,
            CancelSignal::after(time),
            ToolLabels::default(),
            RequestSecrets::of(&json!({"fetch": {"headers": headers}})),
            RunAccount::new(usage::ledger(RunBudget::default()), EarlierUsage::default()),
        );
        let said = |message: &str| ScrapeEvent::Error {
            data: wire::scrape::ScrapeError::new(wire::Code::TaskFailed, message, None),
        };
        let mut events: Vec<ScrapeEvent> = ScrapeEvent::samples();
        events.retain(|event| !event.is_terminal());
        let samples = events.len();
        events.push(said("page one of ab\"cd\\123"));
        for event in &events {
            recorder.record(event.clone()).await.unwrap();
        }
        recorder.settle().await.unwrap();
        let entries = store.log.read(&id, 0, events.len()).await.unwrap();
        let read = |entry: &LogEntry| Stamped::<ScrapeEvent>::from_entry(entry).unwrap().event;
        let read: Vec<ScrapeEvent> = entries.iter().map(read).collect();
        assert_eq!(read[..samples], events[..samples]);
        assert_eq!(read[samples], said("[If-None-Match 2] of [X-Key]"));
    }
}
