//! The pages of administration: tenants with their limits and usage, and their keys. A key's text is shown once.

use std::collections::BTreeMap;

use axum::Extension;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use http::StatusCode;
use jiff::Timestamp;
use minijinja::{Value, context};
use runtime::tenants::usage::UsagePeriod;
use runtime::tenants::{ApiKey, NewKey, Tenant};
use serde_json::{Map, Value as Json, json};
use wire::tenancy::{KeyRequest, RotateRequest, Scope, TenantLimits, TenantRequest};
use wire::{Code, Vocabulary as _};

use super::form_body::FormBody;
use super::visitor::Visitor;
use super::{page, usage_page};
use crate::app::AppState;
use crate::auth::Caller;
use crate::response::ApiError;

/// Before the names of fields that hold limits.
const LIMIT: &str = "limit:";

/// `GET /console/tenants`: all tenants with what they used in this month, and a form for a new one.
pub(super) async fn list(State(state): State<AppState>, visitor: Visitor) -> Response {
    let shown = list_page(&state, &visitor, None).await;
    shown.unwrap_or_else(|error| page::refusal(&visitor, error))
}

async fn list_page(
    state: &AppState,
    visitor: &Visitor,
    refused: Option<(&FormBody, String)>,
) -> Result<Response, ApiError> {
    let tenants = state.tenants.list().await?;
    let keys = state.tenants.keys(None).await?;
    let mut used: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for total in state.tenants.usage(None, &UsagePeriod::read(None, None)?).await? {
        let (runs, dollars) = used.entry(total.key.owner.clone()).or_default();
        *runs = runs.saturating_add(total.amounts.runs);
        *dollars = dollars.saturating_add(total.amounts.micro_dollars);
    }
    let now = Timestamp::now();
    let row = |tenant: &Tenant| {
        let own = keys
            .iter()
            .filter(|key| key.tenant == tenant.name && key.is_valid(now));
        let (runs, dollars) = used.get(&tenant.name).copied().unwrap_or_default();
        context! {
            name => &tenant.name, weight => tenant.weight, keys => own.count(), runs, dollars, deleting => tenant.deleting,
            created => page::time(tenant.created_at),
        }
    };
    let rows: Vec<Value> = tenants.iter().map(row).collect();
    let (status, name, fault) = match &refused {
        Some((form, fault)) => (
            StatusCode::BAD_REQUEST,
            form.get("name").unwrap_or_default().to_owned(),
            Some(fault.clone()),
        ),
        None => (StatusCode::OK, String::new(), None),
    };
    let weight = refused
        .as_ref()
        .and_then(|(form, _)| form.get("weight"))
        .unwrap_or("1");
    let limits = limit_fields(&TenantLimits::default(), refused.as_ref().map(|(form, _)| *form));
    let with = context! { rows, name, weight, limits, fault };
    Ok(page::render(visitor, status, "tenants.html", with))
}

/// Every limit with its value, that of a form where one was sent.
fn limit_fields(limits: &TenantLimits, form: Option<&FormBody>) -> Value {
    let set = serde_json::to_value(limits).unwrap_or_default();
    let field = |name: &&str| {
        let input = format!("{LIMIT}{name}");
        let own = set
            .get(*name)
            .and_then(Json::as_f64)
            .map(|limit| limit.to_string());
        let value = match form {
            Some(form) => form.get(&input).unwrap_or_default().to_owned(),
            None => own.unwrap_or_default(),
        };
        context! { name => *name, input, value }
    };
    TenantLimits::NAMES.iter().map(field).collect()
}

/// The body of a request about a tenant, as its form holds it.
fn tenant_body(form: &FormBody) -> Json {
    let number = |text: &str| match text.trim().parse::<f64>() {
        // A text that is no number is refused by the name of its field.
        Ok(number) if number.fract() == 0.0 && number.abs() < 1e15 => format!("{number:.0}")
            .parse::<i64>()
            .map_or_else(|_| json!(text), |whole| json!(whole)),
        Ok(number) => json!(number),
        Err(_) => json!(text),
    };
    let mut body = Map::new();
    if let Some(weight) = form.get("weight").filter(|text| !text.trim().is_empty()) {
        body.insert("weight".into(), number(weight));
    }
    let limits = form.fields().filter_map(|(name, text)| {
        // An emptied field takes the limit away.
        let limit = match text.trim() {
            "" => Json::Null,
            text => number(text),
        };
        Some((name.strip_prefix(LIMIT)?.to_owned(), limit))
    });
    body.insert("limits".into(), Json::Object(limits.collect()));
    Json::Object(body)
}

