//! Completion of a prompt by a model.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::model::ask;
use crate::{Error, Tool, ToolContext};

/// The tool `ai.complete`.
pub struct AiComplete;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    prompt: String,
    max_tokens: u32,
}

impl Tool for AiComplete {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let text = ask(context, &params.prompt, None, params.max_tokens).await?;
        Ok(json!({"text": text}))
    }
}
