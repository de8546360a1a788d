//! `OutboxLog`: an event log that writes down what webhooks are to be told before it happens.
//!
//! A worker that dies between the two leaves a delivery of something that did not happen, or not yet: whoever sends it
//! looks at the run first. So nothing that happened is missed, and nothing is told that did not happen.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use store::jobs::Lease;
use store::log::{EventLog, RunEnd};
use tokio::sync::Mutex;
use tokio::sync::watch;
use wire::webhooks::WebhookEvent;
use wire::{Audience, LogEntry, RunId};

use super::deliveries::Source;
use super::{Subscriber, Webhooks};
use crate::error::ServiceError;
use crate::patience::Patience;

/// How long it may take until a run heeds an endpoint that was registered or deleted meanwhile.
const FRESH: Duration = Duration::from_secs(2);

/// The events that tell of ends of runs.
const ENDS: [WebhookEvent; 3] = [
    WebhookEvent::RunCompleted,
    WebhookEvent::RunFailed,
    WebhookEvent::RunCancelled,
];

/// The log of one owner's runs.
pub(crate) struct OutboxLog {
    log: Arc<dyn EventLog>,
    webhooks: Webhooks,
    owner: String,
    subscribers: Mutex<Option<(Instant, Arc<Vec<Subscriber>>)>>,
}

impl OutboxLog {
    pub(crate) fn new(log: Arc<dyn EventLog>, webhooks: Webhooks, owner: String) -> Self {
        Self {
            log,
            webhooks,
            owner,
            subscribers: Mutex::new(None),
        }
    }

    /// The endpoints of the owner, as they were a moment ago.
    async fn subscribers(&self) -> Result<Arc<Vec<Subscriber>>, ServiceError> {
        let mut cached = self.subscribers.lock().await;
        if let Some((read_at, subscribers)) = &*cached
            && read_at.elapsed() < FRESH
        {
            return Ok(Arc::clone(subscribers));
        }
        let subscribers = Arc::new(self.webhooks.subscribers(&self.owner).await?);
        *cached = Some((Instant::now(), Arc::clone(&subscribers)));
        Ok(subscribers)
    }

    /// Writes down the events that endpoints want.
    async fn note_events(
        &self,
        run: &RunId,
        subscribers: &[Subscriber],
        entries: &[LogEntry],
    ) -> Result<(), ServiceError> {
        let public = entries.iter().filter(|entry| entry.audience == Audience::Public);
        for entry in public {
            for subscriber in subscribers.iter().filter(|it| it.wants(&entry.name)) {
                let (seq, name) = (entry.seq, &entry.name);
                let source = Source::RunEvent {
                    run: run.clone(),
                    seq,
                    name: name.clone(),
                };
                let what = format!("{run} {seq} {name}");
                self.webhooks
                    .enqueue(&self.owner, &subscriber.id, &what, source)
                    .await?;
            }
        }
        Ok(())
    }

    async fn note_end(&self, run: &RunId, entries: &[LogEntry]) -> Result<(), ServiceError> {
        let subscribers = self.webhooks.subscribers(&self.owner).await?;
        self.note_events(run, &subscribers, entries).await?;
        let wants_ends = |it: &&Subscriber| ENDS.iter().any(|end| it.wants(end.as_str()));
        for subscriber in subscribers.iter().filter(wants_ends) {
            let source = Source::RunEnd { run: run.clone() };
            let what = format!("{run} end");
            self.webhooks
                .enqueue(&self.owner, &subscriber.id, &what, source)
                .await?;
        }
        Ok(())
    }
}

fn engine(error: ServiceError) -> store::Error {
    store::Error::Engine {
        reason: format!("a delivery cannot be written: {error}"),
    }
}

#[async_trait]
impl EventLog for OutboxLog {
    async fn append(&self, lease: &Lease, after: u64, entries: Vec<LogEntry>) -> Result<(), store::Error> {
        let patience = Patience::begin();
        let subscribers = loop {
            match self.subscribers().await {
                Ok(subscribers) => break subscribers,
                Err(error) => patience.wait(error).await.map_err(engine)?,
            }
        };
        if subscribers.is_empty() {
            return self.log.append(lease, after, entries).await;
        }
        while let Err(error) = self.note_events(&lease.run, &subscribers, &entries).await {
            patience.wait(error).await.map_err(engine)?;
        }
        self.log.append(lease, after, entries).await?;
        self.webhooks.wake();
        Ok(())
    }

    async fn finish(
        &self,
        lease: &Lease,
        after: u64,
        entries: Vec<LogEntry>,
        ending: RunEnd,
    ) -> Result<(), store::Error> {
        let patience = Patience::begin();
        while let Err(error) = self.note_end(&lease.run, &entries).await {
            patience.wait(error).await.map_err(engine)?;
        }
        self.log.finish(lease, after, entries, ending).await?;
        self.webhooks.wake();
        Ok(())
    }

    async fn read(&self, run: &RunId, after: u64, limit: usize) -> Result<Vec<LogEntry>, store::Error> {
        self.log.read(run, after, limit).await
    }

    fn tail(&self, run: &RunId) -> watch::Receiver<u64> {
        self.log.tail(run)
    }
}
