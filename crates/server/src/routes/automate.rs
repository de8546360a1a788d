//! Automate: a task for a browser, followed as it is done, and the answers that a person gives on the way.

use axum::Extension;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::post;
use http::{HeaderMap, StatusCode};
use runtime::service::Submission;
use wire::input::Answer;
use wire::run::Job;
use wire::tabstack::{Accepted, AutomateRequest, parse_answer};
use wire::{Code, RequestId};

use super::{Answers, Route};
use crate::answer::{Failure, json_response, written};
use crate::auth::Caller;
use crate::begin;
use crate::body::Body;
use crate::door::Door;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "post",
            "/v1/automate",
            "Does a task in a browser, and tells every step as it is made.",
            post(stream),
        )
        .takes("automate-request")
        .answers(Answers::Events("automate-events")),
        Route::new(
            "post",
            "/v1/automate/{id}/input",
            "Answers a question of a run; `id` is the `requestId` of its event.",
            post(input),
        )
        .answers(Answers::Json(StatusCode::ACCEPTED, None)),
    ]
}

async fn stream(
    State(door): State<Door>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Body(body): Body,
) -> Result<Response, Failure> {
    let job = Job::Automate(AutomateRequest::parse(&body)?);
    begin::stream(&door, &caller, &headers, job, Submission::default()).await
}

async fn input(
    State(door): State<Door>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Body(body): Body,
) -> Result<Response, Failure> {
    let unknown = || Failure::new(Code::NotFound, "no run has asked a question of this id");
    let question = RequestId::parse(&id).map_err(|_| unknown())?;
    let answer: Answer = parse_answer(&body)?;
    door.house
        .service
        .answer(caller.sees(), &question, &answer)
        .await?;
    written(&Accepted::default()).map(|it| json_response(StatusCode::ACCEPTED, &it))
}
