//! Records read from CSV.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::{MAX_ROWS, text};
use crate::lists::table::column_names;
use crate::{Error, Tool, ToolContext};

/// The tool `csv.parse`.
pub struct CsvParse;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    text: Option<String>,
    delimiter: String,
    has_header: bool,
}

impl Tool for CsvParse {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let text = text(context, params.text).await?;
        let delimiter = params.delimiter.chars().next().unwrap_or(',');
        let mut lines = cells(&text, delimiter);
        let header = match params.has_header && !lines.is_empty() {
            true => lines.remove(0),
            false => Vec::new(),
        };
        let rows = lines.get(..lines.len().min(MAX_ROWS)).unwrap_or_default();
        // A row may have more cells than the header names.
        let width = rows.iter().map(Vec::len).max().unwrap_or(0).max(header.len());
        let columns = column_names(&header, width);
        let records: Vec<Value> = rows
            .iter()
            .map(|line| {
                let cells = line.iter().map(String::as_str).chain(std::iter::repeat(""));
                let cells = columns.iter().cloned().zip(cells.map(Value::from));
                Value::Object(cells.collect())
            })
            .collect();
        Ok(
            json!({"rows": records.len(), "records": records, "columns": columns, "empty": records.is_empty()}),
        )
    }
}

/// The cells of every line (RFC 4180; a quote within quotes is doubled).
fn cells(text: &str, delimiter: char) -> Vec<Vec<String>> {
    let (mut lines, mut line, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '"' if quoted && signs.peek() == Some(&'"') => {
                signs.next();
                cell.push('"');
            }
            '"' if quoted || cell.is_empty() => quoted = !quoted,
            '\r' if !quoted && signs.peek() == Some(&'\n') => {}
            '\n' | '\r' if !quoted => {
                line.push(std::mem::take(&mut cell));
                lines.push(std::mem::take(&mut line));
            }
            sign if sign == delimiter && !quoted => line.push(std::mem::take(&mut cell)),
            sign => cell.push(sign),
        }
    }
    if !cell.is_empty() || !line.is_empty() {
        line.push(cell);
        lines.push(line);
    }
    lines.retain(|it| it.iter().any(|cell| !cell.is_empty()));
    lines
}
