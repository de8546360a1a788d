//! Rows written as CSV.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::rows;
use crate::lists::table;
use crate::values::{cell_text, fields};
use crate::{Error, Tool, ToolContext};

/// The tool `csv.generate`.
pub struct CsvGenerate;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    data: Option<Vec<Value>>,
    fields: Option<Vec<String>>,
}

impl Tool for CsvGenerate {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let rows = rows(context, params.data)?;
        let columns = params.fields.unwrap_or_else(|| fields(&rows));
        let row = |value: &Value| {
            let cells = columns.iter();
            cells
                .map(|column| cell_text(value.get(column).unwrap_or(&Value::Null)))
                .collect()
        };
        let csv = table::csv(&columns, rows.iter().map(row));
        Ok(json!({"csv": csv, "rows": rows.len(), "columns": columns, "empty": rows.is_empty()}))
    }
}
