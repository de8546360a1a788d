//! Values of the cells of a table of rows: their texts and numbers, and the names of the fields.

use serde_json::Value;

locale::patterns! {
    /// What something cost before, behind what it costs now: "3 350 zł zamiast 3 550 zł".
    static FORMER = r"(?i)\d[^\d]{0,6}?(?P<former>[\s(,]+(?:zamiast|statt|instead of|was|früher|vorher|bisher|previously|formerly|przedtem|wcześniej|rrp|uvp)\b.*)$";
}

/// The number in a cell: a number, or a text that is one or a price.
pub(crate) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => {
            let plain = |text: &str| text.trim().parse::<f64>().ok();
            let price = || {
                let former = FORMER.captures(text).and_then(|found| found.name("former"));
                let text = text.get(..former.map_or(text.len(), |former| former.start()))?;
                let priced = || {
                    locale::price::parse(text, &Default::default())?
                        .amount
                        .parse()
                        .ok()
                };
                plain(text).or_else(priced)
            };
            plain(text).or_else(price).filter(|it: &f64| it.is_finite())
        }
        _ => None,
    }
}

/// The text of a cell.
pub(crate) fn cell_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The short texts of a row that have no field of their own.
pub(crate) fn details(row: &Value) -> impl Iterator<Item = &str> {
    let texts = row.get("details").and_then(Value::as_array);
    texts.into_iter().flatten().filter_map(Value::as_str)
}

/// Whether a cell is empty or holds a placeholder.
pub(crate) fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => extract::normalize::is_placeholder(text),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// All fields of the rows, in the order they first occur.
pub(crate) fn fields(rows: &[Value]) -> Vec<String> {
    let mut fields: Vec<String> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for name in rows
        .iter()
        .filter_map(Value::as_object)
        .flat_map(serde_json::Map::keys)
    {
        if seen.insert(name.as_str()) {
            fields.push(name.clone());
        }
    }
    fields
}

/// The words of a text in lower case.
pub(crate) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|it| !it.is_empty())
        .map(str::to_lowercase)
}

/// A share rounded to three decimals; 0 when there is nothing to share.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
pub(crate) fn share(part: usize, whole: usize) -> f64 {
    match whole {
        0 => 0.0,
        _ => rounded(part as f64 / whole as f64),
    }
}

/// A number rounded to three decimals.
pub(crate) fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}
