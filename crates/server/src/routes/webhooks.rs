//! Endpoints of webhooks: who is told of ends of runs, chosen events and changes, and what was sent.

use axum::Extension;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::{delete, get, post};
use http::StatusCode;
use serde_json::json;
use wire::tenancy::RotateRequest;
use wire::webhooks::{CreateWebhook, DeliveryState};

use super::route::{ResponseKind, Route};
use crate::app::AppState;
use crate::auth::Caller;
use crate::body::JsonBody;
use crate::query::QueryParams;
use crate::response::{ApiError, json_response, written};

/// Deliveries in one answer where the request does not say.
const USUAL_LIMIT: u64 = 50;

/// Query parameters of the log.
const QUERY: &[(&str, &str)] = &[
    (
        "state",
        "Only deliveries that are `pending`, `delivered` or `dead`.",
    ),
    ("limit", "How many at most; 50 when absent."),
];

pub(super) fn routes() -> Vec<Route> {
    let ok = |schema| ResponseKind::Json(StatusCode::OK, Some(schema));
    vec![
        Route::new("get", "/v1/webhooks", "Lists your webhooks.", get(list)).responds(ok("webhook-list")),
        Route::new(
            "post",
            "/v1/webhooks",
            "Registers a webhook. The answer holds its secret, which is never shown again.",
            post(create),
        )
        .takes("create-webhook-request")
        .responds(ResponseKind::Json(
            StatusCode::CREATED,
            Some("webhook-with-secret"),
        )),
        Route::new(
            "get",
            "/v1/webhooks/{id}",
            "One webhook, without its secret.",
            get(one),
        )
        .responds(ok("webhook")),
        Route::new(
            "delete",
            "/v1/webhooks/{id}",
            "Deletes a webhook and its log. What is due is not sent any more.",
            delete(remove),
        ),
        Route::new(
            "post",
            "/v1/webhooks/{id}/rotate",
            "Makes a new secret. Messages are signed with the old one too for `grace_hours`.",
            post(rotate),
        )
        .takes("rotate-request")
        .responds(ok("webhook-with-secret")),
        Route::new(
            "get",
            "/v1/webhooks/{id}/deliveries",
            "The last deliveries of a webhook, the newest first, with every try.",
            get(deliveries),
        )
        .query(QUERY)
        .responds(ok("delivery-list")),
        Route::new(
            "post",
            "/v1/webhooks/{id}/deliveries/{delivery}/resend",
            "Sends a delivery again, at once: a dead letter, or one that has arrived.",
            post(resend),
        )
        .responds(ok("delivery")),
    ]
}

async fn list(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
) -> Result<Response, ApiError> {
    let webhooks = state.app.service.webhooks().list(&caller.name()).await?;
    written(&webhooks).map(|it| json_response(StatusCode::OK, &it))
}

async fn create(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let request = CreateWebhook::parse(&body)?;
    state
        .app
        .workers
        .check_address(&caller.name(), &request.url)
        .await?;
    let webhooks = state.app.service.webhooks();
    let created = webhooks.create(&caller.name(), request).await?;
    written(&created).map(|it| json_response(StatusCode::CREATED, &it))
}

async fn one(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let webhook = state.app.service.webhooks().get(&caller.name(), &id).await?;
    written(&webhook).map(|it| json_response(StatusCode::OK, &it))
}

async fn remove(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    state.app.service.webhooks().delete(&caller.name(), &id).await?;
    Ok(json_response(StatusCode::OK, &json!({"id": id, "deleted": true})))
}

async fn rotate(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    body: Result<JsonBody, ApiError>,
) -> Result<Response, ApiError> {
    let webhooks = state.app.service.webhooks();
    // What belongs to others is not there, whatever the body says.
    webhooks.get(&caller.name(), &id).await?;
    let JsonBody(body) = body?;
    let request = RotateRequest::parse(&body)?;
    let rotated = webhooks.rotate(&caller.name(), &id, request).await?;
    written(&rotated).map(|it| json_response(StatusCode::OK, &it))
}

async fn deliveries(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    params: QueryParams,
) -> Result<Response, ApiError> {
    let wanted = params.get("state", "pending, delivered or dead", DeliveryState::parse)?;
    let limit = params.limit(USUAL_LIMIT)?;
    let webhooks = state.app.service.webhooks();
    let listed = webhooks.deliveries(&caller.name(), &id, wanted, limit).await?;
    written(&listed).map(|it| json_response(StatusCode::OK, &it))
}

async fn resend(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path((id, delivery)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let webhooks = state.app.service.webhooks();
    let sent = webhooks.resend(&caller.name(), &id, &delivery).await?;
    written(&sent).map(|it| json_response(StatusCode::OK, &it))
}
