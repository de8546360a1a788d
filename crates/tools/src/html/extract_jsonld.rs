//! JSON-LD objects of a page.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Error, Tool, ToolContext};

/// The tool `html.extract_jsonld`.
pub struct HtmlExtractJsonld;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    limit: usize,
}

impl Tool for HtmlExtractJsonld {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let page = context.page().await?;
        let items: Vec<Value> = page::meta::jsonld(&page).into_iter().take(params.limit).collect();
        Ok(json!({"count": items.len(), "items": items}))
    }
}
