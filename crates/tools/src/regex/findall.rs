//! Every match of a pattern.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::user_regex::read;
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
        let (pattern, text) = read(params.pattern, params.text, &params.flags, context).await?;
        let captured = |captures: regex::Captures<'_>| match captures.len() {
            1 => json!(captures.get(0).map(|it| it.as_str())),
            2 => json!(captures.get(1).map(|it| it.as_str())),
            _ => json!(
                captures
                    .iter()
                    .skip(1)
                    .map(|it| it.map(|it| it.as_str()))
                    .collect::<Vec<_>>()
            ),
        };
        let matches: Vec<Value> = pattern
            .captures_iter(&text)
            .take(params.limit)
            .map(captured)
            .collect();
        Ok(json!({"count": matches.len(), "matches": matches}))
    }
}
