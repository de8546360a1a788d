//! `Nats`: what one process knows of the cluster, shared by the ports of the engine.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::HeaderMap;
use tokio::sync::{Semaphore, mpsc, watch as channel};
use tokio::time::Instant;
use wire::RunId;

use super::api::JetStream;
use super::layout::Layout;
use super::open_runs::OpenRuns;
use super::state::{Change, Head, RunState, STATE};
use crate::engines::notifier::ChangeNotifier;
use crate::jobs::{Lease, WorkerCapabilities};
use crate::keyring::Keyring;
use crate::retention::StoreSpace;

/// Runs whose last message is remembered.
const MAX_HEADS: usize = 4096;
/// How old a remembered state of a followed run may be for readers.
const FRESH: Duration = Duration::from_secs(2);

/// The engine. Cheap to clone; clones are the same one.
#[derive(Clone)]
pub struct Nats(pub(super) Arc<NatsInner>);

pub(super) struct NatsInner {
    pub(super) jetstream: JetStream,
    pub(super) layout: Layout,
    pub(super) keys: Keyring,
    /// Names this process.
    pub(super) session: String,
    pub(super) role: String,
    pub(super) host: String,
    pub(super) is_up: AtomicBool,
    /// What this process said it has when it last asked for a run; none before, and in a process without workers.
    pub(super) capabilities: Mutex<Option<WorkerCapabilities>>,
    /// The creation of the last run of this process, in microseconds since 1970.
    pub(super) last_created: AtomicI64,
    pub(super) open_runs: Mutex<OpenRuns>,
    /// Runs that claims of this process try just now.
    pub(super) claiming: Mutex<HashSet<String>>,
    /// Permits to correct the record of an open run.
    pub(super) corrections: Semaphore,
    pub(super) heads: Mutex<HashMap<RunId, (Head, Instant)>>,
    pub(super) tails: Mutex<HashMap<RunId, Arc<channel::Sender<u64>>>>,
    pub(super) held: Mutex<HashMap<RunId, HeldLease>>,
    pub(super) positions: Mutex<HashMap<RunId, BTreeMap<u64, u64>>>,
    pub(super) space: Mutex<Option<(Instant, StoreSpace)>>,
    pub(super) notifier: ChangeNotifier,
    /// Where the task that follows runs takes its requests.
    pub(super) follow: mpsc::UnboundedSender<FollowRequest>,
}

/// A run that is to be followed for as long as its tail has readers.
pub(super) struct FollowRequest {
    pub(super) run: RunId,
    pub(super) tail: Arc<channel::Sender<u64>>,
}

/// A lease of this process.
pub(super) struct HeldLease {
    pub(super) epoch: u64,
    pub(super) ttl: Duration,
    pub(super) renewed: Instant,
    /// Keeps the run followed, so that cancellations and answers come at once.
    _tail: channel::Receiver<u64>,
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl NatsInner {
    pub(super) fn open_runs(&self) -> MutexGuard<'_, OpenRuns> {
        lock(&self.open_runs)
    }

    /// The creation of a new run, later than of every earlier one of this process.
    pub(super) fn next_creation(&self) -> i64 {
        let now = jiff::Timestamp::now().as_microsecond();
        let later = |last: i64| Some(now.max(last + 1));
        let last = self
            .last_created
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, later);
        now.max(last.unwrap_or(0) + 1)
    }

    /// The remembered last message of a run, and whether readers may rely on it.
    pub(super) fn remembered(&self, run: &RunId) -> Option<(Head, bool)> {
        let (head, fresh) = lock(&self.heads)
            .get(run)
            .map(|(head, at)| (head.clone(), at.elapsed() < FRESH))?;
        let is_followed = lock(&self.tails).contains_key(run);
        Some((head, fresh && is_followed))
    }

    /// Remembers a run's last message, unless a newer one is known, and wakes who waits for it.
    pub(super) fn remember(&self, run: &RunId, head: &Head) {
        let mut heads = lock(&self.heads);
        if heads.get(run).is_some_and(|(known, _)| known.seq > head.seq) {
            return;
        }
        if heads.len() >= MAX_HEADS {
            let tails = lock(&self.tails);
            heads.retain(|run, _| tails.contains_key(run));
        }
        heads.insert(run.clone(), (head.clone(), Instant::now()));
        drop(heads);
        if let Some(tail) = lock(&self.tails).get(run) {
            tail.send_if_modified(|last| std::mem::replace(last, head.state.last) != head.state.last);
        }
    }

    pub(super) fn forget(&self, run: &RunId) {
        lock(&self.heads).remove(run);
        lock(&self.positions).remove(run);
    }

    /// Follows a run's log.
    pub(super) fn tail(self: &Arc<Self>, run: &RunId) -> channel::Receiver<u64> {
        let mut tails = lock(&self.tails);
        if let Some(tail) = tails.get(run) {
            return tail.subscribe();
        }
        let (sender, receiver) = channel::channel(0);
        let sender = Arc::new(sender);
        tails.insert(run.clone(), Arc::clone(&sender));
        drop(tails);
        let request = FollowRequest {
            run: run.clone(),
            tail: sender,
        };
        // Where the task is gone, readers poll.
        let _ = self.follow.send(request);
        receiver
    }

    /// Stops following a run that nobody waits for; false when somebody does again.
    pub(super) fn forget_tail(&self, run: &RunId) -> bool {
        let mut tails = lock(&self.tails);
        let is_idle = tails.get(run).is_none_or(|tail| tail.receiver_count() == 0);
        if is_idle {
            tails.remove(run);
        }
        is_idle
    }

    /// Takes in the headers of a message of a followed run.
    pub(super) fn take_copy(&self, run: &RunId, headers: &HeaderMap, sender: &channel::Sender<u64>) {
        let text = |name: &str| headers.get(name).map(|value| value.as_str().to_owned());
        let seq = text("Nats-Sequence").and_then(|seq| seq.parse().ok());
        let state = text(STATE).and_then(|state| RunState::read(&state).ok());
        let (Some(seq), Some(state)) = (seq, state) else {
            // Something was written that this version cannot read; readers will meet it.
            sender.send_modify(|_| {});
            return;
        };
        let change = state.change;
        self.remember(run, &Head { seq, state });
        match change {
            Change::Cancelled => self.notifier.notify_jobs(),
            Change::Command => self.notifier.notify_inbox(),
            Change::Ended => sender.send_modify(|_| {}),
            Change::Created | Change::Claimed | Change::Released | Change::Events | Change::Expired => {}
        }
    }

    pub(super) fn hold(self: &Arc<Self>, lease: &Lease, ttl: Duration) {
        let held = HeldLease {
            epoch: lease.epoch,
            ttl,
            renewed: Instant::now(),
            _tail: self.tail(&lease.run),
        };
        lock(&self.held).insert(lease.run.clone(), held);
    }

    pub(super) fn let_go(&self, lease: &Lease) {
        let mut held = lock(&self.held);
        if held.get(&lease.run).is_some_and(|held| held.epoch == lease.epoch) {
            held.remove(&lease.run);
        }
    }

    /// Leases that were renewed in time; others are forgotten.
    pub(super) fn renewed_leases(&self) -> Vec<(String, u64)> {
        let mut held = lock(&self.held);
        held.retain(|_, lease| lease.renewed.elapsed() < lease.ttl);
        held.iter()
            .map(|(run, lease)| (run.to_string(), lease.epoch))
            .collect()
    }
}
