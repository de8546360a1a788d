//! Claims of jobs: how many are done at once, which are left to other workers, and those that begin one at a time.

use std::sync::Arc;
use std::time::Duration;

use store::jobs::{ClaimScope, WorkerCapabilities};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;

use super::{Workers, WorkersInner};
use crate::diagnostics::lease_write;

/// How long a worker waits for a notification before it polls for work.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Runs that have lost this many workers begin at once and beside others. Those that have lost more begin one at a time.
const UNSUSPECTED: u32 = 1;
/// How long no second suspected run begins beside a first one: if one of them ends the process, this tells which, and the
/// other is not blamed for it.
const PROBATION: Duration = Duration::from_secs(10);

impl Workers {
    /// Leaves jobs to others from now on that need Chromium, where it is missing here; the workers have at most so many
    /// browsers at once. For stores that several processes take jobs from. Gives what these workers have.
    pub fn leave_to_others(&self, browsers: u16) -> WorkerCapabilities {
        let chromium = self.0.services.engines.chromium.as_ref();
        let chromium = chromium.is_some_and(|engine| engine.ready().is_ok());
        let browsers = if chromium { browsers } else { 0 };
        *self
            .0
            .has
            .get_or_init(|| WorkerCapabilities { chromium, browsers })
    }
}

impl WorkersInner {
    /// Takes jobs and does so many of them at once, until the workers are drained.
    pub(super) async fn take_jobs(self: Arc<Self>, at_once: usize) {
        let slots = Arc::new(Semaphore::new(at_once));
        let probation = Arc::new(Semaphore::new(1));
        let has = self.has.get().copied().unwrap_or(WorkerCapabilities::ALL);
        let mut changes = self.store().jobs.subscribe();
        loop {
            let slot = tokio::select! {
                () = self.draining.cancelled() => return,
                slot = Arc::clone(&slots).acquire_owned() => slot,
            };
            let Ok(slot) = slot else { return };
            changes.borrow_and_update();
            let permit = Arc::clone(&probation).try_acquire_owned().ok();
            let scope = match permit {
                Some(_) => ClaimScope::Any,
                None => ClaimScope::LostAtMost(UNSUSPECTED),
            };
            let claim = self.store().jobs.claim_for(self.lease(), scope, has);
            match lease_write("claim", None, claim).await {
                Ok(Some((lease, job))) => {
                    let permit = permit.filter(|_| job.summary.lost_workers > UNSUSPECTED);
                    let run = self.spawn(lease, job);
                    self.release_later(permit, run.abort_handle());
                    self.tasks.spawn(async move {
                        // The run logs its own end; here only the slot counts.
                        let _ = run.await;
                        drop(slot);
                    });
                    continue;
                }
                Ok(None) => {}
                Err(error) => tracing::error!(%error, "no job can be taken"),
            }
            drop(slot);
            tokio::select! {
                () = self.draining.cancelled() => return,
                _ = changes.changed() => {}
                () = tokio::time::sleep(POLL_INTERVAL) => {}
            }
        }
    }

    /// Returns the permit of a run on probation once its time is over, or the run is.
    fn release_later(&self, permit: Option<OwnedSemaphorePermit>, run: AbortHandle) {
        let Some(permit) = permit else { return };
        let closing = self.closing.clone();
        self.tasks.spawn(async move {
            let deadline = tokio::time::Instant::now() + PROBATION;
            while !run.is_finished() && tokio::time::Instant::now() < deadline && !closing.is_cancelled() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            drop(permit);
        });
    }
}
