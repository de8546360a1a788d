//! Every match of a pattern.

use sandbox::regex::Match;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::user_regex::{TextSearch, pattern_error};
use crate::{Error, Tool, ToolContext};

/// The tool `regex.findall`.
pub struct Findall;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pattern: String,
    text: Option<String>,
    flags: String,
    limit: usize,
}

impl Tool for Findall {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let search = TextSearch::new(params.pattern, params.text, params.flags, context).await?;
        let found = search
            .pattern
            .find_all(&search.sandbox, &search.text, params.limit)
            .await
            .map_err(pattern_error)?;
        let captured = |found: Match| match found.groups.as_slice() {
            [] => json!(found.text),
            [group] => json!(group),
            groups => json!(groups),
        };
        let matches: Vec<Value> = found.into_iter().map(captured).collect();
        Ok(json!({"count": matches.len(), "matches": matches}))
    }
}
