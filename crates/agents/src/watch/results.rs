//! What is watched of a map, of the result of a scrape and of a report.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use tools::words::field_names::resolve_field;
use wire::Code;
use wire::error::ErrorBody;
use wire::site::{MapRequest, SiteMap};

use super::blocks;
use super::contents::WatchedContent;
use crate::scrape::with_facts;
use crate::services::AgentServices;

/// Fields of an item that say how it was read, not what it says.
const READING: [&str; 9] = [
    "provenance",
    "confidence",
    "coverage",
    "missing",
    "notes",
    "scraped_at",
    "fetched_at",
    "extracted_at",
    "screenshot_path",
];

/// Whether a field of an item says how it was read, not what it says.
pub(super) fn is_about_reading(field: &str) -> bool {
    READING.contains(&field)
}

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

/// The entries of the result of a scrape: the rows of each page, or its item. Where columns are asked for, entries have these and
/// their address, whole entries where none has any of the columns.
///
/// # Errors
/// When a page was not read: what it would have had is not known.
pub fn of_scrape(result: &Value, columns: &[String]) -> Result<WatchedContent, ErrorBody> {
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
            Some(rows) if columns.is_empty() => {
                entries.extend(rows.iter().filter_map(Value::as_object).cloned());
            }
            Some(rows) => {
                let rows = with_facts(rows);
                entries.extend(rows.iter().filter_map(Value::as_object).cloned());
            }
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
        entry.retain(|name, value| !is_about_reading(name) && !value.is_null());
    }
    choose(&mut entries, columns);
    match entries.is_empty() {
        true => Err(ErrorBody::new(Code::EmptyContent, "the scrape gave nothing")),
        false => Ok(WatchedContent::Records(entries)),
    }
}

/// Leaves of entries the columns that are asked for, under the names by which they are, and the address.
fn choose(entries: &mut [Map<String, Value>], columns: &[String]) {
    let names: BTreeSet<&String> = entries.iter().flat_map(Map::keys).collect();
    let names: Vec<String> = names.into_iter().cloned().collect();
    let sources = columns
        .iter()
        .filter_map(|column| Some((column.as_str(), resolve_field(column, &names)?)));
    let mut sources: Vec<(&str, &str)> = sources.collect();
    if sources.is_empty() {
        return;
    }
    if !sources.iter().any(|(_, field)| *field == "url") {
        sources.push(("url", "url"));
    }
    for entry in entries {
        let chosen = sources
            .iter()
            .filter_map(|(column, field)| Some(((*column).to_owned(), entry.get(*field)?.clone())));
        *entry = chosen.collect();
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn entries_of_a_scrape_have_the_columns_that_are_asked_for() {
        let row = |title: &str, price: u32| json!({"title": title, "url": format!("https://a.example/{title}"), "price": price, "text": title, "facts": {"Size": "L"}});
        let list = json!({"status": "ok", "rows": [row("one", 10), row("two", 20)]});
        let result = json!({"extracted_data": {"https://a.example/": list}});
        let columns = ["name", "price", "Size"].map(str::to_owned);
        let entry = |title: &str, price: u32| {
            let entry = json!({"name": title, "price": price, "Size": "L", "url": format!("https://a.example/{title}")});
            entry.as_object().cloned().unwrap()
        };
        assert_eq!(
            of_scrape(&result, &columns),
            Ok(WatchedContent::Records(vec![entry("one", 10), entry("two", 20)]))
        );
        let item = json!({"status": "ok", "item": {"title": "Vase", "price": 5, "text": "Vase. 5 left", "coverage": 0.5}});
        let result = json!({"extracted_data": {"https://a.example/v": item}});
        let chosen = json!({"price": 5, "url": "https://a.example/v"});
        assert_eq!(
            of_scrape(&result, &["price".to_owned()]),
            Ok(WatchedContent::Records(vec![
                chosen.as_object().cloned().unwrap()
            ]))
        );
    }
}
