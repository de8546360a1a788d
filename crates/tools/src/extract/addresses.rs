//! Which postal addresses are there?

use serde::Deserialize;
use serde_json::{Value, json};

use crate::expression::known;
use crate::given::text;
use crate::{Error, Tool, ToolContext};

/// The tool `extract.addresses`.
pub struct Addresses;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    text: Option<String>,
    limit: usize,
}

impl Tool for Addresses {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let text = text(context, params.text).await?;
        let line = text
            .lines()
            .map(str::trim)
            .filter(|it| !it.is_empty())
            .collect::<Vec<_>>()
            .join(", ");
        let street = r"(?:\d{1,5}\s+(?:\p{Lu}[\p{L}.'-]+\s+){1,4}(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Way|Court|Ct|Square|Place)\b\.?|(?:ul|al|pl|os|aleja|ulica|plac)\.?\s+[\p{L}0-9 .'-]{2,40}?\s\d{1,4}[a-zA-Z]?(?:/\d+)?|\p{Lu}[\p{L}-]*(?:straße|strasse|weg|platz|gasse|allee)\s+\d{1,4}[a-z]?)";
        let whole = known(&format!(
            r"{street}(?:,?\s*(?:\d{{2}}-\d{{3}}|\d{{4,5}})\s+\p{{Lu}}[\p{{L}} -]{{1,30}}|,\s*\p{{Lu}}[\p{{L}} ]{{1,30}}(?:,?\s*[A-Z]{{2}}\s*\d{{5}})?)?"
        ))?;
        let found: Vec<&str> = whole
            .find_iter(&line)
            .map(|it| it.as_str().trim())
            .take(params.limit)
            .collect();
        Ok(json!({"count": found.len(), "addresses": found}))
    }
}
