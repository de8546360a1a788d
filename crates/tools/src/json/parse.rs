//! What does a JSON text say?

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Error, Tool, ToolContext};

/// The tool `json.parse`.
pub struct Parse;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    text: String,
}

impl Tool for Parse {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, _: &mut ToolContext) -> Result<Value, Error> {
        Ok(match serde_json::from_str::<Value>(&params.text) {
            Ok(data) => json!({"valid": true, "data": data, "error": null}),
            Err(error) => json!({"valid": false, "data": null, "error": error.to_string()}),
        })
    }
}
