//! The endpoint of research runs.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use axum::routing::post;
use http::HeaderMap;
use wire::run::JobRequest;
use wire::tabstack::{self, ParsedRequest, ResearchRequest};

use super::route::{ResponseKind, Route};
use crate::app::AppState;
use crate::auth::Caller;
use crate::body::JsonBody;
use crate::response::{ApiError, show_ignored};
use crate::submit;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "post",
            "/v1/research",
            "Answers a question with a report whose every citation is checked, and tells every phase.",
            post(stream),
        )
        .takes("research-request")
        .starts_run()
        .responds(ResponseKind::Events("research-events")),
    ]
}

async fn stream(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let ParsedRequest { request, ignored } = tabstack::parse::<ResearchRequest>(&body)?;
    let mut response = submit::stream(&state, &caller, &headers, JobRequest::Research(request)).await?;
    show_ignored(&mut response, &ignored);
    Ok(response)
}
