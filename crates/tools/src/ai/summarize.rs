//! Summary of a text by a model.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::text;
use crate::model::ask;
use crate::{Error, Tool, ToolContext};

/// The tool `ai.summarize`.
pub struct AiSummarize;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    text: Option<String>,
    max_length: u32,
}

impl Tool for AiSummarize {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let text = text(context, params.text).await?;
        if text.trim().is_empty() {
            return Ok(json!({"summary": "", "empty": true}));
        }
        let order = format!(
            "Summarize the quoted text in at most {} words, in the language it is written in. Answer with the summary alone.",
            params.max_length
        );
        let summary = ask(
            context,
            &order,
            Some(&text),
            params.max_length.saturating_mul(4).max(200),
        )
        .await?;
        Ok(json!({"summary": summary}))
    }
}
