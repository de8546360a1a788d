//! Title, meta tags and Open Graph data of a page.

use page::meta::Metadata;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Error, Tool, ToolContext};

/// The tool `html.extract_meta`.
pub struct HtmlExtractMeta;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    include_og: bool,
}

impl Tool for HtmlExtractMeta {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let page = context.page().await?;
        let read = Metadata::read(&page);
        let title = page
            .dom()
            .by_tag("title")
            .next()
            .map(|it| it.text())
            .unwrap_or_default();
        let og = read.opengraph.first().filter(|_| params.include_og);
        Ok(
            json!({"title": title, "count": read.meta.len(), "empty": title.is_empty() && read.meta.is_empty(), "meta": read.meta, "opengraph": og}),
        )
    }
}
