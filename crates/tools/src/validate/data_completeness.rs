//! Completeness of rows by column.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::input::rows;
use crate::values::{fields, is_blank, share};
use crate::{Error, Tool, ToolContext};

/// The tool `validate.data_completeness`.
pub struct ValidateDataCompleteness;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    rows: Option<Vec<Value>>,
    fields: Option<Vec<String>>,
}

impl Tool for ValidateDataCompleteness {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let rows = rows(context, params.rows)?;
        let names = params.fields.unwrap_or_else(|| fields(&rows));
        let mut missing = Map::new();
        let mut blanks = 0;
        for name in &names {
            let count = rows.iter().filter(|it| it.get(name).is_none_or(is_blank)).count();
            blanks += count;
            missing.insert(name.clone(), count.into());
        }
        let cells = rows.len() * names.len();
        let score = share(cells - blanks, cells);
        Ok(json!({"score": score, "missing_counts": missing, "fields": names, "empty": rows.is_empty()}))
    }
}
