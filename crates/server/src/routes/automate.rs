//! Endpoints of automate runs: start with a stream of events, and a person's answers.

use axum::Extension;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::post;
use http::{HeaderMap, StatusCode};
use wire::run::JobRequest;
use wire::tabstack::{self, Accepted, AutomateRequest, ParsedRequest, parse_answer};
use wire::{Code, RequestId};

use super::route::{ResponseKind, Route};
use crate::app::AppState;
use crate::auth::Caller;
use crate::body::JsonBody;
use crate::response::{ApiError, json_response, show_ignored, written};
use crate::submit;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "post",
            "/v1/automate",
            "Does a task in a browser, and tells every step as it is made.",
            post(stream),
        )
        .takes("automate-request")
        .starts_run()
        .responds(ResponseKind::Events("automate-events")),
        Route::new(
            "post",
            "/v1/automate/{id}/input",
            "Answers a question of a run; `id` is the `requestId` of its event.",
            post(input),
        )
        .takes("form-answer")
        .responds(ResponseKind::Json(StatusCode::ACCEPTED, None)),
    ]
}

async fn stream(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let ParsedRequest { request, ignored } = tabstack::parse::<AutomateRequest>(&body)?;
    let mut response = submit::stream(&state, &caller, &headers, JobRequest::Automate(request)).await?;
    show_ignored(&mut response, &ignored);
    Ok(response)
}

async fn input(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let unknown = || ApiError::new(Code::NotFound, "no run has asked a question of this id");
    let question = RequestId::parse(&id).map_err(|_| unknown())?;
    let ParsedRequest {
        request: answer,
        ignored,
    } = parse_answer(&body)?;
    state
        .app
        .service
        .answer(caller.sees(), &question, &answer)
        .await?;
    let mut response = json_response(StatusCode::ACCEPTED, &written(&Accepted::default())?);
    show_ignored(&mut response, &ignored);
    Ok(response)
}
