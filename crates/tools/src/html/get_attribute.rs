//! Values of an attribute of the elements that a selector matches.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::controls::element::{parse_selector, select_all};
use crate::{Error, Tool, ToolContext};

/// The tool `html.get_attribute`.
pub struct HtmlGetAttribute;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    selector: String,
    attribute: String,
}

impl Tool for HtmlGetAttribute {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let page = context.page().await?;
        let wanted = parse_selector("selector", &params.selector)?;
        let name = params.attribute.to_ascii_lowercase();
        let values: Vec<&str> = select_all("selector", page.dom().root(), &wanted)?
            .into_iter()
            .filter_map(|it| it.attr(&name))
            .take(1000)
            .collect();
        Ok(json!({"found": !values.is_empty(), "value": values.first(), "values": values}))
    }
}
