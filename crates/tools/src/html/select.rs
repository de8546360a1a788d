//! Which elements does a CSS selector match?

use serde::{Deserialize, Serialize};

use crate::element::{Element, element, selector};
use crate::{Error, Tool, ToolContext};

/// The tool `html.select`.
pub struct Select;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    selector: String,
    limit: usize,
}

/// What it gives.
#[derive(Serialize)]
pub struct Output {
    elements_found: usize,
    selector_used: String,
    elements: Vec<Element>,
}

impl Tool for Select {
    type Params = Params;
    type Output = Output;

    async fn run(
        &self,
        Params { selector: css, limit }: Params,
        context: &mut ToolContext,
    ) -> Result<Output, Error> {
        let wanted = selector("selector", &css)?;
        let page = context.page().await?;
        let mut found = page.dom().select(&wanted);
        let elements: Vec<Element> = found.by_ref().take(limit).map(element).collect();
        Ok(Output {
            elements_found: elements.len() + found.count(),
            selector_used: css,
            elements,
        })
    }
}
