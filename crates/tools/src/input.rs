//! Inputs that tools share: text, rows and elements from parameters or earlier steps, and values of cells.

use page::Page;
use page::dom::Node;
use serde::Deserialize;
use serde_json::Value;

use crate::context::ToolContext;
use crate::element::{parse_selector, select_first};
use crate::error::Error;

/// Most bytes of text that one tool works on.
pub(crate) const MAX_TEXT_BYTES: usize = 2 << 20;
/// Most rows that one tool works on.
pub(crate) const MAX_ROWS: usize = 100_000;

/// Parameters of tools that read a text.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TextParams {
    pub(crate) text: Option<String>,
}

/// Parameters of tools that find things in a text.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TextSearchParams {
    pub(crate) text: Option<String>,
    pub(crate) limit: usize,
}

/// Parameters of tools that take a text which must be given.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RequiredTextParams {
    pub(crate) text: String,
}

/// Parameters of tools that read rows.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RowsParams {
    pub(crate) rows: Option<Vec<Value>>,
}

/// Parameters of tools that read elements of a page.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ElementsParams {
    pub(crate) selector: Option<String>,
    pub(crate) limit: usize,
}

/// The text of the parameter, else the `text` of an earlier step, else that of the page; empty when there is none.
pub(crate) async fn text(context: &mut ToolContext, parameter: Option<String>) -> Result<String, Error> {
    let text = match (parameter, context.input.get("text").and_then(Value::as_str)) {
        (Some(text), _) => text,
        (None, Some(text)) => text.to_owned(),
        (None, None) if context.has_page() => {
            page::text::render(context.page().await?.dom().root(), &page::dom::NodeSet::default())
        }
        (None, None) => String::new(),
    };
    if text.len() > MAX_TEXT_BYTES {
        return Err(Error::TooMuch {
            what: format!("a text of {} bytes", text.len()),
            limit: format!("{MAX_TEXT_BYTES} bytes"),
        });
    }
    Ok(text)
}

/// The rows of the parameter, else the list of the step before.
pub(crate) fn rows(context: &ToolContext, parameter: Option<Vec<Value>>) -> Result<Vec<Value>, Error> {
    let rows = parameter
        .or_else(|| context.list("rows").cloned())
        .unwrap_or_default();
    if rows.len() > MAX_ROWS {
        return Err(Error::TooMuch {
            what: format!("a list of {}", rows.len()),
            limit: format!("{MAX_ROWS} rows"),
        });
    }
    Ok(rows)
}

/// The first element that a selector matches; the root of the page without one.
pub(crate) fn scope<'p>(page: &'p Page, css: Option<&str>) -> Result<Option<Node<'p>>, Error> {
    match css {
        None => Ok(Some(page.dom().root())),
        Some(css) => {
            let wanted = parse_selector("selector", css)?;
            select_first("selector", page.dom().root(), &wanted)
        }
    }
}

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
