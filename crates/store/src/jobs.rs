//! Port `Jobs`: the queue of runs, and the leases that workers take on them.

use std::borrow::Cow;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::sync::watch;
use wire::RunId;
use wire::run::{RunKind, RunStatus};

use crate::Error;
use crate::shares::OwnerShare;

/// A job to be put in the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewJob {
    /// Its run's id.
    pub id: RunId,
    /// Which kind of run.
    pub kind: RunKind,
    /// The request, as JSON.
    pub request: String,
    /// The request as readers may see it, as JSON, where it holds values that they may not. Then the request itself is
    /// encrypted at rest and deleted when the run ends.
    pub shown_request: Option<String>,
    /// Who asked, where keys are in use; others see nothing of the run.
    pub owner: Option<String>,
    /// Under this key the same request makes one job however often it is sent.
    pub idempotency_key: Option<String>,
    /// How many jobs may wait before this one is refused.
    pub queue_limit: usize,
    /// What the job's place in the queue depends on.
    pub admission: Admission,
}

impl NewJob {
    /// The request as two requests under one idempotency key are compared: without the trace that each of them belongs to,
    /// which differs from one try to the next.
    pub(crate) fn compared_request(&self) -> Cow<'_, str> {
        let read = serde_json::from_str::<Map<String, Value>>(&self.request);
        let Ok(mut fields) = read else {
            return Cow::Borrowed(&self.request);
        };
        let traces = ["trace", "trace_parent"].map(|name| fields.shift_remove(name));
        match traces {
            [None, None] => Cow::Borrowed(&self.request),
            _ => Cow::Owned(Value::Object(fields).to_string()),
        }
    }
}

/// On whose account a job waits, and how urgent it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admission {
    /// The id of the API key that asked, for usage.
    pub key: Option<String>,
    /// Lower ones of an owner are claimed first; 0 to 7, as the urgency of RFC 9218.
    pub priority: u8,
    /// The share of the owner from now on; none leaves it as it is.
    pub share: Option<OwnerShare>,
    /// How many jobs of the owner may wait before this one is refused.
    pub owner_queue_limit: Option<usize>,
    /// What the job's worker has to have.
    pub needs: JobNeeds,
}

impl Admission {
    /// The priority of jobs that are neither urgent nor in the background.
    pub const USUAL_PRIORITY: u8 = 3;
}

impl Default for Admission {
    fn default() -> Self {
        Self {
            key: None,
            priority: Self::USUAL_PRIORITY,
            share: None,
            owner_queue_limit: None,
            needs: JobNeeds::ANY,
        }
    }
}

/// What a job asks of its worker beside what every worker has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobNeeds {
    /// Chromium.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub chromium: bool,
}

impl JobNeeds {
    /// Any worker will do; so it is with jobs that an earlier version stored.
    pub const ANY: Self = Self { chromium: false };

    /// Whether any worker will do.
    pub(crate) fn is_any(&self) -> bool {
        *self == Self::ANY
    }
}

/// What a worker has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerCapabilities {
    /// Whether its pages can be opened by Chromium.
    pub chromium: bool,
    /// Most browsers that it has at once.
    #[serde(default)]
    pub browsers: u16,
}

impl WorkerCapabilities {
    /// Everything that a job can ask for.
    pub const ALL: Self = Self {
        chromium: true,
        browsers: u16::MAX,
    };

    /// Whether a job that asks for this can be done.
    pub fn meet(self, needs: JobNeeds) -> bool {
        self.chromium || !needs.chromium
    }
}

/// A job without its request and its result: what lists, leases and followers need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobSummary {
    /// Its run's id.
    pub id: RunId,
    /// Which kind of run.
    pub kind: RunKind,
    /// Who asked.
    pub owner: Option<String>,
    /// Its status.
    pub status: RunStatus,
    /// When it was put in the queue.
    pub created_at: Timestamp,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// The number of its last event.
    pub last_seq: u64,
    /// Events up to this number are no longer kept.
    pub expired_seq: u64,
    /// How many workers have leased it.
    pub attempt: u32,
    /// How many of those neither ended it nor gave it back: their lease ran out, or their process died.
    pub lost_workers: u32,
    /// Why it is to be cancelled, once somebody asked for that.
    pub cancel: Option<String>,
}

/// A job with what was asked and what came of it, for readers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// How it stands.
    pub summary: JobSummary,
    /// The request as readers may see it, as JSON.
    pub request: String,
    /// Its result, as JSON.
    pub result: Option<String>,
    /// What went wrong, as JSON.
    pub error: Option<String>,
    /// What it used, as JSON.
    pub usage: Option<String>,
}

/// A job as its worker gets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeasedJob {
    /// How it stands.
    pub summary: JobSummary,
    /// The request, as JSON; or why it cannot be read, and then the run has to be ended.
    pub request: Result<String, Error>,
}

/// Which jobs a worker takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimScope {
    /// Any job.
    Any,
    /// Only jobs that have lost at most so many workers. A worker whose lease has just run out counts.
    LostAtMost(u32),
}

