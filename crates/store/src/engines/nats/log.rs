//! Event logs on JetStream.

use std::ops::Bound;

use async_trait::async_trait;
use jiff::Timestamp;
use tokio::sync::watch;
use wire::{LogEntry, RunId};

use super::api::StoredMessage;
use super::engine::{Nats, lock};
use super::runs::{CLIENT_PATIENCE, WORKER_PATIENCE, retrying};
use super::state::{Body, Change, Head, RunState};
use crate::Error;
use crate::jobs::Lease;
use crate::log::{EventLog, RunEnd, check_order};
use crate::owners::MeteredUsage;

/// Runs whose positions are remembered.
const MAX_RUNS: usize = 1024;
/// Positions that are remembered of a run.
const MAX_POSITIONS: usize = 256;

impl Nats {
    async fn write(
        &self,
        lease: &Lease,
        after: u64,
        entries: Vec<LogEntry>,
        ending: Option<RunEnd>,
    ) -> Result<(), Error> {
        check_order(&lease.run, after, &entries, ending.is_some())?;
        let run = &lease.run;
        let last = after + entries.len() as u64;
        let status = ending.as_ref().map(|ending| ending.status);
        let mut body = Body::of(&entries);
        let mut bytes: usize = entries.iter().map(|entry| entry.data.len()).sum();
        if let Some(ending) = ending {
            bytes += ending.result.as_ref().map_or(0, String::len);
            let amounts = |used: MeteredUsage| (used.model, used.amounts.as_array());
            body.metered = ending.metered.into_iter().map(amounts).collect();
            (body.result, body.error, body.usage) = (ending.result, ending.error, ending.usage);
        }
        let metered = body.metered.clone();
        let body = self.0.ready_body(run, &body, WORKER_PATIENCE).await?;
        let finished = status.map(|_| Timestamp::now().as_microsecond());
        let written = self
            .0
            .change(run, WORKER_PATIENCE, &body, |head| {
                let held = head.filter(|head| head.state.is_held(lease.epoch));
                let Some(Head { state, .. }) = held else {
                    return Err(Error::Fenced { run: run.clone() });
                };
                if state.last != after {
                    return Err(Error::Conflict {
                        run: run.clone(),
                        expected: after,
                        actual: state.last,
                    });
                }
                Ok(Some(RunState {
                    change: if status.is_some() {
                        Change::Ended
                    } else {
                        Change::Events
                    },
                    status: status.unwrap_or(state.status),
                    last,
                    finished,
                    bytes: state.bytes + bytes as u64,
                    ..state.clone()
                }))
            })
            .await;
        if matches!(written, Err(Error::Fenced { .. })) {
            self.0.let_go(lease);
        }
        if let Some(head) = written?.filter(|_| status.is_some()) {
            self.0.let_go(lease);
            if let Err(error) = self.0.settle_end(run, &head, &metered).await {
                tracing::warn!(%run, %error, "what follows the end of a run is left to another process");
            }
        }
        Ok(())
    }

    /// Where a read after an event begins, and how far the log was known to go.
    fn position(&self, run: &RunId, after: u64) -> u64 {
        let positions = lock(&self.0.positions);
        let known = positions.get(run);
        let nearest = known.and_then(|known| {
            known
                .range((Bound::Unbounded, Bound::Included(after)))
                .next_back()
        });
        nearest.map_or(1, |(_, seq)| seq + 1)
    }

    fn remember_position(&self, run: &RunId, last: u64, seq: u64) {
        let mut positions = lock(&self.0.positions);
        if positions.len() >= MAX_RUNS && !positions.contains_key(run) {
            positions.clear();
        }
        let known = positions.entry(run.clone()).or_default();
        known.insert(last, seq);
        if known.len() > MAX_POSITIONS {
            known.pop_first();
        }
    }

    /// Takes the entries of a message that follow what was read.
    async fn take(
        &self,
        run: &RunId,
        message: &StoredMessage,
        after: u64,
        read: &mut Vec<LogEntry>,
    ) -> Result<(), Error> {
        let head = Head::read(message)?;
        let known = read.last().map_or(after, |entry| entry.seq);
        let has_entries = matches!(head.state.change, Change::Events | Change::Ended);
        if has_entries && head.state.last > known {
            read.extend(self.0.body(run, message).await?.into_entries(known));
        }
        if head.state.last > 0 {
            self.remember_position(run, head.state.last, head.seq);
        }
        Ok(())
    }
}

#[async_trait]
impl EventLog for Nats {
    async fn append(&self, lease: &Lease, after: u64, entries: Vec<LogEntry>) -> Result<(), Error> {
        self.write(lease, after, entries, None).await
    }

    async fn finish(
        &self,
        lease: &Lease,
        after: u64,
        entries: Vec<LogEntry>,
        ending: RunEnd,
    ) -> Result<(), Error> {
        self.write(lease, after, entries, Some(ending)).await
    }

    async fn read(&self, run: &RunId, after: u64, limit: usize) -> Result<Vec<LogEntry>, Error> {
        let (stream, subject) = (self.0.layout.log_stream(run), self.0.layout.log(run));
        let mut from = self.position(run, after);
        let mut read = Vec::new();
        let mut more = true;
        while more && read.len() < limit {
            let batch = retrying(CLIENT_PATIENCE, || {
                self.0.jetstream.batch(&stream, &subject, from)
            });
            let (messages, follow) = batch.await?;
            more = follow && !messages.is_empty();
            for message in &messages {
                from = message.seq + 1;
                if read.len() < limit {
                    self.take(run, message, after, &mut read).await?;
                }
            }
        }
        // A replica may be behind what this process knows to be stored; the leader is not.
        let known = self.0.remembered(run).map_or(0, |(head, _)| head.seq);
        while read.len() < limit && from <= known {
            let next = retrying(CLIENT_PATIENCE, || self.0.jetstream.next(&stream, &subject, from));
            let Some(message) = next.await? else { break };
            from = message.seq + 1;
            self.take(run, &message, after, &mut read).await?;
        }
        read.truncate(limit);
        Ok(read)
    }

    fn tail(&self, run: &RunId) -> watch::Receiver<u64> {
        self.0.tail(run)
    }
}
