//! What is kept?

use serde_json::{Value, json};

use crate::keep::{Params, put};
use crate::{Error, Tool, ToolContext};

/// The tool `memory.store`.
pub struct Store;

impl Tool for Store {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        put(context, &format!("memory:{}", params.key), params.value)?;
        Ok(json!({"stored": true, "key": params.key}))
    }
}
