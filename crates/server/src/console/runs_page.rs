//! The list of runs, with filters in its address.

use std::collections::BTreeMap;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use minijinja::context;
use runtime::ServiceError;
use serde::Serialize;
use serde_json::Value;
use wire::Code;
use wire::error::ErrorBody;
use wire::run::{RunDetail, RunKind, RunStatus, RunSummary};
use wire::run_cursor::RunCursor;

use super::page;
use super::shortfalls::{Shortfall, shortfalls};
use super::timeline::{asks_a_person, one_line};
use super::visitor::Visitor;
use crate::app::AppState;
use crate::auth::Caller;
use crate::query::QueryParams;
use crate::response::ApiError;

/// Runs of one page.
const PAGE: usize = 30;
/// Runs that are looked at for one page: how far a filter reaches at once.
const SCAN: usize = 600;
/// Failed runs whose errors are counted, and tasks that are looked at for a question.
const MAX_LOOKED_AT: usize = 40;

/// Which runs are wanted.
#[derive(Debug, Clone, Default, Serialize)]
struct RunFilter {
    kind: Option<RunKind>,
    status: Option<RunStatus>,
    /// Only runs that wait for an answer of a person.
    waits: bool,
    q: String,
}

impl RunFilter {
    fn read(params: &QueryParams) -> Result<(Self, Option<RunCursor>), ApiError> {
        let kind = params.get(
            "kind",
            "scrape, automate, research, plan, crawl or batch",
            RunKind::parse,
        )?;
        let status = params.get(
            "status",
            "queued, running, completed, failed or cancelled",
            RunStatus::parse,
        )?;
        let q = params
            .get("q", "a text", |it| Some(it.trim().to_owned()))?
            .unwrap_or_default();
        let cursor = params.get("cursor", "a run", RunCursor::parse)?;
        let waits = params
            .get("waits", "yes", |it| (it == "yes").then_some(()))?
            .is_some();
        let status = if waits { Some(RunStatus::Running) } else { status };
        Ok((
            Self {
                kind,
                status,
                waits,
                q,
            },
            cursor,
        ))
    }

    /// Whether every word of the search is somewhere in the run.
    fn takes(&self, run: &RunDetail) -> bool {
        let error = run.error.as_ref();
        let error = error.map(|it| format!("{} {}", it.code.as_str(), it.message));
        let texts = [
            run.summary.id.to_string(),
            run.request.to_string(),
            error.unwrap_or_default(),
        ];
        let texts = texts.map(|it| it.to_lowercase());
        let wanted = self.q.to_lowercase();
        wanted
            .split_whitespace()
            .all(|word| texts.iter().any(|it| it.contains(word)))
    }
}

/// A run as the list shows it.
#[derive(Debug, Serialize)]
pub(super) struct RunRow {
    pub(super) id: String,
    pub(super) kind: &'static str,
    pub(super) status: &'static str,
    pub(super) is_live: bool,
    pub(super) title: String,
    pub(super) error: Option<String>,
    pub(super) error_code: Option<String>,
    /// Whether the same request may succeed later, where it failed.
    pub(super) may_succeed_later: Option<bool>,
    /// Milliseconds since the epoch.
    pub(super) created: i64,
    pub(super) created_text: String,
    pub(super) took_ms: Option<i64>,
    pub(super) tokens: u64,
    pub(super) pages: u64,
    pub(super) tools: u64,
    pub(super) model_calls: u64,
    pub(super) micro_dollars: u64,
    /// What it did not do.
    pub(super) shortfalls: Vec<Shortfall>,
    /// Whether it waits for an answer of a person.
    pub(super) asks: bool,
    pub(super) last_seq: u64,
}

impl RunRow {
    pub(super) fn of(run: &RunDetail) -> Self {
        let summary = &run.summary;
        let took = |end: jiff::Timestamp| end.as_millisecond() - summary.created_at.as_millisecond();
        Self {
            id: summary.id.to_string(),
            kind: summary.kind.into(),
            status: summary.status.into(),
            is_live: !summary.status.is_final(),
            title: title(summary.kind, &run.request),
            error: run.error.as_ref().map(|it| cause(it).1.to_owned()),
            error_code: run.error.as_ref().map(|it| cause(it).0.to_owned()),
            may_succeed_later: run.error.as_ref().map(|it| may_succeed_later(run, it)),
            created: summary.created_at.as_millisecond(),
            created_text: summary.created_at.strftime("%d %b %Y %H:%M:%S UTC").to_string(),
            took_ms: summary.finished_at.map(took),
            tokens: run.usage.input_tokens + run.usage.output_tokens,
            pages: run.usage.pages,
            tools: run.usage.tool_calls,
            model_calls: run.usage.model_calls,
            micro_dollars: run.usage.micro_dollars,
            shortfalls: shortfalls(run),
            asks: false,
            last_seq: summary.last_seq,
        }
    }
}

