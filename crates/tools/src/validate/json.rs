//! Is a text JSON?

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Error, Tool, ToolContext};

/// The tool `validate.json`.
pub struct Json;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    text: String,
}

impl Tool for Json {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, _: &mut ToolContext) -> Result<Value, Error> {
        let error = serde_json::from_str::<serde::de::IgnoredAny>(&params.text)
            .err()
            .map(|it| it.to_string());
        Ok(json!({"valid": error.is_none(), "error": error}))
    }
}
