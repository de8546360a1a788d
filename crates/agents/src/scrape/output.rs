//! The result of a scrape run as text: JSON, CSV, Markdown or plain text.

use std::fmt::Write as _;

use extract::fields::{PageType, canonical};
use serde_json::Value;
use tools::table;
use wire::scrape::{OutputFormat, ScrapeRequest};

use super::page_result::PageResult;
use super::rows::{self, requested_columns};

/// Columns of a table when the request names none.
const DEFAULT_COLUMNS: [&str; 9] = [
    "url",
    "page_type",
    "title",
    "price",
    "currency",
    "author",
    "date_published",
    "description",
    "error",
];

/// The format's name on the wire.
pub(super) fn name(format: OutputFormat) -> &'static str {
    match format {
        OutputFormat::Json => "json",
        OutputFormat::Csv => "csv",
        OutputFormat::Markdown => "markdown",
        OutputFormat::Text => "text",
    }
}

/// The text of the result.
pub(super) fn render(request: &ScrapeRequest, results: &[Option<PageResult>]) -> String {
    let results: Vec<&PageResult> = results.iter().flatten().collect();
    match request.output_format {
        OutputFormat::Json => {
            let all: Vec<Value> = results.iter().map(|result| result.json()).collect();
            serde_json::to_string_pretty(&all).unwrap_or_default()
        }
        OutputFormat::Csv => csv(&requested_columns(request), &results),
        OutputFormat::Markdown => results
            .iter()
            .map(|result| markdown(result))
            .collect::<Vec<_>>()
            .join("\n\n"),
        OutputFormat::Text => results
            .iter()
            .map(|result| text(result))
            .collect::<Vec<_>>()
            .join("\n\n"),
    }
}

/// Rows of all pages, when the instructions asked for rows.
fn rows_of(results: &[&PageResult]) -> Option<Vec<Value>> {
    let any = results.iter().any(|result| result.rows.is_some());
    any.then(|| {
        results
            .iter()
            .filter_map(|result| result.rows.as_ref()?.as_array().cloned())
            .flatten()
            .collect()
    })
}

fn csv(columns: &[String], results: &[&PageResult]) -> String {
    if let Some(rows) = rows_of(results) {
        let keys = rows::keys(&rows);
        let row = |row: &Value| keys.iter().map(|key| rows::cell(row, key)).collect();
        return table::csv(&keys, rows.iter().map(row));
    }
    let default: Vec<String> = DEFAULT_COLUMNS
        .iter()
        .map(|column| (*column).to_owned())
        .collect();
    let columns = if columns.is_empty() { &default } else { columns };
    let row = |result: &&PageResult| columns.iter().map(|column| value(result, column)).collect();
    table::csv(columns, results.iter().map(row))
}

fn value(result: &PageResult, column: &str) -> String {
    // A column may be called otherwise than the field it means.
    let of_item = |item: &Value| {
        let page_type = item["page_type"].as_str().and_then(|text| text.parse().ok());
        let field = canonical(column, page_type.unwrap_or(PageType::Other));
        item.get(column).or_else(|| item.get(&field)).cloned()
    };
    match (column, result.item.as_ref().and_then(of_item)) {
        (_, Some(Value::String(text))) => text,
        (_, Some(Value::Null)) => String::new(),
        (_, Some(other)) => other.to_string(),
        ("url", None) => result.url.clone(),
        ("error", None) => result
            .error
            .as_ref()
            .map(|error| error.message.clone())
            .unwrap_or_default(),
        (_, None) => String::new(),
    }
}

fn markdown(result: &PageResult) -> String {
    if let Some(Value::Array(rows)) = &result.rows {
        return format!("# {}\n\n{}", result.url, rows::markdown(rows));
    }
    match (&result.content, &result.error) {
        (_, Some(error)) => format!("# {}\n\n{}: {}", result.url, error.code, error.message),
        (Some(content), None) => content.clone(),
        (None, None) => format!("# {}\n\n{}", result.url, fields(result, "- **", ":** ")),
    }
}

fn text(result: &PageResult) -> String {
    if let Some(Value::Array(rows)) = &result.rows {
        return rows::text(rows);
    }
    match &result.error {
        Some(error) => format!("{}\n{}: {}", result.url, error.code, error.message),
        None => match &result.content {
            Some(text) => text.clone(),
            None => format!("{}\n{}", result.url, fields(result, "", ": ")),
        },
    }
}

fn fields(result: &PageResult, before: &str, between: &str) -> String {
    let mut lines = String::new();
    for (name, value) in result
        .item
        .as_ref()
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        if matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_)) {
            // Writing to a string cannot fail.
            let _ = writeln!(lines, "{before}{name}{between}{}", self::value(result, name));
        }
    }
    lines
}
