//! From a job to the agent that does it.

use std::sync::Arc;

use agents::kit::Kit;
use agents::run::Run;
use agents::stop::{Stop, Stopped};
use store::jobs::Lease;
use store::log::EventLog;
use wire::run::{Job, RunSpec};
use wire::{Code, Entry, RunId};

use crate::recorder::Recorder;
use crate::refused::Refused;

/// Everything a run needs beside its request.
pub(crate) struct Held {
    pub(crate) log: Arc<dyn EventLog>,
    pub(crate) lease: Lease,
    /// What workers before this one have logged.
    pub(crate) earlier: Vec<Entry>,
    pub(crate) stop: Stop,
}

/// Says, before anything is accepted, whether this house can do such a job.
///
/// # Errors
/// When it cannot, with what would have to be different.
pub fn check(job: &Job) -> Result<(), Refused> {
    match job {
        Job::Scrape(_) => Ok(()),
        Job::Automate(_) | Job::Research(_) | Job::Plan(_) => {
            let text = format!("{} runs are not part of this version", job.kind().as_str());
            Err(Refused::new(Code::NotFound, text))
        }
    }
}

/// Does a job to its end.
///
/// # Errors
/// When the run was stopped in a way that leaves its log open.
pub(crate) async fn run(kit: &Kit, spec: &RunSpec, held: Held) -> Result<(), Stopped> {
    let Held {
        log,
        lease,
        earlier,
        stop,
    } = held;
    let id: RunId = lease.run.clone();
    let after = earlier.last().map_or(0, |it| it.seq);
    match &spec.job {
        Job::Scrape(request) => {
            let journal = Recorder::start(log, lease, after, stop.clone());
            agents::scrape::run(&Run::new(Arc::new(journal), stop), &id, request, kit, &earlier).await
        }
        Job::Automate(_) | Job::Research(_) | Job::Plan(_) => {
            // `check` keeps such jobs out; one from a newer version in the same store is left for that version.
            Err(Stopped::Unwritable {
                reason: "this version does not know such runs".into(),
            })
        }
    }
}
