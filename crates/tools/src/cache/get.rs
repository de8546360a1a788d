//! Reading of a cached value.

use serde_json::{Value, json};

use crate::cache::{KeyParams, get};
use crate::{Error, Tool, ToolContext};

/// The tool `cache.get`.
pub struct CacheGet;

impl Tool for CacheGet {
    type Params = KeyParams;
    type Output = Value;

    async fn run(&self, params: KeyParams, context: &mut ToolContext) -> Result<Value, Error> {
        let value = get(context, &format!("cache:{}", params.key));
        Ok(json!({"hit": value.is_some(), "value": value}))
    }
}
