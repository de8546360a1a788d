//! Which element matches a selector first?

use serde::Deserialize;
use serde_json::{Value, json};

use crate::element::{element, selector};
use crate::{Error, Tool, ToolContext};

/// The tool `html.select_one`.
pub struct SelectOne;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    selector: String,
}

impl Tool for SelectOne {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let page = context.page().await?;
        let wanted = selector("selector", &params.selector)?;
        let first = page.dom().select(&wanted).next().map(element);
        Ok(json!({"found": first.is_some(), "element": first}))
    }
}
