//! The first rows of a list by a field.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::rows;
use crate::rows::column_numbers::ColumnNumbers;
use crate::values::fields;
use crate::words::field_names::resolve_field;
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
        if let Some(wanted) = params.sort_field.as_deref().filter(|_| !rows.is_empty()) {
            let names = fields(&rows);
            let field = resolve_field(wanted, &names).ok_or_else(|| {
                let problem = format!("no row has {wanted:?}; there are {}", names.join(", "));
                Error::param("sort_field", problem)
            })?;
            let language = context.language().await;
            let (numbers, now) = (
                ColumnNumbers::of(&rows, field, language.as_deref()),
                context.now(),
            );
            let key = |row: &Value| {
                let value = row.get(field).and_then(|value| numbers.read(value, now));
                value.unwrap_or(f64::NEG_INFINITY)
            };
            rows.sort_by(|one, other| key(other).total_cmp(&key(one)));
        }
        rows.truncate(params.n);
        Ok(json!({"count": rows.len(), "rows": rows}))
    }
}
