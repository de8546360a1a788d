//! Endpoints of the MCP server: `/mcp`, and `/mcp/read` with the tools that change nothing.

use axum::Extension;
use axum::body::Body;
use axum::extract::{FromRequest as _, Request, State};
use axum::response::Response;
use axum::routing::{get, post};
use http::StatusCode;
use http_body_util::BodyExt as _;

use wire::Code;

use super::route::Route;
use crate::access_tokens::{self, METADATA_PATHS};
use crate::app::AppState;
use crate::auth::Caller;
use crate::body::JsonBody;
use crate::mcp::{self, Access};
use crate::openapi::MCP_MESSAGE;
use crate::response::{ApiError, json_response};

pub(super) fn routes() -> Vec<Route> {
    let metadata_routes = METADATA_PATHS.iter().map(|path| {
        Route::new(
            "get",
            path,
            "Where clients of MCP get access tokens, where the operator names an issuer (RFC 9728).",
            get(metadata),
        )
    });
    let messages = [
        Route::new(
            "post",
            "/mcp",
            "A message of the Model Context Protocol; answers are JSON or server-sent events.",
            post(all),
        )
        .takes(MCP_MESSAGE),
        Route::new(
            "post",
            "/mcp/read",
            "The same with the tools that change nothing.",
            post(read_only),
        )
        .takes(MCP_MESSAGE),
    ];
    messages.into_iter().chain(metadata_routes).collect()
}

async fn metadata(State(state): State<AppState>) -> Result<Response, ApiError> {
    let tokens = state.app.tokens.as_deref();
    let tokens = tokens.ok_or_else(|| {
        let text = "this server has no token issuer, and takes API keys alone; the operator sets HUNTSMAN_TOKEN_ISSUER";
        ApiError::new(Code::NotFound, text)
    })?;
    Ok(json_response(StatusCode::OK, &access_tokens::metadata(tokens)))
}

async fn all(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    answer(&state, caller, Access::All, request).await
}

async fn read_only(
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
    let place = state.stream_place(&caller)?;
    let (head, body) = request.into_parts();
    let whole = Request::from_parts(head.clone(), body);
    let JsonBody(body) = JsonBody::from_request(whole, state).await?;
    let answer = mcp::answer(&state.mcp, caller, access, state.settings.heartbeat, (head, body)).await;
    // The place is taken until the answer has been sent or given up.
    Ok(answer.map(|body| {
        Body::new(body.map_frame(move |frame| {
            let _held = &place;
            frame
        }))
    }))
}
