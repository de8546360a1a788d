//! Claims of runs: which run is tried, the compare-and-set that leases it, and open records that are behind their runs.

use std::collections::HashSet;
use std::time::Duration;

use wire::RunId;
use wire::run::RunStatus;

use super::engine::{Nats, NatsInner, lock};
use super::jobs::millis;
use super::open_runs::{ON_ITS_WAY, OpenRecord};
use super::runs::{CLIENT_PATIENCE, ReadyBody};
use super::state::{Change, Head, RunState};
use crate::Error;
use crate::jobs::{ClaimScope, Jobs as _, Lease, LeasedJob};

/// Runs that one claim tries before it leaves the rest to the next.
const MOST_TRIES: usize = 16;
/// How long an open record is seen without a run before it is removed: enqueuing takes less. Counted by this process, since
/// the clock of the one that wrote the record may be wrong, and so may be this one's.
const ABANDONED: Duration = Duration::from_secs(120);
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
    ) -> Result<Option<(Lease, LeasedJob)>, Error> {
        let (mut tried, mut skipped) = (HashSet::new(), HashSet::new());
        while tried.len() < MOST_TRIES {
            let Some((claiming, record)) = self.candidate(scope, &tried, &skipped) else {
                if skipped.is_empty() {
                    return Ok(None);
                }
                skipped.clear();
                continue;
            };
            let id = claiming.1.clone();
            tried.insert(id.clone());
            let Ok(run) = RunId::parse(&id) else { continue };
            if let Some(claimed) = self.try_claim(&run, record.epoch, ttl).await? {
                return Ok(Some(claimed));
            }
            // Many workers try the same run when it comes. Those that were late try others than one another.
            for _ in 0..fastrand::usize(0..=tried.len()) {
                if let Some((passed, _)) = self.candidate(scope, &tried, &skipped) {
                    skipped.insert(passed.1.clone());
                }
            }
            self.correct_late(&run).await?;
        }
        Ok(None)
    }

    /// Leases a run if it is as its open record says.
    async fn try_claim(
        &self,
        run: &RunId,
        epoch: u64,
        ttl: Duration,
    ) -> Result<Option<(Lease, LeasedJob)>, Error> {
        let session = &self.0.session;
        let claimed = self
            .0
            .change(run, CLIENT_PATIENCE, &ReadyBody::NONE, |head| {
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
        let Some(head) = claimed else { return Ok(None) };
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
        Ok(Some((lease, LeasedJob { summary, request })))
    }

    /// The run that a claim tries next. No other claim of this process tries it meanwhile.
    fn candidate(
        &self,
        scope: ClaimScope,
        tried: &HashSet<String>,
        skipped: &HashSet<String>,
    ) -> Option<(Claiming<'_>, OpenRecord)> {
        let mut claiming = lock(&self.0.claiming);
        let left_out: HashSet<String> = claiming.union(tried).chain(skipped).cloned().collect();
        let (id, record) = self.0.open_runs().next(scope, &left_out)?;
        claiming.insert(id.clone());
        Some((Claiming(&self.0, id), record))
    }

    /// Corrects the open record of a run that could not be claimed, unless the process that changed the run is likely to do
    /// so itself just now.
    async fn correct_late(&self, run: &RunId) -> Result<(), Error> {
        let head = self.0.load(run, CLIENT_PATIENCE).await?;
        let behind = self.0.open_runs().behind_for(run.as_str());
        if head.is_none() && behind <= ABANDONED {
            // It is being enqueued just now, and its record came first.
            tokio::time::sleep(Duration::from_millis(20)).await;
            self.0.notifier.notify_jobs();
            return Ok(());
        }
        if behind > ON_ITS_WAY {
            self.correct_open(run, head.as_ref()).await?;
        }
        Ok(())
    }
}
