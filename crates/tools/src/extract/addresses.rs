//! Postal addresses in a text.

use serde_json::{Value, json};

use crate::input::{TextSearchParams, text};
use crate::{Error, Tool, ToolContext};

locale::patterns! {
    /// A street with its number (English, Polish, German), and the town behind it.
    static ADDRESS = concat!(
        r"(?:\d{1,5}\s+(?:\p{Lu}[\p{L}.'-]+\s+){1,4}(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Way|Court|Ct|Square|Place)\b\.?",
        r"|(?:ul|al|pl|os|aleja|ulica|plac)\.?\s+[\p{L}0-9 .'-]{2,40}?\s\d{1,4}[a-zA-Z]?(?:/\d+)?",
        r"|\p{Lu}[\p{L}-]*(?:straße|strasse|weg|platz|gasse|allee)\s+\d{1,4}[a-z]?)",
        // Behind the town, or the town and the county, the codes of Britain ("CB2 1RX"), Canada ("K1A 0B1") and the United States.
        r"(?:,?\s*(?:\d{2}-\d{3}|\d{4,5})\s+\p{Lu}[\p{L} -]{1,30}",
        r"|(?:(?:,\s*|\s+)\p{Lu}[\p{L} .'-]{1,30}?){1,2},?\s*",
        r"\b(?:[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}|[A-Z]\d[A-Z]\s?\d[A-Z]\d|[A-Z]{2}\s*\d{5}(?:-\d{4})?)\b",
        r"|,\s*\p{Lu}[\p{L} ]{1,30})?",
    );
}

/// The tool `extract.addresses`.
pub struct ExtractAddresses;

impl Tool for ExtractAddresses {
    type Params = TextSearchParams;
    type Output = Value;

    async fn run(&self, params: TextSearchParams, context: &mut ToolContext) -> Result<Value, Error> {
        let text = text(context, params.text).await?;
        let lines: Vec<&str> = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        let line = lines.join(", ");
        let found: Vec<&str> = ADDRESS
            .find_iter(&line)
            .map(|address| address.as_str().trim())
            .take(params.limit)
            .collect();
        Ok(json!({"count": found.len(), "addresses": found}))
    }
}
