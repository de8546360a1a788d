//! `WrittenRuns`: a server whose runs nobody works on, so that a test writes their logs itself.

use std::time::Duration;

use serde_json::{Value, json};
use server::ServerSettings;
use store::Store;
use store::engines::memory::InMemoryStore;
use store::jobs::{ClaimScope, Lease};
use store::log::RunEnd;
use wire::run::{JobRequest, RunBudget, RunSpec, RunStatus};
use wire::{Audience, LogEntry};

use crate::stand::Stand;

/// How long a test may take with a run.
const LEASE: Duration = Duration::from_secs(600);

/// A server and the store of its runs.
pub(crate) struct WrittenRuns {
    pub(crate) stand: Stand,
    store: Store,
}

/// A run that the test works on.
pub(crate) struct WrittenRun {
    pub(crate) id: String,
    store: Store,
    lease: Lease,
    /// The number of its last event.
    pub(crate) seq: u64,
}

impl WrittenRuns {
    pub(crate) async fn start(settings: ServerSettings) -> Self {
        Self::on(InMemoryStore::open(), settings).await
    }

    /// The same over this store.
    pub(crate) async fn on(store: Store, settings: ServerSettings) -> Self {
        let stand = Stand::over(store.clone(), settings, "127.0.0.1:0").await;
        Self { stand, store }
    }

    /// Ends the server and starts another one at its address over the same store.
    pub(crate) async fn restart(self, settings: ServerSettings) -> Self {
        let at = self.stand.at.to_string();
        self.stand.shutdown.cancel();
        self.stand.serving.await.unwrap().unwrap();
        let stand = Stand::over(self.store.clone(), settings, &at).await;
        Self {
            stand,
            store: self.store,
        }
    }

    /// Begins a run of a tenant.
    pub(crate) async fn begin(&self, job: JobRequest, owner: &str) -> WrittenRun {
        let spec = RunSpec {
            job,
            owner: owner.to_owned(),
            audience: Audience::Debug,
            detached: true,
            trace: None,
            trace_parent: None,
            budget: RunBudget::default(),
        };
        let id = self
            .stand
            .service
            .submit(&spec, runtime::service::Submission::default())
            .await
            .unwrap()
            .id;
        let claimed = self.store.jobs.claim(LEASE, ClaimScope::Any).await.unwrap();
        let (lease, _) = claimed.expect("the run");
        assert_eq!(lease.run, id);
        WrittenRun {
            id: id.to_string(),
            store: self.store.clone(),
            lease,
            seq: 0,
        }
    }

    /// Begins a scrape of nobody in particular.
    pub(crate) async fn scrape(&self, instructions: &str) -> WrittenRun {
        let body = json!({"assets": ["http://127.0.0.1:9/"], "instructions": instructions});
        let request = wire::scrape::ScrapeRequest::parse(body.to_string().as_bytes()).unwrap();
        self.begin(JobRequest::Scrape(request), "").await
    }
}

impl WrittenRun {
    fn entry(&self, place: u64, name: &str, data: &Value) -> LogEntry {
        LogEntry {
            seq: self.seq + place,
            at: jiff::Timestamp::now(),
            name: name.to_owned(),
            audience: Audience::Public,
            terminal: false,
            data: data.to_string(),
        }
    }

    /// Adds events.
    pub(crate) async fn tell(&mut self, events: &[(&str, Value)]) {
        let entries = events
            .iter()
            .zip(1..)
            .map(|((name, data), place)| self.entry(place, name, data));
        let entries: Vec<LogEntry> = entries.collect();
        let count = u64::try_from(entries.len()).unwrap();
        self.store
            .log
            .append(&self.lease, self.seq, entries)
            .await
            .unwrap();
        self.seq += count;
    }

    /// Ends the run with this result.
    pub(crate) async fn end(&mut self, name: &str, data: Value, result: Value) {
        let ending = RunEnd {
            status: RunStatus::Completed,
            result: Some(result.to_string()),
            error: None,
            usage: None,
            metered: Vec::new(),
        };
        self.finish(name, data, ending).await;
    }

    /// Ends the run without a result.
    pub(crate) async fn fail(&mut self, error: Value) {
        let ending = RunEnd {
            status: RunStatus::Failed,
            result: None,
            error: Some(error.to_string()),
            usage: None,
            metered: Vec::new(),
        };
        self.finish("complete", error, ending).await;
    }

    async fn finish(&mut self, name: &str, data: Value, ending: RunEnd) {
        let entry = LogEntry {
            terminal: true,
            ..self.entry(1, name, &data)
        };
        self.store
            .log
            .finish(&self.lease, self.seq, vec![entry], ending)
            .await
            .unwrap();
        self.seq += 1;
    }
}

/// A call of a tool that has ended, as a scrape tells it.
pub(crate) fn call(tool: &str, result: &str) -> (&'static str, Value) {
    let details = json!({"tool": tool, "params": {"text": result}, "success": true, "duration_ms": 3, "result_preview": result});
    let data = json!({"action": "tool_call", "status": "completed", "call_id": format!("{tool}{result}"), "extracted_data": details});
    ("step", json!({"type": "step", "data": data}))
}
