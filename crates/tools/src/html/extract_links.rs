//! Links of a page.

use sandbox::regex::Pattern;
use serde::Deserialize;
use serde_json::{Value, json};

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
        let mut links = page::links::links(&page);
        if let Some(base) = &params.base_url {
            links.retain(|link| link.url.as_str().starts_with(base.as_str()));
        }
        if let Some(text) = params.filter_pattern {
            let flags = String::new();
            let urls: Vec<&str> = links.iter().map(|link| link.url.as_str()).collect();
            let matches = Pattern { text, flags }.test(context.sandbox()?, &urls).await;
            let matches = matches
                .map_err(|error| Error::of_sandbox("filter_pattern", "matching filter_pattern", error))?;
            let mut matches = matches.into_iter();
            links.retain(|_| matches.next().unwrap_or_default());
        }
        let found: Vec<Value> = links
            .into_iter()
            .take(params.limit)
            .map(|it| json!({"url": it.url, "text": truncate(&it.text, 300), "title": page.dom().node(it.node).attr("title"), "rel": it.rel}))
            .collect();
        Ok(json!({"count": found.len(), "links": found}))
    }
}
