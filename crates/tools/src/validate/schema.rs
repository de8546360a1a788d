//! Validation of a value against a JSON Schema.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{Error, Tool, ToolContext};

/// The tool `validate.schema`.
pub struct ValidateSchema;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    #[serde(default)]
    data: Value,
    schema: Map<String, Value>,
}

impl Tool for ValidateSchema {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, _: &mut ToolContext) -> Result<Value, Error> {
        let schema = llm::JsonSchema::new(Value::Object(params.schema))
            .map_err(|error| Error::param("schema", error.to_string()))?;
        let errors: Vec<String> = schema
            .violations(&params.data)
            .into_iter()
            .map(|it| it.to_string())
            .collect();
        Ok(json!({"valid": errors.is_empty(), "errors": errors}))
    }
}
