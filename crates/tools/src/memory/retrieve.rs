//! Reading of a stored value.

use serde_json::{Value, json};

use crate::cache::{KeyParams, get};
use crate::{Error, Tool, ToolContext};

/// The tool `memory.retrieve`.
pub struct MemoryRetrieve;

impl Tool for MemoryRetrieve {
    type Params = KeyParams;
    type Output = Value;

    async fn run(&self, params: KeyParams, context: &mut ToolContext) -> Result<Value, Error> {
        let value = get(context, &format!("memory:{}", params.key));
        Ok(json!({"found": value.is_some(), "value": value}))
    }
}
