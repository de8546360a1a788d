//! Endpoints of runs of every kind: list, show, follow, take over, cancel.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use axum::routing::{delete, get, post};
use http::{HeaderMap, StatusCode};
use serde_json::json;
use wire::run::RunStatus;
use wire::run_cursor::RunCursor;
use wire::takeover::{PersonAct, ResumeRequest, TakeoverState};
use wire::{Audience, sse};

use super::route::{ResponseKind, Route};
use crate::app::AppState;
use crate::auth::Caller;
use crate::body::JsonBody;
use crate::event_stream::Opening;
use crate::query::{FilePath, QueryParams, RunPath, number};
use crate::response::{ApiError, file_response, json_response, written};
use crate::run_name::RunName;
use crate::submit;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new("get", "/v1/runs", "Lists runs, newest first.", get(list))
            .responds(ResponseKind::Json(StatusCode::OK, Some("run-list")))
            .query(&[
                ("limit", "Most runs of one page, 1 to 200; 50 when absent."),
                ("cursor", "Where the page begins: `next` of the page before."),
                (
                    "status",
                    "Only runs that stand so: queued, running, completed, failed or cancelled.",
                ),
            ]),
        Route::new(
            "get",
            "/v1/runs/{id}",
            "One run, with what was asked and what came of it.",
            get(one),
        )
        .responds(ResponseKind::Json(StatusCode::OK, Some("run"))),
        Route::new(
            "get",
            "/v1/runs/{id}/events",
            "A run's events, from any place on, up to its end; frames carry `id:`, `event:` and `data:`.",
            get(events),
        )
        .responds(ResponseKind::Events("run-events"))
        .query(&[
            (
                "after",
                "Events after this number; the `Last-Event-ID` header says the same and wins.",
            ),
            (
                "audience",
                "Events for these readers: public, verbose or debug, as far as the operator allows.",
            ),
        ]),
        Route::new(
            "get",
            "/v1/runs/{id}/files",
            "The files that a run has written.",
            get(files),
        ),
        Route::new(
            "get",
            "/v1/runs/{id}/files/{name}",
            "A file of a run, such as a picture of a page.",
            get(file),
        )
        .responds(ResponseKind::Bytes),
        Route::new(
            "post",
            "/v1/runs/{id}/pause",
            "Pauses an automate run, so that a person may act in its browser; waits up to 20 seconds for the agent to let go.",
            post(pause),
        )
        .responds(ResponseKind::Json(StatusCode::OK, Some("takeover"))),
        Route::new(
            "post",
            "/v1/runs/{id}/act",
            "Does an act of a person in the browser of a paused run, and shows the page after it.",
            post(act),
        )
        .takes("act-request")
        .responds(ResponseKind::Json(StatusCode::OK, Some("takeover"))),
        Route::new(
            "post",
            "/v1/runs/{id}/resume",
            "Hands the browser of a paused run back to its agent, with a note of what was done.",
            post(resume),
        )
        .takes("resume-request")
        .responds(ResponseKind::Json(StatusCode::OK, Some("takeover"))),
        Route::new(
            "delete",
            "/v1/runs/{id}",
            "Cancels a run; one that has ended stays as it is.",
            delete(cancel),
        ),
    ]
}

/// Runs in a page of the list, unless the client says otherwise.
const PAGE: u64 = 50;

async fn list(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    params: QueryParams,
) -> Result<Response, ApiError> {
    let limit = params.limit(PAGE)?;
    let cursor = params.get("cursor", "the `next` of a page", RunCursor::parse)?;
    let cursor = cursor.map(|it| RunCursor {
        run: RunName::named(&caller, it.run).id,
        ..it
    });
    let wanted = "queued, running, completed, failed or cancelled";
    let status = params.get("status", wanted, RunStatus::parse)?;
    let listed = state
        .app
        .service
        .list(caller.sees(), status, cursor, limit)
        .await?;
    written(&listed).map(|it| json_response(StatusCode::OK, &it))
}

async fn one(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RunPath(run): RunPath,
) -> Result<Response, ApiError> {
    let detail = state.app.service.run(caller.sees(), &run.id).await?;
    written(&detail).map(|it| run.json(StatusCode::OK, &it))
}

async fn events(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RunPath(run): RunPath,
    params: QueryParams,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let in_range = |text: &str| number(text).filter(|it| i64::try_from(*it).is_ok());
    let asked = params.get("after", "the number of an event, or 0", in_range)?;
    let audience = params.get("audience", "public, verbose or debug", Audience::of_reader)?;
    let audience = submit::within(audience, state.settings.audience)?;
    let seen = headers.get("last-event-id").and_then(|it| it.to_str().ok());
    let after = seen.and_then(sse::last_event_id).or(asked).unwrap_or(0);
    let place = state.stream_place(&caller)?;
    let service = &state.app.service;
    let entries = service.events(caller.sees(), &run.id, after, audience).await?;
    let attached = service.attach_again(&run.id);
    Ok(crate::event_stream::stream(
        &state,
        run,
        entries,
        sse::numbered_frame,
        attached,
        place,
        Opening::Retry,
    ))
}

async fn files(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RunPath(run): RunPath,
) -> Result<Response, ApiError> {
    let files = state.app.workers.files().list(caller.sees(), &run.id).await?;
    Ok(run.json(StatusCode::OK, &json!({"files": files})))
}

async fn file(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    FilePath { run, name }: FilePath,
) -> Result<Response, ApiError> {
    let files = state.app.workers.files();
    let (file, bytes) = files.read(caller.sees(), &run.id, &name).await?;
    Ok(file_response(&file, bytes))
}

async fn cancel(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RunPath(run): RunPath,
) -> Result<Response, ApiError> {
    let service = &state.app.service;
    let cancelled = service.cancel(caller.sees(), &run.id).await?;
    let status = if cancelled {
        RunStatus::Cancelled
    } else {
        service.run(caller.sees(), &run.id).await?.summary.status
    };
    Ok(run.json(StatusCode::OK, &json!({"id": run.shown(), "status": status})))
}

async fn pause(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RunPath(run): RunPath,
) -> Result<Response, ApiError> {
    let paused = take_over(&state, &caller, &run).await?;
    Ok(run.json(StatusCode::OK, &json!(paused)))
}

/// Pauses a run for a caller. Where keys are in use, the audit log says who did.
pub(crate) async fn take_over(
    state: &AppState,
    caller: &Caller,
    run: &RunName,
) -> Result<TakeoverState, ApiError> {
    let paused = state.app.workers.pause(caller.sees(), &run.id).await?;
    if caller.identity().is_some() {
        let (actor, subject) = (caller.actor(), run.shown().to_string());
        state.tenants.audit(&actor, "run.pause", &subject).await?;
    }
    Ok(paused)
}

async fn act(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RunPath(run): RunPath,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    // A run that is none, or cannot be taken over, is told before what is wrong with the body.
    state.app.workers.takeover(caller.sees(), &run.id).await?;
    let act = PersonAct::parse(&body)?;
    let done = state.app.workers.act(caller.sees(), &run.id, act).await?;
    Ok(run.json(StatusCode::OK, &json!(done)))
}

async fn resume(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RunPath(run): RunPath,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    state.app.workers.takeover(caller.sees(), &run.id).await?;
    let ResumeRequest { note } = ResumeRequest::parse(&body)?;
    let resumed = state.app.workers.resume(caller.sees(), &run.id, note).await?;
    Ok(run.json(StatusCode::OK, &json!(resumed)))
}
