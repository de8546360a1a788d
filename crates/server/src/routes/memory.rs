//! Endpoints of the memory: what scrapes learned about sites, shown and erased.

use axum::Extension;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::{delete, get};
use http::StatusCode;
use serde_json::json;

use super::route::{ResponseKind, Route};
use crate::app::AppState;
use crate::auth::Caller;
use crate::response::{ApiError, json_response, written};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "get",
            "/v1/memory",
            "Lists what your scrapes with `enable_memory` learned, by site.",
            get(list),
        )
        .responds(ResponseKind::Json(StatusCode::OK, Some("memory-list"))),
        Route::new(
            "delete",
            "/v1/memory",
            "Erases what is kept of all your sites.",
            delete(erase_all),
        ),
        Route::new("get", "/v1/memory/{site}", "What is kept of one site.", get(one))
            .responds(ResponseKind::Json(StatusCode::OK, Some("site-memory"))),
        Route::new(
            "delete",
            "/v1/memory/{site}",
            "Erases what is kept of one site.",
            delete(erase),
        ),
    ]
}

async fn list(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
) -> Result<Response, ApiError> {
    let list = state.app.service.memories().list(&caller.name()).await?;
    written(&list).map(|it| json_response(StatusCode::OK, &it))
}

async fn one(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(site): Path<String>,
) -> Result<Response, ApiError> {
    let memory = state.app.service.memories().get(&caller.name(), &site).await?;
    written(&memory).map(|it| json_response(StatusCode::OK, &it))
}

async fn erase(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(site): Path<String>,
) -> Result<Response, ApiError> {
    state.app.service.memories().erase(&caller.name(), &site).await?;
    Ok(json_response(
        StatusCode::OK,
        &json!({"site": site, "deleted": true}),
    ))
}

async fn erase_all(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
) -> Result<Response, ApiError> {
    let erased = state.app.service.memories().erase_all(&caller.name()).await?;
    Ok(json_response(StatusCode::OK, &json!({"deleted": erased})))
}
