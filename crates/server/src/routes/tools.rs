//! Endpoints of tools and plans: list, run one, check a plan, run a plan.

use axum::Extension;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::{get, post};
use http::{HeaderMap, StatusCode};
use wire::run::{JobRequest, PlanRequest};
use wire::tooling::{SiteMatchRequest, ToolRequest};

use super::route::{ResponseKind, Route};
use crate::app::AppState;
use crate::auth::Caller;
use crate::body::JsonBody;
use crate::query::QueryParams;
use crate::response::{ApiError, json_response};
use crate::submit;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new("get", "/v1/tools", "Every tool, with its manifest.", get(list))
            .query(&[("category", "only the tools of this category")]),
        Route::new(
            "get",
            "/v1/plugins",
            "Every name that `enable_plugins` of a scrape takes, with its tools.",
            get(plugins),
        ),
        Route::new("get", "/api/plugins", "The same as `/v1/plugins`.", get(plugins)),
        Route::new(
            "get",
            "/api/sites",
            "The sites that have tools of their own.",
            get(sites),
        ),
        Route::new("get", "/api/sites/{id}", "One of these sites.", get(site)),
        Route::new(
            "post",
            "/api/sites/match",
            "The site that a task is about: the one that it names, or that of its addresses.",
            post(match_site),
        )
        .takes("site-match-request"),
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
        .starts_run()
        .responds(ResponseKind::Events("scrape-events")),
    ]
}

async fn list(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    params: QueryParams,
) -> Result<Response, ApiError> {
    let category = params.get("category", "a category", |text| Some(text.to_owned()))?;
    let tools = state.app.workers.tools_for(&caller.name()).await?;
    Ok(json_response(StatusCode::OK, &tools.list(category.as_deref())))
}

async fn plugins(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
) -> Result<Response, ApiError> {
    let tools = state.app.workers.tools_for(&caller.name()).await?;
    Ok(json_response(StatusCode::OK, &tools.plugins()))
}

async fn sites(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
) -> Result<Response, ApiError> {
    let tools = state.app.workers.tools_for(&caller.name()).await?;
    Ok(json_response(StatusCode::OK, &tools.sites()))
}

async fn site(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let tools = state.app.workers.tools_for(&caller.name()).await?;
    Ok(json_response(StatusCode::OK, &tools.site(&id)?))
}

async fn match_site(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let request = SiteMatchRequest::parse(&body)?;
    let tools = state.app.workers.tools_for(&caller.name()).await?;
    Ok(json_response(StatusCode::OK, &tools.match_site(&request)))
}

async fn show(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
) -> Result<Response, ApiError> {
    let tools = state.app.workers.tools_for(&caller.name()).await?;
    Ok(json_response(StatusCode::OK, &tools.show(&name)?))
}

async fn run(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let request = ToolRequest::parse(&body)?;
    let tools = state.app.workers.tools_for(&caller.name()).await?;
    tools.allow(&name, &request)?;
    let mut meter = submit::metered(&state.tenants, &caller, "tool").await?;
    meter.tool_call();
    let tools = tools.entering(meter.ledger());
    let outcome = tools.run(&name, &request).await?;
    Ok(json_response(StatusCode::OK, &outcome))
}

async fn check(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let request = PlanRequest::parse(&body)?;
    let tools = state.app.workers.tools_for(&caller.name()).await?;
    Ok(json_response(StatusCode::OK, &tools.check(&request)))
}

async fn run_plan(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let job = JobRequest::Plan(PlanRequest::parse(&body)?);
    submit::stream(&state, &caller, &headers, job).await
}
