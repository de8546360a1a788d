//! The pages of monitors: all of them with a form for a new one, and one with its versions and what changed in each.

use axum::Extension;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use http::StatusCode;
use minijinja::{Value, context};
use serde_json::{Map, Value as Json, json};
use wire::monitors::{
    ContentChange, CreateMonitor, FieldChange, Monitor, MonitorSchedule, MonitorVersion, UpdateMonitor,
    WatchTarget,
};

use super::form_body::FormBody;
use super::page;
use super::timeline::one_line;
use super::visitor::Visitor;
use crate::app::AppState;
use crate::auth::Caller;
use crate::query::{QueryParams, number};
use crate::response::ApiError;

/// Versions on the page of a monitor.
const VERSIONS: usize = 50;
/// Longest text of a change, in characters.
const TEXT: usize = 4_000;

/// `GET /console/monitors`.
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
    let listed = state.app.service.monitors().list(&caller.name()).await?;
    let rows: Vec<Value> = listed.monitors.iter().map(facts).collect();
    let (form, fault) = refused.unzip();
    let asked = |field: &str, usual: &str| {
        let given = form.map(|form| form.get(field).unwrap_or_default());
        given.unwrap_or(usual).to_owned()
    };
    let status = if fault.is_some() {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::OK
    };
    let with = context! {
        rows, fault, url => asked("url", ""), name => asked("name", ""), part => asked("part", "text"), every => asked("every", "3600"),
        cron => asked("cron", ""), timezone => asked("timezone", ""), when => asked("when", ""),
    };
    Ok(page::render(visitor, status, "monitors.html", with))
}

/// What pages show of a monitor.
fn facts(monitor: &Monitor) -> Value {
    let request = &monitor.request;
    let target = match request.target() {
        WatchTarget::Page(_) => "page",
        WatchTarget::Map(_) => "map",
        WatchTarget::Scrape(_) => "scrape",
        WatchTarget::Research(_) => "research",
    };
    let subject = one_line(request.subject(), 240);
    let is_page = subject.starts_with("http://") || subject.starts_with("https://");
    let MonitorSchedule {
        cron,
        timezone,
        every,
        ..
    } = &request.schedule;
    context! {
        id => &monitor.id, name => &request.name, subject, is_page, target, part => request.part.as_str(), paused => monitor.paused,
        every => every.map(|seconds| u64::from(seconds) * 1000), cron, timezone, checks => monitor.checks, version => monitor.version,
        error => &monitor.error, created => page::time(monitor.created_at), checked => monitor.checked_at.map(page::time),
        next => monitor.next_check_at.map(page::time),
    }
}

/// `POST /console/monitors`: begins to watch a page.
pub(super) async fn create(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    form: FormBody,
) -> Response {
    let created = async {
        let request = CreateMonitor::parse(body(&form).to_string().as_bytes())?;
        let owner = caller.name();
        state.app.workers.check_monitor(&owner, &request).await?;
        Ok::<_, ApiError>(state.app.service.monitors().create(&owner, request).await?)
    };
    let shown = match created.await {
        Ok(monitor) => return Redirect::to(&format!("/console/monitors/{}", monitor.id)).into_response(),
        Err(error) => list_page(&state, &caller, &visitor, Some((&form, error.parts().1))).await,
    };
    shown.unwrap_or_else(|error| page::refusal(&visitor, error))
}

/// The body of `POST /v1/monitors`, as the form holds it.
fn body(form: &FormBody) -> Json {
    let text = |field: &str| form.get(field).map(str::trim).filter(|text| !text.is_empty());
    let mut schedule = Map::new();
    match text("cron") {
        Some(cron) => {
            schedule.insert("cron".into(), cron.into());
            if let Some(timezone) = text("timezone") {
                schedule.insert("timezone".into(), timezone.into());
            }
        }
        None => {
            let every = text("every").unwrap_or_default();
            let every = every
                .parse::<u64>()
                .map_or_else(|_| json!(every), |every| json!(every));
            schedule.insert("every".into(), every);
        }
    }
    let when: Vec<&str> = text("when").map_or_else(Vec::new, |text| {
        text.lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect()
    });
    let mut body = json!({"url": text("url"), "name": text("name").unwrap_or_default(), "part": text("part"), "schedule": schedule});
    if !when.is_empty() {
        body["when"] = json!(when);
    }
    body
}

