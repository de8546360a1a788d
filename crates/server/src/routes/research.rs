//! `POST /v1/research`: a question in, the events of its research out.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use axum::routing::post;
use http::HeaderMap;
use runtime::service::Submission;
use wire::run::{Job, RunSpec};
use wire::tabstack::ResearchRequest;
use wire::{Family, sse};

use super::{Answers, Route};
use crate::answer::Failure;
use crate::auth::Caller;
use crate::body::Body;
use crate::door::Door;
use crate::{measures, prefer};

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
    door.house.workers.check(&job)?;
    let detached = prefer::asks_for_async(&headers);
    let spec = RunSpec {
        job,
        owner: caller.name(),
        audience: door.settings.audience,
        detached,
    };
    let service = &door.house.service;
    let run = service.submit(&spec, Submission::default()).await?;
    measures::run(spec.job.kind().as_str());
    let attached = (!detached).then(|| service.attach(&run));
    let entries = service
        .events(caller.sees(), &run, 0, door.settings.audience)
        .await?;
    let frame = |entry: &wire::Entry| sse::frame(Family::Research, entry);
    let mut response = crate::sse::stream(&door, &run, entries, frame, attached);
    if detached {
        prefer::applied(&mut response);
    }
    Ok(response)
}
