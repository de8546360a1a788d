//! The parts of a text between matches.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::user_regex::read;
use crate::{Error, Tool, ToolContext};

/// The tool `regex.split`.
pub struct Split;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pattern: String,
    text: Option<String>,
    flags: String,
    maxsplit: usize,
}

impl Tool for Split {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let (pattern, text) = read(params.pattern, params.text, &params.flags, context).await?;
        let most = if params.maxsplit == 0 {
            100_000
        } else {
            params.maxsplit.saturating_add(1)
        };
        let parts: Vec<&str> = pattern.splitn(&text, most).collect();
        Ok(json!({"count": parts.len(), "parts": parts}))
    }
}
