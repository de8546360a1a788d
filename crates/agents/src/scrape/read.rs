//! From a page to what its result holds.

use extract::mode::Request;
use extract::modes::rule_based;
use extract::rules::content;
use page::Page;
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
    /// Main content, where the request is for Markdown or text.
    pub(super) content: Option<String>,
}

/// Reads a page by rules.
pub(super) fn item(page: &Page, request: &ScrapeRequest) -> Reading {
    let content = match request.output_format {
        OutputFormat::Markdown => Some(content::main_markdown(page)),
        OutputFormat::Text => Some(content::text(page, &content::find(page))),
        OutputFormat::Json | OutputFormat::Csv => None,
    };
    let wants = Request {
        instructions: request.instructions.clone(),
        ..Request::default()
    };
    match rule_based::read(page, &wants) {
        Ok(item) => Reading {
            fields: item
                .fields()
                .iter()
                .filter(|(_, it)| !it.is_null())
                .map(|(name, _)| name.clone())
                .collect(),
            coverage: Some(f64::from(item.coverage())),
            item: serde_json::to_value(&item).unwrap_or_default(),
            content,
        },
        // A page with nothing to read is an empty item that says so, and no failure of the run.
        Err(reason) => {
            let item = json!({"url": page.url(), "page_type": "other", "notes": [reason.to_string()]});
            Reading {
                item,
                fields: Vec::new(),
                coverage: Some(0.0),
                content,
            }
        }
    }
}
