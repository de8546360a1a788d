//! Links that match a pattern.

use std::collections::HashSet;

use page::links::{Link, links, links_in};
use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::element::{parse_selector, select_all};
use crate::listing_output::project;
use crate::{Error, Tool, ToolContext};

/// The tool `extraction.links_by_pattern`.
pub struct LinksByPattern;

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
const MAX_PATTERN_BYTES: usize = 1 << 20;

impl Tool for LinksByPattern {
    type Params = Params;
    type Output = Output;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Output, Error> {
        let filter = TextFilter::new(params.pattern.as_deref(), params.contains.as_deref())?;
        let selector = params.selector.as_deref();
        let selector = selector.map(|css| parse_selector("selector", css)).transpose()?;
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for page in context.pages().await? {
            let all: Vec<Link> = match &selector {
                None => links(&page),
                Some(selector) => {
                    let scopes = select_all("selector", page.dom().root(), selector)?;
                    scopes.into_iter().flat_map(|scope| links_in(&page, scope)).collect()
                }
            };
            for link in all {
                let internal = page
                    .url()
                    .is_some_and(|url| url.host_str() == link.url.host_str());
                let matches = match params.field.as_str() {
                    "text" => filter.matches(&link.text),
                    "both" => filter.matches(link.url.as_str()) || filter.matches(&link.text),
                    _ => filter.matches(link.url.as_str()),
                };
                if matches
                    && (internal || !params.same_domain)
                    && (!params.unique || seen.insert(link.url.clone()))
                {
                    found.push(MatchedLink {
                        url: link.url.to_string(),
                        text: link.text,
                        rel: link.rel,
                        internal,
                    });
                }
            }
        }
        let count = found.len();
        let first = found.into_iter().take(params.limit);
        let links = first.filter_map(|link| serde_json::to_value(link).ok()).collect();
        Ok(Output {
            links: project(links, params.fields.as_deref())?,
            count,
        })
    }
}

/// A pattern that a text must match, and a part that it must contain; both ignore case.
struct TextFilter {
    pattern: Regex,
    part: Option<String>,
}

impl TextFilter {
    /// A filter by a pattern, by a part, or by both.
    fn new(pattern: Option<&str>, contains: Option<&str>) -> Result<TextFilter, Error> {
        let source = match (pattern, contains) {
            (Some(pattern), _) => pattern.to_owned(),
            (None, Some(part)) => regex::escape(part),
            (None, None) => {
                return Err(Error::param(
                    "pattern",
                    "give a regular expression, or a part of the text with `contains`",
                ));
            }
        };
        let built = RegexBuilder::new(&source)
            .case_insensitive(true)
            .size_limit(MAX_PATTERN_BYTES)
            .build();
        let pattern_error = |error| {
            Error::param(
                "pattern",
                format!("it is no regular expression of the linear kind: {error}"),
            )
        };
        Ok(TextFilter {
            pattern: built.map_err(pattern_error)?,
            part: contains.filter(|_| pattern.is_some()).map(str::to_lowercase),
        })
    }

    fn matches(&self, text: &str) -> bool {
        let has_part = |part: &String| text.to_lowercase().contains(part.as_str());
        self.pattern.is_match(text) && self.part.as_ref().is_none_or(has_part)
    }
}
