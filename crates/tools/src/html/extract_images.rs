//! Images of a page.

use page::dom::Node;
use page::pictures;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Error, Tool, ToolContext};

/// The tool `html.extract_images`.
pub struct HtmlExtractImages;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    include_lazy: bool,
    limit: usize,
}

impl Tool for HtmlExtractImages {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let page = context.page().await?;
        let source = |node: Node<'_>| {
            let is_address = |src: &&str| !src.trim().is_empty() && !src.starts_with("data:");
            let address = match params.include_lazy {
                true => pictures::address(node),
                false => node.attr("src").filter(is_address),
            };
            page.absolute(address?)
        };
        let found: Vec<Value> = page
            .dom()
            .by_tag("img")
            .filter_map(|image| {
                Some(json!({"src": source(image)?, "alt": image.attr("alt"), "title": image.attr("title")}))
            })
            .take(params.limit)
            .collect();
        Ok(json!({"count": found.len(), "images": found}))
    }
}
