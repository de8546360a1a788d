//! What did an earlier step keep?

use serde::Deserialize;
use serde_json::{Value, json};

use crate::keep::get;
use crate::{Error, Tool, ToolContext};

/// The tool `cache.get`.
pub struct Get;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    key: String,
}

impl Tool for Get {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let value = get(context, &format!("cache:{}", params.key));
        Ok(json!({"hit": value.is_some(), "value": value}))
    }
}
