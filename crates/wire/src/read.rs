//! A page to be read, and what one view of it gives.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::vocabulary::vocabulary;

/// What to read of a page.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    Hash,
    IntoStaticStr,
    VariantArray,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum PageView {
    /// The main content as Markdown.
    #[default]
    Markdown,
    /// The whole page as Markdown.
    Full,
    /// The main content as plain text.
    Text,
    /// Every link, a line each.
    Links,
    /// Every data table, a JSON object a line.
    Tables,
    /// Repeated entries such as products of a list, a JSON object a line.
    Records,
    /// The fields of the page's subject, such as price and author, as JSON.
    Item,
    /// What the page declares about itself: JSON-LD, Microdata, Open Graph and the like, as JSON.
    Metadata,
}

vocabulary!(PageView);

/// A page to be read.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ReadRequest {
    /// The page's address.
    pub url: String,
    /// What to read of it.
    pub view: PageView,
}

/// What a view of a page gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageReading {
    /// Where the page was in the end.
    pub url: String,
    /// The page's title; empty when it has none.
    pub title: String,
    /// Who wrote the page, where its text is read and the page says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// When the page was published, in ISO 8601, where its text is read and the page says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// The reading, as the page has it: untrusted text.
    pub text: String,
}

/// A page that a web search found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundPage {
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// What the search provider shows of it.
    pub snippet: String,
}
