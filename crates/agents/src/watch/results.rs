//! What is watched of a map, of the result of a scrape and of a report.

use serde_json::{Map, Value};
use wire::Code;
use wire::error::ErrorBody;
use wire::site::{MapRequest, SiteMap};

use super::blocks;
use super::contents::WatchedContent;
use crate::services::AgentServices;

/// Fields of an item that say how it was read, not what it says.
const READING: [&str; 6] = [
    "provenance",
    "confidence",
    "scraped_at",
    "fetched_at",
    "extracted_at",
    "screenshot_path",
];

/// Maps a site. Each address is an entry; a title that only links give may differ from time to time, and is left out.
///
/// # Errors
/// When the site, or a part of it, cannot be read now: what that part lists is not known. The second value says whether addresses
/// were left out.
pub async fn read_map(
    services: &AgentServices,
    request: &MapRequest,
) -> Result<(WatchedContent, bool), ErrorBody> {
    let map = Box::pin(crate::site::map::whole_map(services, request)).await?;
    Ok(of_map(&map, request.limit))
}

fn of_map(map: &SiteMap, limit: u32) -> (WatchedContent, bool) {
    let entry = |url: &str| Map::from_iter([("url".to_owned(), Value::from(url))]);
    let entries: Vec<_> = map.links.iter().map(|link| entry(&link.url)).collect();
    let is_cut = usize::try_from(limit).is_ok_and(|limit| entries.len() >= limit);
    (WatchedContent::Records(entries), is_cut)
}

/// The entries of the result of a scrape: the rows of each page, or its item.
///
/// # Errors
/// When a page was not read: what it would have had is not known.
pub fn of_scrape(result: &Value) -> Result<WatchedContent, ErrorBody> {
    let pages = result["extracted_data"].as_object().into_iter().flatten();
    let mut entries = Vec::new();
    for (url, page) in pages {
        if page["status"] != "ok" {
            let why = page["error"]["message"].as_str().unwrap_or("no reason was given");
            let text = format!("{url} was not read: {}", locale::truncate_chars(why, 300));
            return Err(ErrorBody::new(Code::TaskExecutionFailed, text));
        }
        let rows = page["rows"].as_array().filter(|rows| !rows.is_empty());
        match rows {
            Some(rows) => entries.extend(rows.iter().filter_map(Value::as_object).cloned()),
            None => {
                let mut item = page["item"].as_object().cloned().unwrap_or_default();
                if !item.contains_key("url") {
                    item.insert("url".to_owned(), Value::from(url.as_str()));
                }
                entries.push(item);
            }
        }
    }
    for entry in &mut entries {
        entry.retain(|name, value| !READING.contains(&name.as_str()) && !value.is_null());
    }
    match entries.is_empty() {
        true => Err(ErrorBody::new(Code::EmptyContent, "the scrape gave nothing")),
        false => Ok(WatchedContent::Records(entries)),
    }
}

/// The report of a research run.
///
/// # Errors
/// When there is none.
pub fn of_research(result: &Value) -> Result<WatchedContent, ErrorBody> {
    let report = result["report"].as_str().unwrap_or_default();
    match blocks::split(report) {
        blocks if blocks.is_empty() => Err(ErrorBody::new(Code::EmptyContent, "the research gave no report")),
        blocks => Ok(WatchedContent::Text(blocks)),
    }
}
