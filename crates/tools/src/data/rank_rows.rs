//! Sorting of rows by a field.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::{cell_text, fields, number, rows};
use crate::{Error, Tool, ToolContext};

/// The tool `data.rank_rows`.
pub struct DataRankRows;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    rows: Option<Vec<Value>>,
    sort_field: String,
    descending: bool,
    limit: Option<usize>,
}

impl Tool for DataRankRows {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let mut rows = rows(context, params.rows)?;
        let known = rows.is_empty() || rows.iter().any(|it| it.get(&params.sort_field).is_some());
        if !known {
            return Err(Error::param(
                "sort_field",
                format!(
                    "no row has {:?}; there are {}",
                    params.sort_field,
                    fields(&rows).join(", ")
                ),
            ));
        }
        // A row without the field comes last either way.
        let compare = |one: &Value, other: &Value| {
            let (one, other) = (one.get(&params.sort_field), other.get(&params.sort_field));
            let ordered = match (one.and_then(number), other.and_then(number)) {
                (Some(one), Some(other)) => one.total_cmp(&other),
                (None, None) => one
                    .map(cell_text)
                    .unwrap_or_default()
                    .cmp(&other.map(cell_text).unwrap_or_default()),
                (Some(_), None) => return std::cmp::Ordering::Less,
                (None, Some(_)) => return std::cmp::Ordering::Greater,
            };
            if params.descending {
                ordered.reverse()
            } else {
                ordered
            }
        };
        rows.sort_by(compare);
        rows.truncate(params.limit.unwrap_or(usize::MAX));
        Ok(json!({"count": rows.len(), "rows": rows, "sort_field": params.sort_field}))
    }
}
