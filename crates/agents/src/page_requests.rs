//! A page as Markdown, with what it says about itself: the work behind a request that waits for its answer.

use extract::mode::ExtractionRequest;
use extract::modes::rule_based;
use extract::rules::content;
use extract::rules::visible_page::meta;
use page::{Page, markdown as md};
use serde_json::{Map, Value};
use wire::error::ErrorBody;
use wire::tabstack::{ContentScope, MarkdownRequest, MarkdownResponse, PageMetadata};

use crate::services::AgentServices;

mod fetch;
mod front_matter;
mod json;
mod quoted;
mod read;
mod search;

use fetch::{PageRequest, empty_page_error, fetch, off_thread};
pub use json::{ShapedPage, extract, generate};
pub use quoted::quoted;
pub use read::read;
pub(crate) use read::{read_anew, rendered};
pub use search::search;

/// Most keywords that are told.
const MOST_KEYWORDS: usize = 50;

/// Opens a page and writes it as Markdown. Dropping the future stops the fetch.
///
/// # Errors
/// When there is no such page, it may not be reached, or there is nothing on it to read.
pub async fn markdown(
    services: &AgentServices,
    request: &MarkdownRequest,
) -> Result<MarkdownResponse, ErrorBody> {
    let (visit, page) = fetch(
        services,
        PageRequest {
            url: &request.url,
            effort: request.effort,
            nocache: request.nocache,
            geo_target: request.geo_target.as_ref(),
            fetch: &request.fetch,
        },
    )
    .await?;
    let (wants, url) = (request.clone(), visit.url.to_string());
    let (content, metadata) = off_thread(move || written(&page, &wants)).await?;
    if content.trim().is_empty() {
        return Err(empty_page_error(&visit));
    }
    Ok(if request.metadata {
        MarkdownResponse {
            content,
            url,
            metadata: Some(metadata),
        }
    } else {
        MarkdownResponse {
            content: format!("{}{content}", front_matter::front_matter(&metadata)),
            url,
            metadata: None,
        }
    })
}

fn written(page: &Page, wants: &MarkdownRequest) -> (String, PageMetadata) {
    let content = match wants.content {
        ContentScope::Full => md::render_page(page),
        ContentScope::Main => content::main_markdown(page),
    };
    (content, metadata(page))
}

/// What a page says about itself: what the rules read, and plain `<meta>` where they are silent.
fn metadata(page: &Page) -> PageMetadata {
    let item = rule_based::read(page, &ExtractionRequest::default()).ok();
    let fields = item
        .as_ref()
        .map(|item| item.fields().clone())
        .unwrap_or_default();
    let field = |name: &str| text(&fields, name);
    let tag = |names: &[&str]| {
        names
            .iter()
            .find_map(|name| meta(page.dom(), name).map(page::meta::decode_entities))
    };
    let address = |names: &[&str]| tag(names).and_then(|tag| page.absolute(&tag)).map(String::from);
    PageMetadata {
        author: field("author").or_else(|| tag(&["author", "article:author"])),
        created_at: field("date_published").or_else(|| tag(&["article:published_time", "date"])),
        creator: tag(&["twitter:creator"]),
        description: tag(&["description", "og:description"]).or_else(|| field("description")),
        favicon: favicon(page),
        image: address(&["og:image", "twitter:image"]).or_else(|| field("image")),
        keywords: keywords(page, &fields),
        modified_at: field("date_modified").or_else(|| tag(&["article:modified_time", "last-modified"])),
        publisher: field("publisher").or_else(|| tag(&["publisher", "article:publisher", "dc.publisher"])),
        site_name: field("site_name").or_else(|| tag(&["og:site_name", "application-name"])),
        title: field("title").or_else(|| tag(&["og:title"])),
        type_: tag(&["og:type"]),
        url: address(&["og:url"]).or_else(|| linked(page, "canonical")),
        ..PageMetadata::default()
    }
}

fn text(fields: &Map<String, Value>, name: &str) -> Option<String> {
    match fields.get(name)? {
        Value::String(text) => Some(text.clone()),
        Value::Array(list) => {
            let texts: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
            Some(texts.join(", "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
    .filter(|it| !it.trim().is_empty())
}

fn keywords(page: &Page, fields: &Map<String, Value>) -> Option<Vec<String>> {
    let told = match fields.get("keywords") {
        Some(Value::Array(list)) => list
            .iter()
            .filter_map(Value::as_str)
            .collect::<Vec<_>>()
            .join(","),
        Some(Value::String(text)) => text.clone(),
        _ => meta(page.dom(), "keywords").map(page::meta::decode_entities)?,
    };
    let words = told.split([',', ';']).map(str::trim).filter(|it| !it.is_empty());
    let words: Vec<String> = words.take(MOST_KEYWORDS).map(str::to_owned).collect();
    (!words.is_empty()).then_some(words)
}

/// The address of the first `<link>` of this relation.
fn linked(page: &Page, relation: &str) -> Option<String> {
    let link = page.dom().by_tag("link").find(|it| {
        let relations = it.attr("rel").unwrap_or_default().split_ascii_whitespace();
        let mut relations = relations.filter(|it| it.eq_ignore_ascii_case(relation));
        relations.next().is_some() && it.attr("href").is_some_and(|value| !value.trim().is_empty())
    })?;
    page.absolute(link.attr("href")?).map(String::from)
}

/// The icon that the page names; else the one that browsers look for.
fn favicon(page: &Page) -> Option<String> {
    let named = linked(page, "icon").or_else(|| linked(page, "apple-touch-icon"));
    named
        .filter(|it| !it.starts_with("data:"))
        .or_else(|| page.url()?.join("/favicon.ico").ok().map(String::from))
}
