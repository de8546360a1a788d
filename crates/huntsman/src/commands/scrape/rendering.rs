//! Rendering: the pages of a scrape as JSON, CSV, Markdown, text, HTML, links, tables or records.

use std::fmt::Write as _;

use agents::scrape::csv_table::{self, CsvDoubt, CsvLayout};
use serde_json::{Value, json};
use wire::scrape::ScrapeResponse;

use super::print_format::{PrintFormat, shown};
use crate::failure::Failure;
use crate::output::Output;

/// Fields of the item that front matter tells, beside the address.
const FRONT_MATTER: [&str; 4] = ["title", "author", "date_published", "description"];

/// How the pages of a run are printed.
pub(super) struct Rendering<'a> {
    pub(super) format: PrintFormat,
    /// Columns of CSV; those of the pages where none are named.
    pub(super) columns: &'a [String],
    /// The shape of the items, where one is given.
    pub(super) schema: Option<&'a Value>,
    /// Whether Markdown and text begin with what is known of the page.
    pub(super) front_matter: bool,
    /// Whether one address was asked for, whose result then stands alone.
    pub(super) is_single: bool,
}

impl Rendering<'_> {
    /// Prints the pages in the order of their addresses, and returns what is doubtful about rows. Only JSON holds pages that
    /// failed.
    pub(super) fn print(
        &self,
        response: &ScrapeResponse,
        output: &mut Output,
    ) -> Result<Option<CsvDoubt>, Failure> {
        let mut pages: Vec<&Value> = response.extracted_data.values().collect();
        pages.sort_by_key(|page| page["index"].as_u64());
        let is_single = self.is_single && pages.len() == 1;
        let read: Vec<&Value> = pages
            .iter()
            .copied()
            .filter(|page| page["status"] == "ok")
            .collect();
        match self.format {
            PrintFormat::Json | PrintFormat::Jsonl => {
                let mut results: Vec<Value> = pages.into_iter().map(shown).collect();
                match is_single {
                    true => output.json(&results.pop())?,
                    false => output.json(&results)?,
                }
            }
            PrintFormat::Csv => return self.csv(&read, is_single, output),
            PrintFormat::Markdown | PrintFormat::Text | PrintFormat::Html => {
                for (place, page) in read.iter().enumerate() {
                    output.text(&self.document(page, place, is_single))?;
                }
            }
            PrintFormat::Links => forms("links", &read, is_single, output)?,
            PrintFormat::Tables => forms("tables", &read, is_single, output)?,
            PrintFormat::Records => forms("records", &read, is_single, output)?,
        }
        Ok(None)
    }

    fn csv(
        &self,
        pages: &[&Value],
        is_single: bool,
        output: &mut Output,
    ) -> Result<Option<CsvDoubt>, Failure> {
        if pages.is_empty() {
            return Ok(None);
        }
        let layout = CsvLayout {
            columns: self.columns,
            schema: self.schema,
            is_single,
            with_failures: false,
            with_status: false,
        };
        let table = csv_table::csv(pages, layout);
        if !table.text.is_empty() {
            output.text(&table.text)?;
        }
        Ok(table.doubt)
    }

    /// One page, marked off from the page before it.
    fn document(&self, page: &Value, place: usize, is_single: bool) -> String {
        let url = page["url"].as_str().unwrap_or_default();
        let content = match self.format {
            PrintFormat::Html => page["formats"]["html"].as_str().unwrap_or_default().to_owned(),
            _ => content(page),
        };
        let mut text = String::new();
        if place > 0 {
            text.push('\n');
        }
        // Writing to a string cannot fail.
        let _ = match self.format {
            _ if self.front_matter => write!(text, "{}", front_matter(page, url)),
            _ if is_single => Ok(()),
            PrintFormat::Text => writeln!(text, "==> {url} <==\n"),
            PrintFormat::Markdown if place > 0 => writeln!(text, "---\n\n<!-- {} -->\n", in_comment(url)),
            _ => writeln!(text, "<!-- {} -->\n", in_comment(url)),
        };
        text.push_str(&content);
        text
    }
}

/// What is doubtful about rows, in the words of the command line.
pub(in crate::commands) fn doubt_text(doubt: &CsvDoubt, has_schema: bool) -> String {
    match doubt.columns() {
        Some(columns) => format!("--columns: {columns}"),
        None if has_schema => "the pages state nothing that the schema asks for".to_owned(),
        None => "no list, table or usual field was found; --format text prints what the pages say, and --columns takes \
                 fields of the item that --format json shows"
            .to_owned(),
    }
}

/// A form of each page: of one page alone, of several with their addresses.
fn forms(name: &str, pages: &[&Value], is_single: bool, output: &mut Output) -> Result<(), Failure> {
    let form = |page: &Value| page["formats"][name].clone();
    if is_single {
        if let [page] = pages {
            output.json(&form(page))?;
        }
        return Ok(());
    }
    let all: Vec<Value> = pages
        .iter()
        .map(|page| json!({"url": page["url"], name: form(page)}))
        .collect();
    Ok(output.json(&all)?)
}

/// Main content of a page; what a plan came to, where instructions asked for something.
fn content(page: &Value) -> String {
    if let Some(rows) = page["rows"].as_array() {
        return lines(rows);
    }
    match (&page["content"], &page["answer"]) {
        (Value::String(text), _) => text.clone(),
        (_, Value::String(text)) => text.clone(),
        (_, Value::Null) => lines(std::slice::from_ref(&page["item"])),
        (_, answer) => answer.to_string(),
    }
}

/// Rows as lines of `field: value`, an empty line between two.
fn lines(rows: &[Value]) -> String {
    let field = |(key, value): (&String, &Value)| Some(format!("{key}: {}\n", value_text(value)?));
    let row = |row: &Value| {
        let fields = row.as_object().into_iter().flatten();
        fields.filter_map(field).collect::<String>()
    };
    rows.iter().map(row).collect::<Vec<_>>().join("\n")
}

/// A value on one line: lists joined by commas, objects as JSON. None where there is nothing in it.
fn value_text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(values) => {
            let texts: Vec<String> = values.iter().filter_map(value_text).collect();
            (!texts.is_empty()).then(|| texts.join(", "))
        }
        Value::Object(fields) => (!fields.is_empty()).then(|| value.to_string()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
    }
}

/// What is known of a page, as YAML between two lines of hyphens. A text in JSON is one in YAML too.
fn front_matter(page: &Value, url: &str) -> String {
    let mut text = format!("---\nurl: {}\n", Value::from(url));
    for field in FRONT_MATTER {
        if let Value::String(value) = &page["item"][field] {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{field}: {}", Value::from(value.as_str()));
        }
    }
    text + "---\n\n"
}

/// A text that cannot end the comment that it stands in.
fn in_comment(url: &str) -> String {
    url.replace("--", "-%2D").replace('>', "%3E")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_tell_their_lists_and_objects_too() {
        let rows = [
            json!({"name": "Kettle", "sizes": ["S", "M", null], "details": {"Material": "steel"}, "price": 9.5, "sku": null}),
            json!({"name": "Cup", "images": [], "details": {}, "offers": [{"price": 3}, {"price": 4}]}),
        ];
        assert_eq!(
            lines(&rows),
            "name: Kettle\nsizes: S, M\ndetails: {\"Material\":\"steel\"}\nprice: 9.5\n\n\
             name: Cup\noffers: {\"price\":3}, {\"price\":4}\n"
        );
    }
}
