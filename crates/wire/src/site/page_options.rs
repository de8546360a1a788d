//! How the pages of a crawl or a batch are read: the fields of a scrape request that say so.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::fetch_options::FetchOptions;
use crate::item_schema::ItemSchema;
use crate::profile::ProfileChoice;
use crate::scrape::{ExtractionMode, OutputFormat, PageFormat, ScrapeRequest, formats};
use crate::strict::{Fields, RequestRefusal};

/// How each page is read. The fields mean what they mean in [`ScrapeRequest`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PageOptions {
    /// What to look for, in words; left out to have each page read as it is. In a crawl, links whose texts share words with
    /// it are followed first.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(with = "Option<String>", length(max = 20_000), pattern(r"[^\s\u0085]"))]
    pub instructions: String,
    /// With `markdown` and `text`, each result has the page's main content beside its item.
    #[serde(default)]
    pub output_format: OutputFormat,
    /// How items are extracted; the server's own setting when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<ExtractionMode>,
    /// JSON Schema of an item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<ItemSchema>")]
    pub schema: Option<Value>,
    /// Columns of a row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 100), inner(length(min = 1, max = 200), pattern(r"[^\s\u0085]")))]
    pub columns: Option<Vec<String>>,
    /// Forms in which each page is given, under `formats` of its result; no pictures. Without `item`, no item is made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 20))]
    pub formats: Vec<PageFormat>,
    /// The profile that pages are opened with.
    #[serde(flatten)]
    pub profile: ProfileChoice,
    /// How pages are opened, also those that a crawl finds.
    #[serde(default, skip_serializing_if = "FetchOptions::is_empty")]
    #[schemars(with = "Option<FetchOptions>")]
    pub fetch: FetchOptions,
}

impl PageOptions {
    /// Takes the fields out of a body.
    ///
    /// # Errors
    /// Naming the first field that is wrong.
    pub(super) fn take(from: &mut Fields) -> Result<Self, RequestRefusal> {
        let instructions = from.text("instructions", 20_000)?;
        if instructions.as_ref().is_some_and(|text| text.trim().is_empty()) {
            let advice = "must not be blank; leave the field out to have each page read as it is";
            return Err(RequestRefusal::field("instructions", advice));
        }
        let formats = formats(from)?;
        if let Some(place) = formats.iter().position(|it| *it == PageFormat::Screenshot) {
            let advice =
                "crawls and batches keep no pictures; ask for the screenshot in a scrape of the page";
            return Err(RequestRefusal::field(format!("formats[{place}]"), advice));
        }
        Ok(Self {
            instructions: instructions.unwrap_or_default(),
            output_format: from.choice("output_format")?.unwrap_or_default(),
            mode: from.choice("mode")?,
            schema: from.schema("schema")?,
            columns: from.texts("columns", 100, 200)?,
            formats,
            profile: ProfileChoice::take(from)?,
            fetch: FetchOptions::take(from)?,
        })
    }

    /// The scrape request that reads a page so.
    #[must_use]
    pub fn scrape_request(&self) -> ScrapeRequest {
        ScrapeRequest {
            output_format: self.output_format,
            mode: self.mode,
            schema: self.schema.clone(),
            columns: self.columns.clone(),
            formats: self.formats.clone(),
            profile: self.profile.clone(),
            fetch: self.fetch.clone(),
            ..ScrapeRequest::new(Vec::new(), self.instructions.clone())
        }
    }
}
