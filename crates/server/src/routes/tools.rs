//! Tools and plans: what there is, one tool at once, a plan judged, a plan run.

use axum::Extension;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use axum::routing::{get, post};
use http::{HeaderMap, StatusCode};
use runtime::service::Submission;
use serde::Deserialize;
use wire::run::{Job, PlanRequest};
use wire::tooling::ToolRequest;

use super::{Answers, Route};
use crate::answer::{Failure, json_response};
use crate::auth::Caller;
use crate::begin;
use crate::body::Body;
use crate::door::Door;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new("get", "/v1/tools", "Every tool, with its manifest.", get(list))
            .query(&[("category", "only the tools of this category")]),
        Route::new("get", "/v1/tools/{name}", "One tool's manifest.", get(show)),
        Route::new("post", "/v1/tools/{name}/run", "Runs one tool once.", post(run)).takes("tool-request"),
        Route::new(
            "post",
            "/v1/plans/check",
            "Says everything that is wrong with a plan; nothing runs.",
            post(check),
        )
        .takes("plan-request"),
        Route::new(
            "post",
            "/v1/plans/run",
            "Runs a plan, and tells every step as it is made.",
            post(run_plan),
        )
        .takes("plan-request")
        .answers(Answers::Events("scrape-events")),
    ]
}

#[derive(Deserialize)]
struct Which {
    category: Option<String>,
}

async fn list(State(door): State<Door>, Query(which): Query<Which>) -> Response {
    json_response(
        StatusCode::OK,
        &door.house.workers.tools().list(which.category.as_deref()),
    )
}

async fn show(State(door): State<Door>, Path(name): Path<String>) -> Result<Response, Failure> {
    Ok(json_response(
        StatusCode::OK,
        &door.house.workers.tools().show(&name)?,
    ))
}

async fn run(
    State(door): State<Door>,
    Path(name): Path<String>,
    Body(body): Body,
) -> Result<Response, Failure> {
    let request = ToolRequest::parse(&body)?;
    let outcome = door.house.workers.tools().run(&name, &request).await?;
    Ok(json_response(StatusCode::OK, &outcome))
}

async fn check(State(door): State<Door>, Body(body): Body) -> Result<Response, Failure> {
    let request = PlanRequest::parse(&body)?;
    Ok(json_response(
        StatusCode::OK,
        &door.house.workers.tools().check(&request),
    ))
}

async fn run_plan(
    State(door): State<Door>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Body(body): Body,
) -> Result<Response, Failure> {
    let job = Job::Plan(PlanRequest::parse(&body)?);
    begin::stream(&door, &caller, &headers, job, Submission::default()).await
}
