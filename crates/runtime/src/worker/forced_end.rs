//! The end of a run whose agent cannot end it: with its family's last event, made here.

use std::sync::Arc;

use store::Store;
use store::jobs::Lease;
use store::log::{EventLog, RunEnd};
use wire::error::ErrorBody;
use wire::run::RunStatus;

use crate::diagnostics::store_write;
use crate::metrics;
use crate::outcome::forced_end;
use crate::recorder::RunAccount;

/// How often the end is written again when something of the run was logged in between.
const TRIES: usize = 4;

/// Ends a run, once what its agent has said is in the log.
///
/// # Errors
/// When the store fails, or another worker has the run.
pub(super) async fn end(
    store: &Store,
    log: Arc<dyn EventLog>,
    lease: &Lease,
    error: &ErrorBody,
    account: &RunAccount,
) -> Result<(), store::Error> {
    account.wait_for_writers().await;
    let mut tries = 0;
    loop {
        let Some(job) = store.jobs.summary(&lease.run).await? else {
            return Ok(());
        };
        if job.status.is_final() {
            return Ok(());
        }
        let after = job.last_seq;
        let entry = forced_end(&job, after + 1, error);
        let (usage, metered) = account.spent();
        let ending = RunEnd {
            status: RunStatus::Failed,
            result: None,
            error: serde_json::to_string(error).ok(),
            usage: serde_json::to_string(&usage).ok(),
            metered,
        };
        let bytes = entry.data.len();
        let finish = log.finish(lease, after, vec![entry], ending);
        tries += 1;
        match store_write("finish", &lease.run, 1, bytes, finish).await {
            Err(store::Error::Conflict { .. }) if tries < TRIES => {}
            written => {
                written?;
                metrics::run_ended(job.kind.family(), RunStatus::Failed);
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use agents::cancel::CancelSignal;
    use agents::run::Journal as _;
    use async_trait::async_trait;
    use store::conformance::job;
    use store::engines::memory::InMemoryStore;
    use store::jobs::ClaimScope;
    use tokio::sync::watch;
    use wire::request_secrets::RequestSecrets;
    use wire::run::{RunBudget, RunUsage};
    use wire::scrape::{ScrapeEvent, StepDetail};
    use wire::{Code, Event as _, LogEntry, RunId};

    use super::*;
    use crate::earlier_usage::EarlierUsage;
    use crate::metrics::ToolLabels;
    use crate::recorder::EventRecorder;
    use crate::tenants::usage;

    /// A log that takes its time for what does not end a run.
    struct SlowLog(Arc<dyn EventLog>);

    #[async_trait]
    impl EventLog for SlowLog {
        async fn append(
            &self,
            lease: &Lease,
            after: u64,
            entries: Vec<LogEntry>,
        ) -> Result<(), store::Error> {
            tokio::time::sleep(Duration::from_secs(1)).await;
            self.0.append(lease, after, entries).await
        }

        async fn finish(
            &self,
            lease: &Lease,
            after: u64,
            entries: Vec<LogEntry>,
            ending: RunEnd,
        ) -> Result<(), store::Error> {
            self.0.finish(lease, after, entries, ending).await
        }

        async fn read(&self, run: &RunId, after: u64, limit: usize) -> Result<Vec<LogEntry>, store::Error> {
            self.0.read(run, after, limit).await
        }

        fn tail(&self, run: &RunId) -> watch::Receiver<u64> {
            self.0.tail(run)
        }
    }

    fn page_opened() -> ScrapeEvent {
        let opens = |event: &ScrapeEvent| match event {
            ScrapeEvent::Step { data } => {
                matches!(
                    &data.detail,
                    StepDetail::Navigate {
                        final_url: Some(_),
                        ..
                    }
                )
            }
            _ => false,
        };
        ScrapeEvent::samples().into_iter().find(opens).unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn what_a_broken_run_has_said_and_used_is_kept_before_its_end() {
        let store = InMemoryStore::open();
        let new = job(7);
        let id = new.id.clone();
        let time = Duration::from_secs(60);
        store.jobs.enqueue(new).await.unwrap();
        let (lease, _) = store.jobs.claim(time, ClaimScope::Any).await.unwrap().unwrap();
        let log: Arc<dyn EventLog> = Arc::new(SlowLog(store.log.clone()));
        let earlier = RunUsage {
            pages: 2,
            ..RunUsage::default()
        };
        let earlier = EarlierUsage::new(earlier, Vec::new());
        let account = RunAccount::new(usage::ledger(RunBudget::default()), earlier);
        let recorder = EventRecorder::<ScrapeEvent>::start(
            log.clone(),
            lease.clone(),
            0,
            CancelSignal::after(time),
            ToolLabels::default(),
            RequestSecrets::default(),
            account.clone(),
        );
        recorder.record(page_opened()).await.unwrap();
        // The writer is under way when the agent breaks.
        tokio::time::sleep(Duration::from_millis(100)).await;
        drop(recorder);
        let error = ErrorBody::new(Code::TaskExecutionFailed, "the run met an unexpected fault");
        end(&store, log, &lease, &error, &account).await.unwrap();
        let job = store.jobs.get(&id).await.unwrap().unwrap();
        assert_eq!(job.summary.status, RunStatus::Failed);
        let names: Vec<_> = store.log.read(&id, 0, 9).await.unwrap();
        let names: Vec<_> = names.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["step", "complete"]);
        let usage: RunUsage = serde_json::from_str(&job.usage.unwrap()).unwrap();
        assert_eq!(usage.pages, 3);
    }
}
