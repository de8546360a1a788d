//! A value read from JSON.

use serde_json::{Value, json};

use crate::input::RequiredTextParams;
use crate::json_text::JsonText;
use crate::{Error, Tool, ToolContext};

/// The tool `json.parse`.
pub struct JsonParse;

impl Tool for JsonParse {
    type Params = RequiredTextParams;
    type Output = Value;

    async fn run(&self, params: RequiredTextParams, context: &mut ToolContext) -> Result<Value, Error> {
        Ok(match JsonText::read(&params.text) {
            Ok(read) => {
                if let Some(warning) = read.warning() {
                    context.warn(warning);
                }
                json!({"valid": true, "data": read.value, "error": null})
            }
            Err(error) => json!({"valid": false, "data": null, "error": error.to_string()}),
        })
    }
}
