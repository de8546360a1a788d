//! Well-formedness of JSON.

use serde_json::{Value, json};

use crate::input::RequiredTextParams;
use crate::{Error, Tool, ToolContext};

/// The tool `validate.json`.
pub struct ValidateJson;

impl Tool for ValidateJson {
    type Params = RequiredTextParams;
    type Output = Value;

    async fn run(&self, params: RequiredTextParams, _: &mut ToolContext) -> Result<Value, Error> {
        let error = serde_json::from_str::<serde::de::IgnoredAny>(&params.text)
            .err()
            .map(|it| it.to_string());
        Ok(json!({"valid": error.is_none(), "error": error}))
    }
}
