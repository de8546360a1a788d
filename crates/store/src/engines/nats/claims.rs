//! Claims of runs: which run is tried, the compare-and-set that leases it, and open records that are behind their runs.

use std::collections::HashSet;
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::time::Instant;
use wire::RunId;
use wire::run::RunStatus;

use super::engine::{Nats, NatsInner, lock};
use super::jobs::millis;
use super::open_runs::OpenRecord;
use super::runs::{CLIENT_PATIENCE, ReadyBody};
use super::state::{Change, Head, RunState};
use crate::Error;
use crate::jobs::{ClaimScope, Jobs as _, Lease, LeasedJob, WorkerCapabilities};

/// Runs that one claim tries before it leaves the rest to the next.
const MOST_TRIES: usize = 16;
/// How long an open record is seen without a run before it is removed: enqueuing takes less. Counted by this process, since
/// the clock of the one that wrote the record may be wrong, and so may be this one's.
const ABANDONED: Duration = Duration::from_secs(120);
/// How long the record of a run may be behind the run before another process corrects it; up to twice as long, so that not
/// all of them do it at once.
const ON_ITS_WAY: Duration = Duration::from_secs(3);
/// When a run whose record came before it is looked for again the first time; later more rarely, up to [`MOST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const MOST_PAUSE: Duration = Duration::from_secs(1);
/// Records that a process corrects at once.
pub(super) const CORRECTIONS: usize = 8;

/// What came of a claim.
enum Claim {
    Leased(Lease, Box<LeasedJob>),
    /// The run is not stored.
    Missing,
    /// The run is not as its record says.
    Behind,
}

/// A run that a claim of this process tries.
struct Claiming<'a>(&'a NatsInner, String);

impl Drop for Claiming<'_> {
    fn drop(&mut self) {
        lock(&self.0.claiming).remove(&self.1);
    }
}

impl Nats {
    /// Leases the next run of the scope.
    pub(super) async fn take_next(
        &self,
        ttl: Duration,
        scope: ClaimScope,
        worker: WorkerCapabilities,
    ) -> Result<Option<(Lease, LeasedJob)>, Error> {
        let (mut tried, mut skipped) = (HashSet::new(), HashSet::new());
        while tried.len() < MOST_TRIES {
            let Some((claiming, record)) = self.candidate(scope, worker, &tried, &skipped) else {
                if skipped.is_empty() {
                    return Ok(None);
                }
                skipped.clear();
                continue;
            };
            let id = claiming.1.clone();
            tried.insert(id.clone());
            let Ok(run) = RunId::parse(&id) else { continue };
            let claim = self.try_claim(&run, record.epoch, ttl).await;
            let first_look = match &claim {
                Ok(Claim::Leased(..)) => None,
                Ok(Claim::Missing) => Some(FIRST_PAUSE),
                Ok(Claim::Behind) => Some(ON_ITS_WAY + ON_ITS_WAY.mul_f64(fastrand::f64())),
                // Its stream does not answer, or a newer program wrote it: that keeps no other run waiting.
                Err(_) => Some(MOST_PAUSE),
            };
            // Where it has another record by now, that one was on its way.
            if let Some(pause) = first_look
                && self.0.open_runs().set_aside(&id, &record)
            {
                tokio::spawn(correct_later(Arc::downgrade(&self.0), run, pause));
            }
            if let Claim::Leased(lease, job) = claim? {
                return Ok(Some((lease, *job)));
            }
            // Many workers try the same run when it comes. Those that were late try others than one another.
            for _ in 0..fastrand::usize(0..=tried.len()) {
                if let Some((passed, _)) = self.candidate(scope, worker, &tried, &skipped) {
                    skipped.insert(passed.1.clone());
                }
            }
        }
        Ok(None)
    }

    /// Leases a run if it is as its open record says.
    async fn try_claim(&self, run: &RunId, epoch: u64, ttl: Duration) -> Result<Claim, Error> {
        let session = &self.0.session;
        let mut is_missing = false;
        let claimed = self
            .0
            .change(run, CLIENT_PATIENCE, &ReadyBody::NONE, |head| {
                is_missing = head.is_none();
                let Some(Head { state, .. }) = head else {
                    return Ok(None);
                };
                if state.status.is_final() || state.epoch != epoch {
                    return Ok(None);
                }
                Ok(Some(RunState {
                    change: Change::Claimed,
                    status: RunStatus::Running,
                    epoch: epoch + 1,
                    attempt: state.attempt + 1,
                    // A worker that ended the run or gave it back would have changed its status.
                    lost: state.lost + u32::from(state.status == RunStatus::Running),
                    session: session.clone(),
                    ttl: millis(ttl),
                    ..state.clone()
                }))
            })
            .await?;
        let Some(head) = claimed else {
            return Ok(if is_missing { Claim::Missing } else { Claim::Behind });
        };
        let lease = Lease {
            run: run.clone(),
            epoch: head.state.epoch,
        };
        self.0.hold(&lease, ttl);
        if let Err(error) = self.0.publish_open(run, &head.state, CLIENT_PATIENCE).await {
            // Others find out when they try to claim it.
            tracing::warn!(%run, %error, "the claim could not be announced");
        }
        let request = match self.request(run, &head).await {
            Ok(request) => Ok(request),
            Err(error @ (Error::KeyUnavailable { .. } | Error::Damaged { .. })) => Err(error),
            Err(error) => {
                // Nothing was begun; the run waits again.
                let _ = self.release(&lease).await;
                return Err(error);
            }
        };
        let summary = head.state.summary(run);
        Ok(Claim::Leased(lease, Box::new(LeasedJob { summary, request })))
    }

