//! Caching of a value for later steps.

use serde_json::{Value, json};

use crate::cache::{EntryParams, put};
use crate::{Error, Tool, ToolContext};

/// The tool `cache.set`.
pub struct CacheSet;

impl Tool for CacheSet {
    type Params = EntryParams;
    type Output = Value;

    async fn run(&self, params: EntryParams, context: &mut ToolContext) -> Result<Value, Error> {
        put(context, &format!("cache:{}", params.key), params.value)?;
        Ok(json!({"stored": true}))
    }
}
