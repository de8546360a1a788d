//! Whether the server lives, whether it is of use, what it counts, and what it can do.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use runtime::Refused;
use serde_json::json;
use wire::Code;

use super::{Answers, Route};
use crate::answer::{Failure, json_response};
use crate::door::Door;
use crate::{measures, openapi};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new("get", "/healthz", "Says that the process lives.", get(alive)),
        Route::new(
            "get",
            "/readyz",
            "Says whether requests can be served: the store is there and the server is not closing.",
            get(ready),
        ),
        Route::new("get", "/metrics", "Counts for Prometheus.", get(counts)).answers(Answers::Text),
        Route::new("get", "/openapi.json", "This document.", get(document)),
    ]
}

async fn alive() -> Response {
    json_response(StatusCode::OK, &json!({"status": "ok"}))
}

async fn ready(State(door): State<Door>) -> Result<Response, Failure> {
    if door.closing.is_cancelled() {
        return Err(Refused::new(Code::ShuttingDown, "the server is shutting down").into());
    }
    door.house.service.list(None, None, None, 1).await?;
    Ok(json_response(StatusCode::OK, &json!({"status": "ready"})))
}

async fn counts() -> Result<Response, Failure> {
    let Some(handle) = measures::handle() else {
        return Err(Failure::new(Code::NotFound, "this process counts elsewhere"));
    };
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    Ok(([(CONTENT_TYPE, kind)], handle.render()).into_response())
}

async fn document() -> Response {
    json_response(StatusCode::OK, &openapi::document())
}
