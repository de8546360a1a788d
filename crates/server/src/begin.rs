//! What every route does with a job that it has read from a request: submit it, and tell its events as they come.

use axum::response::Response;
use http::HeaderMap;
use runtime::service::Submission;
use wire::run::{Job, RunSpec};
use wire::{Entry, RunId, sse};

use crate::answer::Failure;
use crate::auth::Caller;
use crate::door::Door;
use crate::{measures, prefer, trace};

/// Submits a job for the caller, if this house can do it.
pub(crate) async fn submit(
    door: &Door,
    caller: &Caller,
    job: Job,
    beside: Submission,
    detached: bool,
    trace: Option<String>,
) -> Result<RunId, Failure> {
    door.house.workers.check(&job)?;
    let spec = RunSpec {
        job,
        owner: caller.name(),
        audience: door.settings.audience,
        detached,
        trace,
    };
    let run = door.house.service.submit(&spec, beside).await?;
    measures::run(spec.job.kind().as_str());
    Ok(run)
}

/// Submits a job and streams its events, framed as its family is. The run does not outlive the client, unless the
/// request asks for that.
pub(crate) async fn stream(
    door: &Door,
    caller: &Caller,
    headers: &HeaderMap,
    job: Job,
    beside: Submission,
) -> Result<Response, Failure> {
    let family = job.kind().family();
    let detached = prefer::asks_for_async(headers);
    let run = submit(door, caller, job, beside, detached, trace::of(headers)).await?;
    let service = &door.house.service;
    let attached = (!detached).then(|| service.attach(&run));
    let entries = service
        .events(caller.sees(), &run, 0, door.settings.audience)
        .await?;
    let frame = move |entry: &Entry| sse::frame(family, entry);
    let mut response = crate::sse::stream(door, &run, entries, frame, attached);
    if detached {
        prefer::applied(&mut response);
    }
    Ok(response)
}
