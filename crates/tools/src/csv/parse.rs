//! Records read from CSV.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::{MAX_ROWS, text};
use crate::lists::document_table::DocumentTable;
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
        let mut lines = match document_lines(context, &params).await? {
            Some(lines) => lines,
            None => {
                let text = text(context, params.text).await?;
                let delimiter = params.delimiter.chars().next().unwrap_or(',');
                let Cells { lines, is_open } = cells(&text, delimiter);
                if is_open {
                    context.warn("a quoted cell has no closing quote; what follows it is one cell with it");
                }
                lines
            }
        };
        let header = match params.has_header && !lines.is_empty() {
            true => lines.remove(0),
            false => Vec::new(),
        };
        if lines.len() > MAX_ROWS {
            context.warn(format!("of {} rows the first {MAX_ROWS} are given", lines.len()));
        }
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

/// The lines of the table that the page is, header first, where neither the call nor the step before has a text.
async fn document_lines(
    context: &mut ToolContext,
    params: &Params,
) -> Result<Option<Vec<Vec<String>>>, Error> {
    let has_text = params.text.is_some() || context.input.get("text").is_some_and(Value::is_string);
    if has_text || !context.has_page() {
        return Ok(None);
    }
    let table = DocumentTable::of(&*context.page().await?);
    Ok(table.map(|table| std::iter::once(table.header).chain(table.rows).collect()))
}

/// The cells of a text of separated values.
struct Cells {
    /// The cells of each line that has any.
    lines: Vec<Vec<String>>,
    /// Whether the text ends within a quoted cell.
    is_open: bool,
}

/// The cells of every line (RFC 4180; a quote within quotes is doubled).
fn cells(text: &str, delimiter: char) -> Cells {
    let (mut lines, mut line, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    // Spreadsheets write the mark of byte order before the first name.
    let mut signs = text.trim_start_matches('\u{feff}').chars().peekable();
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
    Cells {
        lines,
        is_open: quoted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_of_byte_order_is_no_part_of_a_name() {
        let read = cells("\u{feff}\"name\",price\nTea,2\n", ',');
        assert_eq!(read.lines, [["name", "price"], ["Tea", "2"]]);
    }

    #[test]
    fn a_text_that_ends_within_quotes_is_known() {
        for (text, lines, is_open) in [("a,b\n\"c\",2\n", 2, false), ("a,b\n\"c,2\nd,3\n", 2, true)] {
            let read = cells(text, ',');
            assert_eq!((read.lines.len(), read.is_open), (lines, is_open), "{text}");
        }
    }
}
