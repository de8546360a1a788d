//! Engine `memory`: state of this process only, lost when it ends. For tests, and for servers without a disk.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use jiff::Timestamp;
use tokio::sync::watch;
use tokio::time::Instant;
use wire::run::RunStatus;
use wire::{LogEntry, RunId};

use super::notifier::ChangeNotifier;
use crate::blobs::{Blobs, Digest};
use crate::inbox::{Inbox, InboxCommand};
use crate::jobs::{Job, JobQuery, Jobs, Lease, NewJob, Renewal};
use crate::log::{EventLog, RunEnd, check_order};
use crate::{Error, Store};

/// The engine.
#[derive(Debug)]
pub struct MemoryStore {
    state: Mutex<MemoryState>,
    notifier: ChangeNotifier,
}

#[derive(Debug, Default)]
struct MemoryState {
    /// In the order they came.
    runs: Vec<RunRecord>,
    places: HashMap<RunId, usize>,
    keys: HashMap<(Option<String>, String), RunId>,
    blobs: HashMap<Digest, Bytes>,
}

#[derive(Debug)]
struct RunRecord {
    job: Job,
    epoch: u64,
    held_until: Option<Instant>,
    log: Vec<LogEntry>,
    commands: Vec<InboxCommand>,
    topics: HashSet<String>,
}

impl MemoryStore {
    /// A store with nothing in it.
    pub fn open() -> Store {
        let engine = Arc::new(Self {
            state: Mutex::default(),
            notifier: ChangeNotifier::new(),
        });
        Store {
            jobs: engine.clone(),
            log: engine.clone(),
            inbox: engine.clone(),
            blobs: engine,
        }
    }

    fn state(&self) -> MutexGuard<'_, MemoryState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(
        &self,
        lease: &Lease,
        after: u64,
        entries: Vec<LogEntry>,
        ending: Option<RunEnd>,
    ) -> Result<(), Error> {
        check_order(&lease.run, after, &entries, ending.is_some())?;
        let mut state = self.state();
        let record = state.leased_run(lease)?;
        if record.job.last_seq != after {
            return Err(Error::Conflict {
                run: lease.run.clone(),
                expected: after,
                actual: record.job.last_seq,
            });
        }
        record.log.extend(entries);
        record.job.last_seq = record.log.len() as u64;
        if let Some(RunEnd {
            status,
            result,
            error,
            usage,
        }) = ending
        {
            record.job = Job {
                status,
                result,
                error,
                usage,
                finished_at: Some(Timestamp::now()),
                ..record.job.clone()
            };
            record.held_until = None;
            record.commands.clear();
        }
        let end = record.job.last_seq;
        drop(state);
        self.notifier.notify_log(&lease.run, end);
        Ok(())
    }
}

impl RunRecord {
    fn lease(&mut self, ttl: Duration) -> (Lease, Job) {
        self.epoch += 1;
        self.job.attempt += 1;
        self.job.status = RunStatus::Running;
        self.held_until = Some(Instant::now() + ttl);
        (
            Lease {
                run: self.job.id.clone(),
                epoch: self.epoch,
            },
            self.job.clone(),
        )
    }
}

impl MemoryState {
    fn put(&mut self, new: NewJob) -> Result<RunId, Error> {
        let key = new.idempotency_key.map(|key| (new.owner.clone(), key));
        if let Some(earlier) = key.as_ref().and_then(|key| self.keys.get(key)).cloned() {
            let same = self.record(&earlier)?.job.request == new.request;
            return if same {
                Ok(earlier)
            } else {
                Err(Error::Taken {
                    key: key.map(|(_, key)| key).unwrap_or_default(),
                })
            };
        }
        if self.places.contains_key(&new.id) {
            return Err(Error::Taken {
                key: new.id.to_string(),
            });
        }
        if self
            .runs
            .iter()
            .filter(|run| run.job.status == RunStatus::Queued)
            .count()
            >= new.queue_limit
        {
            return Err(Error::QueueFull {
                limit: new.queue_limit,
            });
        }
        let job = Job {
            id: new.id.clone(),
            kind: new.kind,
            request: new.request,
            owner: new.owner,
            status: RunStatus::Queued,
            created_at: Timestamp::now(),
            finished_at: None,
            last_seq: 0,
            attempt: 0,
            cancel: None,
            result: None,
            error: None,
            usage: None,
        };
        self.places.insert(new.id.clone(), self.runs.len());
        if let Some(key) = key {
            self.keys.insert(key, new.id.clone());
        }
        let (log, commands, topics) = (Vec::new(), Vec::new(), HashSet::new());
        self.runs.push(RunRecord {
            job,
            epoch: 0,
            held_until: None,
            log,
            commands,
            topics,
        });
        Ok(new.id)
    }

    fn record(&mut self, run: &RunId) -> Result<&mut RunRecord, Error> {
        let place = self.places.get(run).copied();
        place
            .and_then(|place| self.runs.get_mut(place))
            .ok_or_else(|| Error::UnknownRun(run.clone()))
    }

    /// The run of a lease that is still the newest.
    fn leased_run(&mut self, lease: &Lease) -> Result<&mut RunRecord, Error> {
        let record = self.record(&lease.run)?;
        if record.epoch == lease.epoch && record.job.status == RunStatus::Running {
            Ok(record)
        } else {
            Err(Error::Fenced {
                run: lease.run.clone(),
            })
        }
    }
}

