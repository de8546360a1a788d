//! Endpoints of the MCP server: `/mcp`, and `/mcp/read` with the tools that change nothing.

use axum::Extension;
use axum::body::Body;
use axum::extract::{FromRequest as _, Request, State};
use axum::response::Response;
use axum::routing::post;
use http_body_util::BodyExt as _;

use super::route::Route;
use crate::app::AppState;
use crate::auth::Caller;
use crate::body::JsonBody;
use crate::mcp::{self, Access};
use crate::openapi::MCP_MESSAGE;
use crate::response::ApiError;

pub(super) fn routes() -> Vec<Route> {
    vec![
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
    ]
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
