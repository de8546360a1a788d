//! From a job to the agent that does it.

use std::sync::Arc;
use std::time::Duration;

use agents::cancel::{CancelSignal, Cancelled};
use agents::run::Run;
use agents::services::AgentServices;
use store::inbox::Inbox;
use store::jobs::Lease;
use store::log::EventLog;
use wire::run::{Job, RunSpec};
use wire::{Entry, RunId};

use crate::letters::Letters;
use crate::recorder::Recorder;
use crate::refused::Refused;

/// Everything a run needs beside its request.
pub(crate) struct Held {
    pub(crate) log: Arc<dyn EventLog>,
    pub(crate) inbox: Arc<dyn Inbox>,
    /// How long a person is given to answer.
    pub(crate) patience: Duration,
    pub(crate) lease: Lease,
    /// What workers before this one have logged.
    pub(crate) earlier: Vec<Entry>,
    pub(crate) cancel: CancelSignal,
}

/// Says, before anything is accepted, whether this house can do such a job.
///
/// # Errors
/// When it cannot, with what would have to be different.
pub(crate) fn check(job: &Job, services: &AgentServices) -> Result<(), Refused> {
    match job {
        Job::Scrape(request) => {
            agents::scrape::check(services, request).map_err(|error| Refused::new(error.code, error.message))
        }
        Job::Research(request) => agents::research::check(request, services)
            .map_err(|error| Refused::new(error.code, error.message)),
        Job::Automate(_) => {
            agents::automate::check(services).map_err(|error| Refused::new(error.code, error.message))
        }
        Job::Plan(request) => match agents::plan::checked(request, services) {
            Ok(_) => Ok(()),
            Err(issues) => Err(Refused::new(
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
pub(crate) async fn run(services: &AgentServices, spec: &RunSpec, held: Held) -> Result<(), Cancelled> {
    let Held {
        log,
        inbox,
        patience,
        lease,
        earlier,
        cancel,
    } = held;
    let id: RunId = lease.run.clone();
    let after = earlier.last().map_or(0, |it| it.seq);
    match &spec.job {
        Job::Scrape(request) => {
            let journal = Recorder::start(log, lease, after, cancel.clone());
            agents::scrape::run(
                &Run::new(Arc::new(journal), cancel),
                &id,
                request,
                services,
                &earlier,
            )
            .await
        }
        Job::Automate(request) => {
            let letters = Letters {
                inbox,
                lease: lease.clone(),
                patience,
            };
            let journal = Recorder::start(log, lease, after, cancel.clone());
            let run = Run::new(Arc::new(journal), cancel).with_human_input(Arc::new(letters));
            let trace = spec.trace.as_deref();
            agents::automate::run(&run, &id, request, services, spec.audience, &earlier, trace).await
        }
        Job::Research(request) => {
            let journal = Recorder::start(log, lease, after, cancel.clone());
            let run = Run::new(Arc::new(journal), cancel);
            Box::pin(agents::research::run(&run, request, services, &earlier)).await
        }
        Job::Plan(request) => {
            let journal = Recorder::start(log, lease, after, cancel.clone());
            agents::plan::run(
                &Run::new(Arc::new(journal), cancel),
                &id,
                request,
                services,
                &earlier,
            )
            .await
        }
    }
}
