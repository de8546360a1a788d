//! The first rows of a list by a field.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::rows;
use crate::values::number;
use crate::{Error, Tool, ToolContext};

/// The tool `extract.top_n`.
pub struct ExtractTopN;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    rows: Option<Vec<Value>>,
    n: usize,
    sort_field: Option<String>,
}

impl Tool for ExtractTopN {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let mut rows = rows(context, params.rows)?;
        if let Some(field) = &params.sort_field {
            let key = |row: &Value| row.get(field).and_then(number).unwrap_or(f64::NEG_INFINITY);
            rows.sort_by(|one, other| key(other).total_cmp(&key(one)));
        }
        rows.truncate(params.n);
        Ok(json!({"count": rows.len(), "rows": rows}))
    }
}
