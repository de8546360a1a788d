//! MCP over HTTP: one message, one answer. No request depends on one before it.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, HOST};
use http::request::{Parts, Request};
use http::{HeaderMap, HeaderValue, StatusCode};
use http_body_util::Full;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::json;

use super::session::{Access, McpState, Session};
use crate::auth::Caller;
use crate::response::json_response;

/// Answers a message whose sender, host and origin were checked, and whose body is bounded. The stream of an answer says
/// that it lives every `heartbeat`.
pub(crate) async fn answer(
    state: &Arc<McpState>,
    caller: Caller,
    access: Access,
    heartbeat: Duration,
    (head, body): (Parts, Bytes),
) -> Response {
    if let Some(refusal) = refusal(&body) {
        return refusal;
    }
    let session = Session {
        state: Arc::clone(state),
        caller,
        access,
        is_attached: false,
        origin: origin(&head.headers),
    };
    // The server's own rules for hosts and origins can be set by the operator; these would come on top of them.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_sse_keep_alive(Some(heartbeat))
        .disable_allowed_hosts()
        .disable_allowed_origins();
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(session.clone()), sessions, config);
    let answer = service.handle(Request::from_parts(head, Full::new(body))).await;
    let mut answer = answer.map(Body::new);
    // The library refuses in plain words, without saying so.
    if answer.status().is_client_error() {
        let text = HeaderValue::from_static("text/plain; charset=utf-8");
        answer.headers_mut().entry(CONTENT_TYPE).or_insert(text);
    }
    answer
}

/// Where the client reached this server, by its own words, which were checked.
fn origin(headers: &HeaderMap) -> Option<String> {
    let host = headers.get(HOST)?.to_str().ok()?;
    // A proxy that takes TLS connections says so.
    let is_https = headers
        .get("x-forwarded-proto")
        .is_some_and(|scheme| scheme.as_bytes().eq_ignore_ascii_case(b"https"));
    let scheme = if is_https { "https" } else { "http" };
    Some(format!("{scheme}://{host}"))
}

/// The refusal of a body that is no single message, in the words of JSON-RPC.
fn refusal(body: &Bytes) -> Option<Response> {
    let (code, text) = match body.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'[') => (
            -32600,
            "batches are not taken; send each message in a request of its own",
        ),
        Some(b'{') => {
            let refusal = wire::strict::value(body).err()?;
            return Some(error(-32700, &refusal.text()));
        }
        _ => (-32700, "the body must be one JSON-RPC message"),
    };
    Some(error(code, text))
}

fn error(code: i32, text: &str) -> Response {
    let body = json!({"jsonrpc": "2.0", "id": null, "error": {"code": code, "message": text}});
    json_response(StatusCode::BAD_REQUEST, &body)
}
