//! The parts of a text between matches.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::user_regex::{TextSearch, pattern_error};
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
        let search = TextSearch::new(params.pattern, params.text, params.flags, context).await?;
        let most = if params.maxsplit == 0 {
            100_000
        } else {
            params.maxsplit.saturating_add(1)
        };
        let parts = search.pattern.split(&search.sandbox, &search.text, most);
        let parts = parts.await.map_err(pattern_error)?;
        Ok(json!({"count": parts.len(), "parts": parts}))
    }
}
