//! The automate agent: a task in words in, a browser driven, a judged answer out.

mod act;
mod ask;
mod call;
mod course;
mod files;
mod form;
mod grant;
mod guardrails;
mod look;
mod memory;
mod offer;
mod plan;
mod prompt;
mod run;
mod secrets;
mod tell;
mod validate;

use wire::automate::AutomateEvent;
use wire::tabstack::AutomateRequest;
use wire::{Audience, Entry, RunId};

use crate::kit::Kit;
use crate::run::Run;
use crate::stop::Stopped;

/// A caller's data as readers may see it: each value as its key.
#[must_use]
pub fn shown_data(data: &serde_json::Value) -> serde_json::Value {
    secrets::shape(data)
}

/// Does an automate run to its last event. Events beyond `audience` are not even said.
///
/// `earlier` is what a worker before this one has logged: a run that has acted on pages is not begun again. `trace` is the
/// trace that the caller's request belongs to.
///
/// # Errors
/// When the run was stopped in a way that leaves its log open.
pub async fn run(
    run: &Run<AutomateEvent>,
    id: &RunId,
    request: &AutomateRequest,
    kit: &Kit,
    audience: Audience,
    earlier: &[Entry],
    trace: Option<&str>,
) -> Result<(), Stopped> {
    let brief = run::Brief {
        run,
        id,
        request,
        kit,
        audience,
        trace,
    };
    run::drive(&brief, earlier).await
}
