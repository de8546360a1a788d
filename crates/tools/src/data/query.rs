//! jq queries over the data of the run.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Error, Tool, ToolContext};

/// The tool `data.query`.
pub struct Query;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    query: String,
    data: Option<Value>,
    limit: usize,
}

impl Tool for Query {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let data = params
            .data
            .unwrap_or_else(|| Value::Object(context.input.clone()));
        let results = sandbox::jq::query(context.sandbox()?, &params.query, &data, params.limit)
            .await
            .map_err(|error| Error::of_sandbox("query", "the query", error))?;
        Ok(json!({"count": results.len(), "results": results}))
    }
}
