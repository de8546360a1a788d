//! `POST /v1/research`: a question in, the events of its research out.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use axum::routing::post;
use http::HeaderMap;
use runtime::service::Submission;
use wire::run::Job;
use wire::tabstack::ResearchRequest;

use super::{Answers, Route};
use crate::answer::Failure;
use crate::auth::Caller;
use crate::begin;
use crate::body::Body;
use crate::door::Door;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            "post",
            "/v1/research",
            "Answers a question with a report whose every citation is checked, and tells every phase.",
            post(stream),
        )
        .takes("research-request")
        .answers(Answers::Events("research-events")),
    ]
}

async fn stream(
    State(door): State<Door>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Body(body): Body,
) -> Result<Response, Failure> {
    let job = Job::Research(ResearchRequest::parse(&body)?);
    begin::stream(&door, &caller, &headers, job, Submission::default()).await
}
