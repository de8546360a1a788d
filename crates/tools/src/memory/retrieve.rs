//! What was kept under a name?

use serde::Deserialize;
use serde_json::{Value, json};

use crate::keep::get;
use crate::{Cx, Error, Tool};

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

    async fn run(&self, params: Params, cx: &mut Cx) -> Result<Value, Error> {
        let value = get(cx, &format!("memory:{}", params.key));
        Ok(json!({"found": value.is_some(), "value": value}))
    }
}
