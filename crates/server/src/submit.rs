//! Submission of a job that a route has parsed, and the stream of its events.

use axum::response::Response;
use http::HeaderMap;
use runtime::service::Submission;
use wire::run::{JobRequest, RunSpec};
use wire::{LogEntry, sse};

use crate::app::AppState;
use crate::auth::Caller;
use crate::event_stream::Opening;
use crate::response::ApiError;
use crate::run_name::RunName;
use crate::{metrics, prefer, trace_context};

/// Submits a job for the caller, if this process can do it.
pub(crate) async fn submit(
    state: &AppState,
    caller: &Caller,
    job: JobRequest,
    options: Submission,
    detached: bool,
    trace: Option<String>,
) -> Result<RunName, ApiError> {
    let chosen = match &job {
        JobRequest::Scrape(request) => request.session_id.clone(),
        JobRequest::Plan(_) | JobRequest::Automate(_) | JobRequest::Research(_) => None,
    };
    state.app.workers.check(&job)?;
    let spec = RunSpec {
        job,
        owner: caller.name(),
        audience: state.settings.audience,
        detached,
        trace,
    };
    let run = state.app.service.submit(&spec, options).await?;
    metrics::run(spec.job.kind().as_str());
    Ok(RunName::begun(caller, run, chosen.as_ref()))
}

/// Submits a job and streams its events, framed as its family is. The run does not outlive the client, unless the
/// request asks for that.
pub(crate) async fn stream(
    state: &AppState,
    caller: &Caller,
    headers: &HeaderMap,
    job: JobRequest,
    options: Submission,
) -> Result<Response, ApiError> {
    let place = state.stream_place(caller)?;
    let family = job.kind().family();
    let detached = prefer::asks_for_async(headers);
    let run = submit(state, caller, job, options, detached, trace_context::of(headers)).await?;
    let service = &state.app.service;
    let attached = (!detached).then(|| service.attach(&run.id));
    let entries = service
        .events(caller.sees(), &run.id, 0, state.settings.audience)
        .await?;
    let frame = move |entry: &LogEntry| sse::frame(family, entry);
    let mut response =
        crate::event_stream::stream(state, run, entries, frame, attached, place, Opening::Comment);
    if detached {
        prefer::applied(&mut response);
    }
    Ok(response)
}
