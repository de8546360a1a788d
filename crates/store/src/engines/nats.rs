//! Engine `nats`: runs on NATS JetStream, for many servers and workers.
//!
//! A run is one subject. Each change of the run is a message on it, published with the subject's expected last sequence;
//! the header of the last message is the run's state. Append, fencing, cancellation, answer and end are this one
//! compare-and-set. Everything else (open runs, index, ended runs) is a view that helps to find runs.

mod api;
mod blobs;
mod index;
mod jobs;
mod layout;
mod log;
mod open_runs;
mod owners;
mod records;
mod retention;
mod runs;
mod settings;
mod state;
mod status;
mod watch;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::HeaderMap;
use tokio::sync::watch as channel;
use tokio::time::Instant;
use wire::RunId;

use super::notifier::ChangeNotifier;
use crate::jobs::Lease;
use crate::keyring::{Keyring, hex};
use crate::retention::StoreSpace;
use crate::{Error, Store};
use api::JetStream;
use layout::Layout;
use open_runs::OpenRuns;
pub use settings::{NatsAddress, NatsSettings};
use state::{Change, Head, RunState, STATE};
pub use status::{ClusterStatus, SessionStatus, StreamStatus, VerifiedRuns};

/// Runs whose last message is remembered.
const MAX_HEADS: usize = 4096;
/// How old a remembered state of a followed run may be for readers.
const FRESH: Duration = Duration::from_secs(2);
/// How long the first list of open runs may take.
const FIRST_SNAPSHOT: Duration = Duration::from_secs(10);

/// The engine. Cheap to clone; clones are the same one.
#[derive(Clone)]
pub struct Nats(Arc<NatsInner>);

struct NatsInner {
    jetstream: JetStream,
    layout: Layout,
    keys: Keyring,
    /// Names this process.
    session: String,
    role: String,
    host: String,
    is_up: AtomicBool,
    /// The creation of the last run of this process, in microseconds since 1970.
    last_created: AtomicI64,
    open_runs: Mutex<OpenRuns>,
    heads: Mutex<HashMap<RunId, (Head, Instant)>>,
    tails: Mutex<HashMap<RunId, Arc<channel::Sender<u64>>>>,
    held: Mutex<HashMap<RunId, HeldLease>>,
    positions: Mutex<HashMap<RunId, BTreeMap<u64, u64>>>,
    space: Mutex<Option<(Instant, StoreSpace)>>,
    notifier: ChangeNotifier,
}

/// A lease of this process.
struct HeldLease {
    epoch: u64,
    ttl: Duration,
    renewed: Instant,
    /// Keeps the run followed, so that cancellations and answers come at once.
    _tail: channel::Receiver<u64>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Nats {
    /// Connects, makes or checks the streams, and begins to follow the open runs. `keys` are those that encrypt values of
    /// unfinished runs; every process of the cluster has the same. `folder` is where the key file of this machine is, if
    /// there is one.
    ///
    /// # Errors
    /// [`Error::Cluster`] with what the operator has to change: no server there, wrong credentials, JetStream off, too old
    /// a server, too few servers for the replicas, a stream of somebody else; [`Error::BadKey`].
    pub async fn connect(settings: &NatsSettings, folder: &Path, keys: &[&str]) -> Result<Self, Error> {
        if keys.is_empty() {
            return Err(Error::BadKey {
                reason: "it is not set, and HUNTSMAN_STORE is a cluster: set the same key for every server and worker".into(),
            });
        }
        let keys = Keyring::open(folder, keys)?;
        let client = settings::connect(settings).await?;
        let jetstream = JetStream(client);
        settings::check_servers(&jetstream).await?;
        let layout = Layout::new(&settings.prefix);
        layout.prepare(&jetstream, settings.replicas).await?;
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let engine = Self(Arc::new(NatsInner {
            jetstream,
            layout,
            keys,
            session: hex(&fastrand::u128(..).to_be_bytes()),
            role: settings.role.clone(),
            host: host.trim().to_owned(),
            is_up: AtomicBool::new(true),
            last_created: AtomicI64::new(0),
            open_runs: Mutex::default(),
            heads: Mutex::default(),
            tails: Mutex::default(),
            held: Mutex::default(),
            positions: Mutex::default(),
            space: Mutex::default(),
            notifier: ChangeNotifier::new(),
        }));
        let mut ready = watch::start(&engine);
        let first = tokio::time::timeout(FIRST_SNAPSHOT, ready.wait_for(|ready| *ready)).await;
        if !matches!(first, Ok(Ok(_))) {
            return Err(layout::cluster(
                "the open runs cannot be read: NATS has no quorum",
            ));
        }
        drop(first);
        Ok(engine)
    }

    /// The engine as a store.
    pub fn store(&self) -> Store {
        Store {
            jobs: Arc::new(self.clone()),
            log: Arc::new(self.clone()),
            inbox: Arc::new(self.clone()),
            blobs: Arc::new(self.clone()),
            retention: Arc::new(self.clone()),
            owners: Arc::new(self.clone()),
            records: Arc::new(self.clone()),
        }
    }
}

impl NatsInner {
    fn open_runs(&self) -> MutexGuard<'_, OpenRuns> {
        lock(&self.open_runs)
    }

