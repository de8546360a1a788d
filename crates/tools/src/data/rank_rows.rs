//! Sorting of rows by a field.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::rows;
use crate::rows::clock::clock;
use crate::rows::column_numbers::{ColumnNumbers, is_amount};
use crate::rows::condition::{SAVING, saving};
use crate::rows::days::time_of_day;
use crate::rows::measure_name::{DURATION, MeasureName, Measured};
use crate::rows::paid;
use crate::rows::row_texts::RowTexts;
use crate::rows::text::Measure;
use crate::values::{cell_text, fields};
use crate::words::field_names::{canonical, resolve_field};
use crate::{Error, Tool, ToolContext};

/// The tool `data.rank_rows`.
pub struct DataRankRows;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    rows: Option<Vec<Value>>,
    sort_field: String,
    descending: bool,
    limit: Option<usize>,
    keep_order: bool,
}

/// Measures that rows may have as a field of their own, in units of their own.
const EXTENTS: [&str; 6] = ["size", "weight", "height", "width", "depth", "length"];

impl Tool for DataRankRows {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let mut rows = rows(context, params.rows)?;
        let names = fields(&rows);
        let field = resolve_field(&params.sort_field, &names)
            .or_else(|| paid::field_of(&params.sort_field, &names, &rows))
            .or_else(|| extent_field(&params.sort_field, &names, &rows));
        let is_date = field.and_then(canonical) == Some("date");
        let measure = match field {
            // Dates are ordered as days, however they are written.
            Some(_) if !is_date => None,
            _ => Measure::for_order(&params.sort_field, &rows, &context.row_texts, context.now()),
        };
        let is_saving = params.sort_field == SAVING && rows.iter().any(|row| saving(row).is_some());
        if field.is_none() && measure.is_none() && !is_saving && !rows.is_empty() {
            let problem = format!(
                "no row has {:?}; there are {}",
                params.sort_field,
                names.join(", ")
            );
            if !params.keep_order {
                return Err(Error::param("sort_field", problem));
            }
            let not_applied = [format!("order by {}: {problem}", params.sort_field)];
            rows.truncate(params.limit.unwrap_or(usize::MAX));
            return Ok(
                json!({"count": rows.len(), "rows": rows, "sort_field": params.sort_field, "not_applied": not_applied}),
            );
        }
        let field = field.unwrap_or(&params.sort_field).to_owned();
        let texts = context.row_texts.clone();
        let language = context.language().await;
        let numbers = ColumnNumbers::of(&rows, &field, language.as_deref());
        let now = context.now();
        let read = |row: &Value| numbers.read(row.get(&field)?, now);
        // "Night light 2-pack" is no number, though there is one in it.
        let is_of_texts = is_of_texts(&rows, &field);
        let amount = |row: &Value| match &measure {
            Some(measure) => measure.value(row, &texts),
            None if is_saving => saving(row),
            None if is_of_texts => None,
            None => read(row),
        };
        // Of one day, what is said with its time.
        let is_of_days = [&field, &params.sort_field]
            .map(|name| canonical(name))
            .contains(&Some("date"));
        let by_time = |one: &Value, other: &Value| {
            let time = |row: &Value| {
                let own = text_of(row, &field);
                // What labels say again stands on lines behind the text.
                let first_line = texts.of(row).lines().next().unwrap_or_default();
                let text = if own.is_empty() { first_line } else { &own };
                time_of_day(text, now).or_else(|| clock(text))
            };
            match (time(one), time(other)) {
                (Some(one), Some(other)) if is_of_days => one.total_cmp(&other),
                _ => std::cmp::Ordering::Equal,
            }
        };
        // A row without the field comes last either way.
        let compare = |one: &Value, other: &Value| {
            let text = |row: &Value| locale::fold_diacritics(&locale::fold_case(&text_of(row, &field)));
            let ordered = match (amount(one), amount(other)) {
                (Some(first), Some(second)) => first.total_cmp(&second).then_with(|| by_time(one, other)),
                (None, None) => match (text(one), text(other)) {
                    (one, other) if one.is_empty() || other.is_empty() => {
                        return one.is_empty().cmp(&other.is_empty());
                    }
                    (one, other) => one.cmp(&other),
                },
                (Some(_), None) => return std::cmp::Ordering::Less,
                (None, Some(_)) => return std::cmp::Ordering::Greater,
            };
            if params.descending {
                ordered.reverse()
            } else {
                ordered
            }
        };
        let told = rows
            .iter()
            .filter(|row| amount(row).is_some() || !text_of(row, &field).is_empty())
            .count();
        let mut not_applied = Vec::new();
        if told * 2 < rows.len() {
            not_applied.push(format!(
                "order by {}: only {told} of {} rows tell it",
                params.sort_field,
                rows.len()
            ));
        }
        let by_length = MeasureName::parse(&params.sort_field)
            .is_amount_of(DURATION)
            .then(|| Measure::other(&params.sort_field, &rows, &texts, context.now()))
            .flatten()
            .filter(|_| measure.as_ref().is_some_and(Measure::is_duration));
        let limit = params.limit.unwrap_or(usize::MAX);
        let mut longest = by_length.map(|length| ordered_by(&length, &rows, &texts, params.descending));
        rows.sort_by(compare);
        rows.truncate(limit);
        if let Some(longest) = &mut longest {
            longest.truncate(limit);
        }
        if longest.is_some_and(|longest| longest != rows) {
            not_applied.push(format!(
                "order by {}: the rows tell a length, too, and which of the two is meant is not clear",
                params.sort_field
            ));
        }
        let mut ranked = json!({"count": rows.len(), "rows": rows, "sort_field": params.sort_field});
        if !not_applied.is_empty() {
            ranked["not_applied"] = not_applied.into();
        }
        Ok(ranked)
    }
}

