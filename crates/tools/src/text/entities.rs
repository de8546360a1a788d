//! Entities in a text: addresses, dates, amounts, names.

use std::collections::BTreeMap;

use locale::Regex;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::text;
use crate::{Error, Tool, ToolContext};

locale::patterns! {
    static EMAIL = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+";
    static URL = r"https?://[^\s<>]+";
    static DATE = r"\d{4}-\d{2}-\d{2}|\b\d{1,2}\s+\p{L}{3,}\s+\d{4}\b|\b\p{Lu}\p{L}{2,}\s+\d{1,2},\s+\d{4}\b";
    static MONEY = r"[$€£]\s?\d[\d.,]*|\b\d[\d.,]*\s?(?:zł|PLN|EUR|USD|€)";
    static NAME = r"\b\p{Lu}[\p{L}'’-]+(?:\s+(?:of|van|von|de|da)?\s*\p{Lu}[\p{L}'’-]+)+";
}

/// The tool `text.entities`.
pub struct TextEntities;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    text: Option<String>,
    types: Option<Vec<String>>,
    limit: usize,
}

impl Tool for TextEntities {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let text = text(context, params.text).await?;
        let wanted = |kind: &str| {
            params
                .types
                .as_ref()
                .is_none_or(|it| it.iter().any(|it| it == kind))
        };
        let kinds: [(&str, &Regex); 5] = [
            ("email", &EMAIL),
            ("url", &URL),
            ("date", &DATE),
            ("money", &MONEY),
            ("name", &NAME),
        ];
        let mut found: Vec<Value> = Vec::new();
        for (kind, pattern) in kinds.into_iter().filter(|(kind, _)| wanted(kind)) {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for hit in text.lines().flat_map(|it| pattern.find_iter(it)) {
                *counts.entry(hit.as_str()).or_default() += 1;
            }
            found.extend(
                counts
                    .into_iter()
                    .take(params.limit)
                    .map(|(text, count)| json!({"type": kind, "text": text, "count": count})),
            );
        }
        Ok(json!({"count": found.len(), "entities": found}))
    }
}
