//! What is kept for later steps?

use serde_json::{Value, json};

use crate::keep::{Params, put};
use crate::{Error, Tool, ToolContext};

/// The tool `cache.set`.
pub struct Set;

impl Tool for Set {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        put(context, &format!("cache:{}", params.key), params.value)?;
        Ok(json!({"stored": true}))
    }
}