/// The field that has how large or heavy things are by its own name, one amount in most rows: what is smallest among files is so by their
/// "Size".
fn extent_field<'n>(measure: &str, names: &'n [String], rows: &[Value]) -> Option<&'n str> {
    let Measured::Named(name) = MeasureName::parse(measure).measured else {
        return None;
    };
    let field = resolve_field(name, names).filter(|_| EXTENTS.contains(&name))?;
    let told = rows
        .iter()
        .filter_map(|row| row.get(field))
        .filter(|value| is_amount(value));
    (told.count() * 2 > rows.len()).then_some(field)
}

/// The rows in the order of what they state; those that do not state it come last.
fn ordered_by(measure: &Measure, rows: &[Value], texts: &RowTexts, is_descending: bool) -> Vec<Value> {
    let mut stated: Vec<(Option<f64>, &Value)> =
        rows.iter().map(|row| (measure.value(row, texts), row)).collect();
    stated.sort_by(|(one, _), (other, _)| match (one, other) {
        (Some(one), Some(other)) if is_descending => other.total_cmp(one),
        (Some(one), Some(other)) => one.total_cmp(other),
        (one, other) => other.is_some().cmp(&one.is_some()),
    });
    stated.into_iter().map(|(_, row)| row.clone()).collect()
}

/// Whether a field is the name of the rows and most begin with a word, so that their order is that of the alphabet, though there are
/// numbers in some.
fn is_of_texts(rows: &[Value], field: &str) -> bool {
    let values = || rows.iter().filter_map(|row| row.get(field));
    let begins_with_word = |value: &&Value| {
        let text = value.as_str().map(str::trim_start);
        text.is_some_and(|text| text.starts_with(char::is_alphabetic))
    };
    canonical(field) == Some("name")
        && !values().any(Value::is_number)
        && values().filter(begins_with_word).count() * 2 > values().count()
}

fn text_of(row: &Value, field: &str) -> String {
    row.get(field).map(cell_text).unwrap_or_default()
}
