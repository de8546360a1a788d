//! Endpoint of usage: the caller's own, as JSON or CSV.

use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use runtime::tenants::usage::{self, UsagePeriod};

use super::route::Route;
use crate::app::AppState;
use crate::auth::Caller;
use crate::query::QueryParams;
use crate::response::{ApiError, json_response};

/// Query parameters of usage.
pub(super) const QUERY: &[(&str, &str)] = &[
    (
        "from",
        "The first day, such as 2026-01-31; the first of the month when absent.",
    ),
    ("to", "The last day; today when absent."),
    ("format", "`json`, or `csv`."),
];

pub(super) fn routes() -> Vec<Route> {
    let summary = "What the caller's runs used, by day, key, kind and model.";
    vec![Route::new("get", "/v1/usage", summary, get(own)).query(QUERY)]
}

async fn own(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    params: QueryParams,
) -> Result<Response, ApiError> {
    // Without keys there is one tenant, whose name is empty.
    answer(&state, Some(caller.sees().unwrap_or_default()), &params).await
}

/// The usage of a tenant, or of all.
pub(super) async fn answer(
    state: &AppState,
    tenant: Option<&str>,
    params: &QueryParams,
) -> Result<Response, ApiError> {
    let text = |name| params.get(name, "a day such as 2026-01-31", |it| Some(it.to_owned()));
    let (from, to) = (text("from")?, text("to")?);
    let known = |it: &str| matches!(it, "json" | "csv").then(|| it == "csv");
    let as_csv = params.get("format", "json or csv", known)?.unwrap_or(false);
    let period = UsagePeriod::read(from.as_deref(), to.as_deref())?;
    let totals = state.tenants.usage(tenant, &period).await?;
    if as_csv {
        let kind = "text/csv; charset=utf-8; header=present";
        return Ok(([(CONTENT_TYPE, kind)], usage::csv(&totals)).into_response());
    }
    Ok(json_response(StatusCode::OK, &usage::json(&totals)))
}
