//! Sorting of rows by a field.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::field_names::resolve_field;
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
    keep_order: bool,
}

impl Tool for DataRankRows {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let mut rows = rows(context, params.rows)?;
        let names = fields(&rows);
        let field = match resolve_field(&params.sort_field, &names) {
            Some(field) => field.to_owned(),
            None if rows.is_empty() => params.sort_field.clone(),
            None => {
                let problem = format!(
                    "no row has {:?}; there are {}",
                    params.sort_field,
                    names.join(", ")
                );
                if !params.keep_order {
                    return Err(Error::param("sort_field", problem));
                }
                let not_applied = [format!("order by {}: {problem}", params.sort_field)];
                rows.truncate(params.limit.unwrap_or(usize::MAX));
                return Ok(
                    json!({"count": rows.len(), "rows": rows, "sort_field": params.sort_field, "not_applied": not_applied}),
                );
            }
        };
        // A row without the field comes last either way.
        let compare = |one: &Value, other: &Value| {
            let (one, other) = (one.get(&field), other.get(&field));
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
