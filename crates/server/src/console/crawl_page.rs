//! The pages of crawls and batches: how far each is, what failed, and what was left out and why.

use std::collections::BTreeMap;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use minijinja::{Value, context};
use serde::Serialize;
use serde_json::{Value as Json, json};
use wire::run::{RunDetail, RunKind};
use wire::run_cursor::RunCursor;
use wire::{Code, LogEntry};

use super::page;
use super::runs_page::RunRow;
use super::visitor::Visitor;
use crate::app::AppState;
use crate::auth::Caller;
use crate::query::{QueryParams, RunPath, number};
use crate::response::{ApiError, json_response};
use crate::run_name::RunName;

/// Runs of one page of the list, and runs that are looked at for it.
const PAGE: usize = 30;
const SCAN: usize = 600;
/// Events read at once, and at most for one page.
const BATCH: usize = 500;
const MAX_READ: u64 = 100_000;
/// Failed pages that are shown.
const MAX_FAILED: usize = 200;

/// A page that gave nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct FailedPage {
    url: String,
    code: String,
    message: String,
    seq: u64,
}

/// What the log of a crawl or a batch adds up to so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
struct CrawlCounts {
    read: u64,
    failed: u64,
    duplicates: u64,
    /// Addresses that are known.
    known: u64,
    /// Up to which event.
    read_to: u64,
    is_end: bool,
    /// How many pages failed by each code.
    codes: BTreeMap<String, u64>,
    failures: Vec<FailedPage>,
}

impl CrawlCounts {
    fn add(&mut self, entry: &LogEntry) {
        let event = || serde_json::from_str::<Json>(&entry.data).unwrap_or_default();
        match entry.name.as_str() {
            "url_start" => self.known = self.known.max(event()["total"].as_u64().unwrap_or_default()),
            "url_complete" => {
                let event = event();
                match event["status"].as_str() {
                    Some("failed") => self.fail(entry.seq, &event),
                    Some("skipped") => self.duplicates += 1,
                    _ => self.read += 1,
                }
            }
            _ => {}
        }
    }

    fn fail(&mut self, seq: u64, event: &Json) {
        self.failed += 1;
        let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
        let code = text(&event["error"]["code"]);
        *self.codes.entry(code.clone()).or_default() += 1;
        if self.failures.len() < MAX_FAILED {
            self.failures.push(FailedPage {
                url: text(&event["url"]),
                code,
                message: text(&event["error"]["message"]),
                seq,
            });
        }
    }

    /// Reads the log after an event to its end, as far as one page does.
    async fn read(state: &AppState, caller: &Caller, run: &RunName, after: u64) -> Result<Self, ApiError> {
        let mut counts = Self {
            read_to: after,
            ..Self::default()
        };
        let (service, audience) = (&state.app.service, state.settings.audience);
        while counts.read_to - after < MAX_READ {
            let batch = service
                .log(caller.sees(), &run.id, counts.read_to, BATCH, audience)
                .await;
            let batch = match batch {
                // What is counted then is in the result of the run.
                Err(error) if error.code == Code::EventsExpired => break,
                batch => batch?,
            };
            batch.entries.iter().for_each(|entry| counts.add(entry));
            let is_still = batch.read_to == counts.read_to;
            counts.read_to = batch.read_to;
            counts.is_end = batch.is_end;
            if batch.is_end || is_still || batch.entries.is_empty() {
                break;
            }
        }
        Ok(counts)
    }
}

/// How many pages a run reads at most, so far as that is known.
fn goal(detail: &RunDetail, counts: &CrawlCounts) -> u64 {
    let done = counts.read + counts.failed + counts.duplicates;
    let asked = &detail.request;
    let goal = match detail.summary.kind {
        RunKind::Batch => asked["urls"]
            .as_array()
            .map_or(0, |urls| u64::try_from(urls.len()).unwrap_or(u64::MAX)),
        _ => counts.known.min(asked["limit"].as_u64().unwrap_or(u64::MAX)),
    };
    goal.max(done)
}

