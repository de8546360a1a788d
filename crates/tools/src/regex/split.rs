//! What stands between the matches?

use serde::Deserialize;
use serde_json::{Value, json};

use crate::expression::compile;
use crate::given::text;
use crate::{Error, Tool, ToolContext};

/// The tool `regex.split`.
pub struct Split;

/// Its parameters.
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
        let wanted = compile(&params.pattern, &params.flags)?;
        let text = text(context, params.text).await?;
        let most = if params.maxsplit == 0 {
            100_000
        } else {
            params.maxsplit.saturating_add(1)
        };
        let parts: Vec<&str> = wanted.splitn(&text, most).collect();
        Ok(json!({"count": parts.len(), "parts": parts}))
    }
}
