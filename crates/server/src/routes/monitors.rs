//! Endpoints of monitors: pages, maps, scrapes and questions that are watched on a schedule, and what has changed.

use axum::Extension;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::{delete, get, patch, post};
use http::StatusCode;
use serde_json::json;
use wire::monitors::{CreateMonitor, UpdateMonitor};
use wire::tenancy::Scope;

use super::route::{ResponseKind, Route};
use crate::app::AppState;
use crate::auth::Caller;
use crate::body::JsonBody;
use crate::query::QueryParams;
use crate::response::{ApiError, json_response, written};

/// Versions in one answer where the request does not say.
const USUAL_LIMIT: u64 = 20;

/// Query parameters of the history.
const QUERY: &[(&str, &str)] = &[("limit", "How many at most; 20 when absent.")];

pub(super) fn routes() -> Vec<Route> {
    let ok = |schema| ResponseKind::Json(StatusCode::OK, Some(schema));
    vec![
        Route::new("get", "/v1/monitors", "Lists your monitors.", get(list)).responds(ok("monitor-list")),
        Route::new(
            "post",
            "/v1/monitors",
            "Begins to watch a page, a map, a scrape or a question. The first check is done at once.",
            post(create),
        )
        .takes("create-monitor-request")
        .responds(ResponseKind::Json(StatusCode::CREATED, Some("monitor"))),
        Route::new("get", "/v1/monitors/{id}", "One monitor.", get(one)).responds(ok("monitor")),
        Route::new(
            "patch",
            "/v1/monitors/{id}",
            "Changes the name, schedule or conditions of a monitor, pauses or resumes it.",
            patch(change),
        )
        .takes("update-monitor-request")
        .responds(ok("monitor")),
        Route::new(
            "delete",
            "/v1/monitors/{id}",
            "Deletes a monitor with its history.",
            delete(remove),
        ),
        Route::new(
            "post",
            "/v1/monitors/{id}/check",
            "Checks now. The answer comes before the check is done.",
            post(check),
        )
        .responds(ok("monitor")),
        Route::new(
            "get",
            "/v1/monitors/{id}/history",
            "The versions, the newest first, each with what has changed.",
            get(history),
        )
        .query(QUERY)
        .responds(ok("monitor-history")),
    ]
}

async fn list(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
) -> Result<Response, ApiError> {
    let monitors = state.app.service.monitors().list(&caller.name()).await?;
    written(&monitors).map(|it| json_response(StatusCode::OK, &it))
}

async fn create(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let request = CreateMonitor::parse(&body)?;
    if request.research.is_some() {
        caller.require(&[Scope::Research])?;
    }
    let workers = &state.app.workers;
    workers.check_monitor(&caller.name(), &request).await?;
    let monitors = state.app.service.monitors();
    let created = monitors.create(&caller.name(), request).await?;
    written(&created).map(|it| json_response(StatusCode::CREATED, &it))
}

async fn one(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let monitor = state.app.service.monitors().get(&caller.name(), &id).await?;
    written(&monitor).map(|it| json_response(StatusCode::OK, &it))
}

async fn change(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    body: Result<JsonBody, ApiError>,
) -> Result<Response, ApiError> {
    let monitors = state.app.service.monitors();
    // What belongs to others is not there, whatever the body says.
    let monitor = monitors.get(&caller.name(), &id).await?;
    let JsonBody(body) = body?;
    let update = UpdateMonitor::parse(&body, monitor.request.part)?;
    if let Some(when) = update.when.as_ref().filter(|when| !when.is_empty()) {
        state.app.workers.check_judging(&caller.name(), when).await?;
    }
    let changed = monitors.update(&caller.name(), &id, update).await?;
    written(&changed).map(|it| json_response(StatusCode::OK, &it))
}

async fn remove(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    state.app.service.monitors().delete(&caller.name(), &id).await?;
    Ok(json_response(StatusCode::OK, &json!({"id": id, "deleted": true})))
}

async fn check(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let monitor = state.app.service.monitors().check(&caller.name(), &id).await?;
    written(&monitor).map(|it| json_response(StatusCode::OK, &it))
}

async fn history(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    params: QueryParams,
) -> Result<Response, ApiError> {
    let limit = params.limit(USUAL_LIMIT)?;
    let monitors = state.app.service.monitors();
    let listed = monitors.history(&caller.name(), &id, limit).await?;
    written(&listed).map(|it| json_response(StatusCode::OK, &it))
}