    /// The creation of a new run, later than of every earlier one of this process.
    fn next_creation(&self) -> i64 {
        let now = jiff::Timestamp::now().as_microsecond();
        let later = |last: i64| Some(now.max(last + 1));
        let last = self
            .last_created
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, later);
        now.max(last.unwrap_or(0) + 1)
    }

    /// The remembered last message of a run, and whether readers may rely on it.
    fn remembered(&self, run: &RunId) -> Option<(Head, bool)> {
        let (head, fresh) = lock(&self.heads)
            .get(run)
            .map(|(head, at)| (head.clone(), at.elapsed() < FRESH))?;
        let is_followed = lock(&self.tails).contains_key(run);
        Some((head, fresh && is_followed))
    }

    /// Remembers a run's last message, unless a newer one is known, and wakes who waits for it.
    fn remember(&self, run: &RunId, head: &Head) {
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

    fn forget(&self, run: &RunId) {
        lock(&self.heads).remove(run);
        lock(&self.positions).remove(run);
    }

    /// Follows a run's log.
    fn tail(self: &Arc<Self>, run: &RunId) -> channel::Receiver<u64> {
        let mut tails = lock(&self.tails);
        if let Some(tail) = tails.get(run) {
            return tail.subscribe();
        }
        let (sender, receiver) = channel::channel(0);
        let sender = Arc::new(sender);
        tails.insert(run.clone(), Arc::clone(&sender));
        drop(tails);
        watch::follow_run(self, run.clone(), sender);
        receiver
    }

    /// Stops following a run that nobody waits for; false when somebody does again.
    fn forget_tail(&self, run: &RunId) -> bool {
        let mut tails = lock(&self.tails);
        let is_idle = tails.get(run).is_none_or(|tail| tail.receiver_count() == 0);
        if is_idle {
            tails.remove(run);
        }
        is_idle
    }

    /// Takes in the headers of a message of a followed run.
    fn take_copy(&self, run: &RunId, headers: &HeaderMap, sender: &channel::Sender<u64>) {
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

    fn hold(self: &Arc<Self>, lease: &Lease, ttl: Duration) {
        let held = HeldLease {
            epoch: lease.epoch,
            ttl,
            renewed: Instant::now(),
            _tail: self.tail(&lease.run),
        };
        lock(&self.held).insert(lease.run.clone(), held);
    }

    fn let_go(&self, lease: &Lease) {
        let mut held = lock(&self.held);
        if held.get(&lease.run).is_some_and(|held| held.epoch == lease.epoch) {
            held.remove(&lease.run);
        }
    }

    /// Leases that were renewed in time; others are forgotten.
    fn renewed_leases(&self) -> Vec<(String, u64)> {
        let mut held = lock(&self.held);
        held.retain(|_, lease| lease.renewed.elapsed() < lease.ttl);
        held.iter()
            .map(|(run, lease)| (run.to_string(), lease.epoch))
            .collect()
    }
}
