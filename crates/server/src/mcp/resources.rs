//! Resources: the runs that a client may see, with their events, reports, results and pictures.

use std::num::NonZeroUsize;

use futures_util::StreamExt as _;
use rmcp::model::{
    ErrorData, ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
};
use runtime::ServiceError;
use serde_json::{Value, json};
use wire::run::{RunDetail, RunKind};
use wire::run_cursor::RunCursor;
use wire::{Audience, Code, LogEntry, RunId};

use super::pictures;
use super::session::Session;

/// What every address of a resource begins with.
const RUNS: &str = "huntsman://runs";
/// Runs in a page of the list.
const PAGE: usize = 50;
/// Most bytes of the events of one answer; a line says how many events were left out.
const MAX_EVENT_BYTES: usize = 256 << 10;

/// The kinds of addresses.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let template = |uri: &str, name: &str, description: &str, mime: &str| {
        ResourceTemplate::new(format!("{RUNS}/{{id}}{uri}"), name)
            .with_description(description)
            .with_mime_type(mime)
    };
    vec![
        template(
            "",
            "run",
            "A run: status, request, result and cost.",
            "application/json",
        ),
        template(
            "/events",
            "run events",
            "What a run did so far, an event a line.",
            "application/jsonl",
        ),
        template(
            "/report",
            "run report",
            "The report or answer of a run.",
            "text/markdown",
        ),
        template(
            "/shots/{number}",
            "run picture",
            "A picture that a run took, from 1 on.",
            "image/png",
        ),
    ]
}

/// A page of the runs, newest first.
///
/// # Errors
/// When the cursor is not one that this list gave.
pub(super) async fn list(
    session: &Session,
    cursor: Option<String>,
) -> Result<ListResourcesResult, ErrorData> {
    let cursor = match cursor.as_deref().map(RunCursor::parse) {
        Some(None) => {
            return Err(ErrorData::invalid_params(
                "the cursor is not one of this list",
                None,
            ));
        }
        Some(cursor) => cursor,
        None => None,
    };
    let listed = session
        .state
        .service
        .list(session.caller.sees(), None, cursor, PAGE)
        .await;
    let listed = listed.map_err(|error| refused(&error))?;
    let resource = |run: &wire::run::RunSummary| {
        Resource::new(format!("{RUNS}/{}", run.id), run.id.as_str())
            .with_description(format!(
                "{}, {}, {}",
                run.kind.as_str(),
                run.status.as_str(),
                run.created_at
            ))
            .with_mime_type("application/json")
    };
    let mut page = ListResourcesResult::with_all_items(listed.runs.iter().map(resource).collect());
    page.next_cursor = listed.next;
    Ok(page)
}

/// What is at an address.
///
/// # Errors
/// When there is nothing that the client may see.
pub(super) async fn read(session: &Session, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let unknown =
        || ErrorData::resource_not_found(format!("there is no such resource; {RUNS}/ID is one"), None);
    let (service, sees) = (&session.state.service, session.caller.sees());
    if uri == RUNS {
        let listed = service
            .list(sees, None, None, PAGE)
            .await
            .map_err(|error| refused(&error))?;
        return Ok(contents(uri, "application/json", json!(listed).to_string()));
    }
    let path = uri
        .strip_prefix(RUNS)
        .and_then(|rest| rest.strip_prefix('/'))
        .ok_or_else(unknown)?;
    let (id, view) = path.split_once('/').unwrap_or((path, ""));
    let run = RunId::parse(id).map_err(|_| unknown())?;
    let detail = service.run(sees, &run).await.map_err(|error| refused(&error))?;
    match view {
        "" => Ok(contents(uri, "application/json", json!(detail).to_string())),
        "events" => events(session, uri, &detail).await,
        "report" => report(&detail)
            .map(|text| contents(uri, "text/markdown", text))
            .ok_or_else(|| ErrorData::resource_not_found("this run has no report", None)),
        _ => {
            let number = view.strip_prefix("shots/").and_then(|number| number.parse().ok());
            let number: Option<NonZeroUsize> = number;
            let picture = session.picture(&detail, number.ok_or_else(unknown)?).await?;
            let blob = ResourceContents::blob(picture.base64, uri).with_mime_type(picture.media_type);
            Ok(ReadResourceResult::new(vec![blob]))
        }
    }
}

/// The addresses of the pictures that the result of a run names.
pub(super) fn pictures(run: &RunId, result: &Value) -> Vec<String> {
    let numbers = 1..=pictures::count(result);
    numbers
        .map(|number| format!("{RUNS}/{run}/shots/{number}"))
        .collect()
}

fn contents(uri: &str, mime: &str, text: String) -> ReadResourceResult {
    ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(mime)])
}

/// The report of research, the answer of a task.
fn report(detail: &RunDetail) -> Option<String> {
    let key = match detail.summary.kind {
        RunKind::Research => "report",
        RunKind::Automate => "finalAnswer",
        RunKind::Scrape | RunKind::Plan | RunKind::Crawl | RunKind::Batch => "output",
    };
    let text = detail.result.as_ref()?.get(key).and_then(Value::as_str);
    text.filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The events that are in the log by now.
async fn events(session: &Session, uri: &str, detail: &RunDetail) -> Result<ReadResourceResult, ErrorData> {
    let (service, run) = (&session.state.service, &detail.summary.id);
    let last = detail.summary.last_seq;
    let mut text = String::new();
    if last > 0 {
        let events = service
            .events(session.caller.sees(), run, 0, Audience::Public)
            .await;
        let mut events = std::pin::pin!(events.map_err(|error| refused(&error))?);
        while let Some(entry) = events.next().await {
            let entry = entry.map_err(|error| refused(&error))?;
            if entry.seq > last || text.len() + entry.data.len() > MAX_EVENT_BYTES {
                let left = json!({"left_out": (last + 1).saturating_sub(entry.seq)});
                text.push_str(&format!("{left}\n"));
                break;
            }
            text.push_str(&line(&entry));
            if entry.seq == last {
                break;
            }
        }
    }
    Ok(contents(uri, "application/jsonl", text))
}

fn line(entry: &LogEntry) -> String {
    let data: Value = serde_json::from_str(&entry.data).unwrap_or_default();
    format!(
        "{}\n",
        json!({"seq": entry.seq, "event": entry.name, "data": data})
    )
}

fn refused(error: &ServiceError) -> ErrorData {
    match error.code {
        Code::NotFound => ErrorData::resource_not_found(error.message.clone(), None),
        _ => ErrorData::internal_error(error.message.clone(), None),
    }
}