/// `GET /console/monitors/{id}`; with `after` the page waits for the check that follows this many.
pub(super) async fn show(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    Path(id): Path<String>,
    params: QueryParams,
) -> Response {
    let shown = async {
        let after = params.get("after", "a number of checks", number)?;
        let monitors = state.app.service.monitors();
        let monitor = monitors.get(&caller.name(), &id).await?;
        let history = monitors.history(&caller.name(), &id, VERSIONS).await?;
        let versions: Vec<Value> = history.versions.iter().map(version).collect();
        let conditions: Vec<String> = monitor.request.conditions.iter().map(condition).collect();
        let waits = !monitor.paused
            && monitor.checks <= after.unwrap_or(0)
            && (after.is_some() || monitor.checks == 0);
        let with = context! { monitor => facts(&monitor), versions, conditions, when => &monitor.request.when, waits };
        Ok(page::render(&visitor, StatusCode::OK, "monitor.html", with))
    };
    shown
        .await
        .unwrap_or_else(|error: ApiError| page::refusal(&visitor, error))
}

fn condition(condition: &wire::monitors::Condition) -> String {
    let value = condition
        .value
        .as_ref()
        .map_or_else(String::new, |value| format!(" {}", shown(value)));
    format!(
        "{} {}{value}",
        condition.field,
        condition.operator.as_str().replace('_', " ")
    )
}

/// One difference between two versions.
fn difference(kind: &'static str, label: &str, before: Option<String>, after: Option<String>) -> Value {
    let cut = |text: Option<String>| text.map(|text| one_line(&text, TEXT));
    context! { kind, label => one_line(label, 200), before => cut(before), after => cut(after) }
}

/// A value for people: a text as it is, the rest as JSON.
fn shown(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn fields(label: &str, changes: &[FieldChange]) -> Vec<Value> {
    let change = |change: &FieldChange| {
        let label = match label {
            "" => change.field.clone(),
            label => format!("{label}: {}", change.field),
        };
        let kind = match (&change.before, &change.after) {
            (None, _) => "added",
            (_, None) => "removed",
            _ => "changed",
        };
        difference(
            kind,
            &label,
            change.before.as_ref().map(shown),
            change.after.as_ref().map(shown),
        )
    };
    changes.iter().map(change).collect()
}

/// A version with what changed in it, as a list of differences whatever is watched.
fn version(version: &MonitorVersion) -> Value {
    let texts = |kind, list: &[String]| -> Vec<Value> {
        let one = |text: &String| match kind {
            "removed" => difference(kind, "", Some(text.clone()), None),
            _ => difference(kind, "", None, Some(text.clone())),
        };
        list.iter().map(one).collect()
    };
    let entries = |list: &[Json]| -> Vec<String> { list.iter().map(shown).collect() };
    let differences: Vec<Value> = match &version.change {
        None => Vec::new(),
        Some(ContentChange::Text {
            added,
            removed,
            changed,
        }) => {
            let blocks = changed.iter().map(|block| {
                difference(
                    "changed",
                    "",
                    Some(block.before.clone()),
                    Some(block.after.clone()),
                )
            });
            let rest = [texts("removed", removed), texts("added", added)].concat();
            blocks.chain(rest).collect()
        }
        Some(ContentChange::Item { fields: changes }) => fields("", changes),
        Some(ContentChange::Records {
            added,
            removed,
            changed,
        }) => {
            let changed = changed
                .iter()
                .flat_map(|record| fields(&record.key, &record.fields));
            let rest = [
                texts("removed", &entries(removed)),
                texts("added", &entries(added)),
            ]
            .concat();
            changed.chain(rest).collect()
        }
        Some(ContentChange::Research { changes }) => texts("changed", changes),
    };
    context! {
        number => version.version, at => page::time(version.at), is_first => version.change.is_none(), matched => version.matched,
        truncated => version.truncated, differences,
    }
}

/// `POST /console/monitors/{id}`: checks now, pauses, resumes or deletes, as `do` says.
pub(super) async fn act(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    Path(id): Path<String>,
    form: FormBody,
) -> Response {
    let done = async {
        let (monitors, owner) = (state.app.service.monitors(), caller.name());
        let pause = |paused| UpdateMonitor {
            paused: Some(paused),
            ..UpdateMonitor::default()
        };
        let page = format!("/console/monitors/{id}");
        Ok(match form.get("do") {
            Some("check") => {
                let monitor = monitors.check(&owner, &id).await?;
                format!("{page}?after={}", monitor.checks)
            }
            Some("pause") => monitors.update(&owner, &id, pause(true)).await.map(|_| page)?,
            Some("resume") => monitors.update(&owner, &id, pause(false)).await.map(|_| page)?,
            Some("delete") => {
                monitors.delete(&owner, &id).await?;
                "/console/monitors".to_owned()
            }
            _ => {
                let text = "do: must be check, pause, resume or delete";
                return Err(ApiError::new(wire::Code::InvalidRequest, text));
            }
        })
    };
    match done.await {
        Ok(page) => Redirect::to(&page).into_response(),
        Err(error) => page::refusal(&visitor, error),
    }
}
