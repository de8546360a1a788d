//! Inference of the columns and types of rows.

use serde_json::{Map, Value, json};

use crate::input::{RowsParams, rows};
use crate::values::fields;
use crate::{Error, Tool, ToolContext};

/// The tool `analysis.infer_schema`.
pub struct AnalysisInferSchema;

impl Tool for AnalysisInferSchema {
    type Params = RowsParams;
    type Output = Value;

    async fn run(&self, params: RowsParams, context: &mut ToolContext) -> Result<Value, Error> {
        let rows = rows(context, params.rows)?;
        let columns = fields(&rows);
        let kind = |value: &Value| match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(it) if it.is_f64() => "number",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        let mut schema = Map::new();
        for column in &columns {
            let cells: Vec<&Value> = rows.iter().filter_map(|it| it.get(column)).collect();
            let mut types: Vec<&str> = cells
                .iter()
                .map(|it| kind(it))
                .filter(|it| *it != "null")
                .collect();
            types.sort_unstable();
            types.dedup();
            let nullable = cells.len() < rows.len() || cells.iter().any(|it| it.is_null());
            schema.insert(column.clone(), json!({"types": types, "nullable": nullable}));
        }
        Ok(json!({"schema": schema, "columns": columns, "count": rows.len(), "empty": rows.is_empty()}))
    }
}
