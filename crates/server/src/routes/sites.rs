//! Endpoints about whole sites: map, crawl, batch.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use axum::routing::post;
use http::{HeaderMap, StatusCode};
use wire::profile::ProfileChoice;
use wire::run::JobRequest;
use wire::site::{BatchRequest, CrawlRequest, MapRequest};

use super::route::{ResponseKind, Route};
use crate::app::AppState;
use crate::auth::Caller;
use crate::body::JsonBody;
use crate::response::{ApiError, json_response, written};
use crate::submit;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new("post", "/v1/map", "The addresses of a site.", post(map))
            .takes("map-request")
            .responds(ResponseKind::Json(StatusCode::OK, Some("map-response"))),
        Route::new(
            "post",
            "/v1/crawl",
            "Finds and reads the pages of a site, in the events of a scrape.",
            post(crawl),
        )
        .takes("crawl-request")
        .starts_run()
        .responds(ResponseKind::Events("scrape-events")),
        Route::new(
            "post",
            "/v1/batch",
            "Reads thousands of pages, in the events of a scrape.",
            post(batch),
        )
        .takes("batch-request")
        .starts_run()
        .responds(ResponseKind::Events("scrape-events")),
    ]
}

async fn map(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let request = MapRequest::parse(&body)?;
    let pages = state.app.workers.pages_for(&caller.name()).await?;
    pages.allow(&request.url, &ProfileChoice::default())?;
    let _metered = submit::metered(&state.tenants, &caller, "map").await?;
    let map = pages.map(&request).await?;
    written(&map).map(|it| json_response(StatusCode::OK, &it))
}

async fn crawl(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let job = JobRequest::Crawl(CrawlRequest::parse(&body)?);
    submit::stream(&state, &caller, &headers, job).await
}

async fn batch(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let job = JobRequest::Batch(BatchRequest::parse(&body)?);
    submit::stream(&state, &caller, &headers, job).await
}
