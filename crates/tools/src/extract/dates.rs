//! Dates in a text.

use locale::dates;
use serde_json::{Value, json};

use crate::input::{TextSearchParams, text};
use crate::rows::date_figures::DateFigures;
use crate::{Error, Tool, ToolContext};

locale::patterns! {
    static DATE = concat!(
        r"\d{4}-\d{2}-\d{2}(?:T[\d:]+Z?)?",
        // "2024/5/6", "2024.05.06"; a version is "2024.5.6".
        r"|\b(?:19|20)\d{2}(?:/\d{1,2}/\d{1,2}|\.\d{2}\.\d{2})\b",
        // "2024年5月6日", "2024년 5월 6일"
        r"|\d{4}\s?(?:年\s?\d{1,2}\s?月\s?\d{1,2}\s?日|년\s?\d{1,2}\s?월\s?\d{1,2}\s?일)",
        r"|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b",
        // "6-May-24"
        r"|\b\d{1,2}-\p{L}{3,}\.?-(?:\d{4}|\d{2})\b",
        // "5 May 2024", "1st of June 2023", "5 de mayo de 2024", "1er août 2019"
        r"|\b\d{1,2}(?:st|nd|rd|th|er|º)?\.?\s+(?:(?:day\s+)?of\s+|de\s+)?\p{L}{3,}\.?,?\s+(?:de\s+)?\d{4}\b",
        r"|\b\p{L}{3,}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}\b",
    );
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
