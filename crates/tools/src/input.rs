//! Inputs that tools share: text, rows and elements from parameters or earlier steps.

use page::Page;
use page::dom::Node;
use serde::Deserialize;
use serde_json::Value;

use crate::context::ToolContext;
use crate::controls::element::{parse_selector, select_first};
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

/// The text of the parameter, else the `text` of an earlier step, else that of the page, or of all pages after a walk through them;
/// empty when there is none.
pub(crate) async fn text(context: &mut ToolContext, parameter: Option<String>) -> Result<String, Error> {
    let text = match (parameter, context.input.get("text").and_then(Value::as_str)) {
        (Some(text), _) => text,
        (None, Some(text)) => text.to_owned(),
        (None, None) if context.has_page() => {
            let pages = context.pages().await?;
            let texts = pages
                .iter()
                .map(|page| page::text::render(page.dom().root(), &page::dom::NodeSet::default()));
            texts.collect::<Vec<_>>().join("\n\n")
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
