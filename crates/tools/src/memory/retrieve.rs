//! What was kept under a name?

use serde::Deserialize;
use serde_json::{Value, json};

use crate::keep::get;
use crate::{Error, Tool, ToolContext};

/// The tool `memory.retrieve`.
pub struct Retrieve;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    key: String,
}

impl Tool for Retrieve {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let value = get(context, &format!("memory:{}", params.key));
        Ok(json!({"found": value.is_some(), "value": value}))
    }
}
