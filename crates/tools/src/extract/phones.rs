//! Telephone numbers in a text.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::text;
use crate::{Error, Tool, ToolContext};

locale::patterns! {
    static PHONE = concat!(
        r"(?:^|[^\d/.,-])((?:\+|00)\d{1,3}[\s().-]*\d[\d\s().-]{5,14}\d|\(\d{2,4}\)[\s.-]*\d{3,4}[\s.-]?\d{2,4}(?:[\s.-]?\d{2})?",
        // "0931 / 12 34 56"
        r"|0\d{2,4}\s?/\s?\d[\d\s-]{2,10}\d",
        r"|0\d{2,4}[\s-]\d{3}[\s-]\d{3,4}|\d{3}[\s-]\d{3}[\s-]\d{3,4}|\d{2}[\s-]\d{3}[\s-]\d{2}[\s-]\d{2})(?:$|[^\d-])",
    );
}

/// The tool `extract.phones`.
pub struct ExtractPhones;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    text: Option<String>,
    country_code: Option<String>,
    limit: usize,
}

impl Tool for ExtractPhones {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let text = text(context, params.text).await?;
        let mut seen = HashSet::new();
        let mut found: Vec<Value> = Vec::new();
        for line in text.lines() {
            let mut from = 0;
            while let Some(hit) = line
                .get(from..)
                .and_then(|rest| PHONE.captures(rest))
                .and_then(|it| it.get(1))
            {
                let start = from + hit.start();
                from += hit.end();
                let normalized = normalized(hit.as_str(), params.country_code.as_deref());
                let is_whole = !goes_on(line.get(..start).unwrap_or_default());
                if is_whole && (7..=16).contains(&normalized.len()) && seen.insert(normalized.clone()) {
                    found.push(json!({"raw": hit.as_str().trim(), "normalized": normalized}));
                }
            }
        }
        found.truncate(params.limit);
        Ok(json!({"count": found.len(), "phones": found}))
    }
}

/// Whether a number behind `head` goes on with a longer one, such as that of an account ("DE89 3704 0044 0532 0130 00").
fn goes_on(head: &str) -> bool {
    let is_apart = head.ends_with(char::is_whitespace);
    is_apart && head.trim_end().ends_with(|c: char| c.is_ascii_digit())
}

/// The digits of a number, with the code of its country where one is known.
fn normalized(number: &str, country_code: Option<&str>) -> String {
    // "(0)" is dialled within the country alone.
    let number = number.replace("(0)", "");
    let digits: String = number
        .chars()
        .filter(|it| it.is_ascii_digit() || *it == '+')
        .collect();
    match country_code {
        Some(code) if !digits.starts_with('+') => format!("+{}{digits}", code.trim_start_matches('+')),
        _ => digits,
    }
}
