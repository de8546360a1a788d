//! `Equipment`: what a claimed run begins with: its specification, its services and logins, and what it has logged already.

use std::sync::Arc;

use agents::run::BeforeEnd;
use agents::services::AgentServices;
use serde_json::Value;
use store::Store;
use tokio_util::sync::CancellationToken;
use wire::request_secrets::RequestSecrets;
use wire::run::{RunKind, RunSpec};
use wire::{Code, LogEntry, RunId};

use crate::error::ServiceError;
use crate::logins::Logins;
use crate::patience::Patience;
use crate::service::Service;
use crate::tenants::policy::TenantServices;

/// What a run begins with.
pub(super) struct Equipment {
    pub(super) spec: RunSpec,
    /// Under the policy that the owner has now, with the logins that the run has asked for.
    pub(super) services: AgentServices,
    /// What is done before the run's last event.
    pub(super) before_end: Option<Arc<dyn BeforeEnd>>,
    /// The values that are hidden in its events.
    pub(super) secrets: RequestSecrets,
    /// What workers before this one have logged.
    pub(super) earlier: Vec<LogEntry>,
    /// The number of the last entry of its log.
    pub(super) after: u64,
}

/// Where the equipment of runs comes from.
pub(super) struct EquipmentSource<'a> {
    pub(super) service: &'a Service,
    pub(super) of_tenants: &'a TenantServices,
    /// The process closes: nothing is waited for any longer.
    pub(super) closing: &'a CancellationToken,
}

impl EquipmentSource<'_> {
    /// The equipment of a run with this specification. A store that does not answer is waited for.
    ///
    /// # Errors
    /// When the owner has no such profile or secret any more, the policy does not allow the job, or the log cannot be read;
    /// [`Code::StoreUnavailable`] when the store does not answer for long.
    pub(super) async fn of_run(&self, run: &RunId, request: &str) -> Result<Equipment, ServiceError> {
        let unreadable = |_| ServiceError::new(Code::TaskExecutionFailed, "the run's request cannot be read");
        let spec: RunSpec = serde_json::from_str(request).map_err(unreadable)?;
        let request: Value = serde_json::from_str(request).map_err(unreadable)?;
        let patience = Patience::begin();
        loop {
            let error = match self.read(run, &spec, &request["request"]).await {
                Ok(equipment) => return Ok(equipment),
                Err(error) => error,
            };
            tokio::select! {
                waited = patience.wait(error.clone()) => waited?,
                () = self.closing.cancelled() => return Err(error),
            }
        }
    }

    async fn read(&self, run: &RunId, spec: &RunSpec, request: &Value) -> Result<Equipment, ServiceError> {
        let services = self.of_tenants.of(&spec.owner).await?;
        services.allow_job(&spec.job)?;
        let (profiles, secrets) = (self.service.profiles(), self.service.secrets());
        let mut logins = Logins::of_run(&profiles, &secrets, spec).await?;
        logins.session.memory = self.service.memories().of_run(spec);
        let secrets = logins.hidden(request)?;
        let (mut earlier, after) = earlier(self.service.store(), run, spec.job.kind()).await?;
        // A run recognises its own pages and calls by what it was asked for, not by its marks.
        for entry in earlier.iter_mut().filter(|_| !secrets.is_empty()) {
            entry.data = secrets.unmask_json(std::mem::take(&mut entry.data));
        }
        Ok(Equipment {
            spec: spec.clone(),
            before_end: logins.before_end(),
            services: AgentServices {
                session: logins.session,
                ..services
            },
            secrets,
            earlier,
            after,
        })
    }
}

/// What workers before this one have logged, and the number of the last entry. The progress of crawls is kept with their
/// addresses, and their logs may be too long to be held.
async fn earlier(store: &Store, run: &RunId, kind: RunKind) -> Result<(Vec<LogEntry>, u64), ServiceError> {
    match kind {
        RunKind::Crawl | RunKind::Batch => {
            let summary = store.jobs.summary(run).await?;
            Ok((Vec::new(), summary.map_or(0, |job| job.last_seq)))
        }
        RunKind::Scrape | RunKind::Automate | RunKind::Research | RunKind::Plan => {
            let log = whole_log(store, run).await.map_err(|error| match error {
                // Another try would read the same.
                store::Error::Damaged { reason } => {
                    tracing::error!(%run, reason, "the log of a run cannot be read");
                    ServiceError::new(Code::Internal, "what the run has logged before cannot be read")
                }
                error => error.into(),
            })?;
            let after = log.last().map_or(0, |entry| entry.seq);
            Ok((log, after))
        }
    }
}

async fn whole_log(store: &Store, run: &RunId) -> Result<Vec<LogEntry>, store::Error> {
    let mut log: Vec<LogEntry> = Vec::new();
    loop {
        let batch = store.log.read(run, log.len() as u64, 256).await?;
        if batch.is_empty() {
            return Ok(log);
        }
        log.extend(batch);
    }
}
