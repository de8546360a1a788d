//! What is watched of a map, of the result of a scrape and of a report.

use serde_json::{Map, Value};
use tools::words::field_names::resolve_field;
use wire::Code;
use wire::error::ErrorBody;
use wire::scrape::ScrapeRequest;
use wire::site::{MapRequest, SiteMap};

use super::blocks;
use super::contents::WatchedContent;
use crate::scrape::{keys, with_facts};
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
/// When the site cannot be read. The second value says whether addresses were left out.
pub async fn read_map(
    services: &AgentServices,
    request: &MapRequest,
) -> Result<(WatchedContent, bool), ErrorBody> {
    let map = crate::site::map::map(services, request).await?;
    Ok(of_map(&map, request.limit))
}

fn of_map(map: &SiteMap, limit: u32) -> (WatchedContent, bool) {
    let entry = |url: &str| Map::from_iter([("url".to_owned(), Value::from(url))]);
    let entries: Vec<_> = map.links.iter().map(|link| entry(&link.url)).collect();
    let is_cut = usize::try_from(limit).is_ok_and(|limit| entries.len() >= limit);
    (WatchedContent::Records(entries), is_cut)
}

/// The entries of the result of a scrape: the rows of each page, or its item; of them the columns, where the request names some and
/// no schema.
///
/// # Errors
/// When a page was not read: what it would have had is not known; and when nothing has any of the columns.
pub fn of_scrape(request: &ScrapeRequest, result: &Value) -> Result<WatchedContent, ErrorBody> {
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
    let columns = request.columns.as_deref().unwrap_or_default();
    if !columns.is_empty() && !entries.is_empty() && request.schema.is_none() {
        entries = of_columns(entries, columns);
        if entries.iter().all(Map::is_empty) {
            let text = format!("nothing has the columns {}", columns.join(", "));
            return Err(ErrorBody::new(Code::EmptyContent, text));
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

/// The columns of entries, each under the name that is asked for.
fn of_columns(entries: Vec<Map<String, Value>>, columns: &[String]) -> Vec<Map<String, Value>> {
    let rows: Vec<Value> = entries.into_iter().map(Value::Object).map(with_facts).collect();
    let known = keys(&rows);
    let sources: Vec<(&String, &str)> = columns
        .iter()
        .filter_map(|column| Some((column, resolve_field(column, &known)?)))
        .collect();
    let of_row = |row: &Value| {
        let cells = sources
            .iter()
            .filter_map(|(column, field)| Some(((*column).clone(), row.get(*field)?.clone())));
        cells.collect()
    };
    rows.iter().map(of_row).collect()
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

    fn entries(columns: &[&str], page: Value) -> Result<Value, String> {
        let columns: Vec<String> = columns.iter().map(|column| (*column).to_owned()).collect();
        let request = ScrapeRequest {
            columns: (!columns.is_empty()).then_some(columns),
            ..ScrapeRequest::new(vec!["https://a.example/".into()], "")
        };
        let result = json!({"extracted_data": {"https://a.example/": page}});
        match of_scrape(&request, &result) {
            Ok(WatchedContent::Records(entries)) => Ok(json!(entries)),
            Ok(_) => Err("no records".to_owned()),
            Err(error) => Err(error.message),
        }
    }

    #[test]
    fn the_columns_of_a_request_are_what_is_watched_of_its_rows() {
        let page = json!({"status": "ok", "item": {"title": "Flats", "text": "all"}, "rows": [
            {"title": "One", "price": 5, "url": "u", "text": "One 5", "facts": {"Rooms": "2"}},
            {"title": "Two", "text": "Two"},
        ]});
        assert_eq!(
            entries(&["name", "price", "rooms"], page.clone()),
            Ok(json!([{"name": "One", "price": 5, "rooms": "2"}, {"name": "Two"}]))
        );
        let whole = entries(&[], page.clone()).unwrap_or_default();
        assert_eq!(whole[1], json!({"title": "Two", "text": "Two"}));
        assert_eq!(
            entries(&["colour"], page),
            Err("nothing has the columns colour".to_owned())
        );
        let item = json!({"status": "ok", "item": {"title": "Lamp", "price": 9, "text": "all"}});
        assert_eq!(
            entries(&["title", "price"], item),
            Ok(json!([{"title": "Lamp", "price": 9}]))
        );
    }
}
