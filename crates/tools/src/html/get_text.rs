//! Visible text of a page or element.

use page::dom::NodeSet;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::{MAX_TEXT_BYTES, scope};
use crate::{Error, Tool, ToolContext};
use locale::truncate;

/// The tool `html.get_text`.
pub struct HtmlGetText;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    selector: Option<String>,
    separator: String,
}

impl Tool for HtmlGetText {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let page = context.page().await?;
        let Some(node) = scope(&page, params.selector.as_deref())? else {
            return Ok(json!({"text": "", "length": 0, "empty": true}));
        };
        let text = page::text::render(node, &NodeSet::default());
        let text = if params.separator == "\n" {
            text
        } else {
            text.lines()
                .filter(|it| !it.is_empty())
                .collect::<Vec<_>>()
                .join(&params.separator)
        };
        if text.len() > MAX_TEXT_BYTES {
            context.warn("the text is cut");
        }
        let text = truncate(&text, MAX_TEXT_BYTES);
        Ok(json!({"length": text.chars().count(), "empty": text.is_empty(), "text": text}))
    }
}
