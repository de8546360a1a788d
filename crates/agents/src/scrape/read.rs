//! From a page to what its result holds.

use extract::rules::content;
use page::Page;
use page::markdown;
use serde_json::{Value, json};
use wire::scrape::{OutputFormat, ScrapeRequest};

/// What a page gave.
pub(super) struct Reading {
    /// The item, as clients see it.
    pub(super) item: Value,
    /// Names of the fields that are filled.
    pub(super) fields: Vec<String>,
    /// Share of what such a page should tell that it does tell, 0 to 1.
    pub(super) coverage: Option<f64>,
    /// Main content as Markdown, where the request is for Markdown.
    pub(super) markdown: Option<String>,
}

/// Reads a page by rules.
pub(super) fn item(page: &Page, request: &ScrapeRequest) -> Reading {
    let content = content::find(page);
    let text = content::text(page, &content);
    let markdown = (request.output_format == OutputFormat::Markdown).then(|| {
        let roots: Vec<_> = content.roots.iter().map(|it| page.dom().node(*it)).collect();
        markdown::render(
            page,
            &roots,
            &markdown::Options {
                skip: content.skip.clone(),
                ..Default::default()
            },
        )
    });
    let item = json!({"url": page.url().map(ToString::to_string), "text": text});
    Reading {
        item,
        fields: vec!["text".into()],
        coverage: None,
        markdown,
    }
}
