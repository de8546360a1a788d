//! Title and size of a page.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Error, Tool, ToolContext};

/// The tool `html.parse`.
pub struct HtmlParse;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {}

impl Tool for HtmlParse {
    type Params = Params;
    type Output = Value;

    async fn run(&self, _: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let page = context.page().await?;
        let elements = page.dom().nodes().filter(|it| it.is_element()).count();
        let title = page
            .dom()
            .by_tag("title")
            .next()
            .map(|it| it.text())
            .unwrap_or_default();
        Ok(
            json!({"parsed": elements > 0, "title": title, "elements": elements, "bytes": page.html().len(), "cut": page.dom().truncation().is_some()}),
        )
    }
}
