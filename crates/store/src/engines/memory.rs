//! Engine `memory`: state of this process only, lost when it ends. For tests, and for servers without a disk.

mod frontier;
mod frontier_port;
mod owners;
mod records;
mod shares;
mod vault;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
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
use crate::blobs::{Blobs, Digest, first_name_at, name_of_run_blob};
use crate::inbox::{Inbox, InboxCommand};
use crate::jobs::{
    Admission, ClaimScope, Job, JobNeeds, JobQuery, JobSummary, Jobs, Lease, LeasedJob, NewJob, Renewal,
    WorkerCapabilities,
};
use crate::log::{EventLog, RunEnd, check_order};
use crate::owners::{UsageAmounts, UsageKey};
use crate::retention::{Removal, Retention, StoreSpace};
use crate::shares::ShareState;
use crate::{Error, Store};

/// The engine.
#[derive(Debug)]
pub struct InMemoryStore {
    state: Mutex<MemoryState>,
    notifier: ChangeNotifier,
}

#[derive(Debug, Default)]
struct MemoryState {
    /// By place, in the order they came.
    runs: BTreeMap<u64, RunRecord>,
    places: HashMap<RunId, u64>,
    keys: HashMap<(Option<String>, String), KeyedRun>,
    blobs: HashMap<Digest, Bytes>,
    /// Blobs of runs, by run and name.
    run_blobs: BTreeMap<(RunId, String), Bytes>,
    /// Jobs that wait, by owner, priority and place.
    waiting: BTreeSet<(String, u8, u64)>,
    owners: BTreeMap<String, ShareState>,
    /// Virtual time of the owner served last.
    floor: i64,
    usage: BTreeMap<UsageKey, UsageAmounts>,
    records: BTreeMap<(String, String), (String, u64)>,
    /// The revision given last.
    revision: u64,
}

/// The run that an idempotency key names.
#[derive(Debug)]
struct KeyedRun {
    run: RunId,
    /// SHA-256 of its request, which may be gone.
    request: Digest,
}

#[derive(Debug)]
struct RunRecord {
    job: Job,
    /// The request as its worker needs it, where readers see another, until the run ends.
    whole_request: Option<String>,
    admission: Admission,
    epoch: u64,
    held_until: Option<Instant>,
    /// When it was taken from the queue, and what its owner was charged for it.
    claimed: Option<(Instant, i64)>,
    log: Vec<LogEntry>,
    commands: Vec<InboxCommand>,
    topics: HashSet<String>,
    frontier: frontier::MemoryFrontier,
}

impl InMemoryStore {
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
            blobs: engine.clone(),
            retention: engine.clone(),
            owners: engine.clone(),
            records: engine.clone(),
            vault: Arc::new(vault::InMemoryVault::default()),
            frontier: Some(engine),
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
        let place = state.leased_place(lease)?;
        let record = state.leased_run(lease)?;
        if record.job.summary.last_seq != after {
            return Err(Error::Conflict {
                run: lease.run.clone(),
                expected: after,
                actual: record.job.summary.last_seq,
            });
        }
        record.log.extend(entries);
        record.job.summary.last_seq = record.log.len() as u64;
        if let Some(RunEnd {
            status,
            result,
            error,
            usage,
            metered,
        }) = ending
        {
            record.job.summary.status = status;
            record.job.summary.finished_at = Some(Timestamp::now());
            (record.job.result, record.job.error, record.job.usage) = (result, error, usage);
            record.whole_request = None;
            record.held_until = None;
            record.commands.clear();
            record.frontier = frontier::MemoryFrontier::default();
            let end = record.job.summary.last_seq;
            state.meter(place, &metered);
            let freed_place = state.settle(place);
            drop(state);
            self.notifier.notify_log(&lease.run, end);
            if freed_place {
                self.notifier.notify_jobs();
            }
            return Ok(());
        }
        let end = record.job.summary.last_seq;
        drop(state);
        self.notifier.notify_log(&lease.run, end);
        Ok(())
    }
}

impl RunRecord {
    fn lease(&mut self, ttl: Duration) -> (Lease, LeasedJob) {
        let summary = &mut self.job.summary;
        self.epoch += 1;
        summary.attempt += 1;
        // A worker that ended the run or gave it back would have changed its status.
        summary.lost_workers += u32::from(summary.status == RunStatus::Running);
        summary.status = RunStatus::Running;
        self.held_until = Some(Instant::now() + ttl);
        let lease = Lease {
            run: summary.id.clone(),
            epoch: self.epoch,
        };
        let request = self.whole_request.as_ref().unwrap_or(&self.job.request);
        let job = LeasedJob {
            summary: summary.clone(),
            request: Ok(request.clone()),
        };
        (lease, job)
    }
}