impl ClaimScope {
    /// Whether a job that has lost so many workers is taken.
    pub(crate) fn takes(self, lost: u32) -> bool {
        lost <= self.most_lost()
    }

    /// The most workers that a job may have lost.
    pub(crate) fn most_lost(self) -> u32 {
        match self {
            Self::Any => u32::MAX,
            Self::LostAtMost(most) => most,
        }
    }
}

/// A worker's right to a run. Of all leases ever given on a run only the one with the highest epoch writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// The run.
    pub run: RunId,
    /// Grows with every claim.
    pub epoch: u64,
}

/// The answer to a renewal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Renewal {
    /// Why the run is to be cancelled, once somebody asked for that.
    pub cancel: Option<String>,
}

/// Which runs to list, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobQuery {
    /// Only this owner's.
    pub owner: Option<String>,
    /// Only with this status.
    pub status: Option<RunStatus>,
    /// Only older than the run this names: the last one of the page before.
    pub before: Option<RunId>,
    /// How many at most.
    pub limit: usize,
}

/// Jobs and leases.
///
/// Promises, for every engine:
/// - What returned is durable: it survives the process's death at the next instruction.
/// - A job is claimed by one worker at a time. A lease that ran out can be claimed again; the new epoch fences the
///   old one off, here and in the log.
/// - Workers are shared out between owners by weight (see [`crate::shares`]), and no owner has more running than its share
///   allows. Owners that stand alike, and jobs of one owner and priority, are served in the order they came. Jobs whose
///   workers were lost come before all others.
/// - A job whose needs a worker does not meet is not claimed by it, and keeps no other job waiting.
/// - Every lost worker of a job is counted, also when the process dies.
/// - A request that readers may not see whole is nowhere in the clear on a disk, and nowhere at all once its run ended.
/// - A finished run never changes again.
#[async_trait]
pub trait Jobs: Send + Sync {
    /// Puts a job in the queue and returns its run's id: an earlier one's, when the idempotency key was used for
    /// the same request before.
    ///
    /// # Errors
    /// [`Error::Taken`] when the id exists or the key names another request; [`Error::QueueFull`];
    /// [`Error::OwnerQueueFull`].
    async fn enqueue(&self, job: NewJob) -> Result<RunId, Error>;

    /// Enqueues a job and leases it in one step, so that no other worker gets it before its lease has run out.
    ///
    /// # Errors
    /// As for [`Jobs::enqueue`]; a repeated idempotency key is [`Error::Taken`] here.
    async fn begin(&self, job: NewJob, ttl: Duration) -> Result<(Lease, LeasedJob), Error>;

    /// Leases the next job of the scope for `ttl`, among those whose needs the worker meets: one whose lease ran out, else
    /// that of the owner whose turn it is; none when there is none. A lease that ran out counts as a lost worker.
    ///
    /// # Errors
    /// Those of the engine.
    async fn claim_for(
        &self,
        ttl: Duration,
        scope: ClaimScope,
        worker: WorkerCapabilities,
    ) -> Result<Option<(Lease, LeasedJob)>, Error>;

    /// As [`Jobs::claim_for`], for a worker that has everything.
    ///
    /// # Errors
    /// Those of the engine.
    async fn claim(&self, ttl: Duration, scope: ClaimScope) -> Result<Option<(Lease, LeasedJob)>, Error> {
        self.claim_for(ttl, scope, WorkerCapabilities::ALL).await
    }

    /// Extends a lease by `ttl` from now.
    ///
    /// # Errors
    /// [`Error::Fenced`] when the run is somebody else's by now or has ended.
    async fn renew(&self, lease: &Lease, ttl: Duration) -> Result<Renewal, Error>;

    /// Returns an unfinished run to the queue.
    ///
    /// # Errors
    /// [`Error::Fenced`] as for a renewal.
    async fn release(&self, lease: &Lease) -> Result<(), Error>;

    /// Notes that a run is to be cancelled; any worker can do that, whatever the job needs. Its worker learns of it at once in the same process and at its next
    /// renewal elsewhere. False when the run had ended already.
    ///
    /// # Errors
    /// [`Error::UnknownRun`].
    async fn cancel(&self, run: &RunId, why: &str) -> Result<bool, Error>;

    /// A job, if there is one of this id.
    ///
    /// # Errors
    /// Those of the engine.
    async fn get(&self, run: &RunId) -> Result<Option<Job>, Error>;

    /// The same without request and result, which may be large.
    ///
    /// # Errors
    /// Those of the engine.
    async fn summary(&self, run: &RunId) -> Result<Option<JobSummary>, Error>;

    /// Jobs, newest first.
    ///
    /// # Errors
    /// [`Error::UnknownRun`] when `before` names no run.
    async fn list(&self, query: JobQuery) -> Result<Vec<JobSummary>, Error>;

    /// A counter that changes when a job may be ready to claim or a cancellation may have come. A hint: it may change
    /// for nothing, and changes by another process may not show, so wait on it with a bound.
    fn subscribe(&self) -> watch::Receiver<u64>;
}
