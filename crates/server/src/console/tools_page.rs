//! The pages of tools: all of them, and one with its manifest and a form to try it.

use std::collections::BTreeMap;

use axum::Extension;
use axum::extract::{Path, State};
use axum::response::Response;
use http::StatusCode;
use minijinja::{Value, context};
use serde_json::Value as Json;
use wire::tooling::ToolRequest;

use super::form_body::FormBody;
use super::page;
use super::schema_form::{self, SchemaField};
use super::timeline::indented;
use super::visitor::Visitor;
use crate::app::AppState;
use crate::auth::Caller;
use crate::query::QueryParams;
use crate::response::ApiError;
use crate::submit;

/// Longest result on a page, in characters.
const LONGEST_RESULT: usize = 200_000;

/// `GET /console/tools`: every tool by category, or those that some words name.
pub(super) async fn list(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    params: QueryParams,
) -> Response {
    let words = match params.get("q", "words", |it| Some(it.trim().to_lowercase())) {
        Ok(words) => words.unwrap_or_default(),
        Err(error) => return page::refusal(&visitor, error),
    };
    let listed = match state.app.workers.tools_for(&caller.name()).await {
        Ok(tools) => tools.list(None),
        Err(error) => return page::refusal(&visitor, error.into()),
    };
    let mut categories: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut total = 0;
    for tool in listed["tools"].as_array().into_iter().flatten() {
        let text = |name: &str| tool[name].as_str().unwrap_or_default();
        let about = format!("{} {} {}", text("id"), text("description"), tool["triggers"]).to_lowercase();
        if !words.split_whitespace().all(|word| about.contains(word)) {
            continue;
        }
        total += 1;
        let row =
            context! { id => text("id"), description => text("description"), effects => text("effects") };
        categories
            .entry(text("category").to_owned())
            .or_default()
            .push(row);
    }
    let with = context! { categories => categories.into_iter().collect::<Vec<_>>(), q => words, total };
    page::render(&visitor, StatusCode::OK, "tools.html", with)
}

/// What the form of a tool held and what came of it.
#[derive(Default)]
struct Trial {
    url: String,
    result: Option<String>,
    fault: Option<String>,
}

/// `GET /console/tools/{name}`.
pub(super) async fn show(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Response {
    match manifest(&state, &caller, &name).await {
        Ok((manifest, fields)) => render(&visitor, &manifest, &fields, Trial::default()),
        Err(error) => page::refusal(&visitor, error),
    }
}

async fn manifest(
    state: &AppState,
    caller: &Caller,
    name: &str,
) -> Result<(Json, Vec<SchemaField>), ApiError> {
    let manifest = state.app.workers.tools_for(&caller.name()).await?.show(name)?;
    let fields = schema_form::fields(&manifest["parameters"]);
    Ok((manifest, fields))
}

fn render(visitor: &Visitor, manifest: &Json, fields: &[SchemaField], trial: Trial) -> Response {
    let with = context! {
        tool => page::value(manifest), manifest => indented(manifest), fields => page::value(fields),
        examples => page::value(examples(manifest)),
        url => trial.url, result => trial.result, fault => trial.fault,
    };
    page::render(visitor, StatusCode::OK, "tool.html", with)
}

/// The examples of a manifest: instruction and parameters.
fn examples(manifest: &Json) -> Vec<(String, String)> {
    let all = manifest["examples"].as_array().into_iter().flatten();
    let example = |it: &Json| {
        let instruction = it["instruction"].as_str().unwrap_or_default().to_owned();
        (instruction, it["parameters"].to_string())
    };
    all.take(6).map(example).collect()
}

/// `POST /console/tools/{name}`: runs the tool once and shows its result below the form.
pub(super) async fn run(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    Path(name): Path<String>,
    form: FormBody,
) -> Response {
    let (manifest, mut fields) = match manifest(&state, &caller, &name).await {
        Ok(found) => found,
        Err(error) => return page::refusal(&visitor, error),
    };
    schema_form::fill_from_form(&mut fields, &form);
    let url = form.get("url").unwrap_or_default().trim().to_owned();
    let tried = async {
        let parameters =
            schema_form::value(&fields).map_err(|error| format!("{}: {}", error.name, error.text))?;
        let mut body = serde_json::json!({"parameters": parameters});
        if !url.is_empty() {
            body["url"] = url.as_str().into();
        }
        let refused = |error: ApiError| error.parts().1;
        let request =
            ToolRequest::parse(body.to_string().as_bytes()).map_err(|error| refused(error.into()))?;
        let ran = async {
            let tools = state.app.workers.tools_for(&caller.name()).await?;
            tools.allow(&name, &request)?;
            let mut meter = submit::metered(&state.tenants, &caller, "tool").await?;
            meter.tool_call();
            tools.entering(meter.ledger()).run(&name, &request).await
        };
        ran.await.map_err(|error| refused(error.into()))
    };
    let (result, fault) = match tried.await {
        Ok(outcome) => (
            Some(format!("{outcome:#}").chars().take(LONGEST_RESULT).collect()),
            None,
        ),
        Err(text) => (None, Some(text)),
    };
    render(&visitor, &manifest, &fields, Trial { url, result, fault })
}
