//! Replacement of matches in a text.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::user_regex::{TextSearch, pattern_error};
use crate::{Error, Tool, ToolContext};

/// The tool `regex.sub`.
pub struct Sub;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pattern: String,
    text: Option<String>,
    flags: String,
    replacement: String,
}

impl Tool for Sub {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let search = TextSearch::new(params.pattern, params.text, params.flags, context).await?;
        let replaced = search
            .pattern
            .replace(&search.sandbox, &search.text, params.replacement);
        let (result, count) = replaced.await.map_err(pattern_error)?;
        Ok(json!({"result": result, "replacements": count}))
    }
}