impl MemoryState {
    fn put(&mut self, new: NewJob) -> Result<RunId, Error> {
        let key = new.idempotency_key.clone().map(|key| (new.owner.clone(), key));
        let request = Digest::of(new.compared_request().as_bytes());
        if let Some((key, earlier)) = key.as_ref().and_then(|key| Some((key, self.keys.get(key)?))) {
            return if earlier.request == request {
                Ok(earlier.run.clone())
            } else {
                Err(Error::Taken { key: key.1.clone() })
            };
        }
        if self.places.contains_key(&new.id) {
            return Err(Error::Taken {
                key: new.id.to_string(),
            });
        }
        self.check_queues(&new)?;
        let summary = JobSummary {
            id: new.id.clone(),
            kind: new.kind,
            owner: new.owner,
            status: RunStatus::Queued,
            created_at: Timestamp::now(),
            finished_at: None,
            last_seq: 0,
            expired_seq: 0,
            attempt: 0,
            lost_workers: 0,
            cancel: None,
        };
        let (shown, whole_request) = match new.shown_request {
            Some(shown) => (shown, Some(new.request)),
            None => (new.request, None),
        };
        let place = self.runs.last_key_value().map_or(0, |(place, _)| place + 1);
        self.places.insert(new.id.clone(), place);
        if let Some(key) = key {
            let run = new.id.clone();
            self.keys.insert(key, KeyedRun { run, request });
        }
        let (log, commands, topics) = (Vec::new(), Vec::new(), HashSet::new());
        let job = Job {
            summary,
            request: shown,
            result: None,
            error: None,
            usage: None,
        };
        let record = RunRecord {
            job,
            whole_request,
            admission: new.admission,
            epoch: 0,
            held_until: None,
            claimed: None,
            log,
            commands,
            topics,
            frontier: frontier::MemoryFrontier::default(),
        };
        self.runs.insert(place, record);
        self.count_queued(place);
        Ok(new.id)
    }

    fn record(&mut self, run: &RunId) -> Result<&mut RunRecord, Error> {
        let place = self.places.get(run).copied();
        place
            .and_then(|place| self.runs.get_mut(&place))
            .ok_or_else(|| Error::UnknownRun(run.clone()))
    }

    /// The place of such a run.
    fn leased_place(&mut self, lease: &Lease) -> Result<u64, Error> {
        self.leased_run(lease)?;
        let unknown = || Error::UnknownRun(lease.run.clone());
        self.places.get(&lease.run).copied().ok_or_else(unknown)
    }

    /// The run of a lease that is still the newest.
    fn leased_run(&mut self, lease: &Lease) -> Result<&mut RunRecord, Error> {
        let fenced = || Error::Fenced {
            run: lease.run.clone(),
        };
        let record = self.record(&lease.run).map_err(|_| fenced())?;
        let is_held = record.epoch == lease.epoch && record.job.summary.status == RunStatus::Running;
        is_held.then_some(record).ok_or_else(fenced)
    }
}

#[async_trait]
impl Jobs for InMemoryStore {
    async fn enqueue(&self, new: NewJob) -> Result<RunId, Error> {
        let id = self.state().put(new)?;
        self.notifier.notify_jobs();
        Ok(id)
    }

    async fn begin(&self, new: NewJob, ttl: Duration) -> Result<(Lease, LeasedJob), Error> {
        let mut state = self.state();
        let wanted = new.id.clone();
        if state.put(new)? != wanted {
            return Err(Error::Taken {
                key: wanted.to_string(),
            });
        }
        let place = state.places.get(&wanted).copied().unwrap_or_default();
        state.lease(place, ttl).ok_or(Error::UnknownRun(wanted))
    }

    async fn claim_for(
        &self,
        ttl: Duration,
        scope: ClaimScope,
        worker: WorkerCapabilities,
    ) -> Result<Option<(Lease, LeasedJob)>, Error> {
        let mut state = self.state();
        let place = state.next(scope, worker);
        Ok(place.and_then(|place| state.lease(place, ttl)))
    }

    async fn renew(&self, lease: &Lease, ttl: Duration) -> Result<Renewal, Error> {
        let mut state = self.state();
        let record = state.leased_run(lease)?;
        record.held_until = Some(Instant::now() + ttl);
        Ok(Renewal {
            cancel: record.job.summary.cancel.clone(),
        })
    }

    async fn release(&self, lease: &Lease) -> Result<(), Error> {
        let mut state = self.state();
        let place = state.leased_place(lease)?;
        state.settle(place);
        let record = state.leased_run(lease)?;
        record.job.summary.status = RunStatus::Queued;
        record.held_until = None;
        state.count_released(place);
        drop(state);
        self.notifier.notify_jobs();
        Ok(())
    }

    async fn cancel(&self, run: &RunId, why: &str) -> Result<bool, Error> {
        let mut state = self.state();
        let record = state.record(run)?;
        if record.job.summary.status.is_final() {
            return Ok(false);
        }
        record.job.summary.cancel.get_or_insert_with(|| why.to_owned());
        record.admission.needs = JobNeeds::ANY;
        drop(state);
        self.notifier.notify_jobs();
        Ok(true)
    }

