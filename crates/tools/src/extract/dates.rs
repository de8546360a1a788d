//! Dates in a text.

use locale::dates;
use serde_json::{Value, json};

use crate::input::{TextSearchParams, text};
use crate::rows::date_figures::DateFigures;
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
        let read = |raw: &str| {
            Some(
                dates::parse(raw, now, &dates::DateHints::default())?
                    .date
                    .to_string(),
            )
        };
        let raw: Vec<&str> = DATE.find_iter(&text).map(|it| it.as_str()).collect();
        // "03/04/2025" beside "4/13/2025" is the 4th of March.
        let order = DateFigures::of(&raw);
        let found: Vec<Value> = raw
            .iter()
            .filter_map(|raw| {
                let mut date = json!({"raw": raw, "date": read(&order.day_first(raw))?});
                if let Some(other) = order.other_way(raw).as_deref().and_then(read) {
                    date["ambiguous"] = true.into();
                    date["alternatives"] = json!([other]);
                }
                Some(date)
            })
            .take(params.limit)
            .collect();
        Ok(json!({"count": found.len(), "dates": found}))
    }
}
