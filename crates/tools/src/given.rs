//! What a tool works on when its parameters do not say: the text, rows or page that earlier steps left.

use page::Page;
use page::dom::Node;
use serde_json::Value;

use crate::context::ToolContext;
use crate::element::selector;
use crate::error::Error;

/// Most bytes of text that one tool works on.
pub(crate) const LONGEST_TEXT: usize = 2 << 20;
/// Most rows that one tool works on.
pub(crate) const MOST_ROWS: usize = 100_000;

/// The text that is given, else the `text` of an earlier step, else that of the page; empty when there is none.
pub(crate) async fn text(context: &mut ToolContext, given: Option<String>) -> Result<String, Error> {
    let text = match (given, context.input.get("text").and_then(Value::as_str)) {
        (Some(text), _) => text,
        (None, Some(text)) => text.to_owned(),
        (None, None) if context.has_page() => {
            page::text::render(context.page().await?.dom().root(), &page::dom::NodeSet::default())
        }
        (None, None) => String::new(),
    };
    if text.len() > LONGEST_TEXT {
        return Err(Error::TooMuch {
            what: format!("a text of {} bytes", text.len()),
            limit: format!("{LONGEST_TEXT} bytes"),
        });
    }
    Ok(text)
}

/// The rows that are given, else the list of the step before.
pub(crate) fn rows(context: &ToolContext, given: Option<Vec<Value>>) -> Result<Vec<Value>, Error> {
    let rows = given
        .or_else(|| context.list("rows").cloned())
        .unwrap_or_default();
    if rows.len() > MOST_ROWS {
        return Err(Error::TooMuch {
            what: format!("a list of {}", rows.len()),
            limit: format!("{MOST_ROWS} rows"),
        });
    }
    Ok(rows)
}

/// The element that a selector names first; the whole page without one.
pub(crate) fn place<'p>(page: &'p Page, css: Option<&str>) -> Result<Option<Node<'p>>, Error> {
    match css {
        None => Ok(Some(page.dom().root())),
        Some(css) => {
            let wanted = selector("selector", css)?;
            let id = page.dom().select(&wanted).next().map(Node::id);
            Ok(id.map(|it| page.dom().node(it)))
        }
    }
}

/// A cell as a number: a number, or a text that is one or a price.
pub(crate) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => {
            let plain = text.trim().parse::<f64>().ok();
            let price = || {
                locale::price::parse(text, &Default::default())?
                    .amount
                    .parse()
                    .ok()
            };
            plain.or_else(price).filter(|it: &f64| it.is_finite())
        }
        _ => None,
    }
}

/// A cell as a text.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Whether a cell says nothing.
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

/// Words of a text in small letters.
pub(crate) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|it: char| !it.is_alphanumeric() && it != '\'')
        .filter(|it| !it.is_empty())
        .map(str::to_lowercase)
}
