//! Removal of repeated rows.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::rows;
use crate::{Error, Tool, ToolContext};

/// The tool `data.dedupe_rows`.
pub struct DataDedupeRows;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    rows: Option<Vec<Value>>,
    key_fields: Option<Vec<String>>,
}

impl Tool for DataDedupeRows {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let rows = rows(context, params.rows)?;
        let before = rows.len();
        // Of rows that have none of the fields nothing says that they are the same, but that they are alike as a whole.
        let key = |row: &Value| match &params.key_fields {
            Some(fields)
                if fields
                    .iter()
                    .any(|it| row.get(it).is_some_and(|value| !value.is_null())) =>
            {
                fields
                    .iter()
                    .map(|it| row.get(it).unwrap_or(&Value::Null).to_string())
                    .collect::<Vec<_>>()
                    .join("\u{1f}")
            }
            _ => row.to_string(),
        };
        let mut seen = HashSet::new();
        let rows: Vec<Value> = rows.into_iter().filter(|it| seen.insert(key(it))).collect();
        Ok(json!({"count": rows.len(), "removed": before - rows.len(), "rows": rows}))
    }
}