    async fn get(&self, run: &RunId) -> Result<Option<Job>, Error> {
        Ok(self.state().record(run).ok().map(|run| run.job.clone()))
    }

    async fn summary(&self, run: &RunId) -> Result<Option<JobSummary>, Error> {
        let mut state = self.state();
        Ok(state.record(run).ok().map(|run| run.job.summary.clone()))
    }

    async fn list(&self, query: JobQuery) -> Result<Vec<JobSummary>, Error> {
        let state = self.state();
        let end = match &query.before {
            None => u64::MAX,
            Some(run) => *state
                .places
                .get(run)
                .ok_or_else(|| Error::UnknownRun(run.clone()))?,
        };
        let older = state.runs.range(..end).rev().map(|(_, run)| &run.job.summary);
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
impl EventLog for InMemoryStore {
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
        let later = record.log.iter().filter(|entry| entry.seq > after);
        Ok(later.take(limit).cloned().collect())
    }

    fn tail(&self, run: &RunId) -> watch::Receiver<u64> {
        self.notifier.tail(run)
    }
}

#[async_trait]
impl Inbox for InMemoryStore {
    async fn send(&self, run: &RunId, topic: &str, body: &str) -> Result<bool, Error> {
        let mut state = self.state();
        let record = state.record(run)?;
        if record.job.summary.status.is_final() {
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
impl Blobs for InMemoryStore {
    async fn put(&self, bytes: Bytes) -> Result<Digest, Error> {
        let digest = Digest::of(&bytes);
        self.state().blobs.insert(digest, bytes);
        Ok(digest)
    }

    async fn get(&self, digest: &Digest) -> Result<Option<Bytes>, Error> {
        Ok(self.state().blobs.get(digest).cloned())
    }

    async fn put_of_run(&self, run: &RunId, bytes: Bytes) -> Result<String, Error> {
        let mut state = self.state();
        state.record(run)?;
        let name = name_of_run_blob();
        state.run_blobs.insert((run.clone(), name.clone()), bytes);
        Ok(name)
    }

    async fn get_of_run(&self, run: &RunId, name: &str) -> Result<Option<Bytes>, Error> {
        let key = (run.clone(), name.to_owned());
        Ok(self.state().run_blobs.get(&key).cloned())
    }

    async fn expire_of_runs(&self, before: Timestamp) -> Result<usize, Error> {
        let first_kept = first_name_at(before);
        let mut state = self.state();
        let count = state.run_blobs.len();
        state.run_blobs.retain(|(_, name), _| *name >= first_kept);
        Ok(count - state.run_blobs.len())
    }
}

#[async_trait]
impl Retention for InMemoryStore {
    async fn space(&self) -> Result<StoreSpace, Error> {
        let state = self.state();
        let of_run = |run: &RunRecord| {
            let log: usize = run.log.iter().map(|entry| entry.data.len()).sum();
            let texts = [
                run.job.result.as_ref(),
                run.whole_request.as_ref(),
                Some(&run.job.request),
            ];
            log + texts.iter().flatten().map(|text| text.len()).sum::<usize>()
        };
        let used = state
            .runs
            .values()
            .map(of_run)
            .chain(state.blobs.values().map(Bytes::len))
            .chain(state.run_blobs.values().map(Bytes::len));
        Ok(StoreSpace {
            used: used.sum::<usize>() as u64,
            free: None,
        })
    }

    async fn ended(
        &self,
        removal: Removal,
        before: Option<Timestamp>,
        limit: usize,
    ) -> Result<Vec<RunId>, Error> {
        let state = self.state();
        let has_something = |job: &JobSummary| removal == Removal::Run || job.expired_seq < job.last_seq;
        let mut ended: Vec<(Timestamp, &RunId)> = state
            .runs
            .values()
            .map(|run| &run.job.summary)
            .filter(|job| has_something(job))
            .filter_map(|job| Some((job.finished_at?, &job.id)))
            .filter(|(finished_at, _)| before.is_none_or(|before| *finished_at < before))
            .collect();
        ended.sort_by_key(|(finished_at, _)| *finished_at);
        Ok(ended.into_iter().take(limit).map(|(_, id)| id.clone()).collect())
    }

    async fn remove(&self, run: &RunId, removal: Removal) -> Result<bool, Error> {
        let mut state = self.state();
        let Ok(record) = state.record(run) else {
            return Ok(false);
        };
        let summary = &mut record.job.summary;
        if summary.finished_at.is_none() {
            return Ok(false);
        }
        let removed = match removal {
            Removal::Events => {
                summary.expired_seq = summary.last_seq;
                let removed = !record.log.is_empty();
                record.log.clear();
                removed
            }
            Removal::Run => {
                if let Some(place) = state.places.remove(run) {
                    state.runs.remove(&place);
                }
                state.keys.retain(|_, keyed| keyed.run != *run);
                true
            }
        };
        state.run_blobs.retain(|(of, _), _| of != run);
        Ok(removed)
    }
}
