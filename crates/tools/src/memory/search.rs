//! What was kept about something?

use serde::Deserialize;
use serde_json::{Value, json};

use crate::keep::all;
use crate::{Cx, Error, Tool};

/// The tool `memory.search`.
pub struct Search;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    query: String,
    limit: usize,
}

impl Tool for Search {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, cx: &mut Cx) -> Result<Value, Error> {
        let wanted = params.query.to_lowercase();
        let kept = all(cx, "memory:");
        let found: Vec<Value> = kept
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