/// `POST /console/tenants`: creates a tenant and shows it.
pub(super) async fn create(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    form: FormBody,
) -> Response {
    let created = async {
        let mut body = tenant_body(&form);
        body["name"] = form.get("name").unwrap_or_default().trim().into();
        let request = TenantRequest::parse(body.to_string().as_bytes())?;
        Ok::<_, ApiError>(state.tenants.create(&caller.actor(), &request).await?)
    };
    let shown = match created.await {
        Ok(tenant) => return Redirect::to(&format!("/console/tenants/{}", tenant.name)).into_response(),
        Err(error) => list_page(&state, &visitor, Some((&form, error.parts().1))).await,
    };
    shown.unwrap_or_else(|error| page::refusal(&visitor, error))
}

/// What came of a form on the page of a tenant.
#[derive(Default)]
struct FormOutcome<'a> {
    /// The form, where it was refused, and why.
    refused: Option<(&'a FormBody, String)>,
    /// A key that was just made.
    made: Option<NewKey>,
}

/// `GET /console/tenants/{name}`.
pub(super) async fn show(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Response {
    let shown = tenant_page(&state, &visitor, &name, FormOutcome::default()).await;
    shown.unwrap_or_else(|error| page::refusal(&visitor, error))
}

async fn tenant_page(
    state: &AppState,
    visitor: &Visitor,
    name: &str,
    outcome: FormOutcome<'_>,
) -> Result<Response, ApiError> {
    let tenant = state.tenants.get(name).await?;
    let now = Timestamp::now();
    let mut keys = state.tenants.keys(Some(name)).await?;
    // Those that work come first, and of them the newest.
    keys.sort_by_key(|key| (!key.is_valid(now), std::cmp::Reverse(key.created_at)));
    let keys: Vec<Value> = keys.iter().map(|key| key_row(key, now)).collect();
    let (form, fault) = outcome.refused.unzip();
    let states = state.tenants.limit_states(&tenant).await?;
    let policy = serde_json::to_value(&tenant.policy).unwrap_or_default();
    let usual: Vec<Scope> = Scope::USUAL.to_vec();
    let scope = |name: &'static str| {
        let is_usual = usual.iter().any(|scope| scope.as_str() == name);
        let is_on = form.map_or(is_usual, |form| {
            form.get("do") != Some("key") || form.fields().any(|field| field == ("scope", name))
        });
        context! { name, is_on }
    };
    let scopes: Vec<Value> = Scope::spellings().map(scope).collect();
    let asked = |field: &str| {
        form.and_then(|form| form.get(field))
            .unwrap_or_default()
            .to_owned()
    };
    let limits_form = form.filter(|form| form.get("do") == Some("limits"));
    let made = outcome.made.map(|made| {
        context! { id => made.key.id, label => made.key.label, text => made.text.reveal() }
    });
    let status = if fault.is_some() {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::OK
    };
    let with = context! {
        tenant => context! { name => tenant.name, weight => tenant.weight, deleting => tenant.deleting,
            model_keys => tenant.model_keys, created => page::time(tenant.created_at) },
        policy => super::timeline::indented(&policy), keys, scopes, made, fault,
        weight => limits_form.map_or_else(|| tenant.weight.to_string(), |_| asked("weight")),
        limits => limit_fields(&tenant.limits, limits_form), states => usage_page::limits_shown(&states),
        label => asked("label"), expires_days => asked("expires_days"),
        usage => usage_page::usage(state, name, &UsagePeriod::read(None, None)?).await?,
    };
    Ok(page::render(visitor, status, "tenant.html", with))
}

fn key_row(key: &ApiKey, now: Timestamp) -> Value {
    let state = match (key.is_valid(now), &key.revoked_at, &key.replaced_by) {
        (false, Some(_), _) => "revoked",
        (false, None, _) => "expired",
        (true, _, Some(_)) => "replaced",
        (true, _, None) => "valid",
    };
    let scopes: Vec<&str> = key.scopes.iter().map(|scope| scope.as_str()).collect();
    context! {
        id => &key.id, label => &key.label, scopes, state, replaced_by => &key.replaced_by, created => page::time(key.created_at),
        expires => key.expires_at.map(page::time), used => key.last_used_at.map(page::time),
    }
}

/// `POST /console/tenants/{name}`: changes weight and limits.
pub(super) async fn change(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    Path(name): Path<String>,
    form: FormBody,
) -> Response {
    let changed = async {
        let request = TenantRequest::parse(tenant_body(&form).to_string().as_bytes())?;
        Ok::<_, ApiError>(state.tenants.change(&caller.actor(), &name, &request).await?)
    };
    match changed.await {
        Ok(_) => Redirect::to(&format!("/console/tenants/{name}")).into_response(),
        Err(error) => refused(&state, &visitor, &name, &form, error).await,
    }
}

