//! Links that match a pattern.

use std::collections::HashSet;

use page::links::{links, links_in};
use regex::RegexBuilder;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::element::parse_selector;
use crate::product_listing::project;
use crate::{Error, Tool, ToolContext};

/// The tool `extraction.links_by_pattern`.
pub struct LinksByPattern;

/// Parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pattern: Option<String>,
    contains: Option<String>,
    field: String,
    same_domain: bool,
    unique: bool,
    limit: usize,
    selector: Option<String>,
    fields: Option<Vec<String>>,
}

/// Output.
#[derive(Serialize)]
pub struct Output {
    links: Vec<Value>,
    count: usize,
}

#[derive(Serialize)]
struct MatchedLink {
    url: String,
    text: String,
    rel: String,
    internal: bool,
}

/// Largest compiled pattern, in bytes.
const MOST_PATTERN: usize = 1 << 20;

impl Tool for LinksByPattern {
    type Params = Params;
    type Output = Output;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Output, Error> {
        let pattern = match (&params.pattern, &params.contains) {
            (None, None) => {
                return Err(Error::param(
                    "pattern",
                    "give a regular expression, or a part of the text with `contains`",
                ));
            }
            (pattern, contains) => {
                let source = pattern
                    .clone()
                    .unwrap_or_else(|| regex::escape(contains.as_deref().unwrap_or_default()));
                let built = RegexBuilder::new(&source)
                    .case_insensitive(true)
                    .size_limit(MOST_PATTERN)
                    .build();
                built.map_err(|error| {
                    Error::param(
                        "pattern",
                        format!("it is no regular expression of the linear kind: {error}"),
                    )
                })?
            }
        };
        let also = params
            .contains
            .as_deref()
            .filter(|_| params.pattern.is_some())
            .map(str::to_lowercase);
        let fits = |text: &str| {
            pattern.is_match(text)
                && also
                    .as_ref()
                    .is_none_or(|it| text.to_lowercase().contains(it.as_str()))
        };
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for page in context.pages().await? {
            let all = match &params.selector {
                None => links(&page),
                Some(css) => {
                    let selector = parse_selector("selector", css)?;
                    page.dom()
                        .select(&selector)
                        .flat_map(|it| links_in(&page, it))
                        .collect()
                }
            };
            for link in all {
                let internal = page.url().is_some_and(|it| it.host_str() == link.url.host_str());
                let hit = match params.field.as_str() {
                    "text" => fits(&link.text),
                    "both" => fits(link.url.as_str()) || fits(&link.text),
                    _ => fits(link.url.as_str()),
                };
                if !hit
                    || (params.same_domain && !internal)
                    || (params.unique && !seen.insert(link.url.clone()))
                {
                    continue;
                }
                found.push(MatchedLink {
                    url: link.url.to_string(),
                    text: link.text,
                    rel: link.rel,
                    internal,
                });
            }
        }
        let count = found.len();
        let kept = found
            .into_iter()
            .take(params.limit)
            .filter_map(|it| serde_json::to_value(it).ok())
            .collect();
        Ok(Output {
            links: project(kept, params.fields.as_deref())?,
            count,
        })
    }
}
