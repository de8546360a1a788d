//! Links of a page.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::manifest::format::pattern;
use crate::{Error, Tool, ToolContext};
use locale::truncate;

/// The tool `html.extract_links`.
pub struct ExtractLinks;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    base_url: Option<String>,
    filter_pattern: Option<String>,
    limit: usize,
}

impl Tool for ExtractLinks {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let page = context.page().await?;
        let pattern = params
            .filter_pattern
            .map(|it| pattern(&it, false))
            .transpose()
            .map_err(|why| Error::param("filter_pattern", why))?;
        let fits = |url: &str| {
            params
                .base_url
                .as_ref()
                .is_none_or(|it| url.starts_with(it.as_str()))
                && pattern.as_ref().is_none_or(|it| it.is_match(url))
        };
        let found: Vec<Value> = page::links::links(&page)
            .into_iter()
            .filter(|it| fits(it.url.as_str()))
            .take(params.limit)
            .map(|it| json!({"url": it.url, "text": truncate(&it.text, 300), "title": page.dom().node(it.node).attr("title"), "rel": it.rel}))
            .collect();
        Ok(json!({"count": found.len(), "links": found}))
    }
}
