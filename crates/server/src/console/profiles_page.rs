//! The page of profiles: what each holds without any value, a form for a new one, and deletion.

use axum::Extension;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use http::StatusCode;
use minijinja::{Value, context};
use serde_json::{Value as Json, json};
use wire::profile::{CreateProfile, ProfileSummary};

use super::form_body::FormBody;
use super::page;
use super::visitor::Visitor;
use crate::app::AppState;
use crate::auth::Caller;
use crate::response::ApiError;

/// `GET /console/profiles`.
pub(super) async fn list(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
) -> Response {
    let shown = list_page(&state, &caller, &visitor, None).await;
    shown.unwrap_or_else(|error| page::refusal(&visitor, error))
}

async fn list_page(
    state: &AppState,
    caller: &Caller,
    visitor: &Visitor,
    refused: Option<(&FormBody, String)>,
) -> Result<Response, ApiError> {
    let listed = state.app.service.profiles().list(&caller.name()).await?;
    let row = |profile: &ProfileSummary| {
        context! {
            name => &profile.name, note => &profile.note, sites => &profile.sites, hosts => &profile.hosts, cookies => profile.cookies,
            local_storage => profile.local_storage, created => page::time(profile.created_at), updated => page::time(profile.updated_at),
        }
    };
    let rows: Vec<Value> = listed.profiles.iter().map(row).collect();
    let (form, fault) = refused.unzip();
    let asked = |field: &str| {
        form.and_then(|form| form.get(field))
            .unwrap_or_default()
            .to_owned()
    };
    let status = if fault.is_some() {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::OK
    };
    // The state that was sent holds cookies: it is not shown again.
    let with =
        context! { rows, name => asked("name"), note => asked("note"), sites => asked("sites"), fault };
    Ok(page::render(visitor, status, "profiles.html", with))
}

/// `POST /console/profiles`: creates a profile.
pub(super) async fn create(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    form: FormBody,
) -> Response {
    let created = async {
        let text = |field: &str| form.get(field).unwrap_or_default().trim().to_owned();
        let sites: Vec<String> = text("sites").split_whitespace().map(str::to_owned).collect();
        let mut body = json!({"name": text("name"), "note": text("note"), "sites": sites});
        let given = text("storage_state");
        if !given.is_empty() {
            let wrong = || {
                let advice = "storage_state: must be JSON in Playwright's storage-state format";
                ApiError::new(wire::Code::InvalidRequest, advice)
            };
            body["storage_state"] = serde_json::from_str::<Json>(&given).map_err(|_| wrong())?;
        }
        let request = CreateProfile::parse(body.to_string().as_bytes())?;
        let profiles = state.app.service.profiles();
        Ok::<_, ApiError>(profiles.create(&caller.name(), request).await?)
    };
    let shown = match created.await {
        Ok(_) => return Redirect::to("/console/profiles").into_response(),
        Err(error) => list_page(&state, &caller, &visitor, Some((&form, error.parts().1))).await,
    };
    shown.unwrap_or_else(|error| page::refusal(&visitor, error))
}

/// `POST /console/profiles/{name}/delete`: deletes a profile with its state.
pub(super) async fn delete(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    Path(name): Path<String>,
    _form: FormBody,
) -> Response {
    match state.app.service.profiles().delete(&caller.name(), &name).await {
        Ok(()) => Redirect::to("/console/profiles").into_response(),
        Err(error) => page::refusal(&visitor, error.into()),
    }
}
