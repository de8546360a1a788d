//! Selection of columns.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::rows;
use crate::{Error, Tool, ToolContext};

/// The tool `data.select_columns`.
pub struct DataSelectColumns;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    rows: Option<Vec<Value>>,
    columns: Vec<String>,
}

impl Tool for DataSelectColumns {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let rows: Vec<Value> = rows(context, params.rows)?
            .into_iter()
            .map(|row| {
                Value::Object(
                    params
                        .columns
                        .iter()
                        .map(|it| (it.clone(), row.get(it).cloned().unwrap_or_default()))
                        .collect(),
                )
            })
            .collect();
        Ok(json!({"count": rows.len(), "rows": rows, "columns": params.columns}))
    }
}
