//! The automate agent: a task in words in, a browser driven, a judged answer out.

mod action_executor;
mod agent_loop;
mod event_emitter;
mod form_fields;
mod generation_events;
mod memory;
mod model_calls;
mod offered_tools;
mod page_observer;
mod plan;
mod prompt;
mod request_grant;
mod run;
mod secrets;
mod tool_invocation;
mod upload_files;
mod validation;

use wire::automate::AutomateEvent;
use wire::error::ErrorBody;
use wire::tabstack::AutomateRequest;
use wire::{Audience, Code, LogEntry, RunId};

use crate::cancel::Cancelled;
use crate::error_codes;
use crate::page_settings::PageWishes;
use crate::run::Run;
use crate::services::AgentServices;

/// Checks, before anything is begun, whether this process can do such a job.
///
/// # Errors
/// When it cannot, with what to set or to install.
pub fn check(request: &AutomateRequest, services: &AgentServices) -> Result<(), ErrorBody> {
    let services = services.for_pages(page_wishes(request))?;
    if services.models.is_none() {
        let text = "automate needs a model: set HUNTSMAN_LLM_PROVIDER, HUNTSMAN_LLM_MODEL and HUNTSMAN_LLM_API_KEY \
                    (huntsman doctor says what is missing)";
        return Err(ErrorBody::new(Code::ModelNotConfigured, text));
    }
    let ready = services.acting().ready();
    ready.map_err(|error| ErrorBody::new(error_codes::browser_code(&error), error.to_string()))
}

/// How a task wants its pages opened.
fn page_wishes(request: &AutomateRequest) -> PageWishes<'_> {
    PageWishes {
        fetch: Some(&request.fetch),
        geo_target: request.geo_target.as_ref(),
        ..PageWishes::default()
    }
}

/// Does an automate run to its last event. Events beyond `audience` are not emitted.
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
    services: &AgentServices,
    audience: Audience,
    earlier: &[LogEntry],
    trace: Option<&str>,
) -> Result<(), Cancelled> {
    let own = services.for_pages(page_wishes(request));
    let refused = own.as_ref().err().cloned();
    let services = own.as_ref().unwrap_or(services);
    let input = run::RunInput {
        run,
        id,
        request,
        services,
        audience,
        trace,
        refused,
    };
    run::drive(&input, earlier).await
}
