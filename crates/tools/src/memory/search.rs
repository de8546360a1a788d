//! Search in stored values.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::cache::with_prefix;
use crate::{Error, Tool, ToolContext};

/// The tool `memory.search`.
pub struct MemorySearch;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    query: String,
    limit: usize,
}

impl Tool for MemorySearch {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let wanted = params.query.to_lowercase();
        let values = with_prefix(context, "memory:");
        let found: Vec<Value> = values
            .into_iter()
            .filter(|(key, value)| {
                key.to_lowercase().contains(&wanted) || value.to_string().to_lowercase().contains(&wanted)
            })
            .take(params.limit)
            .map(|(key, value)| json!({"key": key, "value": value}))
            .collect();
        Ok(json!({"count": found.len(), "results": found}))
    }
}
