//! Endpoints of scrape runs: start, status, result, cancel.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use axum::routing::{delete, get, post};
use http::header::LOCATION;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use runtime::ServiceError;
use serde_json::{Value, json};
use wire::Code;
use wire::run::{JobRequest, RunDetail, RunKind, RunStatus};
use wire::run_cursor::RunCursor;
use wire::scrape::ScrapeRequest;

use super::route::{ResponseKind, Route};
use crate::app::AppState;
use crate::auth::Caller;
use crate::body::JsonBody;
use crate::query::{QueryParams, RunPath};
use crate::response::{ApiError, RUN_ID, json_response};
use crate::run_name::RunName;
use crate::{scrape_progress, submit};

pub(super) fn routes() -> Vec<Route> {
    let began = ResponseKind::Json(StatusCode::ACCEPTED, None);
    vec![
        Route::new(
            "post",
            "/api/scrape/stream",
            "Reads pages, and tells every step as it is made.",
            post(stream),
        )
        .takes("scrape-request")
        .starts_run()
        .responds(ResponseKind::Events("scrape-events")),
        Route::new(
            "post",
            "/api/scrape",
            "Reads pages in the background.",
            post(start),
        )
        .takes("scrape-request")
        .starts_run()
        .responds(began),
        Route::new(
            "get",
            "/api/scrape/sessions",
            "The caller's scrape runs, newest first, with how far each is.",
            get(sessions),
        )
        .query(&[("limit", "Most runs told, 1 to 200; 20 when absent.")]),
        Route::new(
            "get",
            "/api/scrape/{id}/status",
            "How far a scrape run is.",
            get(status),
        ),
        Route::new(
            "get",
            "/api/scrape/{id}/result",
            "What a scrape run found; 400 while it runs.",
            get(result),
        ),
        Route::new(
            "delete",
            "/api/scrape/{id}",
            "Stops a scrape run.",
            delete(cancel),
        ),
        Route::new(
            "delete",
            "/api/scrape/{id}/cleanup",
            "Stops a scrape run and deletes the files that it has written; its log is kept.",
            delete(clean_up),
        ),
    ]
}

async fn stream(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let request = ScrapeRequest::parse(&body)?;
    let mut response = submit::stream(&state, &caller, &headers, JobRequest::Scrape(request)).await?;
    // The first clients of this endpoint know a run as a session.
    if let Some(run) = response.headers().get(RUN_ID).cloned() {
        response
            .headers_mut()
            .insert(HeaderName::from_static("x-session-id"), run);
    }
    Ok(response)
}

async fn start(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let request = ScrapeRequest::parse(&body)?;
    let (assets, agents) = (request.assets.clone(), request.selected_agents.clone());
    let run = submit::submit(&state, &caller, &headers, JobRequest::Scrape(request)).await?;
    let status = format!("/api/scrape/{}/status", run.shown());
    let body = json!({
        "session_id": run.shown(),
        "status": "started",
        "message": format!("{} page(s) are being read; ask {status} how far it is", assets.len()),
        "assets": assets,
        "selected_agents": agents,
    });
    let mut response = run.json(StatusCode::ACCEPTED, &body);
    if let Ok(status) = HeaderValue::from_str(&status) {
        response.headers_mut().insert(LOCATION, status);
    }
    Ok(response)
}

/// Runs of one answer of `sessions`, unless the client says otherwise.
const SESSIONS: u64 = 20;
/// Pages of the list of runs of every kind that are looked through for scrapes.
const LOOKED_THROUGH: usize = 10;

async fn sessions(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    params: QueryParams,
) -> Result<Response, ApiError> {
    let limit = params.limit(SESSIONS)?;
    let (service, sees) = (&state.app.service, caller.sees());
    let (mut sessions, mut cursor) = (Vec::new(), None);
    for _ in 0..LOOKED_THROUGH {
        let page = service.list(sees, None, cursor, 200).await?;
        let scrapes = page.runs.iter().filter(|run| run.kind == RunKind::Scrape);
        for run in scrapes.take(limit - sessions.len()) {
            let detail = match service.run(sees, &run.id).await {
                // It was deleted since the page was read.
                Err(error) if error.code == Code::NotFound => continue,
                detail => detail?,
            };
            let progress = scrape_progress::of(&state.progress, service, sees, &detail).await?;
            sessions.push(json!({
                "session_id": run.id,
                "status": progress["status"],
                "urls_count": progress["total_urls"],
                "current_index": progress["current_url_index"],
                "total_reward": progress["total_reward"],
                "steps": progress["steps_count"],
            }));
        }
        cursor = page.next.and_then(|next| RunCursor::parse(&next));
        if cursor.is_none() || sessions.len() >= limit {
            break;
        }
    }
    let count = sessions.len();
    let body = json!({"sessions": sessions, "count": count});
    Ok(json_response(StatusCode::OK, &body))
}

/// The run, when it is a scrape that the caller may see.
async fn scrape_run(state: &AppState, caller: &Caller, run: &RunName) -> Result<RunDetail, ApiError> {
    let detail = state.app.service.run(caller.sees(), &run.id).await?;
    if detail.summary.kind == RunKind::Scrape {
        Ok(detail)
    } else {
        Err(ServiceError::unknown_run().into())
    }
}

async fn status(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RunPath(run): RunPath,
) -> Result<Response, ApiError> {
    let detail = scrape_run(&state, &caller, &run).await?;
    let progress = scrape_progress::of(&state.progress, &state.app.service, caller.sees(), &detail).await?;
    Ok(run.json(StatusCode::OK, &progress))
}

async fn result(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RunPath(run): RunPath,
) -> Result<Response, ApiError> {
    let detail = scrape_run(&state, &caller, &run).await?;
    if !detail.summary.status.is_final() {
        return Err(ApiError::new(Code::NotFinished, "the run has not ended yet"));
    }
    match (detail.result, detail.error) {
        (Some(result), _) => Ok(run.json(StatusCode::OK, &result)),
        (None, Some(error)) => Err(ApiError::new(error.code, error.message)),
        (None, None) => Err(ApiError::new(Code::TaskFailed, "the run ended without a result")),
    }
}

async fn cancel(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RunPath(run): RunPath,
) -> Result<Response, ApiError> {
    let body = stop(&state, &caller, &run).await?;
    Ok(run.json(StatusCode::OK, &body))
}

/// Stops a run; one that had ended keeps the end it had.
async fn stop(state: &AppState, caller: &Caller, run: &RunName) -> Result<Value, ApiError> {
    let detail = scrape_run(state, caller, run).await?;
    let stopped = state.app.service.cancel(caller.sees(), &run.id).await?;
    let status = if stopped {
        RunStatus::Cancelled
    } else {
        detail.summary.status
    };
    Ok(json!({"status": status, "session_id": run.shown()}))
}

async fn clean_up(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RunPath(run): RunPath,
) -> Result<Response, ApiError> {
    stop(&state, &caller, &run).await?;
    let removed = state.app.workers.files().delete(caller.sees(), &run.id).await?;
    let body = json!({"status": "removed", "session_id": run.shown(), "files_removed": removed});
    Ok(run.json(StatusCode::OK, &body))
}
