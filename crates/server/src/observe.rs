//! One log line and one count per request: what was asked and how it went, never what was in it.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use http::Method;

use crate::answer::{ERROR_CODE, RUN_ID};
use crate::measures;

/// Where requests are counted that no route takes: a stranger's paths must not become names of measures.
const NOWHERE: &str = "(none)";

/// Watches a request pass.
pub(crate) async fn watch(request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = known(request.method());
    let path = request.extensions().get::<MatchedPath>().cloned();
    let response = next.run(request).await;
    let path = path.as_ref().map_or(NOWHERE, MatchedPath::as_str);
    let (status, took) = (response.status().as_u16(), began.elapsed());
    measures::request(method, path, status, took);
    let said = |name| response.headers().get(name).and_then(|it| it.to_str().ok());
    let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    let (run, code) = (said(RUN_ID), said(ERROR_CODE));
    match status {
        500.. => tracing::warn!(method, path, status, ms, run, code, "answered"),
        _ if path == "/healthz" || path == "/readyz" || path == "/metrics" => {
            tracing::debug!(method, path, status, ms, "answered");
        }
        _ => tracing::info!(method, path, status, ms, run, code, "answered"),
    }
    response
}

/// A method's name. One that nobody knows has no say in the names of measures.
fn known(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}
