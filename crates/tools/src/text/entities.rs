//! Whom and what does a text name?

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::given::text;
use crate::manifest::format::pattern;
use crate::{Error, Tool, ToolContext};

/// The tool `text.entities`.
pub struct Entities;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    text: Option<String>,
    types: Option<Vec<String>>,
    limit: usize,
}

impl Tool for Entities {
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
        let kinds = [
            ("email", r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
            ("url", r"https?://[^\s<>]+"),
            (
                "date",
                r"\d{4}-\d{2}-\d{2}|\b\d{1,2}\s+\p{L}{3,}\s+\d{4}\b|\b\p{Lu}\p{L}{2,}\s+\d{1,2},\s+\d{4}\b",
            ),
            ("money", r"[$€£]\s?\d[\d.,]*|\b\d[\d.,]*\s?(?:zł|PLN|EUR|USD|€)"),
            (
                "name",
                r"\b\p{Lu}[\p{L}'’-]+(?:\s+(?:of|van|von|de|da)?\s*\p{Lu}[\p{L}'’-]+)+",
            ),
        ];
        let mut found: Vec<Value> = Vec::new();
        for (kind, shape) in kinds.into_iter().filter(|(kind, _)| wanted(kind)) {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            let shape = pattern(shape, false).map_err(Error::Failed)?;
            for hit in text.lines().flat_map(|it| shape.find_iter(it)) {
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
