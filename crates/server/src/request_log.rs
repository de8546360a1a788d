//! One log line, one span and one count per request: method, route, status and time, never the content.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use http::Method;
use runtime::trace_parent;
use tracing::{Instrument as _, Span, debug_span, field};

use crate::response::{ERROR_CODE, RUN_ID};
use crate::{metrics, trace_context};

/// Where requests are counted that no route takes: paths of unknown clients must not become labels.
const UNMATCHED: &str = "(none)";

/// Logs, traces and counts a request.
pub(crate) async fn watch(request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = known(request.method());
    let path = request.extensions().get::<MatchedPath>().cloned();
    let path = path.as_ref().map_or(UNMATCHED, MatchedPath::as_str);
    let is_probe = matches!(path, "/healthz" | "/readyz" | "/metrics");
    let span = match is_probe {
        true => Span::none(),
        false => debug_span!(
            "http_request",
            method,
            route = path,
            status = field::Empty,
            ms = field::Empty,
            run = field::Empty,
            error = field::Empty
        ),
    };
    if let Some(parent) = trace_context::of(request.headers()) {
        trace_parent::join(&span, &parent);
    }
    let response = next.run(request).instrument(span.clone()).await;
    let (status, took) = (response.status().as_u16(), began.elapsed());
    metrics::request(method, path, status, took);
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
    let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    span.record("status", status).record("ms", ms);
    let (run, code) = (header(RUN_ID), header(ERROR_CODE));
    span.record("run", run).record("error", code);
    match status {
        500.. => tracing::warn!(method, path, status, ms, run, code, "answered"),
        _ if is_probe => {
            tracing::debug!(method, path, status, ms, "answered");
        }
        _ => tracing::info!(method, path, status, ms, run, code, "answered"),
    }
    response
}

/// A method's name. An unknown one becomes no label of its own.
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
