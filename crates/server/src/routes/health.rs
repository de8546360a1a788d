//! Endpoints for liveness, readiness, metrics and the OpenAPI document.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use runtime::ServiceError;
use serde_json::json;
use wire::Code;

use super::route::{ResponseKind, Route};
use crate::app::AppState;
use crate::metrics;
use crate::response::{ApiError, json_response};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new("get", "/healthz", "Says that the process lives.", get(alive)),
        Route::new(
            "get",
            "/readyz",
            "Says whether requests can be served: the store is there and the server is not closing.",
            get(ready),
        ),
        Route::new("get", "/metrics", "Counts for Prometheus.", get(counts)).responds(ResponseKind::Text),
    ]
}

async fn alive() -> Response {
    json_response(StatusCode::OK, &json!({"status": "ok"}))
}

async fn ready(State(state): State<AppState>) -> Result<Response, ApiError> {
    if state.closing.is_cancelled() {
        return Err(ServiceError::new(Code::ShuttingDown, "the server is shutting down").into());
    }
    state.app.service.list(None, None, None, 1).await?;
    Ok(json_response(StatusCode::OK, &json!({"status": "ready"})))
}

async fn counts() -> Result<Response, ApiError> {
    let Some(handle) = metrics::handle() else {
        return Err(ApiError::new(Code::NotFound, "this process counts elsewhere"));
    };
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    Ok(([(CONTENT_TYPE, kind)], handle.render()).into_response())
}