/// `POST /console/tenants/{name}/delete`: deletes the tenant whose name was typed once more.
pub(super) async fn delete(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    Path(name): Path<String>,
    form: FormBody,
) -> Response {
    let deleted = async {
        if form.get("confirm").map(str::trim) != Some(name.as_str()) {
            let text =
                format!("confirm: type the name of the tenant, {name:.60}, to delete it; nothing was done");
            return Err(ApiError::new(Code::InvalidRequest, text));
        }
        Ok(state.tenants.delete(&caller.actor(), &name).await?)
    };
    match deleted.await {
        Ok(true) => Redirect::to("/console/tenants").into_response(),
        // Its page says what is waited for.
        Ok(false) => Redirect::to(&format!("/console/tenants/{name}")).into_response(),
        Err(error) => refused(&state, &visitor, &name, &form, error).await,
    }
}

/// The page of a tenant with a form that was refused.
async fn refused(
    state: &AppState,
    visitor: &Visitor,
    name: &str,
    form: &FormBody,
    error: ApiError,
) -> Response {
    // What is not there has no page.
    if error.code() == Code::NotFound {
        return page::refusal(visitor, error);
    }
    let outcome = FormOutcome {
        refused: Some((form, error.parts().1)),
        made: None,
    };
    let shown = tenant_page(state, visitor, name, outcome).await;
    shown.unwrap_or_else(|error| page::refusal(visitor, error))
}

/// `POST /console/tenants/{name}/keys`: makes a key, whose text is in this answer only.
pub(super) async fn create_key(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    Path(name): Path<String>,
    form: FormBody,
) -> Response {
    let made = async {
        let scopes: Vec<&str> = form
            .fields()
            .filter(|(field, _)| *field == "scope")
            .map(|(_, scope)| scope)
            .collect();
        let mut body =
            json!({"tenant": name, "label": form.get("label").unwrap_or_default().trim(), "scopes": scopes});
        if let Some(days) = form
            .get("expires_days")
            .map(str::trim)
            .filter(|text| !text.is_empty())
        {
            body["expires_days"] = days
                .parse::<u64>()
                .map_or_else(|_| json!(days), |days| json!(days));
        }
        let request = KeyRequest::parse(body.to_string().as_bytes())?;
        Ok::<_, ApiError>(state.tenants.create_key(&caller.actor(), &request).await?)
    };
    match made.await {
        Ok(made) => shown_once(&state, &visitor, &name, made).await,
        Err(error) => refused(&state, &visitor, &name, &form, error).await,
    }
}

/// The page of a tenant with the text of a key that was just made.
async fn shown_once(state: &AppState, visitor: &Visitor, name: &str, made: NewKey) -> Response {
    let outcome = FormOutcome {
        refused: None,
        made: Some(made),
    };
    let shown = tenant_page(state, visitor, name, outcome).await;
    shown.unwrap_or_else(|error| page::refusal(visitor, error))
}

/// `POST /console/tenants/{name}/keys/{id}`: rotates a key of the tenant, or revokes it.
pub(super) async fn change_key(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    Path((name, id)): Path<(String, String)>,
    form: FormBody,
) -> Response {
    let done = async {
        if state.tenants.key(&id).await?.tenant != name {
            let text = format!("the tenant {name:.60} has no key {id:.60}");
            return Err(ApiError::new(Code::NotFound, text));
        }
        match form.get("do") {
            Some("rotate") => {
                let hours = form.get("grace_hours").unwrap_or_default().trim();
                let hours = hours
                    .parse::<u64>()
                    .map_or_else(|_| json!(hours), |hours| json!(hours));
                let request = RotateRequest::parse(json!({"grace_hours": hours}).to_string().as_bytes())?;
                let made = state.tenants.rotate_key(&caller.actor(), &id, request).await?;
                Ok(Some(made))
            }
            Some("revoke") => {
                state.tenants.revoke_key(&caller.actor(), &id).await?;
                Ok(None)
            }
            _ => Err(ApiError::new(
                Code::InvalidRequest,
                "do: must be rotate or revoke",
            )),
        }
    };
    match done.await {
        Ok(Some(made)) => shown_once(&state, &visitor, &name, made).await,
        Ok(None) => Redirect::to(&format!("/console/tenants/{name}")).into_response(),
        Err(error) => refused(&state, &visitor, &name, &form, error).await,
    }
}
