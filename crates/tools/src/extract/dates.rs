//! Dates in a text.

use locale::dates;
use serde_json::{Value, json};

use crate::input::{TextSearchParams, text};
use crate::{Error, Tool, ToolContext};

locale::patterns! {
    static DATE = r"\d{4}-\d{2}-\d{2}(?:T[\d:]+Z?)?|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b\d{1,2}(?:st|nd|rd|th)?\.?\s+(?:de\s+)?\p{L}{3,}\.?,?\s+(?:de\s+)?\d{4}\b|\b\p{L}{3,}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}\b";
}

/// The tool `extract.dates`.
pub struct ExtractDates;

impl Tool for ExtractDates {
    type Params = TextSearchParams;
    type Output = Value;

    async fn run(&self, params: TextSearchParams, context: &mut ToolContext) -> Result<Value, Error> {
        let text = text(context, params.text).await?;
        let now = context.now();
        let read = |raw: &str| dates::parse(raw, now, &dates::DateHints::default());
        let found: Vec<Value> = DATE
            .find_iter(&text)
            .filter_map(|it| Some(json!({"raw": it.as_str(), "date": read(it.as_str())?.date.to_string()})))
            .take(params.limit)
            .collect();
        Ok(json!({"count": found.len(), "dates": found}))
    }
}
