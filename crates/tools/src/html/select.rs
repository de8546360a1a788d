//! Elements that a CSS selector matches.

use serde::{Deserialize, Serialize};

use crate::element::{ElementOutput, element, parse_selector};
use crate::{Error, Tool, ToolContext};

/// The tool `html.select`.
pub struct Select;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    selector: String,
    limit: usize,
}

#[derive(Serialize)]
pub struct Output {
    elements_found: usize,
    selector_used: String,
    elements: Vec<ElementOutput>,
}

impl Tool for Select {
    type Params = Params;
    type Output = Output;

    async fn run(
        &self,
        Params { selector: css, limit }: Params,
        context: &mut ToolContext,
    ) -> Result<Output, Error> {
        let wanted = parse_selector("selector", &css)?;
        let page = context.page().await?;
        let mut found = page.dom().select(&wanted);
        let elements: Vec<ElementOutput> = found.by_ref().take(limit).map(element).collect();
        Ok(Output {
            elements_found: elements.len() + found.count(),
            selector_used: css,
            elements,
        })
    }
}