/// `GET /console/crawls`.
pub(super) async fn list(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    params: QueryParams,
) -> Response {
    let shown = async {
        let mut cursor = params.get("cursor", "a run", RunCursor::parse)?;
        let is_first = cursor.is_none();
        let (service, mut rows, mut scanned) = (&state.app.service, Vec::new(), 0);
        loop {
            let listed = service.list(caller.sees(), None, cursor.clone(), PAGE).await?;
            for summary in &listed.runs {
                scanned += 1;
                cursor = Some(RunCursor::of(summary));
                if !matches!(summary.kind, RunKind::Crawl | RunKind::Batch) {
                    continue;
                }
                // One that was deleted a moment ago is not there.
                if let Ok(run) = service.run(caller.sees(), &summary.id).await {
                    rows.push(context! { run => page::value(RunRow::of(&run)), crawl => summary_of(&run) });
                }
                if rows.len() >= PAGE {
                    break;
                }
            }
            if listed.next.is_none() && rows.len() < PAGE {
                cursor = None;
            }
            if cursor.is_none() || rows.len() >= PAGE || scanned >= SCAN {
                break;
            }
        }
        let next = cursor.map(|run| run.to_string());
        let with = context! { rows, is_first, next, scanned };
        Ok(page::render(&visitor, StatusCode::OK, "crawls.html", with))
    };
    shown
        .await
        .unwrap_or_else(|error: ApiError| page::refusal(&visitor, error))
}

/// The counts with which a run ended; none before its end.
fn summary_of(run: &RunDetail) -> Option<Value> {
    let summary = run.result.as_ref()?.get("crawl")?;
    Some(page::value(summary))
}

/// The run, when it is a crawl or a batch that the caller may see.
async fn crawl(state: &AppState, caller: &Caller, run: &RunName) -> Result<RunDetail, ApiError> {
    let detail = state.app.service.run(caller.sees(), &run.id).await?;
    match detail.summary.kind {
        RunKind::Crawl | RunKind::Batch => Ok(detail),
        RunKind::Scrape | RunKind::Automate | RunKind::Research | RunKind::Plan => {
            let text = "this run is neither a crawl nor a batch; its own page shows it";
            Err(ApiError::new(Code::NotFound, text))
        }
    }
}

/// `GET /console/crawls/{id}`.
pub(super) async fn show(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    run: Result<RunPath, ApiError>,
) -> Response {
    let shown = async {
        let RunPath(run) = run?;
        let detail = crawl(&state, &caller, &run).await?;
        let counts = CrawlCounts::read(&state, &caller, &run, 0).await?;
        let row = RunRow {
            id: run.shown().to_string(),
            ..RunRow::of(&detail)
        };
        let done = counts.read + counts.failed + counts.duplicates;
        let more_failed = counts
            .failed
            .saturating_sub(u64::try_from(counts.failures.len()).unwrap_or(u64::MAX));
        let mut codes: Vec<_> = counts.codes.iter().collect();
        codes.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let with = context! {
            run => page::value(row), goal => goal(&detail, &counts), done, more_failed, codes => page::value(codes),
            counts => page::value(&counts), crawl => summary_of(&detail),
        };
        Ok(page::render(&visitor, StatusCode::OK, "crawl.html", with))
    };
    shown
        .await
        .unwrap_or_else(|error: ApiError| page::refusal(&visitor, error))
}

/// `GET /console/crawls/{id}/counts`: what came after an event, for the page's script.
pub(super) async fn counts(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RunPath(run): RunPath,
    params: QueryParams,
) -> Result<Response, ApiError> {
    let after = params
        .get("after", "the number of an event", number)?
        .unwrap_or(0);
    let detail = crawl(&state, &caller, &run).await?;
    let counts = CrawlCounts::read(&state, &caller, &run, after).await?;
    let body = json!({
        "read": counts.read,
        "failed": counts.failed,
        "duplicates": counts.duplicates,
        "goal": goal(&detail, &counts),
        "read_to": counts.read_to,
        "is_live": !detail.summary.status.is_final(),
    });
    Ok(json_response(StatusCode::OK, &body))
}

#[cfg(test)]
mod tests {
    use wire::Audience;

    use super::*;

    fn entry(seq: u64, name: &str, data: &Json) -> LogEntry {
        LogEntry {
            seq,
            at: jiff::Timestamp::UNIX_EPOCH,
            name: name.into(),
            audience: Audience::Public,
            terminal: false,
            data: data.to_string(),
        }
    }

    #[test]
    fn pages_are_counted_by_their_end_and_failed_ones_by_code() {
        let mut counts = CrawlCounts::default();
        counts.add(&entry(1, "url_start", &json!({"total": 7})));
        for (seq, status) in [(2, "completed"), (3, "failed"), (4, "skipped"), (5, "failed")] {
            let event = json!({"url": "https://a.example/", "status": status, "error": {"code": "FETCH_FAILED", "message": "no"}});
            counts.add(&entry(seq, "url_complete", &event));
        }
        assert_eq!(
            (counts.read, counts.failed, counts.duplicates, counts.known),
            (1, 2, 1, 7)
        );
        assert_eq!(counts.codes.get("FETCH_FAILED"), Some(&2));
        assert_eq!(
            counts.failures.iter().map(|page| page.seq).collect::<Vec<_>>(),
            [3, 5]
        );
    }
}
