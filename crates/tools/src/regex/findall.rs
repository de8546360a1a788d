//! What does a pattern match?

use serde::Deserialize;
use serde_json::{Value, json};

use crate::expression::compile;
use crate::given::text;
use crate::{Error, Tool, ToolContext};

/// The tool `regex.findall`.
pub struct Findall;

/// Its parameters.
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
        let wanted = compile(&params.pattern, &params.flags)?;
        let text = text(context, params.text).await?;
        let told = |it: regex::Captures<'_>| match it.len() {
            1 => json!(it.get(0).map(|it| it.as_str())),
            2 => json!(it.get(1).map(|it| it.as_str())),
            _ => json!(
                it.iter()
                    .skip(1)
                    .map(|it| it.map(|it| it.as_str()))
                    .collect::<Vec<_>>()
            ),
        };
        let matches: Vec<Value> = wanted.captures_iter(&text).take(params.limit).map(told).collect();
        Ok(json!({"count": matches.len(), "matches": matches}))
    }
}
