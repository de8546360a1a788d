//! Element signatures that repeat on a page.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Error, Tool, ToolContext};

/// The tool `html.detect_repeating_blocks`.
pub struct HtmlDetectRepeatingBlocks;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    min_repetitions: usize,
}

impl Tool for HtmlDetectRepeatingBlocks {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let page = context.page().await?;
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for node in page
            .dom()
            .nodes()
            .filter(|it| it.is_element() && !it.class().trim().is_empty())
        {
            let signature = std::iter::once(node.tag())
                .chain(node.classes())
                .collect::<Vec<_>>()
                .join(".");
            *counts.entry(signature).or_default() += 1;
        }
        let mut found: Vec<(String, usize)> = counts
            .into_iter()
            .filter(|(_, it)| *it >= params.min_repetitions)
            .collect();
        found.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let candidates: Vec<Value> = found
            .into_iter()
            .take(25)
            .map(|(signature, count)| json!({"signature": signature, "count": count}))
            .collect();
        Ok(json!({"count": candidates.len(), "candidates": candidates}))
    }
}
