//! Engine `memory`: everything in this process, gone with it. For tests, and for servers that keep nothing.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use jiff::Timestamp;
use tokio::sync::watch;
use tokio::time::Instant;
use wire::run::RunStatus;
use wire::{Entry, RunId};

use super::hints::Hints;
use crate::blobs::{Blobs, Digest};
use crate::inbox::{Command, Inbox};
use crate::jobs::{Job, Jobs, Lease, NewJob, Query, Renewed};
use crate::log::{Ending, EventLog, check_order};
use crate::{Error, Store};

/// The engine.
#[derive(Debug)]
pub struct Memory {
    state: Mutex<State>,
    hints: Hints,
}

#[derive(Debug, Default)]
struct State {
    /// In the order they came.
    runs: Vec<Kept>,
    places: HashMap<RunId, usize>,
    keys: HashMap<(Option<String>, String), RunId>,
    blobs: HashMap<Digest, Bytes>,
}

#[derive(Debug)]
struct Kept {
    job: Job,
    epoch: u64,
    held_until: Option<Instant>,
    log: Vec<Entry>,
    commands: Vec<Command>,
    topics: HashSet<String>,
}

impl Memory {
    /// A store with nothing in it.
    pub fn open() -> Store {
        let engine = Arc::new(Self {
            state: Mutex::default(),
            hints: Hints::new(),
        });
        Store {
            jobs: engine.clone(),
            log: engine.clone(),
            inbox: engine.clone(),
            blobs: engine,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(
        &self,
        lease: &Lease,
        after: u64,
        entries: Vec<Entry>,
        ending: Option<Ending>,
    ) -> Result<(), Error> {
        check_order(&lease.run, after, &entries, ending.is_some())?;
        let mut state = self.state();
        let kept = state.held(lease)?;
        if kept.job.last_seq != after {
            return Err(Error::Conflict {
                run: lease.run.clone(),
                expected: after,
                actual: kept.job.last_seq,
            });
        }
        kept.log.extend(entries);
        kept.job.last_seq = kept.log.len() as u64;
        if let Some(Ending {
            status,
            result,
            error,
            usage,
        }) = ending
        {
            kept.job = Job {
                status,
                result,
                error,
                usage,
                finished_at: Some(Timestamp::now()),
                ..kept.job.clone()
            };
            kept.held_until = None;
            kept.commands.clear();
        }
        let end = kept.job.last_seq;
        drop(state);
        self.hints.moved(&lease.run, end);
        Ok(())
    }
}

impl Kept {
    fn take(&mut self, ttl: Duration) -> (Lease, Job) {
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

impl State {
    fn put(&mut self, new: NewJob) -> Result<RunId, Error> {
        let key = new.idempotency_key.map(|it| (new.owner.clone(), it));
        if let Some(earlier) = key.as_ref().and_then(|it| self.keys.get(it)).cloned() {
            let same = self.kept(&earlier)?.job.request == new.request;
            return if same {
                Ok(earlier)
            } else {
                Err(Error::Taken {
                    key: key.map(|it| it.1).unwrap_or_default(),
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
            .filter(|it| it.job.status == RunStatus::Queued)
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
        self.runs.push(Kept {
            job,
            epoch: 0,
            held_until: None,
            log,
            commands,
            topics,
        });
        Ok(new.id)
    }

    fn kept(&mut self, run: &RunId) -> Result<&mut Kept, Error> {
        let place = self.places.get(run).copied();
        place
            .and_then(|it| self.runs.get_mut(it))
            .ok_or_else(|| Error::UnknownRun(run.clone()))
    }

    /// The run of a lease that is still the newest.
    fn held(&mut self, lease: &Lease) -> Result<&mut Kept, Error> {
        let kept = self.kept(&lease.run)?;
        if kept.epoch == lease.epoch && kept.job.status == RunStatus::Running {
            Ok(kept)
        } else {
            Err(Error::Fenced {
                run: lease.run.clone(),
            })
        }
    }
}

#[async_trait]
impl Jobs for Memory {
    async fn enqueue(&self, new: NewJob) -> Result<RunId, Error> {
        let id = self.state().put(new)?;
        self.hints.stir_jobs();
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
        Ok(state.kept(&wanted)?.take(ttl))
    }

    async fn claim(&self, ttl: Duration) -> Result<Option<(Lease, Job)>, Error> {
        let now = Instant::now();
        let mut state = self.state();
        let free = state.runs.iter_mut().find(|it| match it.job.status {
            RunStatus::Queued => true,
            RunStatus::Running => it.held_until.is_none_or(|until| until <= now),
            RunStatus::Completed | RunStatus::Failed | RunStatus::Cancelled => false,
        });
        Ok(free.map(|kept| kept.take(ttl)))
    }

    async fn renew(&self, lease: &Lease, ttl: Duration) -> Result<Renewed, Error> {
        let mut state = self.state();
        let kept = state.held(lease)?;
        kept.held_until = Some(Instant::now() + ttl);
        Ok(Renewed {
            cancel: kept.job.cancel.clone(),
        })
    }

    async fn release(&self, lease: &Lease) -> Result<(), Error> {
        let mut state = self.state();
        let kept = state.held(lease)?;
        kept.job.status = RunStatus::Queued;
        kept.held_until = None;
        drop(state);
        self.hints.stir_jobs();
        Ok(())
    }

    async fn cancel(&self, run: &RunId, why: &str) -> Result<bool, Error> {
        let mut state = self.state();
        let kept = state.kept(run)?;
        if kept.job.status.is_final() {
            return Ok(false);
        }
        kept.job.cancel.get_or_insert_with(|| why.to_owned());
        drop(state);
        self.hints.stir_jobs();
        Ok(true)
    }

    async fn get(&self, run: &RunId) -> Result<Option<Job>, Error> {
        Ok(self.state().kept(run).ok().map(|it| it.job.clone()))
    }

    async fn list(&self, query: Query) -> Result<Vec<Job>, Error> {
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
            .map(|it| &it.job);
        Ok(older
            .filter(|it| query.owner.is_none() || it.owner == query.owner)
            .filter(|it| query.status.is_none_or(|status| it.status == status))
            .take(query.limit)
            .cloned()
            .collect())
    }

    fn stirred(&self) -> watch::Receiver<u64> {
        self.hints.jobs()
    }
}

#[async_trait]
impl EventLog for Memory {
    async fn append(&self, lease: &Lease, after: u64, entries: Vec<Entry>) -> Result<(), Error> {
        self.write(lease, after, entries, None)
    }

    async fn finish(
        &self,
        lease: &Lease,
        after: u64,
        entries: Vec<Entry>,
        ending: Ending,
    ) -> Result<(), Error> {
        self.write(lease, after, entries, Some(ending))
    }

    async fn read(&self, run: &RunId, after: u64, limit: usize) -> Result<Vec<Entry>, Error> {
        let mut state = self.state();
        let Ok(kept) = state.kept(run) else {
            return Ok(Vec::new());
        };
        let from = usize::try_from(after).unwrap_or(usize::MAX);
        Ok(kept.log.iter().skip(from).take(limit).cloned().collect())
    }

    fn tail(&self, run: &RunId) -> watch::Receiver<u64> {
        self.hints.tail(run)
    }
}

#[async_trait]
impl Inbox for Memory {
    async fn send(&self, run: &RunId, topic: &str, body: &str) -> Result<bool, Error> {
        let mut state = self.state();
        let kept = state.kept(run)?;
        if kept.job.status.is_final() {
            return Err(Error::Fenced { run: run.clone() });
        }
        if !kept.topics.insert(topic.to_owned()) {
            return Ok(false);
        }
        kept.commands.push(Command {
            number: kept.commands.len() as u64 + 1,
            body: body.to_owned(),
        });
        drop(state);
        self.hints.stir_inbox();
        Ok(true)
    }

    async fn receive(&self, lease: &Lease, after: u64) -> Result<Vec<Command>, Error> {
        let mut state = self.state();
        let kept = state.held(lease)?;
        Ok(kept
            .commands
            .iter()
            .filter(|it| it.number > after)
            .cloned()
            .collect())
    }

    fn stirred(&self) -> watch::Receiver<u64> {
        self.hints.inbox()
    }
}

#[async_trait]
impl Blobs for Memory {
    async fn put(&self, bytes: Bytes) -> Result<Digest, Error> {
        let digest = Digest::of(&bytes);
        self.state().blobs.insert(digest, bytes);
        Ok(digest)
    }

    async fn get(&self, digest: &Digest) -> Result<Option<Bytes>, Error> {
        Ok(self.state().blobs.get(digest).cloned())
    }
}