#[async_trait]
impl Jobs for MemoryStore {
    async fn enqueue(&self, new: NewJob) -> Result<RunId, Error> {
        let id = self.state().put(new)?;
        self.notifier.notify_jobs();
        Ok(id)
    }

    async fn begin(&self, new: NewJob, ttl: Duration) -> Result<(Lease, Job), Error> {
        let mut state = self.state();
        let wanted = new.id.clone();
        if state.put(new)? != wanted {
            return Err(Error::Taken {
                key: wanted.to_string(),
            });
        }
        Ok(state.record(&wanted)?.lease(ttl))
    }

    async fn claim(&self, ttl: Duration) -> Result<Option<(Lease, Job)>, Error> {
        let now = Instant::now();
        let mut state = self.state();
        let free = state.runs.iter_mut().find(|run| match run.job.status {
            RunStatus::Queued => true,
            RunStatus::Running => run.held_until.is_none_or(|until| until <= now),
            RunStatus::Completed | RunStatus::Failed | RunStatus::Cancelled => false,
        });
        Ok(free.map(|record| record.lease(ttl)))
    }

    async fn renew(&self, lease: &Lease, ttl: Duration) -> Result<Renewal, Error> {
        let mut state = self.state();
        let record = state.leased_run(lease)?;
        record.held_until = Some(Instant::now() + ttl);
        Ok(Renewal {
            cancel: record.job.cancel.clone(),
        })
    }

    async fn release(&self, lease: &Lease) -> Result<(), Error> {
        let mut state = self.state();
        let record = state.leased_run(lease)?;
        record.job.status = RunStatus::Queued;
        record.held_until = None;
        drop(state);
        self.notifier.notify_jobs();
        Ok(())
    }

    async fn cancel(&self, run: &RunId, why: &str) -> Result<bool, Error> {
        let mut state = self.state();
        let record = state.record(run)?;
        if record.job.status.is_final() {
            return Ok(false);
        }
        record.job.cancel.get_or_insert_with(|| why.to_owned());
        drop(state);
        self.notifier.notify_jobs();
        Ok(true)
    }

    async fn get(&self, run: &RunId) -> Result<Option<Job>, Error> {
        Ok(self.state().record(run).ok().map(|run| run.job.clone()))
    }

    async fn list(&self, query: JobQuery) -> Result<Vec<Job>, Error> {
        let state = self.state();
        let end = match &query.before {
            None => state.runs.len(),
            Some(run) => state
                .places
                .get(run)
                .copied()
                .ok_or_else(|| Error::UnknownRun(run.clone()))?,
        };
        let older = state
            .runs
            .get(..end)
            .unwrap_or_default()
            .iter()
            .rev()
            .map(|run| &run.job);
        Ok(older
            .filter(|job| query.owner.is_none() || job.owner == query.owner)
            .filter(|job| query.status.is_none_or(|status| job.status == status))
            .take(query.limit)
            .cloned()
            .collect())
    }

    fn subscribe(&self) -> watch::Receiver<u64> {
        self.notifier.jobs()
    }
}

#[async_trait]
impl EventLog for MemoryStore {
    async fn append(&self, lease: &Lease, after: u64, entries: Vec<LogEntry>) -> Result<(), Error> {
        self.write(lease, after, entries, None)
    }

    async fn finish(
        &self,
        lease: &Lease,
        after: u64,
        entries: Vec<LogEntry>,
        ending: RunEnd,
    ) -> Result<(), Error> {
        self.write(lease, after, entries, Some(ending))
    }

    async fn read(&self, run: &RunId, after: u64, limit: usize) -> Result<Vec<LogEntry>, Error> {
        let mut state = self.state();
        let Ok(record) = state.record(run) else {
            return Ok(Vec::new());
        };
        let from = usize::try_from(after).unwrap_or(usize::MAX);
        Ok(record.log.iter().skip(from).take(limit).cloned().collect())
    }

    fn tail(&self, run: &RunId) -> watch::Receiver<u64> {
        self.notifier.tail(run)
    }
}

#[async_trait]
impl Inbox for MemoryStore {
    async fn send(&self, run: &RunId, topic: &str, body: &str) -> Result<bool, Error> {
        let mut state = self.state();
        let record = state.record(run)?;
        if record.job.status.is_final() {
            return Err(Error::Fenced { run: run.clone() });
        }
        if !record.topics.insert(topic.to_owned()) {
            return Ok(false);
        }
        record.commands.push(InboxCommand {
            number: record.commands.len() as u64 + 1,
            body: body.to_owned(),
        });
        drop(state);
        self.notifier.notify_inbox();
        Ok(true)
    }

    async fn receive(&self, lease: &Lease, after: u64) -> Result<Vec<InboxCommand>, Error> {
        let mut state = self.state();
        let record = state.leased_run(lease)?;
        Ok(record
            .commands
            .iter()
            .filter(|command| command.number > after)
            .cloned()
            .collect())
    }

    fn subscribe(&self) -> watch::Receiver<u64> {
        self.notifier.inbox()
    }
}

#[async_trait]
impl Blobs for MemoryStore {
    async fn put(&self, bytes: Bytes) -> Result<Digest, Error> {
        let digest = Digest::of(&bytes);
        self.state().blobs.insert(digest, bytes);
        Ok(digest)
    }

    async fn get(&self, digest: &Digest) -> Result<Option<Bytes>, Error> {
        Ok(self.state().blobs.get(digest).cloned())
    }
}
