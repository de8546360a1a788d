//! The result of a scrape run as text: JSON, CSV, Markdown or plain text.

use std::fmt::Write as _;

use serde_json::Value;
use wire::scrape::{OutputFormat, ScrapeRequest};

use super::csv_table::{self, CsvDoubt, CsvLayout, CsvTable};
use super::page_result::PageResult;
use super::rows::{self, requested_columns};

/// The format's name on the wire.
pub(super) fn name(format: OutputFormat) -> &'static str {
    match format {
        OutputFormat::Json => "json",
        OutputFormat::Csv => "csv",
        OutputFormat::Markdown => "markdown",
        OutputFormat::Text => "text",
    }
}

/// The result as text, and what is doubtful about it.
#[derive(Default)]
pub(super) struct RenderedOutput {
    pub(super) text: String,
    pub(super) warnings: Vec<String>,
}

/// Writes the result as text.
pub(super) fn render(request: &ScrapeRequest, results: &[Option<PageResult>]) -> RenderedOutput {
    let results: Vec<&PageResult> = results.iter().flatten().collect();
    let joined = |text: fn(&PageResult) -> String| {
        let texts: Vec<String> = results.iter().map(|result| text(result)).collect();
        texts.join("\n\n")
    };
    let text = match request.output_format {
        OutputFormat::Json => {
            let all: Vec<Value> = results.iter().map(|result| result.json()).collect();
            serde_json::to_string_pretty(&all).unwrap_or_default()
        }
        OutputFormat::Csv => return csv(request, &results),
        OutputFormat::Markdown => joined(markdown),
        OutputFormat::Text => joined(self::text),
    };
    RenderedOutput {
        text,
        warnings: unused_columns(request, &results).into_iter().collect(),
    }
}

/// Says that `columns` had no effect: pages have no columns but in CSV, as rows, or as fields that a model reads.
fn unused_columns(request: &ScrapeRequest, results: &[&PageResult]) -> Option<String> {
    let is_named = request
        .columns
        .as_ref()
        .is_some_and(|columns| !columns.is_empty());
    let is_read = results.iter().any(|result| result.error.is_none());
    let has_columns = |result: &&PageResult| result.rows.is_some() || result.meta.is_some();
    let is_unused = is_named && is_read && !results.iter().any(has_columns);
    is_unused.then(|| {
        "columns: no effect, as the result has no rows; they go with the output format csv or with instructions, and \
         the fields of an item are named by `schema`"
            .to_owned()
    })
}

fn csv(request: &ScrapeRequest, results: &[&PageResult]) -> RenderedOutput {
    let columns = requested_columns(request);
    let pages: Vec<Value> = results.iter().map(|result| result.json()).collect();
    let layout = CsvLayout {
        columns: &columns,
        schema: request.schema.as_ref(),
        is_single: request.assets.len() == 1,
        with_failures: true,
        with_status: false,
    };
    let CsvTable { text, doubt } = csv_table::csv(&pages.iter().collect::<Vec<_>>(), layout);
    let warning = |doubt: CsvDoubt| match doubt.columns() {
        Some(columns) => format!("columns: {columns}"),
        None => "no list, table or field that CSV has was found; `columns` takes the fields of the item in \
                 `extracted_data`"
            .to_owned(),
    };
    RenderedOutput {
        text,
        warnings: doubt.map(warning).into_iter().collect(),
    }
}

fn value(result: &PageResult, column: &str) -> String {
    let value = result.item.as_ref().and_then(|item| item.get(column));
    value.map(rows::value_text).unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn columns_without_rows_to_have_them_are_told() {
        let mut request = ScrapeRequest::new(vec!["http://shop.test/".into()], "");
        request.columns = Some(vec!["title".into()]);
        let warnings =
            |request: &ScrapeRequest, result: PageResult| render(request, &[Some(result)]).warnings;
        let item = PageResult {
            item: Some(json!({"title": "Lamp", "price": "5"})),
            ..PageResult::default()
        };
        let rows = PageResult {
            rows: Some(json!([{"title": "Lamp"}])),
            ..item.clone()
        };
        assert_eq!(warnings(&request, item.clone()).len(), 1);
        assert!(warnings(&request, rows).is_empty());
        request.columns = None;
        assert!(warnings(&request, item).is_empty());
    }
}
