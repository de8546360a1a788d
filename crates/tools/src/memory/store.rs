//! Storing of a value for later steps.

use serde_json::{Value, json};

use crate::cache::{EntryParams, put};
use crate::{Error, Tool, ToolContext};

/// The tool `memory.store`.
pub struct MemoryStore;

impl Tool for MemoryStore {
    type Params = EntryParams;
    type Output = Value;

    async fn run(&self, params: EntryParams, context: &mut ToolContext) -> Result<Value, Error> {
        put(context, &format!("memory:{}", params.key), params.value)?;
        Ok(json!({"stored": true, "key": params.key}))
    }
}
