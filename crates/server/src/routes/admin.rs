//! Endpoints of administration: tenants, keys, everybody's usage and the audit log.

use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, patch, post};
use bytes::Bytes;
use futures_util::stream;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use runtime::ServiceError;
use runtime::tenants::audit::Actor;
use runtime::tenants::{ExportedRun, NewKey, Tenants};
use serde_json::{Value, json};
use wire::tenancy::{KeyRequest, RotateRequest, TenantRequest};

use super::route::{ResponseKind, Route};
use super::usage;
use crate::app::AppState;
use crate::auth::Caller;
use crate::body::JsonBody;
use crate::query::{QueryParams, number};
use crate::response::{ApiError, json_response, written};

/// Entries of the audit log in one answer.
pub(crate) const AUDIT_PAGE: u64 = 1000;
const JSON_LINES: &str = "application/x-ndjson";
const TENANT: &str = "/v1/admin/tenants/{name}";
const TENANTS: &str = "/v1/admin/tenants";
const KEY: &str = "/v1/admin/keys/{id}";
const KEYS: &str = "/v1/admin/keys";

pub(super) fn routes() -> Vec<Route> {
    let made = ResponseKind::Json(StatusCode::CREATED, None);
    let of_tenant: &[(&str, &str)] = &[("tenant", "Only this tenant's.")];
    vec![
        Route::new("get", TENANTS, "Every tenant.", get(tenants)),
        Route::new("post", TENANTS, "Creates a tenant.", post(create_tenant))
            .takes("tenant-request")
            .responds(made),
        Route::new("get", TENANT, "One tenant.", get(tenant)),
        Route::new(
            "patch",
            TENANT,
            "Changes the weight, the limits, the rules of the policy and the keys of models that are given, at once.",
            patch(change_tenant),
        )
        .takes("tenant-request"),
        Route::new(
            "delete",
            TENANT,
            "Deletes a tenant with everything that is its own; 202 while runs of it have not ended.",
            delete(delete_tenant),
        ),
        Route::new(
            "get",
            "/v1/admin/tenants/{name}/export",
            "Everything that is a tenant's own, as JSON lines.",
            get(export),
        )
        .responds(ResponseKind::Text),
        Route::new("get", KEYS, "Every key, without its text.", get(keys)).query(of_tenant),
        Route::new(
            "post",
            KEYS,
            "Makes a key; its text is in this answer only.",
            post(create_key),
        )
        .takes("key-request")
        .responds(made),
        Route::new("get", KEY, "One key.", get(key)),
        Route::new(
            "post",
            "/v1/admin/keys/{id}/rotate",
            "Makes a successor of a key, which itself works on for a while.",
            post(rotate_key),
        )
        .takes("rotate-request")
        .responds(made),
        Route::new("delete", KEY, "Revokes a key, at once.", delete(revoke_key)),
        Route::new("get", "/v1/admin/usage", "Everybody's usage.", get(all_usage)).query(&[
            ("tenant", "Only this tenant's."),
            ("from", "The first day; the first of the month when absent."),
            ("to", "The last day; today when absent."),
            ("format", "`json`, or `csv`."),
        ]),
        Route::new(
            "get",
            "/v1/admin/audit",
            "The audit log, as JSON lines.",
            get(audit),
        )
        .query(&[
            ("after", "Entries after the one of this id."),
            ("limit", "Most entries, 1 to 1000."),
        ])
        .responds(ResponseKind::Text),
    ]
}

async fn tenants(State(state): State<AppState>) -> Result<Response, ApiError> {
    let tenants = written(&state.tenants.list().await?)?;
    Ok(json_response(StatusCode::OK, &json!({"tenants": tenants})))
}

async fn create_tenant(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let request = TenantRequest::parse(&body)?;
    state.app.workers.check_policy(&request)?;
    let tenant = state.tenants.create(&caller.actor(), &request).await?;
    written(&tenant).map(|it| json_response(StatusCode::CREATED, &it))
}

async fn tenant(State(state): State<AppState>, Path(name): Path<String>) -> Result<Response, ApiError> {
    let tenant = state.tenants.get(&name).await?;
    written(&tenant).map(|it| json_response(StatusCode::OK, &it))
}

async fn change_tenant(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let request = TenantRequest::parse(&body)?;
    state.app.workers.check_policy(&request)?;
    let tenant = state.tenants.change(&caller.actor(), &name, &request).await?;
    written(&tenant).map(|it| json_response(StatusCode::OK, &it))
}

async fn delete_tenant(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
) -> Result<Response, ApiError> {
    let is_done = state.tenants.delete(&caller.actor(), &name).await?;
    let status = if is_done {
        StatusCode::OK
    } else {
        StatusCode::ACCEPTED
    };
    Ok(json_response(status, &json!({"name": name, "deleted": is_done})))
}

