//! ExtractionRequest: what is asked of a page.

use crate::fields::PageType;

/// What is asked of a page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ExtractionRequest {
    /// What the user wants, in words; empty for everything.
    pub instructions: String,
    /// The type of page when the user knows it; otherwise it is found out.
    pub page_type: Option<PageType>,
    /// The fields that are wanted, under any of their names; empty for all.
    pub fields: Vec<String>,
    /// The moment that bounds dates and anchors "two hours ago"; without it, the clock.
    pub now: Option<jiff::civil::DateTime>,
}

/// Why no item could be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The page has neither text nor markup.
    #[error(
        "the page is empty: there is no text and no structured data to read; if it is built by scripts, open it with the chromium engine"
    )]
    Nothing,
}
