//! Images of a page.

use page::dom::Node;
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
        let lazy = ["data-src", "data-lazy-src", "data-original"];
        let source = |node: Node<'_>| {
            let later = lazy
                .iter()
                .find_map(|it| node.attr(it))
                .filter(|_| params.include_lazy);
            let plain = node.attr("src").filter(|it| !it.starts_with("data:"));
            let set = || {
                node.attr("srcset")
                    .filter(|_| params.include_lazy)?
                    .split(',')
                    .next()?
                    .split_whitespace()
                    .next()
            };
            page.absolute(later.or(plain).or_else(set)?)
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
