//! Assets that are search terms: each stands for the pages that a search for it finds.

use search::{SearchHit, SearchQuery};
use serde_json::{Value, json};
use tokio::time::Instant;
use wire::scrape::{CallOutcome, Preview, RuntimeCall, ScrapeEvent, ScrapeStep, StepDetail};
use wire::{Code, LogEntry, Stamped};

use super::address;
use super::progress::ScrapeProgress;
use crate::cancel::Cancelled;
use crate::run::Run;
use crate::services::AgentServices;

/// Pages that one search stands for.
const HITS: usize = 5;
/// Most pages of a run with searches.
const MOST_PAGES: usize = 1_000;

/// The pages of a run: its addresses, and what was found for its search terms. A term that nothing was found for, and every
/// term where there is no search provider, stays, and fails as a page.
///
/// # Errors
/// When the run is over.
pub(super) async fn pages(
    run: &Run<ScrapeEvent>,
    progress: &mut ScrapeProgress,
    assets: &[String],
    services: &AgentServices,
) -> Result<Vec<String>, Cancelled> {
    let mut pages: Vec<String> = Vec::new();
    for (index, asset) in assets.iter().enumerate() {
        let found = match address::is_search_term(asset) {
            true => search(run, progress, index, asset, services).await?,
            false => Vec::new(),
        };
        match found.is_empty() {
            true => pages.push(asset.clone()),
            false => pages.extend(found.into_iter().map(|hit| hit.url.to_string())),
        }
    }
    let mut seen = std::collections::HashSet::new();
    // Two searches may find one page; an address that the request names twice is read twice.
    let named: std::collections::HashSet<&String> = assets.iter().collect();
    pages.retain(|page| seen.insert(page.clone()) || named.contains(page));
    pages.truncate(MOST_PAGES.max(assets.len()));
    Ok(pages)
}

/// Searches, told as the call of a tool.
async fn search(
    run: &Run<ScrapeEvent>,
    progress: &mut ScrapeProgress,
    index: usize,
    terms: &str,
    services: &AgentServices,
) -> Result<Vec<SearchHit>, Cancelled> {
    let Some(provider) = &services.search else {
        return Ok(Vec::new());
    };
    let call = |outcome| {
        let params = json!({"query": terms, "count": HITS}).as_object().cloned();
        StepDetail::RuntimeCall(RuntimeCall {
            tool: "search".to_owned(),
            params: params.unwrap_or_default(),
            outcome,
        })
    };
    let id = format!("search-{index}");
    let running = ScrapeStep::running(call(None), format!("searching for {terms}"));
    progress.emit(run, running.of_call(id.clone())).await?;
    let started = Instant::now();
    let query = SearchQuery {
        cancel: run.cancel_signal().token().clone(),
        ..SearchQuery::new(terms, HITS)
    };
    let found = run.until_cancelled(provider.search(&query)).await?;
    let duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let (outcome, text, hits) = match found {
        Ok(found) => {
            let urls: Vec<Value> = found.hits.iter().map(|hit| json!(hit.url)).collect();
            let outcome = CallOutcome::Success {
                preview: Preview::of(&json!({"hits": urls})),
                duration_ms,
            };
            (outcome, format!("{} pages found", found.hits.len()), found.hits)
        }
        Err(error) => {
            let outcome = CallOutcome::Failure {
                error: error.to_string(),
                code: Some(Code::SearchFailed),
                duration_ms,
            };
            (outcome, error.to_string(), Vec::new())
        }
    };
    let step = ScrapeStep::completed(call(Some(outcome)), text).took(started.elapsed());
    progress.emit(run, step.of_call(id)).await?;
    Ok(hits)
}

/// The pages that an earlier worker began with; none when it had not come so far.
pub(super) fn logged_pages(log: &[LogEntry]) -> Option<Vec<String>> {
    log.iter()
        .find_map(|entry| match Stamped::from_entry(entry).ok()?.event {
            ScrapeEvent::Step {
                data:
                    ScrapeStep {
                        detail: StepDetail::Plan { urls, .. },
                        ..
                    },
            } => Some(urls),
            _ => None,
        })
}
