//! Import of runs that have ended elsewhere, for `huntsman cluster migrate`.

use bytes::Bytes;
use wire::LogEntry;

use super::engine::Nats;
use super::runs::{CLIENT_PATIENCE, random_name, retrying};
use super::state::{Body, Change, Head, RunState, VERSION};
use crate::Error;
use crate::jobs::Job;

/// Entries of one message.
const BATCH: usize = 128;

impl Nats {
    /// Stores a run as it ended elsewhere, with its whole log. False when it is here already; what an import that was cut off
    /// left of it is replaced. `number` is its place among the imported runs: it orders those of one millisecond. Idempotency keys and usage are not part of it.
    ///
    /// # Errors
    /// [`Error::Taken`] when a run of this id goes on here; [`Error::Disorder`] for a log with gaps; those of the cluster.
    pub async fn import(&self, number: usize, job: &Job, log: &[LogEntry]) -> Result<bool, Error> {
        let run = &job.summary.id;
        let first = job.summary.expired_seq;
        let dense = log.iter().zip(first + 1..).all(|(entry, seq)| entry.seq == seq);
        if !dense || first + log.len() as u64 != job.summary.last_seq || !job.summary.status.is_final() {
            return Err(Error::Disorder { run: run.clone() });
        }
        match self.0.load(run, CLIENT_PATIENCE).await? {
            Some(head) if head.state.status.is_final() => return Ok(false),
            Some(head) if head.state.session != IMPORTING => {
                return Err(Error::Taken { key: run.to_string() });
            }
            Some(_) => {
                let (stream, subject) = (self.0.layout.log_stream(run), self.0.layout.log(run));
                retrying(CLIENT_PATIENCE, || self.0.jetstream.purge(&stream, &subject, 0)).await?;
                self.0.forget(run);
            }
            None => {}
        }
        let created = job.summary.created_at.as_microsecond() + (number % 1000) as i64;
        let finished = job.summary.finished_at.unwrap_or(job.summary.created_at);
        let mut state = imported_state(job, created);
        let request = Body {
            request: Some(job.request.clone()),
            ..Body::default()
        };
        let end = |entries: &[LogEntry]| Body {
            request: (first > 0).then(|| job.request.clone()),
            result: job.result.clone(),
            error: job.error.clone(),
            usage: job.usage.clone(),
            ..Body::of(entries)
        };
        self.write_imported(job, state.clone(), &request).await?;
        let last = log.len().saturating_sub(1) / BATCH;
        for (number, entries) in log.chunks(BATCH).enumerate() {
            state.last += entries.len() as u64;
            state.bytes += entries.iter().map(|entry| entry.data.len() as u64).sum::<u64>();
            if number < last {
                state.change = Change::Events;
                self.write_imported(job, state.clone(), &Body::of(entries))
                    .await?;
            }
        }
        state.change = if log.is_empty() {
            Change::Expired
        } else {
            Change::Ended
        };
        (state.status, state.finished) = (job.summary.status, Some(finished.as_microsecond()));
        state.session = String::new();
        state.bytes += job.result.as_ref().map_or(0, String::len) as u64;
        let entry = self.0.layout.index_entry(state.owner.as_deref(), created, run);
        retrying(CLIENT_PATIENCE, || {
            self.0.jetstream.publish(&entry, None, &[], Bytes::new())
        })
        .await?;
        let entries = log.chunks(BATCH).last().unwrap_or_default();
        let head = self.write_imported(job, state, &end(entries)).await?;
        self.0.settle_end(run, &head, &[]).await?;
        Ok(true)
    }

    async fn write_imported(&self, job: &Job, state: RunState, body: &Body) -> Result<Head, Error> {
        let run = &job.summary.id;
        let body = self.0.ready_body(run, body, CLIENT_PATIENCE).await?;
        let written = self
            .0
            .change(run, CLIENT_PATIENCE, &body, |_| Ok(Some(state.clone())))
            .await?;
        written.ok_or_else(|| Error::UnknownRun(run.clone()))
    }
}

/// Marks a run whose import is under way.
const IMPORTING: &str = "import";

fn imported_state(job: &Job, created: i64) -> RunState {
    let summary = &job.summary;
    RunState {
        v: VERSION,
        change: Change::Created,
        write: random_name(),
        kind: summary.kind,
        // No worker takes it: there is no open record of it.
        status: wire::run::RunStatus::Running,
        owner: summary.owner.clone(),
        created,
        finished: None,
        last: summary.expired_seq,
        expired: summary.expired_seq,
        epoch: u64::from(summary.attempt),
        attempt: summary.attempt,
        lost: summary.lost_workers,
        cancel: summary.cancel.clone(),
        commands: Vec::new(),
        sealed: false,
        key: None,
        account: None,
        priority: 0,
        bytes: 0,
        session: IMPORTING.to_owned(),
        ttl: 0,
    }
}
