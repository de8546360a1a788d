//! Columns that rows lack and that their texts state, or have at a place of its own.

use serde_json::Value;

use crate::context::ToolContext;
use crate::rows::pieces;
use crate::rows::text::Measure;
use crate::values::{details, fields};
use crate::words::concepts::{self, alternatives, are_same};
use crate::words::field_names::resolve_field;
use crate::words::word_forms::tokens;

/// Adds to the rows of an answer the columns that they lack and that their texts state as a number, as a day, beside a
/// label, or at a place that answers the column.
pub fn add_columns(answer: &mut Value, columns: &[String], context: &ToolContext) {
    let Some(rows) = answer.as_array_mut() else { return };
    let names = fields(rows);
    add_name(rows, columns, &names, context);
    let names = fields(rows);
    for column in columns
        .iter()
        .filter(|column| resolve_field(column, &names).is_none())
    {
        // Places and persons are no numbers, and "Town Hall" is no hall of a town: their place in the entries comes first.
        let is_of_words = pieces::is_of_words(column);
        let measure = (!is_of_words)
            .then(|| Measure::of_column(column, rows, &context.row_texts, context.now()))
            .flatten();
        let is_labelled = || measure.is_some() || rows.iter().any(|row| labelled(column, row).is_some());
        let mut pieces = (is_of_words || !is_labelled())
            .then(|| context.row_pieces.column(column, rows))
            .flatten()
            .map(Vec::into_iter);
        for row in rows.iter_mut() {
            let value = match (&measure, &mut pieces) {
                (Some(measure), _) => measure.shown(row, &context.row_texts),
                (None, Some(pieces)) => pieces.next().flatten().map(Value::from),
                (None, None) => labelled(column, row).map(Value::from),
            };
            if let (Some(value), Some(row)) = (value, row.as_object_mut()) {
                row.insert(column.clone(), value);
            }
        }
    }
}

/// Gives the name of the entries as the first column, where nothing else is called so and no other column is their name: "model and
/// price" of phones.
fn add_name(rows: &mut [Value], columns: &[String], names: &[String], context: &ToolContext) {
    let Some(first) = columns.first() else { return };
    let Some(name) = resolve_field("name", names) else {
        return;
    };
    let is_named = columns
        .iter()
        .any(|column| resolve_field(column, names) == Some(name));
    if is_named {
        return;
    }
    let is_known = resolve_field(first, names).is_some()
        || concepts::field(first).is_some()
        || Measure::of_column(first, rows, &context.row_texts, context.now()).is_some()
        || rows.iter().any(|row| labelled(first, row).is_some())
        || context.row_pieces.column(first, rows).is_some();
    if is_known {
        return;
    }
    for row in rows {
        let value = row.get(name).cloned();
        if let (Some(value), Some(row)) = (value, row.as_object_mut()) {
            row.insert(first.clone(), value);
        }
    }
}

/// The value that one of a row's short texts has beside a name: `A` of "Energieeffizienzklasse A".
fn labelled(name: &str, row: &Value) -> Option<String> {
    let phrases = alternatives(&name.replace('_', " "));
    let beside = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        phrases.iter().find_map(|phrase| {
            let is = |words: &[&str]| {
                are_same(
                    &words.iter().flat_map(|word| tokens(word)).collect::<Vec<_>>(),
                    phrase,
                )
            };
            let behind = words
                .get(phrase.len()..)
                .filter(|rest| !rest.is_empty() && words.get(..phrase.len()).is_some_and(is));
            let before = words.len().checked_sub(phrase.len()).filter(|end| *end > 0);
            let before = before.and_then(|end| words.get(..end).filter(|_| words.get(end..).is_some_and(is)));
            behind
                .or(before)
                .map(|words| words.join(" ").trim_start_matches(':').trim().to_owned())
        })
    };
    details(row).find_map(beside)
}