/// Whether the same request may succeed later: what the failed pages say, where the result has some, else what the code says.
fn may_succeed_later(run: &RunDetail, error: &ErrorBody) -> bool {
    let pages = run.result.as_ref().and_then(|result| result["errors"].as_array());
    match pages {
        Some(pages) if !pages.is_empty() => pages.iter().any(|page| page["retryable"] == true),
        _ => error.code.retryable(),
    }
}

/// The code and the words of an error: those of its cause, where the message begins with a code of its own.
fn cause(error: &ErrorBody) -> (&str, &str) {
    let is_code = |text: &str| {
        text.contains('_')
            && text
                .chars()
                .all(|it| it == '_' || it.is_ascii_uppercase() || it.is_ascii_digit())
    };
    match error.message.split_once(": ") {
        Some((code, words)) if is_code(code) => (code, words),
        _ => (error.code.as_str(), &error.message),
    }
}

/// What was asked, in one line.
pub(super) fn title(kind: RunKind, request: &Value) -> String {
    let texts = |name: &str| {
        let all = request[name]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        all.collect::<Vec<_>>().join(", ")
    };
    let text = |name: &str| request[name].as_str().unwrap_or_default().to_owned();
    let whole = match kind {
        RunKind::Scrape => match text("instructions") {
            instructions if instructions.is_empty() => texts("assets"),
            instructions => format!("{instructions} — {}", texts("assets")),
        },
        RunKind::Automate => text("task"),
        RunKind::Research => text("query"),
        RunKind::Crawl => text("url"),
        RunKind::Batch => texts("urls"),
        RunKind::Plan => {
            let plan = &request["plan"];
            let steps = plan["plan"]
                .as_array()
                .or_else(|| plan.as_array())
                .into_iter()
                .flatten();
            steps
                .filter_map(|it| it["tool"].as_str())
                .collect::<Vec<_>>()
                .join(" → ")
        }
    };
    one_line(&whole, 240)
}

/// `GET /console/runs`.
pub(super) async fn show(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    params: QueryParams,
) -> Response {
    match list(&state, &caller, &visitor, &params).await {
        Ok(response) => response,
        Err(error) => page::refusal(&visitor, error),
    }
}

async fn list(
    state: &AppState,
    caller: &Caller,
    visitor: &Visitor,
    params: &QueryParams,
) -> Result<Response, ApiError> {
    let (filter, cursor) = RunFilter::read(params)?;
    let is_first = cursor.is_none();
    let found = find(state, caller, &filter, cursor).await?;
    let pulse = pulse(state, caller).await?;
    let kind: Option<&str> = filter.kind.map(Into::into);
    let status: Option<&str> = filter.status.filter(|_| !filter.waits).map(Into::into);
    let is_filtered = kind.is_some() || filter.status.is_some() || !filter.q.is_empty();
    let mut rows: Vec<RunRow> = found.runs.iter().map(RunRow::of).collect();
    for (row, run) in rows.iter_mut().zip(&found.runs) {
        row.asks = filter.waits || waits_for_a_person(state, caller, &run.summary).await?;
    }
    let with = context! {
        rows => page::value(&rows), waits => filter.waits, kind => kind.unwrap_or_default(), status => status.unwrap_or_default(), q => filter.q, is_filtered, is_first,
        next => found.next.map(|it| it.to_string()), scanned => found.scanned, pulse => page::value(pulse),
        kinds => names::<RunKind>(), statuses => names::<RunStatus>(),
    };
    Ok(page::render(visitor, StatusCode::OK, "runs.html", with))
}