/// What comes next in an export.
enum ExportStep {
    Head,
    RunBefore(Option<ExportedRun>),
    EventsAfter(ExportedRun, u64),
}

impl ExportStep {
    /// The lines of this step, and the one that follows; none at the end.
    async fn lines(
        self,
        tenants: &Tenants,
        actor: &Actor,
        name: &str,
    ) -> Result<Option<(Vec<Value>, Self)>, ServiceError> {
        Ok(match self {
            Self::Head => {
                let lines = tenants.export_head(actor, name).await?;
                Some((lines, Self::RunBefore(None)))
            }
            Self::RunBefore(before) => {
                let run = tenants.export_run(name, before.as_ref()).await?;
                run.map(|(run, line)| (vec![line], Self::EventsAfter(run, 0)))
            }
            Self::EventsAfter(run, after) => Some(match tenants.export_events(&run.id, after).await? {
                Some((last, lines)) => (lines, Self::EventsAfter(run, last)),
                None => (Vec::new(), Self::RunBefore(Some(run))),
            }),
        })
    }
}

async fn export(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
) -> Result<Response, ApiError> {
    // Refused here, before the answer begins.
    state.tenants.get(&name).await?;
    let parts = (state.tenants.clone(), caller.actor(), name);
    let lines = stream::try_unfold((parts, ExportStep::Head), |(parts, step)| async move {
        let read = step.lines(&parts.0, &parts.1, &parts.2).await;
        let read = read.map_err(std::io::Error::other)?;
        Ok::<_, std::io::Error>(read.map(|(lines, next)| (json_lines(&lines), (parts, next))))
    });
    Ok(([(CONTENT_TYPE, JSON_LINES)], Body::from_stream(lines)).into_response())
}

fn json_lines(values: &[Value]) -> Bytes {
    let lines = values.iter().map(|value| format!("{value}\n"));
    lines.collect::<String>().into()
}

async fn keys(State(state): State<AppState>, params: QueryParams) -> Result<Response, ApiError> {
    let tenant = params.get("tenant", "a name", |it| Some(it.to_owned()))?;
    let keys = state.tenants.keys(tenant.as_deref()).await?;
    let keys: Vec<Value> = keys.iter().map(|key| key.shown()).collect();
    Ok(json_response(StatusCode::OK, &json!({"keys": keys})))
}

async fn key(State(state): State<AppState>, Path(id): Path<String>) -> Result<Response, ApiError> {
    let key = state.tenants.key(&id).await?;
    Ok(json_response(StatusCode::OK, &key.shown()))
}

/// The answer that holds a key's text, the only one.
fn shown_once(made: &NewKey) -> Response {
    let mut body = made.key.shown();
    body["key"] = made.text.reveal().into();
    let mut response = json_response(StatusCode::CREATED, &body);
    let no_store = http::HeaderValue::from_static("no-store");
    response
        .headers_mut()
        .insert(http::header::CACHE_CONTROL, no_store);
    response
}

async fn create_key(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let request = KeyRequest::parse(&body)?;
    let made = state.tenants.create_key(&caller.actor(), &request).await?;
    Ok(shown_once(&made))
}

async fn rotate_key(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let request = RotateRequest::parse(&body)?;
    let made = state.tenants.rotate_key(&caller.actor(), &id, request).await?;
    Ok(shown_once(&made))
}

async fn revoke_key(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let key = state.tenants.revoke_key(&caller.actor(), &id).await?;
    Ok(json_response(StatusCode::OK, &key.shown()))
}

async fn all_usage(State(state): State<AppState>, params: QueryParams) -> Result<Response, ApiError> {
    let tenant = params.get("tenant", "a name", |it| Some(it.to_owned()))?;
    usage::answer(&state, tenant.as_deref(), &params).await
}

async fn audit(State(state): State<AppState>, params: QueryParams) -> Result<Response, ApiError> {
    let after = params.get("after", "the id of an entry", |it| Some(it.to_owned()))?;
    let in_range = |text: &str| number(text).filter(|it| (1..=AUDIT_PAGE).contains(it));
    let limit = params.get("limit", "a number from 1 to 1000", in_range)?;
    let limit = usize::try_from(limit.unwrap_or(AUDIT_PAGE)).unwrap_or(usize::MAX);
    let entries = state.tenants.audit_log(&after.unwrap_or_default(), limit).await?;
    let lines: Result<Vec<Value>, ApiError> = entries.iter().map(written).collect();
    Ok(([(CONTENT_TYPE, JSON_LINES)], json_lines(&lines?)).into_response())
}
