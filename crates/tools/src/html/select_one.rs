//! Which element matches a selector first?

use serde::Deserialize;
use serde_json::{Value, json};

use crate::element::{element, selector};
use crate::{Cx, Error, Tool};

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

    async fn run(&self, params: Params, cx: &mut Cx) -> Result<Value, Error> {
        let page = cx.page().await?;
        let wanted = selector("selector", &params.selector)?;
        let first = page.dom().select(&wanted).next().map(element);
        Ok(json!({"found": first.is_some(), "element": first}))
    }
}
