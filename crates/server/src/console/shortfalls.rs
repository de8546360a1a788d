//! What a run that ended well did not do: pages that failed, addresses that were not read, conditions that were not applied.

use serde::Serialize;
use serde_json::{Map, Value};
use wire::run::RunDetail;
use wire::site::CrawlSummary;

use super::page::{grouped, text};
use super::timeline::one_line;

/// Most shortfalls of a run that are told.
const MAX_TOLD: usize = 20;
/// Longest text of one, in characters.
const LINE: usize = 400;

/// A thing that a run did not do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Shortfall {
    pub(super) text: String,
}

/// What a run that ended well did not do, the plainest first; empty while it goes on, when it failed, and where a result
/// tells nothing of it.
pub(super) fn shortfalls(run: &RunDetail) -> Vec<Shortfall> {
    let Some(result) = run.result.as_ref().filter(|_| run.error.is_none()) else {
        return Vec::new();
    };
    let mut told = match serde_json::from_value::<CrawlSummary>(result["crawl"].clone()) {
        Ok(crawl) => of_crawl(&crawl, &run.request),
        Err(_) => of_scrape(result),
    };
    told.truncate(MAX_TOLD);
    told.into_iter()
        .map(|told| Shortfall {
            text: one_line(&told, LINE),
        })
        .collect()
}

fn of_crawl(crawl: &CrawlSummary, request: &Value) -> Vec<String> {
    let mut told = Vec::new();
    if crawl.failed > 0 {
        told.push(pages_failed(crawl.failed, crawl.fetched));
    }
    if let Some(limit) = &crawl.stopped_by {
        let pages = request["limit"].as_u64().filter(|_| limit == "pages");
        let limit = text("crawls", &format!("stopped_{limit}"));
        let number = pages.map_or_else(String::new, |pages| format!(" ({})", grouped(pages)));
        told.push(format!("{} {limit}{number}", text("shortfalls", "stopped")));
    }
    let left = crawl
        .known
        .saturating_sub(crawl.fetched)
        .saturating_sub(crawl.forbidden);
    if left > 0 && crawl.stopped_by.is_some() {
        told.push(format!("{} {}", grouped(left), text("shortfalls", "not_read")));
    }
    told
}

fn of_scrape(result: &Value) -> Vec<String> {
    let mut told = Vec::new();
    let failed = result["errors"].as_array().map_or(0, Vec::len) as u64;
    if failed > 0 {
        told.push(pages_failed(
            failed,
            result["urls_processed"].as_u64().unwrap_or(failed),
        ));
    }
    let pages = result["extracted_data"]
        .as_object()
        .into_iter()
        .flat_map(Map::values);
    for verdict in pages.map(|page| &page["plan"]["verdict"]) {
        let texts = |name: &str| verdict[name].as_array().into_iter().flatten();
        let not_applied = texts("conditions")
            .filter(|it| matches!(it["state"].as_str(), Some("not_applied" | "not_understood")))
            .filter_map(|it| it["text"].as_str())
            .map(|condition| format!("{} {condition}", text("shortfalls", "not_applied")));
        let issues = texts("issues").filter_map(Value::as_str).map(str::to_owned);
        for line in not_applied.chain(issues) {
            if told.len() < MAX_TOLD && !told.contains(&line) {
                told.push(line);
            }
        }
    }
    told
}

fn pages_failed(failed: u64, of: u64) -> String {
    format!(
        "{} {} {} {}",
        grouped(failed),
        text("shortfalls", "of"),
        grouped(of),
        text("shortfalls", "pages_failed")
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(result: Value) -> Vec<String> {
        let run = json!({"id": "run_00000000000000000000000000000001", "kind": "crawl", "status": "completed", "last_seq": 1,
            "created_at": "2026-01-01T00:00:00.000Z", "request": {"limit": 25}, "result": result, "usage": {}});
        let run: RunDetail = serde_json::from_value(run).unwrap();
        shortfalls(&run).into_iter().map(|it| it.text).collect()
    }

    #[test]
    fn a_crawl_that_stopped_tells_how_many_addresses_it_left() {
        let crawl = json!({"fetched": 25, "read": 24, "failed": 1, "known": 171, "forbidden": 6, "stopped_by": "pages"});
        assert_eq!(
            told(json!({"crawl": crawl})),
            [
                "1 of 25 pages failed",
                "stopped early by the limit of pages (25)",
                "140 known addresses were not read"
            ]
        );
        let whole = json!({"fetched": 25, "read": 25, "known": 25});
        assert!(told(json!({"crawl": whole})).is_empty());
    }

    #[test]
    fn conditions_that_were_not_applied_are_told_once() {
        let verdict = json!({"status": "partial", "issues": ["the list goes on"],
            "conditions": [{"text": "all of the list", "state": "not_applied"}, {"text": "under 100", "state": "applied"}]});
        let page = json!({"plan": {"verdict": verdict}});
        let result = json!({"errors": [], "urls_processed": 2, "extracted_data": {"http://a.test/": page, "http://b.test/": page}});
        assert_eq!(told(result), ["not applied: all of the list", "the list goes on"]);
    }
}
