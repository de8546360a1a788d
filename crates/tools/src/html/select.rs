//! Elements that a CSS selector matches.

use serde::{Deserialize, Serialize};

use crate::controls::element::{ElementOutput, element, parse_selector, select_all};
use crate::{Error, Tool, ToolContext};

/// The tool `html.select`.
pub struct HtmlSelect;

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

impl Tool for HtmlSelect {
    type Params = Params;
    type Output = Output;

    async fn run(
        &self,
        Params { selector: css, limit }: Params,
        context: &mut ToolContext,
    ) -> Result<Output, Error> {
        let wanted = parse_selector("selector", &css)?;
        let page = context.page().await?;
        let found = select_all("selector", page.dom().root(), &wanted)?;
        Ok(Output {
            elements_found: found.len(),
            selector_used: css,
            elements: found.into_iter().take(limit).map(element).collect(),
        })
    }
}
