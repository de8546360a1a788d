//! The first element that a CSS selector matches.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::controls::element::{element, parse_selector, select_first};
use crate::{Error, Tool, ToolContext};

/// The tool `html.select_one`.
pub struct HtmlSelectOne;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    selector: String,
}

impl Tool for HtmlSelectOne {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let page = context.page().await?;
        let wanted = parse_selector("selector", &params.selector)?;
        let first = select_first("selector", page.dom().root(), &wanted)?.map(element);
        Ok(json!({"found": first.is_some(), "element": first}))
    }
}