    /// The run that a claim tries next. No other claim of this process tries it meanwhile.
    fn candidate(
        &self,
        scope: ClaimScope,
        worker: WorkerCapabilities,
        tried: &HashSet<String>,
        skipped: &HashSet<String>,
    ) -> Option<(Claiming<'_>, OpenRecord)> {
        let mut claiming = lock(&self.0.claiming);
        let left_out: HashSet<String> = claiming.union(tried).chain(skipped).cloned().collect();
        let (id, record) = self.0.open_runs().next(scope, worker, &left_out)?;
        claiming.insert(id.clone());
        Some((Claiming(&self.0, id), record))
    }

    /// Corrects the record of a run that claims leave out, unless the process that changed the run is likely to do so itself
    /// just now. False when it is to be looked at again.
    async fn correct(&self, run: &RunId, record: &OpenRecord, known_for: Duration) -> Result<bool, Error> {
        let head = self.0.load(run, CLIENT_PATIENCE).await?;
        let is_right = |head: &Head| head.state.epoch == record.epoch && head.state.status == record.status;
        match &head {
            // It is being enqueued just now, and its record came first.
            None if known_for <= ABANDONED => return Ok(false),
            None => self.remove_abandoned(run, record).await?,
            Some(head) if is_right(head) => {}
            Some(_) if known_for < ON_ITS_WAY => return Ok(false),
            Some(head) => self.correct_open(run, head).await?,
        }
        Ok(true)
    }
}

/// Looks at a run that claims leave out until its record is right, and lets them try it again.
async fn correct_later(engine: Weak<NatsInner>, run: RunId, first_look: Duration) {
    let (began, mut pause) = (Instant::now(), first_look);
    loop {
        tokio::time::sleep(pause).await;
        let Some(engine) = engine.upgrade().map(Nats) else {
            return;
        };
        let Ok(_permit) = engine.0.corrections.acquire().await else {
            return;
        };
        // It has ended, or its process has corrected it.
        let Some(record) = engine.0.open_runs().aside(run.as_str()) else {
            return;
        };
        match engine.correct(&run, &record, began.elapsed()).await {
            Ok(false) => {}
            Ok(true) => {
                engine.0.open_runs().take_back(run.as_str());
                engine.0.notifier.notify_jobs();
                return;
            }
            Err(error) => tracing::debug!(%run, %error, "the record of an open run cannot be corrected yet"),
        }
        pause = (pause * 2).min(MOST_PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use bytes::Bytes;
    use testkit::NatsServer;

    use super::super::settings::{NatsAddress, NatsSettings};
    use super::*;
    use crate::conformance::id;
    use crate::jobs::{Admission, NewJob};

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs a NATS server"]
    async fn a_run_that_was_never_stored_whole_leaves_nothing() {
        let server = NatsServer::start("");
        let settings = NatsSettings {
            servers: vec![NatsAddress::parse(&server.url()).unwrap()],
            credentials: None,
            user: None,
            authorities: None,
            certificate: None,
            prefix: "hm".into(),
            replicas: 1,
            role: "test".into(),
        };
        let key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
        let nats = Nats::connect(&settings, Path::new("/nonexistent"), &[key])
            .await
            .unwrap();
        let run = id(1);
        let new = NewJob {
            id: run.clone(),
            kind: wire::run::RunKind::Scrape,
            request: "{}".into(),
            shown_request: Some("{}".into()),
            owner: Some("o.acme".into()),
            idempotency_key: None,
            queue_limit: 99,
            admission: Admission::default(),
        };
        // What is written before the run itself, by a process that dies then.
        let (inner, layout) = (&nats.0, &nats.0.layout);
        let state = nats.first_state(&new, inner.next_creation(), None);
        let large = Bytes::from(vec![7; 700_000]);
        for base in [layout.sealed(&run, "request"), layout.run_body(&run, "large")] {
            inner
                .put_parts(&base, large.clone(), CLIENT_PATIENCE)
                .await
                .unwrap();
        }
        let entry = layout.index_entry(state.owner.as_deref(), state.created, &run);
        inner
            .jetstream
            .publish(&entry, None, &[], Bytes::new())
            .await
            .unwrap();
        inner.publish_open(&run, &state, CLIENT_PATIENCE).await.unwrap();
        let left = async || {
            let mut left = Vec::new();
            for (stream, filter) in [
                (layout.log_stream(&run), format!("{}.*", layout.sealed(&run, "*"))),
                (layout.blob_stream(), format!("{}.*", layout.run_body(&run, "*"))),
                (layout.index_stream(), entry.clone()),
            ] {
                left.push(inner.jetstream.subjects(&stream, &filter).await.unwrap().len());
            }
            left
        };
        assert_eq!(left().await, [2, 2, 1]);
        let (_, record) = inner
            .open_runs()
            .next(ClaimScope::Any, WorkerCapabilities::ALL, &HashSet::new())
            .unwrap();
        assert_eq!(nats.correct(&run, &record, ABANDONED).await, Ok(false));
        assert_eq!(left().await, [2, 2, 1], "its process may go on");
        let later = ABANDONED + Duration::from_secs(1);
        assert_eq!(nats.correct(&run, &record, later).await, Ok(true));
        assert_eq!(left().await, [0, 0, 0]);
        assert_eq!(nats.open_count(), 0);
    }
}
