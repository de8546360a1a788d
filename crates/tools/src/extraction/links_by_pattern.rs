//! Links that match a pattern.

use std::collections::HashSet;

use page::links::{Link, links, links_in};
use sandbox::Sandbox;
use sandbox::regex::Pattern;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::controls::element::{parse_selector, select_all};
use crate::lists::listing_output::project;
use crate::user_regex::pattern_error;
use crate::{Error, Tool, ToolContext};

/// The tool `extraction.links_by_pattern`.
pub struct ExtractionLinksByPattern;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pattern: Option<String>,
    contains: Option<String>,
    field: String,
    same_domain: bool,
    unique: bool,
    limit: Option<usize>,
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

impl Tool for ExtractionLinksByPattern {
    type Params = Params;
    type Output = Output;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Output, Error> {
        if params.pattern.is_none() && params.contains.is_none() {
            return Err(Error::param(
                "pattern",
                "give a regular expression, or a part of the text with `contains`",
            ));
        }
        let selector = params.selector.as_deref();
        let selector = selector.map(|css| parse_selector("selector", css)).transpose()?;
        let mut candidates = Vec::new();
        for page in context.pages().await? {
            let all: Vec<Link> = match &selector {
                None => links(&page),
                Some(selector) => {
                    let scopes = select_all("selector", page.dom().root(), selector)?;
                    scopes
                        .into_iter()
                        .flat_map(|scope| links_in(&page, scope))
                        .collect()
                }
            };
            let host = page.url().and_then(|url| url.host_str().map(str::to_owned));
            candidates.extend(all.into_iter().map(|link| {
                let internal = host.is_some() && host.as_deref() == link.url.host_str();
                (link, internal)
            }));
        }
        let sandbox = match params.pattern {
            Some(_) => Some(context.sandbox()?.clone()),
            None => None,
        };
        let matches = params.matches(&candidates, sandbox).await?;
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for ((link, internal), matches) in candidates.into_iter().zip(matches) {
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
        let count = found.len();
        let first = found.into_iter().take(params.limit.unwrap_or(usize::MAX));
        let links = first.filter_map(|link| serde_json::to_value(link).ok()).collect();
        Ok(Output {
            links: project(links, params.fields.as_deref())?,
            count,
        })
    }
}

impl Params {
    /// For each link whether its address or its text matches the pattern and contains the part; both ignore case.
    async fn matches(&self, links: &[(Link, bool)], sandbox: Option<Sandbox>) -> Result<Vec<bool>, Error> {
        let of_link = |link: &'_ Link| match self.field.as_str() {
            "text" => [None, Some(link.text.clone())],
            "both" => [Some(link.url.to_string()), Some(link.text.clone())],
            _ => [Some(link.url.to_string()), None],
        };
        let texts: Vec<[Option<String>; 2]> = links.iter().map(|(link, _)| of_link(link)).collect();
        let flat: Vec<&str> = texts.iter().flatten().flatten().map(String::as_str).collect();
        let mut by_pattern = match self.pattern.clone().zip(sandbox) {
            None => vec![true; flat.len()],
            Some((text, sandbox)) => {
                let flags = "i".into();
                let pattern = Pattern { text, flags };
                pattern.test(&sandbox, &flat).await.map_err(pattern_error)?
            }
        }
        .into_iter();
        let part = self.contains.as_ref().map(|part| part.to_lowercase());
        let has_part = |text: &str| {
            part.as_ref()
                .is_none_or(|part| text.to_lowercase().contains(part))
        };
        let mut matches = |text: &String| by_pattern.next().unwrap_or_default() && has_part(text);
        let of_texts = |texts: &[Option<String>; 2]| {
            // Every text takes its own answer, so none may be skipped.
            texts
                .iter()
                .flatten()
                .map(&mut matches)
                .fold(false, |any, one| any | one)
        };
        Ok(texts.iter().map(of_texts).collect())
    }
}
