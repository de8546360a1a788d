//! MCP over HTTP: `/mcp`, and `/mcp/read` with the tools that change nothing. No request depends on one before it.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use bytes::Bytes;
use http::StatusCode;
use http_body_util::{BodyExt as _, Full};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::json;

use super::{Access, Session};
use crate::app::AppState;
use crate::auth::Caller;
use crate::body::JsonBody;
use crate::response::{ApiError, json_response};

/// Answers a message at `/mcp`.
pub(crate) async fn all(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    answer(&state, caller, Access::All, request).await
}

/// Answers a message at `/mcp/read`.
pub(crate) async fn read_only(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    answer(&state, caller, Access::ReadOnly, request).await
}

async fn answer(
    state: &AppState,
    caller: Caller,
    access: Access,
    request: Request,
) -> Result<Response, ApiError> {
    use axum::extract::FromRequest as _;
    let place = state.stream_place(&caller)?;
    let (head, body) = request.into_parts();
    let whole = Request::from_parts(head.clone(), body);
    let JsonBody(body) = JsonBody::from_request(whole, state).await?;
    if let Some(refusal) = refusal(&body) {
        return Ok(refusal);
    }
    let session = Session {
        state: Arc::clone(&state.mcp),
        caller,
        access,
        is_attached: false,
    };
    // Host and Origin were checked before, by rules that the operator sets.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_sse_keep_alive(Some(state.settings.heartbeat))
        .with_max_request_body_bytes(state.settings.body_bytes)
        .disable_allowed_hosts()
        .disable_allowed_origins();
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(session.clone()), sessions, config);
    let answer = service.handle(Request::from_parts(head, Full::new(body))).await;
    // The place is taken until the answer has been sent or given up.
    Ok(answer.map(|body| {
        Body::new(body.map_frame(move |frame| {
            let _held = &place;
            frame
        }))
    }))
}

/// The refusal of a body that is no single message, in the words of JSON-RPC.
fn refusal(body: &Bytes) -> Option<Response> {
    let (code, text) = match body.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'[') => (-32600, "batches are not taken; send each message in a request of its own"),
        Some(b'{') => return wire::strict::value(body).err().map(|refusal| error(-32700, &refusal.text())),
        _ => (-32700, "the body must be one JSON-RPC message"),
    };
    Some(error(code, text))
}

fn error(code: i32, text: &str) -> Response {
    let body = json!({"jsonrpc": "2.0", "id": null, "error": {"code": code, "message": text}});
    json_response(StatusCode::BAD_REQUEST, &body)
}
