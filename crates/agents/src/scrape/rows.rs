//! The answer of a plan as rows: projected to columns, written as Markdown or text.

use std::collections::HashSet;
use std::fmt::Write as _;

use plans::triggers::InstructionFacts;
use serde_json::{Map, Value};
use tools::words::field_names::resolve_field;
use wire::scrape::{OutputFormat, ScrapeRequest};

use super::page_result::PageResult;

/// The columns that the request names: a list of its own, or `csv of a, b and c` in the output instructions.
pub(super) fn requested_columns(request: &ScrapeRequest) -> Vec<String> {
    if let Some(columns) = &request.columns {
        return columns.clone();
    }
    let words = request.output_instructions.as_deref().unwrap_or_default().trim();
    let named = words
        .get(..7)
        .filter(|word| word.eq_ignore_ascii_case("csv of "))
        .and_then(|_| words.get(7..));
    let list = named.unwrap_or_default().replace(" and ", ",");
    list.split(',')
        .map(|part| part.trim().to_owned())
        .filter(|it| !it.is_empty())
        .collect()
}

/// The columns that a request asks for: its own list, its output instructions, or fields named side by side in the
/// instructions.
pub(super) fn columns(request: &ScrapeRequest, facts: &InstructionFacts) -> Vec<String> {
    let named = requested_columns(request);
    match named.is_empty() {
        true => facts
            .columns_or_none()
            .map(<[String]>::to_vec)
            .unwrap_or_default(),
        false => named,
    }
}

/// An answer as rows, when it is a list: projected to the columns, at most so many. A column that no row has is dropped
/// rather than left blank everywhere; when no row has any of them, the rows stay as they are.
pub(super) fn rows(answer: &Value, columns: &[String], most: Option<usize>) -> Option<Vec<Value>> {
    let list = answer.as_array()?;
    let kept = list.iter().take(most.unwrap_or(usize::MAX));
    let rows: Vec<Value> = kept
        .map(|element| match element {
            Value::Object(_) => element.clone(),
            // A table of the page is rows of its own; anything else stands in one column.
            other => serde_json::json!({"value": other}),
        })
        .collect();
    let keys = keys(&rows);
    let sources: Vec<(&String, &str)> = columns
        .iter()
        .filter_map(|column| Some((column, resolve_field(column, &keys)?)))
        .collect();
    if sources.is_empty() {
        return Some(rows);
    }
    let projected = rows.iter().map(|row| {
        let cells = sources
            .iter()
            .map(|(column, from)| ((*column).clone(), row.get(*from).cloned().unwrap_or_default()));
        Value::Object(cells.collect::<Map<_, _>>())
    });
    Some(projected.collect())
}

/// Gives the columns that the instructions name of the item of a page without a list, as the one row of CSV. Those that the page
/// does not state are told.
pub(super) fn of_item(result: &mut PageResult, request: &ScrapeRequest, facts: &InstructionFacts) {
    let is_told_otherwise = request.schema.is_some() || !requested_columns(request).is_empty();
    let wants_csv = request.output_format == OutputFormat::Csv;
    let (Some(columns), Some(item), None) = (facts.columns_or_none(), &result.item, &result.rows) else {
        return;
    };
    if !wants_csv || is_told_otherwise {
        return;
    }
    let stated: Map<String, Value> = item
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(_, value)| !is_empty_answer(value))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let answer = Value::Array(vec![Value::Object(stated)]);
    let missing = missing_columns(&answer, columns);
    if !missing.is_empty() {
        let names: Vec<String> = missing.iter().map(|name| format!("{name:?}")).collect();
        let warning = format!("not applied: the page does not state {}", names.join(", "));
        result.warnings.push(warning);
    }
    if missing.len() < columns.len() {
        result.rows = rows(&answer, columns, None).map(Value::Array);
    }
}