/// Whether the last event of a run is a question to a person.
pub(super) async fn waits_for_a_person(
    state: &AppState,
    caller: &Caller,
    summary: &RunSummary,
) -> Result<bool, ServiceError> {
    if summary.kind != RunKind::Automate || summary.status != RunStatus::Running {
        return Ok(false);
    }
    let (service, before) = (&state.app.service, summary.last_seq.saturating_sub(1));
    let read = service
        .log(caller.sees(), &summary.id, before, 1, state.settings.audience)
        .await;
    match read {
        Ok(batch) => Ok(batch.entries.last().is_some_and(|it| asks_a_person(&it.name))),
        // Deleted a moment ago, or without its events.
        Err(error) if matches!(error.code, Code::NotFound | Code::EventsExpired) => Ok(false),
        Err(error) => Err(error),
    }
}

fn names<T: strum::VariantArray + Copy + Into<&'static str>>() -> Vec<&'static str> {
    T::VARIANTS.iter().map(|it| (*it).into()).collect()
}

struct FoundRuns {
    runs: Vec<RunDetail>,
    /// Where the next page begins.
    next: Option<RunCursor>,
    scanned: usize,
}

/// The next page of runs that the filter takes. Looks at [`SCAN`] runs at most.
async fn find(
    state: &AppState,
    caller: &Caller,
    filter: &RunFilter,
    mut cursor: Option<RunCursor>,
) -> Result<FoundRuns, ServiceError> {
    let (mut runs, mut scanned) = (Vec::new(), 0);
    loop {
        let service = &state.app.service;
        let listed = service
            .list(caller.sees(), filter.status, cursor.clone(), PAGE)
            .await?;
        for summary in listed.runs {
            scanned += 1;
            cursor = Some(RunCursor::of(&summary));
            if filter.kind.is_some_and(|kind| kind != summary.kind) {
                continue;
            }
            // One that was deleted a moment ago is not there.
            let Ok(run) = service.run(caller.sees(), &summary.id).await else {
                continue;
            };
            if filter.takes(&run)
                && (!filter.waits || waits_for_a_person(state, caller, &run.summary).await?)
            {
                runs.push(run);
            }
            if runs.len() >= PAGE {
                return Ok(FoundRuns {
                    runs,
                    next: cursor,
                    scanned,
                });
            }
        }
        if listed.next.is_none() {
            return Ok(FoundRuns {
                runs,
                next: None,
                scanned,
            });
        }
        if scanned >= SCAN {
            return Ok(FoundRuns {
                runs,
                next: cursor,
                scanned,
            });
        }
    }
}

/// How the newest runs stand, and what fails most.
#[derive(Debug, Default, Serialize)]
struct Pulse {
    counts: BTreeMap<&'static str, usize>,
    /// Runs that wait for an answer of a person.
    waiting: usize,
    total: usize,
    failures: Vec<(String, usize)>,
}

async fn pulse(state: &AppState, caller: &Caller) -> Result<Pulse, ServiceError> {
    let service = &state.app.service;
    let newest = service.list(caller.sees(), None, None, 200).await?.runs;
    let mut pulse = Pulse {
        total: newest.len(),
        ..Pulse::default()
    };
    let mut failures: BTreeMap<String, usize> = BTreeMap::new();
    for run in &newest {
        *pulse.counts.entry(run.status.into()).or_default() += 1;
    }
    let may_wait = |it: &&RunSummary| it.status == RunStatus::Running && it.kind == RunKind::Automate;
    for run in newest.iter().filter(may_wait).take(MAX_LOOKED_AT) {
        pulse.waiting += usize::from(waits_for_a_person(state, caller, run).await?);
    }
    let failed = newest
        .iter()
        .filter(|it| it.status == RunStatus::Failed)
        .take(MAX_LOOKED_AT);
    for run in failed {
        let detail = service.run(caller.sees(), &run.id).await.ok();
        if let Some(error) = detail.and_then(|it| it.error) {
            *failures.entry(cause(&error).0.to_owned()).or_default() += 1;
        }
    }
    pulse.failures = failures.into_iter().collect();
    pulse.failures.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    pulse.failures.truncate(3);
    Ok(pulse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_of_the_cause_is_told_rather_than_that_of_the_whole() {
        let error = ErrorBody::new(Code::TaskFailed, "LLM_NO_CREDIT: the account is empty");
        assert_eq!(cause(&error), ("LLM_NO_CREDIT", "the account is empty"));
        let error = ErrorBody::new(Code::TaskFailed, "Note: the page is empty");
        assert_eq!(
            cause(&error),
            (Code::TaskFailed.as_str(), "Note: the page is empty")
        );
    }
}
