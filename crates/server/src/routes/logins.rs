//! Endpoints of logins: profiles of browsers, and the vault of secrets.

use axum::Extension;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::{delete, get, post, put};
use http::StatusCode;
use serde_json::json;
use wire::profile::{CreateProfile, StorageState};
use wire::vault::SetSecret;

use super::route::{ResponseKind, Route};
use crate::app::AppState;
use crate::auth::Caller;
use crate::body::JsonBody;
use crate::response::{ApiError, json_response, written};

pub(super) fn routes() -> Vec<Route> {
    let mut routes = profiles();
    routes.extend(vault());
    routes
}

fn profiles() -> Vec<Route> {
    let summary = ResponseKind::Json(StatusCode::OK, Some("profile"));
    vec![
        Route::new("get", "/v1/profiles", "Lists your profiles, by name.", get(list))
            .responds(ResponseKind::Json(StatusCode::OK, Some("profile-list"))),
        Route::new("post", "/v1/profiles", "Creates a profile.", post(create))
            .takes("create-profile-request")
            .responds(ResponseKind::Json(StatusCode::CREATED, Some("profile"))),
        Route::new(
            "get",
            "/v1/profiles/{name}",
            "One profile: what it holds, without any value.",
            get(one),
        )
        .responds(summary),
        Route::new(
            "delete",
            "/v1/profiles/{name}",
            "Deletes a profile and its state.",
            delete(remove),
        ),
        Route::new(
            "get",
            "/v1/profiles/{name}/storage-state",
            "The state of a profile, cookies and local storage, in Playwright's storage-state format.",
            get(export),
        ),
        Route::new(
            "put",
            "/v1/profiles/{name}/storage-state",
            "Replaces the state of a profile by one in Playwright's storage-state format.",
            put(import),
        )
        .takes("storage-state")
        .responds(summary),
    ]
}

fn vault() -> Vec<Route> {
    vec![
        Route::new(
            "get",
            "/v1/vault",
            "Lists your secrets, by name, without any value.",
            get(secrets),
        )
        .responds(ResponseKind::Json(StatusCode::OK, Some("secret-list"))),
        Route::new(
            "put",
            "/v1/vault/{name}",
            "Sets a secret. Its value is never shown again.",
            put(set),
        )
        .takes("set-secret-request")
        .responds(ResponseKind::Json(StatusCode::OK, Some("secret"))),
        Route::new("delete", "/v1/vault/{name}", "Deletes a secret.", delete(forget)),
    ]
}

async fn list(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
) -> Result<Response, ApiError> {
    let profiles = state.app.service.profiles().list(&caller.name()).await?;
    written(&profiles).map(|it| json_response(StatusCode::OK, &it))
}

async fn create(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let request = CreateProfile::parse(&body)?;
    let profiles = state.app.service.profiles();
    let created = profiles.create(&caller.name(), request).await?;
    written(&created).map(|it| json_response(StatusCode::CREATED, &it))
}

async fn one(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
) -> Result<Response, ApiError> {
    let profile = state.app.service.profiles().get(&caller.name(), &name).await?;
    written(&profile).map(|it| json_response(StatusCode::OK, &it))
}

async fn remove(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
) -> Result<Response, ApiError> {
    let profiles = state.app.service.profiles();
    profiles.delete(&caller.name(), &name).await?;
    Ok(json_response(
        StatusCode::OK,
        &json!({"name": name, "deleted": true}),
    ))
}

async fn export(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
) -> Result<Response, ApiError> {
    let profiles = state.app.service.profiles();
    let exported = profiles.export(&caller.name(), &name).await?;
    written(&exported).map(|it| json_response(StatusCode::OK, &it))
}

async fn import(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let imported = StorageState::parse(&body)?;
    let profiles = state.app.service.profiles();
    let profile = profiles.import(&caller.name(), &name, imported).await?;
    written(&profile).map(|it| json_response(StatusCode::OK, &it))
}

async fn secrets(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
) -> Result<Response, ApiError> {
    let secrets = state.app.service.secrets().list(&caller.name()).await?;
    written(&secrets).map(|it| json_response(StatusCode::OK, &it))
}

async fn set(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let request = SetSecret::parse(&body)?;
    let secrets = state.app.service.secrets();
    let set = secrets.set(&caller.name(), &name, request).await?;
    written(&set).map(|it| json_response(StatusCode::OK, &it))
}

async fn forget(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
) -> Result<Response, ApiError> {
    let secrets = state.app.service.secrets();
    secrets.delete(&caller.name(), &name).await?;
    Ok(json_response(
        StatusCode::OK,
        &json!({"name": name, "deleted": true}),
    ))
}
