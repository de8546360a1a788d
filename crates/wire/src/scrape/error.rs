//! `ScrapeError`: what failed in a scrape run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Code;

/// What failed, for machines and for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScrapeError {
    /// Which error.
    pub code: Code,
    /// In words.
    pub message: String,
    /// On which page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Whether the same request may work later.
    pub retryable: bool,
}

impl ScrapeError {
    /// An error with this code and text; whether it may be tried again follows from the code.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>, url: Option<String>) -> Self {
        Self {
            code,
            message: message.into(),
            url,
            retryable: code.retryable(),
        }
    }
}
