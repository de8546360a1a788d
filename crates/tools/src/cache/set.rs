//! What is kept for later steps?

use serde_json::{Value, json};

use crate::keep::{Params, put};
use crate::{Cx, Error, Tool};

/// The tool `cache.set`.
pub struct Set;

impl Tool for Set {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, cx: &mut Cx) -> Result<Value, Error> {
        put(cx, &format!("cache:{}", params.key), params.value)?;
        Ok(json!({"stored": true}))
    }
}
