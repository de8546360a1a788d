//! ExtractionInput: a page made ready for questions to a model.

use std::collections::HashSet;

use page::Page;
use page::quote::QuoteMatcher;
use serde_json::Value;
use url::Url;

use crate::item::Item;
use crate::mode::{Error, ExtractionRequest};
use crate::modes::rule_based;
use crate::rules::content;
use crate::rules::published::{self, DateLocale};
use crate::rules::visible_page::meta;

use super::passages::Passages;
use super::prompt;
use super::tool_results::{self, ToolFinding};

/// A page made ready for questions: what the rules read of it, its text in passages, and the text that quotes are looked
/// up in. Making it is pure computing.
#[derive(Debug, Clone)]
pub struct ExtractionInput {
    /// What the rules read.
    pub item: Item,
    pub(super) passages: Passages,
    /// What the page says of itself in its head, one line each.
    pub(super) head: Vec<(String, String)>,
    /// The segments of its address in words; empty where they say nothing.
    pub(super) address: String,
    /// What earlier readings of the site learned; empty where nothing is known.
    pub(super) memory: String,
    pub(super) ground: QuoteMatcher,
    /// Texts of links with where they lead.
    pub(super) links: Vec<(String, String)>,
    /// How the page writes days.
    pub(super) date_locale: DateLocale,
    /// What tools found on the page.
    pub(super) findings: Vec<ToolFinding>,
    /// Address of the icon of the page.
    pub(super) favicon: Option<String>,
}

/// Most links that are kept.
const MOST_LINKS: usize = 5000;
/// Bytes that a question shows of what is known of the site.
pub(super) const MEMORY: usize = 1_500;
/// Longest text of the head that is shown, in characters.
const HEAD: usize = 400;

impl ExtractionInput {
    /// Reads a page.
    ///
    /// # Errors
    /// When there is nothing on it to read.
    pub fn of(page: &Page, request: &ExtractionRequest) -> Result<ExtractionInput, Error> {
        // Which fields are wanted narrows what is kept in the end, not what is known in between.
        let all = ExtractionRequest {
            fields: Vec::new(),
            ..request.clone()
        };
        let item = rule_based::read(page, &all)?;
        let found = content::find(page);
        let title = item.text("title").or_else(|| item.text("job_title"));
        let passages = Passages::of(page, &found, title);
        let head = head(page);
        let mut text = passages.text();
        for (_, line) in &head {
            text.push_str(line);
            text.push('\n');
        }
        let address = page.url().map(address_words).unwrap_or_default();
        let links = page::links::links(page);
        let links = links
            .into_iter()
            .filter(|link| !link.text.is_empty())
            .take(MOST_LINKS);
        Ok(ExtractionInput {
            item,
            passages,
            head,
            address,
            memory: String::new(),
            ground: QuoteMatcher::of(text),
            date_locale: published::locale(page),
            findings: Vec::new(),
            links: links.map(|link| (link.text, String::from(link.url))).collect(),
            favicon: favicon(page),
        })
    }

    /// The same with what tools found on the page: each question shows it, and answers may quote it.
    #[must_use]
    pub fn with_seen(mut self, findings: Vec<ToolFinding>) -> ExtractionInput {
        if !findings.is_empty() {
            self.ground = QuoteMatcher::of(format!(
                "{}\n{}",
                self.ground.text(),
                tool_results::all_text(&findings)
            ));
            self.findings = findings;
        }
        self
    }
}

impl ExtractionInput {
    /// The same with what earlier readings of the site learned: each question shows it as data.
    #[must_use]
    pub fn with_memory(mut self, memory: String) -> ExtractionInput {
        self.memory = memory;
        self
    }

    /// What is known of the site, quoted for a question.
    pub(super) fn quoted_memory(&self) -> Option<String> {
        (!self.memory.is_empty()).then(|| prompt::quoted(&self.memory, MEMORY).to_string())
    }

    /// The line of a question that says the segments of the address in words; empty where there are none.
    pub(super) fn address_line(&self) -> String {
        if self.address.is_empty() {
            return String::new();
        }
        format!("segments of the address: {}\n", self.address)
    }

