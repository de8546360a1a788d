//! The phases of a research run, one file each, and what they share.

pub(crate) mod analyze;
pub(crate) mod evaluate;
pub(crate) mod follow;
pub(crate) mod judge;
pub(crate) mod outline;
pub(crate) mod plan;
pub(crate) mod prefetch;
pub(crate) mod search;
pub(crate) mod write;

use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use wire::research::PageSample;

use super::context::ResearchContext;
use super::page_reader::{self, PageRead};
use super::prompts::{quoted, shown};
use super::report::host;
use super::state::{PageCandidate, ResearchSource, ResearchState};
use crate::run_error::RunError;

/// Most pages told of in one event.
const SAMPLES: usize = 10;
/// Most bytes of all findings in one prompt.
const FINDINGS: usize = 12_000;

/// A number for the wire.
pub(crate) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Does several things at once, at most `at_once` of them, and gives what came of them in their own order.
pub(crate) async fn in_order<T>(at_once: usize, work: Vec<BoxFuture<'_, T>>) -> Vec<T> {
    futures_util::stream::iter(work)
        .buffered(at_once.max(1))
        .collect()
        .await
}

/// Reads pages, several at once, and gives the outcomes in the order of the pages.
pub(crate) async fn read_all(
    context: &ResearchContext<'_>,
    candidates: &[PageCandidate],
) -> Result<Vec<PageRead>, RunError> {
    let mut work: Vec<BoxFuture<'_, _>> = Vec::new();
    for candidate in candidates {
        work.push(Box::pin(page_reader::read(context, candidate)));
    }
    let reads = in_order(context.effort.at_once, work).await;
    Ok(reads.into_iter().collect::<Result<_, _>>()?)
}

/// Puts what was read into the notebook; the numbers of the new sources and how many pages could not be read.
pub(crate) fn take(
    state: &mut ResearchState,
    candidates: &[PageCandidate],
    reads: Vec<PageRead>,
) -> (Vec<usize>, usize) {
    let (mut fresh, mut failures) = (Vec::new(), 0);
    for (candidate, read) in candidates.iter().zip(reads) {
        if let Some((code, why)) = read.error {
            tracing::debug!(url = %candidate.url, %code, why, "a page could not be read");
            failures += 1;
            continue;
        }
        if let Ok(url) = read.url.parse() {
            state.known.insert(net::canonical(&url));
        }
        if state.add(candidate, read.title, read.url, read.text, read.links) {
            fresh.push(state.sources.len());
        }
    }
    (fresh, failures)
}

/// Some of these sources, as events tell of them.
pub(crate) fn samples(state: &ResearchState, ids: &[usize]) -> Vec<PageSample> {
    let sample = |source: &ResearchSource| PageSample {
        url: source.url.clone(),
        title: source.title.clone(),
        domain: host(&source.url),
        url_source: source.found,
        relevance: source.reading.as_ref().map(|reading| reading.relevance),
        reliability: source.reading.as_ref().map(|reading| reading.reliability),
        summary: source
            .reading
            .as_ref()
            .map(|reading| reading.summary.clone())
            .filter(|it| !it.is_empty()),
    };
    ids.iter()
        .filter_map(|id| state.source(*id))
        .take(SAMPLES)
        .map(sample)
        .collect()
}

/// What the sources say, for a prompt: their numbers, names and readings, within a bound.
pub(crate) fn findings(state: &ResearchState) -> String {
    let mut out = String::new();
    for source in state.relevant_sources() {
        let Some(reading) = &source.reading else { continue };
        let mut told = reading.summary.clone();
        for claim in &reading.claims {
            told.push_str("\n- ");
            told.push_str(&claim.claim);
        }
        let entry = format!(
            "Source {} ({}, relevance {}, reliability {}):\n{}\n",
            source.id,
            shown(&host(&source.url)),
            level(reading.relevance),
            level(reading.reliability),
            quoted(&told, 1_500),
        );
        if out.len() + entry.len() > FINDINGS {
            break;
        }
        out.push_str(&entry);
    }
    if out.is_empty() {
        out.push_str("(nothing yet)");
    }
    out
}

pub(crate) fn level(rating: wire::research::Rating) -> &'static str {
    match rating {
        wire::research::Rating::Low => "low",
        wire::research::Rating::Medium => "medium",
        wire::research::Rating::High => "high",
    }
}

/// The texts of a list in an answer.
pub(crate) fn texts(answer: &Value, name: &str, most: usize) -> Vec<String> {
    let list = answer.get(name).and_then(Value::as_array).into_iter().flatten();
    let mut found: Vec<String> = Vec::new();
    for text in list
        .filter_map(Value::as_str)
        .map(str::trim)
        .filter(|it| !it.is_empty())
    {
        if !found.iter().any(|it| it.eq_ignore_ascii_case(text)) {
            found.push(text.to_owned());
        }
    }
    found.truncate(most);
    found
}

/// A text of an answer.
pub(crate) fn text(answer: &Value, name: &str) -> String {
    answer
        .get(name)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .trim()
        .to_owned()
}

/// A value of an answer as one of the words of the wire.
pub(crate) fn word<T: serde::de::DeserializeOwned>(answer: &Value, name: &str) -> Option<T> {
    serde_json::from_value(answer.get(name).cloned().unwrap_or(json!(null))).ok()
}