/// Whether an answer is none: null, or a list, text or object without anything in it.
pub(super) fn is_empty_answer(answer: &Value) -> bool {
    match answer {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::String(text) => text.trim().is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The columns that no row of an answer has under any of their names; none for an answer that is no list, or an empty one.
pub(super) fn missing_columns(answer: &Value, columns: &[String]) -> Vec<String> {
    let rows = answer.as_array().map(Vec::as_slice).unwrap_or_default();
    if !rows.iter().any(Value::is_object) {
        return Vec::new();
    }
    let keys = keys(rows);
    let missing = columns
        .iter()
        .filter(|column| resolve_field(column, &keys).is_none());
    missing.cloned().collect()
}

/// All fields of the rows, in the order of their first row.
pub(super) fn keys(rows: &[Value]) -> Vec<String> {
    let mut known = HashSet::new();
    let keys = rows.iter().filter_map(Value::as_object).flat_map(Map::keys);
    keys.filter(|key| known.insert(key.as_str())).cloned().collect()
}

/// Rows as a Markdown table.
pub(super) fn markdown(rows: &[Value]) -> String {
    let keys = keys(rows);
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut table = line(keys.iter().map(|key| markdown_cell(key)).collect());
    table.push_str(&line(keys.iter().map(|_| "---".to_owned()).collect()));
    for row in rows {
        let cells = keys.iter().map(|key| markdown_cell(&cell(row, key)));
        table.push_str(&line(cells.collect()));
    }
    table
}

/// A text within a cell of a Markdown table, where a line break ends the row, `|` the cell, and `\` takes the meaning of either.
fn markdown_cell(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('|', "\\|")
        .replace(['\n', '\r'], " ")
}

/// Rows as lines of `field: value`, an empty line between two.
pub(super) fn text(rows: &[Value]) -> String {
    let mut text = String::new();
    for (at, row) in rows.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        for key in row.as_object().into_iter().flat_map(Map::keys) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{key}: {}", cell(row, key));
        }
    }
    text
}

/// One cell.
pub(super) fn cell(row: &Value, key: &str) -> String {
    row.get(key).map(value_text).unwrap_or_default()
}

/// A value as the text of a cell.
pub(super) fn value_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_and_cells_of_a_markdown_table_stay_in_their_columns() {
        let rows = [json!({"Price | net": "9\\|x", "two\nlines": "a\r\nb"})];
        assert_eq!(
            markdown(&rows),
            "| Price \\| net | two lines |\n| --- | --- |\n| 9\\\\\\|x | a  b |\n"
        );
    }

    #[test]
    fn rows_have_the_columns_that_were_named_under_any_of_their_names() {
        let answer = json!([{"name": "Kettle", "price": 9.5, "url": "u", "image": "i"}, {"name": "Cup", "price": 3, "url": "v"}]);
        let columns = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let first = rows(&answer, &columns(&["Title", "cost", "colour"]), Some(1)).unwrap();
        assert_eq!(first, [json!({"Title": "Kettle", "cost": 9.5})]);
        assert_eq!(
            rows(&answer, &columns(&["return as json"]), None).unwrap().len(),
            2,
            "no column is no reason to blank"
        );
        assert_eq!(
            rows(&answer, &columns(&["return as json"]), None).unwrap()[0]["name"],
            "Kettle"
        );
        assert_eq!(
            rows(&json!([]), &columns(&["x"]), None).unwrap(),
            Vec::<Value>::new(),
            "no rows are no rows"
        );
        assert_eq!(rows(&json!({"a": 1}), &[], None), None);
        assert_eq!(
            rows(&json!(["a@b.example"]), &[], None).unwrap(),
            [json!({"value": "a@b.example"})]
        );
        assert_eq!(
            markdown(&first),
            "| Title | cost |\n| --- | --- |\n| Kettle | 9.5 |\n"
        );
        assert_eq!(text(&first), "Title: Kettle\ncost: 9.5\n");
        assert_eq!(
            missing_columns(&answer, &columns(&["Title", "cost", "colour"])),
            ["colour"]
        );
        assert_eq!(
            missing_columns(&json!([]), &columns(&["colour"])),
            Vec::<String>::new()
        );
    }

    #[test]
    fn columns_of_instructions_are_those_of_the_item_where_a_page_has_no_list() {
        let read = |instructions: &str| {
            let request = ScrapeRequest {
                output_format: OutputFormat::Csv,
                ..ScrapeRequest::new(vec!["a.example".into()], instructions)
            };
            let facts = InstructionFacts::read(instructions, plans::triggers::PlanTarget::default());
            let item = json!({"title": "On bread", "author": "Ada Brown", "price": null, "text": "Long."});
            let mut result = PageResult {
                item: Some(item),
                ..PageResult::default()
            };
            of_item(&mut result, &request, &facts);
            (result.rows, result.warnings)
        };
        let (rows, warnings) = read("title, author and price");
        assert_eq!(rows, Some(json!([{"title": "On bread", "author": "Ada Brown"}])));
        assert!(
            warnings.len() == 1 && warnings[0].contains("\"price\""),
            "{warnings:?}"
        );
        assert_eq!(read("only the author").0, Some(json!([{"author": "Ada Brown"}])));
        assert_eq!(read("read the page"), (None, Vec::new()));
    }

    #[test]
    fn columns_come_from_an_explicit_list_only() {
        let mut request = ScrapeRequest::new(vec!["a.example".into()], "x");
        request.output_instructions = Some("Return as JSON".into());
        assert!(requested_columns(&request).is_empty());
        request.output_instructions = Some("csv of title, points and url".into());
        assert_eq!(requested_columns(&request), ["title", "points", "url"]);
    }
}
