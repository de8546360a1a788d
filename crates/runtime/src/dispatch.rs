//! Dispatch of a job to its agent.

use std::sync::Arc;
use std::time::Duration;

use agents::cancel::{CancelSignal, Cancelled};
use agents::run::{BeforeEnd, Run};
use agents::run_view::RunView;
use agents::services::AgentServices;
use agents::site::crawl::SiteJob;
use store::frontier::Frontier;
use store::inbox::Inbox;
use store::jobs::Lease;
use store::log::EventLog;
use wire::request_secrets::RequestSecrets;
use wire::run::{JobRequest, RunSpec};
use wire::{LogEntry, RunId};

use crate::answers::InboxAnswers;
use crate::error::ServiceError;
use crate::leased_frontier::LeasedFrontier;
use crate::metrics::{CountedEvent, ToolLabels};
use crate::outcome::OutcomeReducer;
use crate::recorder::{EventRecorder, RunAccount};

/// A run that this worker has claimed, with everything it needs besides its request.
pub(crate) struct ClaimedRun {
    pub(crate) log: Arc<dyn EventLog>,
    pub(crate) inbox: Arc<dyn Inbox>,
    /// Addresses of crawls, where the store keeps them.
    pub(crate) frontier: Option<Arc<dyn Frontier>>,
    /// How long a person is given to answer.
    pub(crate) answer_limit: Duration,
    /// Tool names that metrics may use.
    pub(crate) tools: ToolLabels,
    pub(crate) lease: Lease,
    /// What workers before this one have logged; empty for crawls.
    pub(crate) earlier: Vec<LogEntry>,
    /// The number of the last event in the log.
    pub(crate) after: u64,
    pub(crate) cancel: CancelSignal,
    /// Values of the request that are in no event.
    pub(crate) secrets: RequestSecrets,
    /// What the run spends.
    pub(crate) account: RunAccount,
    /// What people see of its browser, where it has one tab.
    pub(crate) view: Option<RunView>,
    /// What is done before the last event.
    pub(crate) before_end: Option<Arc<dyn BeforeEnd>>,
}

/// Checks, before anything is accepted, whether this process can do such a job.
///
/// # Errors
/// When it cannot, with what would have to be different.
pub(crate) fn check(job: &JobRequest, services: &AgentServices) -> Result<(), ServiceError> {
    services.allow_job(job)?;
    match job {
        JobRequest::Scrape(request) => agents::scrape::check(services, request).map_err(ServiceError::from),
        JobRequest::Research(request) => {
            agents::research::check(request, services).map_err(ServiceError::from)
        }
        JobRequest::Automate(request) => {
            agents::automate::check(request, services).map_err(ServiceError::from)
        }
        JobRequest::Plan(request) => match agents::plan::checked(request, services) {
            Ok(_) => agents::plan::check_pages(request, services).map_err(ServiceError::from),
            Err(issues) => Err(ServiceError::new(
                agents::tooling::code(issues.code()),
                issues.to_string(),
            )),
        },
        JobRequest::Crawl(request) => check_site(services, SiteJob::Crawl(request)),
        JobRequest::Batch(request) => check_site(services, SiteJob::Batch(request)),
    }
}

fn check_site(services: &AgentServices, job: SiteJob<'_>) -> Result<(), ServiceError> {
    agents::site::crawl::check(services, job).map_err(ServiceError::from)
}

impl ClaimedRun {
    /// The run as its agent holds it.
    fn run<E: OutcomeReducer + CountedEvent>(&self) -> Run<E> {
        let journal = EventRecorder::start(
            Arc::clone(&self.log),
            self.lease.clone(),
            self.after,
            self.cancel.clone(),
            self.tools.clone(),
            self.secrets.clone(),
            self.account.clone(),
        );
        Run::new(Arc::new(journal), self.cancel.clone()).before_end(self.before_end.clone())
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
    let services = &services.entering(claimed.account.ledger());
    let id: RunId = claimed.lease.run.clone();
    let earlier = claimed.earlier.as_slice();
    match &spec.job {
        JobRequest::Scrape(request) => {
            agents::scrape::run(&claimed.run(), &id, request, services, earlier).await
        }
        JobRequest::Automate(request) => {
            let answers = InboxAnswers {
                inbox: Arc::clone(&claimed.inbox),
                lease: claimed.lease.clone(),
                time_limit: claimed.answer_limit,
            };
            let mut run = claimed.run().with_human_input(Arc::new(answers));
            if let Some(view) = &claimed.view {
                run = run.with_view(view.clone());
            }
            let trace = spec.trace.as_deref();
            agents::automate::run(&run, &id, request, services, spec.audience, earlier, trace).await
        }
        JobRequest::Research(request) => {
            Box::pin(agents::research::run(&claimed.run(), request, services, earlier)).await
        }
        JobRequest::Plan(request) => agents::plan::run(&claimed.run(), &id, request, services, earlier).await,
        JobRequest::Crawl(request) => crawl(services, SiteJob::Crawl(request), &claimed).await,
        JobRequest::Batch(request) => crawl(services, SiteJob::Batch(request), &claimed).await,
    }
}

async fn crawl(services: &AgentServices, job: SiteJob<'_>, claimed: &ClaimedRun) -> Result<(), Cancelled> {
    let Some(frontier) = claimed.frontier.clone() else {
        let reason = "this store keeps no addresses of crawls".to_owned();
        return Err(Cancelled::LogUnavailable { reason });
    };
    let frontier = LeasedFrontier {
        frontier,
        log: Arc::clone(&claimed.log),
        lease: claimed.lease.clone(),
        secrets: claimed.secrets.clone(),
    };
    let (run, is_new) = (claimed.run(), claimed.after == 0);
    Box::pin(agents::site::crawl::run(
        &run,
        &claimed.lease.run,
        job,
        services,
        &frontier,
        is_new,
    ))
    .await
}
