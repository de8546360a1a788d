//! Telephone numbers in a text.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::text;
use crate::{Error, Tool, ToolContext};

locale::patterns! {
    static PHONE = r"(?:^|[^\d/.,-])((?:\+|00)\d{1,3}[\s().-]*\d[\d\s().-]{5,14}\d|\(\d{2,4}\)[\s.-]*\d{3,4}[\s.-]?\d{2,4}(?:[\s.-]?\d{2})?|\d{3}[\s-]\d{3}[\s-]\d{3,4}|\d{2}[\s-]\d{3}[\s-]\d{2}[\s-]\d{2})(?:$|[^\d-])";
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
                let digits: String = hit
                    .as_str()
                    .chars()
                    .filter(|it| it.is_ascii_digit() || *it == '+')
                    .collect();
                let normalized = match (&params.country_code, digits.starts_with('+')) {
                    (Some(code), false) => format!("+{}{digits}", code.trim_start_matches('+')),
                    _ => digits,
                };
                if (7..=16).contains(&normalized.len()) && seen.insert(normalized.clone()) {
                    found.push(json!({"raw": hit.as_str().trim(), "normalized": normalized}));
                }
                from += hit.end();
            }
        }
        found.truncate(params.limit);
        Ok(json!({"count": found.len(), "phones": found}))
    }
}
