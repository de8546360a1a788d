//! Records read from CSV.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::{MAX_ROWS, text};
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
        let mut lines = cells(&text, delimiter).into_iter();
        let columns: Vec<String> = match params.has_header {
            true => lines.next().unwrap_or_default(),
            false => (1..=cells(&text, delimiter).first().map_or(0, Vec::len))
                .map(|it| format!("column_{it}"))
                .collect(),
        };
        let records: Vec<Value> = lines
            .take(MAX_ROWS)
            .map(|line| {
                Value::Object(
                    columns
                        .iter()
                        .cloned()
                        .zip(
                            line.into_iter()
                                .chain(std::iter::repeat(String::new()))
                                .map(Value::String),
                        )
                        .collect(),
                )
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
