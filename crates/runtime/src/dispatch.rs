//! Dispatch of a job to its agent.

use std::sync::Arc;
use std::time::Duration;

use agents::cancel::{CancelSignal, Cancelled};
use agents::run::{BeforeEnd, Run};
use agents::services::{AgentServices, Ledger};
use store::inbox::Inbox;
use store::jobs::Lease;
use store::log::EventLog;
use wire::request_secrets::RequestSecrets;
use wire::run::{JobRequest, RunSpec};
use wire::{LogEntry, RunId};

use crate::answers::InboxAnswers;
use crate::error::ServiceError;
use crate::metrics::ToolLabels;
use crate::recorder::EventRecorder;

/// A run that this worker has claimed, with everything it needs besides its request.
pub(crate) struct ClaimedRun {
    pub(crate) log: Arc<dyn EventLog>,
    pub(crate) inbox: Arc<dyn Inbox>,
    /// How long a person is given to answer.
    pub(crate) answer_limit: Duration,
    /// Tool names that metrics may use.
    pub(crate) tools: ToolLabels,
    pub(crate) lease: Lease,
    /// What workers before this one have logged.
    pub(crate) earlier: Vec<LogEntry>,
    pub(crate) cancel: CancelSignal,
    /// Values of the request that are in no event.
    pub(crate) secrets: RequestSecrets,
    /// What the models of the run cost.
    pub(crate) ledger: Ledger,
    /// What is done before the last event.
    pub(crate) before_end: Option<Arc<dyn BeforeEnd>>,
}

/// Checks, before anything is accepted, whether this process can do such a job.
///
/// # Errors
/// When it cannot, with what would have to be different.
pub(crate) fn check(job: &JobRequest, services: &AgentServices) -> Result<(), ServiceError> {
    match job {
        JobRequest::Scrape(request) => agents::scrape::check(services, request)
            .map_err(|error| ServiceError::new(error.code, error.message)),
        JobRequest::Research(request) => agents::research::check(request, services)
            .map_err(|error| ServiceError::new(error.code, error.message)),
        JobRequest::Automate(request) => agents::automate::check(request, services)
            .map_err(|error| ServiceError::new(error.code, error.message)),
        JobRequest::Plan(request) => match agents::plan::checked(request, services) {
            Ok(_) => agents::plan::check_pages(request, services)
                .map_err(|error| ServiceError::new(error.code, error.message)),
            Err(issues) => Err(ServiceError::new(
                agents::tooling::code(issues.code()),
                issues.to_string(),
            )),
        },
    }
}

/// Does a job to its end.
///
/// # Errors
/// When the run was stopped in a way that leaves its log open.
pub(crate) async fn run(
    services: &AgentServices,
    spec: &RunSpec,
    claimed: ClaimedRun,
) -> Result<(), Cancelled> {
    let ClaimedRun {
        log,
        inbox,
        answer_limit,
        tools,
        lease,
        earlier,
        cancel,
        secrets,
        ledger,
        before_end,
    } = claimed;
    let services = &services.entering(&ledger);
    let id: RunId = lease.run.clone();
    let after = earlier.last().map_or(0, |entry| entry.seq);
    match &spec.job {
        JobRequest::Scrape(request) => {
            let journal = EventRecorder::start(log, lease, after, cancel.clone(), tools, secrets, ledger);
            agents::scrape::run(
                &Run::new(Arc::new(journal), cancel).before_end(before_end),
                &id,
                request,
                services,
                &earlier,
            )
            .await
        }
        JobRequest::Automate(request) => {
            let answers = InboxAnswers {
                inbox,
                lease: lease.clone(),
                time_limit: answer_limit,
            };
            let journal = EventRecorder::start(log, lease, after, cancel.clone(), tools, secrets, ledger);
            let run = Run::new(Arc::new(journal), cancel)
                .with_human_input(Arc::new(answers))
                .before_end(before_end);
            let trace = spec.trace.as_deref();
            agents::automate::run(&run, &id, request, services, spec.audience, &earlier, trace).await
        }
        JobRequest::Research(request) => {
            let journal = EventRecorder::start(log, lease, after, cancel.clone(), tools, secrets, ledger);
            let run = Run::new(Arc::new(journal), cancel).before_end(before_end);
            Box::pin(agents::research::run(&run, request, services, &earlier)).await
        }
        JobRequest::Plan(request) => {
            let journal = EventRecorder::start(log, lease, after, cancel.clone(), tools, secrets, ledger);
            agents::plan::run(
                &Run::new(Arc::new(journal), cancel).before_end(before_end),
                &id,
                request,
                services,
                &earlier,
            )
            .await
        }
    }
}
