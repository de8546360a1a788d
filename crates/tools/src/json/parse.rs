//! A value read from JSON.

use serde_json::{Value, json};

use crate::input::RequiredTextParams;
use crate::{Error, Tool, ToolContext};

/// The tool `json.parse`.
pub struct JsonParse;

impl Tool for JsonParse {
    type Params = RequiredTextParams;
    type Output = Value;

    async fn run(&self, params: RequiredTextParams, _: &mut ToolContext) -> Result<Value, Error> {
        Ok(match serde_json::from_str::<Value>(&params.text) {
            Ok(data) => json!({"valid": true, "data": data, "error": null}),
            Err(error) => json!({"valid": false, "data": null, "error": error.to_string()}),
        })
    }
}
