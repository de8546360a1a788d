//! What is kept?

use serde::Deserialize;
use serde_json::{Value, json};

use crate::keep::put;
use crate::{Cx, Error, Tool};

/// The tool `memory.store`.
pub struct Store;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    key: String,
    #[serde(default)]
    value: Value,
}

impl Tool for Store {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, cx: &mut Cx) -> Result<Value, Error> {
        put(cx, &format!("memory:{}", params.key), params.value)?;
        Ok(json!({"stored": true, "key": params.key}))
    }
}