    /// Hosts of addresses within a value that the page does not name.
    pub(super) fn strangers(&self, value: &Value) -> Vec<String> {
        let mut known: HashSet<String> = self.links.iter().filter_map(|(_, url)| host(url)).collect();
        known.extend(host(&self.item.url));
        known.extend(
            ADDRESS
                .find_iter(self.ground.text())
                .filter_map(|found| host(found.as_str())),
        );
        let mut strangers = Vec::new();
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match value {
                Value::String(text) => {
                    let hosts = ADDRESS.find_iter(text).filter_map(|found| host(found.as_str()));
                    strangers.extend(hosts.filter(|host| !known.contains(host)));
                }
                Value::Array(entries) => open.extend(entries),
                Value::Object(fields) => open.extend(fields.values()),
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
        strangers.sort();
        strangers.dedup();
        strangers
    }
}

locale::patterns! {
    static ADDRESS = r#"(?i)\bhttps?://[^\s<>"'`)\]}]+"#;
}

fn host(address: &str) -> Option<String> {
    Some(Url::parse(address).ok()?.host_str()?.to_owned())
}

/// The filled fields of an item, one a line, long values cut.
pub(super) fn known_fields(item: &Item) -> String {
    const LONGEST: usize = 120;
    let mut known = String::new();
    for (field, value) in item.fields() {
        let text = match value {
            Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            _ => continue,
        };
        let twice = field == "name" && item.get("title") == Some(value)
            || field == "summary" && item.get("description") == Some(value);
        if twice || matches!(field.as_str(), "text" | "image" | "url" | "language") {
            continue;
        }
        let text: String = text.chars().take(LONGEST).collect();
        known.push_str(&format!("{field}: {text}\n"));
    }
    known.truncate(known.trim_end().len());
    known
}

/// The segments of a page's path in words: what a site calls the section and the thing.
fn address_words(url: &Url) -> String {
    let segments = url.path_segments().into_iter().flatten();
    let words = segments.filter_map(|segment| {
        let segment = percent_encoding::percent_decode_str(segment).decode_utf8_lossy();
        let name = segment.rsplit_once('.').map_or(&*segment, |(name, _)| name);
        let words: Vec<&str> = name
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        (!words.is_empty()).then(|| words.join(" "))
    });
    let all = words.collect::<Vec<_>>().join(" > ");
    all.chars().take(HEAD).collect()
}

/// The titles, the description and the topics in the head.
fn head(page: &Page) -> Vec<(String, String)> {
    let dom = page.dom();
    let title = dom.by_tag("title").next().map(|title| title.raw_text());
    let stated = [
        ("title", title.as_deref().map(str::to_owned)),
        ("og:title", meta(dom, "og:title").map(page::meta::decode_entities)),
        (
            "description",
            meta(dom, "description").map(page::meta::decode_entities),
        ),
        (
            "og:site_name",
            meta(dom, "og:site_name").map(page::meta::decode_entities),
        ),
        ("og:type", meta(dom, "og:type").map(page::meta::decode_entities)),
        (
            "section",
            meta(dom, "article:section").map(page::meta::decode_entities),
        ),
        ("keywords", meta(dom, "keywords").map(page::meta::decode_entities)),
    ];
    let mut head: Vec<(String, String)> = Vec::new();
    for (name, text) in stated {
        let text = text.unwrap_or_default();
        let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let line: String = line.chars().take(HEAD).collect();
        if !line.is_empty() && !head.iter().any(|(_, known)| *known == line) {
            head.push((name.to_owned(), line));
        }
    }
    head
}

fn favicon(page: &Page) -> Option<String> {
    let icon = page.dom().by_tag("link").find(|link| {
        let rel = link.attr("rel").unwrap_or_default();
        let names = rel.split_ascii_whitespace();
        names
            .into_iter()
            .any(|relation| relation.eq_ignore_ascii_case("icon"))
            && link.attr("href").is_some()
    });
    let href = icon.and_then(|link| link.attr("href").map(str::to_owned));
    match href.filter(|href| !href.starts_with("data:")) {
        Some(href) => page.absolute(&href).map(String::from),
        None => page.url()?.join("/favicon.ico").ok().map(String::from),
    }
}
