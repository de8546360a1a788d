//! Endpoints that read one page while the client waits.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use axum::routing::post;
use http::{HeaderName, HeaderValue, StatusCode};
use runtime::pages::ShapedPage;
use runtime::tenants::usage::RequestMeter;
use wire::tabstack::{self, ExtractJsonRequest, GenerateJsonRequest, MarkdownRequest, ParsedRequest};

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
            "/v1/extract/markdown",
            "One page as Markdown.",
            post(markdown),
        )
        .takes("extract-markdown-request")
        .responds(ResponseKind::Json(
            StatusCode::OK,
            Some("extract-markdown-response"),
        )),
        Route::new(
            "post",
            "/v1/extract/json",
            "What one page states, in the shape of a schema. Needs a model; `schema` of `POST /api/scrape` is filled by rules, too.",
            post(extract),
        )
        .takes("extract-json-request")
        .responds(ResponseKind::Json(StatusCode::OK, None)),
        Route::new(
            "post",
            "/v1/generate/json",
            "What a model makes of one page as instructed, in the shape of a schema. Needs a model.",
            post(generate),
        )
        .takes("generate-json-request")
        .responds(ResponseKind::Json(StatusCode::OK, None)),
    ]
}

async fn extract(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let ParsedRequest { request, ignored } = tabstack::parse::<ExtractJsonRequest>(&body)?;
    let pages = state.app.workers.pages_for(&caller.name()).await?;
    pages.allow(&request.url, &request.profile)?;
    let meter = page_meter(&state, &caller, "extract").await?;
    let pages = pages.entering(meter.ledger());
    let page = pages.extract(&caller.name(), &request).await?;
    Ok(shaped_response(&page, &ignored))
}

async fn generate(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let ParsedRequest { request, ignored } = tabstack::parse::<GenerateJsonRequest>(&body)?;
    let pages = state.app.workers.pages_for(&caller.name()).await?;
    pages.allow(&request.url, &request.profile)?;
    let meter = page_meter(&state, &caller, "generate").await?;
    let pages = pages.entering(meter.ledger());
    let page = pages.generate(&caller.name(), &request).await?;
    Ok(shaped_response(&page, &ignored))
}

async fn markdown(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let ParsedRequest { request, ignored } = tabstack::parse::<MarkdownRequest>(&body)?;
    let pages = state.app.workers.pages_for(&caller.name()).await?;
    pages.allow(&request.url, &request.profile)?;
    let _meter = page_meter(&state, &caller, "markdown").await?;
    let page = pages.markdown(&caller.name(), &request).await?;
    let mut response = json_response(StatusCode::OK, &written(&page)?);
    show_ignored(&mut response, &ignored);
    Ok(response)
}

/// The data as the body. How much of the page's text there is, and how much of it the model was not shown, stands in the
/// headers `x-page-bytes` and `x-unread-bytes`: the shape of the body is the client's own.
fn shaped_response(page: &ShapedPage, ignored: &[String]) -> Response {
    let mut response = json_response(StatusCode::OK, &page.data);
    let sizes = [
        ("x-page-bytes", page.coverage.bytes),
        ("x-unread-bytes", page.coverage.unread_bytes),
    ];
    for (name, bytes) in sizes {
        response
            .headers_mut()
            .insert(HeaderName::from_static(name), HeaderValue::from(bytes));
    }
    show_ignored(&mut response, ignored);
    response
}

/// Admits and meters a request that opens one page.
async fn page_meter(state: &AppState, caller: &Caller, kind: &'static str) -> Result<RequestMeter, ApiError> {
    let mut meter = submit::metered(&state.tenants, caller, kind).await?;
    meter.page();
    Ok(meter)
}
