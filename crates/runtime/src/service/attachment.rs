//! `Attachment`: clients that are attached to runs which must not outlive them.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use tracing::Instrument as _;
use wire::run::RunSpec;
use wire::{Code, RunId};

use super::{ABANDONED, Service, Submission, SubmittedRun};
use crate::attached_clients::AttachedClients;
use crate::error::ServiceError;

/// How long a run outlives the client it is attached to: long enough to come back, and short enough that the run has
/// stopped within two seconds.
pub(super) const GRACE: Duration = Duration::from_millis(1500);

/// A client that is attached to a run which must not outlive it.
pub struct Attachment {
    service: Service,
    run: RunId,
}

impl Drop for Attachment {
    fn drop(&mut self) {
        let (service, run) = (self.service.clone(), self.run.clone());
        let arrivals = match service.attachments().get_mut(&run) {
            Some(clients) => {
                clients.now = clients.now.saturating_sub(1);
                if clients.now > 0 {
                    return;
                }
                clients.arrivals
            }
            None => return,
        };
        // When the server closes, streams end although their clients are not gone: a successor continues the run.
        let Ok(handle) = tokio::runtime::Handle::try_current() else {
            return;
        };
        if service.0.closed.load(Ordering::Acquire) {
            return;
        }
        handle.spawn(async move {
            tokio::time::sleep(GRACE).await;
            if service.detach(&run, arrivals)
                && let Err(error) = service.0.store.jobs.cancel(&run, ABANDONED).await
            {
                tracing::warn!(%run, %error, "a run whose client has gone could not be cancelled");
            }
        });
    }
}

impl Service {
    /// As [`Service::submit`], for a run that must not outlive its client: the client is attached as soon as the run is stored,
    /// also when it leaves while that is done.
    ///
    /// # Errors
    /// As for [`Service::submit`].
    pub async fn submit_attached(
        &self,
        spec: &RunSpec,
        options: Submission,
    ) -> Result<(SubmittedRun, Attachment), ServiceError> {
        let (service, spec) = (self.clone(), spec.clone());
        let submitting = async move {
            let run = service.submit(&spec, options).await?;
            let attachment = service.attach(&run.id);
            Ok((run, attachment))
        };
        // In a task of its own, which goes on when the caller has gone. The attachment is dropped with what nobody takes.
        let submitted = tokio::spawn(submitting.in_current_span()).await;
        submitted.map_err(|error| ServiceError::new(Code::Internal, error.to_string()))?
    }

    /// Attaches a client to a run that must not outlive it. The run is cancelled [`GRACE`] after its last attachment
    /// was dropped.
    pub fn attach(&self, run: &RunId) -> Attachment {
        self.attachments().entry(run.clone()).or_default().arrive();
        Attachment {
            service: self.clone(),
            run: run.clone(),
        }
    }

    /// The same for a client that comes back, also by another endpoint; none when no client is attached to the run.
    pub fn attach_again(&self, run: &RunId) -> Option<Attachment> {
        self.attachments().get_mut(run)?.arrive();
        Some(Attachment {
            service: self.clone(),
            run: run.clone(),
        })
    }

    fn attachments(&self) -> MutexGuard<'_, HashMap<RunId, AttachedClients>> {
        self.0.attached.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the entry of a run that no client has come back to since so many had; false when one has.
    fn detach(&self, run: &RunId, arrivals: u64) -> bool {
        let mut attached = self.attachments();
        let deserted = AttachedClients { now: 0, arrivals };
        let is_deserted = attached.get(run) == Some(&deserted);
        if is_deserted {
            attached.remove(run);
        }
        is_deserted
    }
}
