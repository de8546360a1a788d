//! Endpoints of the MCP server.

use axum::routing::post;

use super::route::Route;
use crate::mcp;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "post",
            "/mcp",
            "A message of the Model Context Protocol; answers are JSON or server-sent events.",
            post(mcp::all),
        ),
        Route::new(
            "post",
            "/mcp/read",
            "The same with the tools that change nothing.",
            post(mcp::read_only),
        ),
    ]
}
