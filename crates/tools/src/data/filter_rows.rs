//! Rows that meet conditions.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::field_names::resolve_field;
use crate::input::{fields, rows};
use crate::row_condition::RowCondition;
use crate::{Error, Tool, ToolContext};

/// The tool `data.filter_rows`.
pub struct FilterRows;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    rows: Option<Vec<Value>>,
    conditions: Vec<RowCondition>,
    limit: Option<usize>,
}

impl Tool for FilterRows {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let rows = rows(context, params.rows)?;
        let names = fields(&rows);
        let mut applied = Vec::new();
        let mut not_applied = Vec::new();
        for condition in &params.conditions {
            match resolve_field(&condition.field, &names) {
                Some(name) => applied.push((condition, Some(name))),
                None if condition.operator.is_about_presence() && !rows.is_empty() => {
                    applied.push((condition, None));
                }
                None if rows.is_empty() => {}
                None => not_applied.push(format!(
                    "{condition}: no row has {:?}; there are {}",
                    condition.field,
                    names.join(", ")
                )),
            }
        }
        // A condition that no row can answer would leave nothing; the rows are better than that, and the verdict says so.
        applied.retain(|(condition, name)| {
            let is_decided = rows
                .iter()
                .any(|row| condition.holds(name.and_then(|name| row.get(name))).is_some());
            if !is_decided && !rows.is_empty() {
                not_applied.push(format!("{condition}: no row tells its {}", condition.field));
            }
            is_decided
        });
        let total = rows.len();
        let mut undecided = 0;
        let kept: Vec<Value> = rows
            .into_iter()
            .filter(|row| {
                let mut is_undecided = false;
                for (condition, name) in &applied {
                    match condition.holds(name.and_then(|name| row.get(name))) {
                        Some(true) => {}
                        Some(false) => return false,
                        None => is_undecided = true,
                    }
                }
                undecided += usize::from(is_undecided);
                !is_undecided
            })
            .take(params.limit.unwrap_or(usize::MAX))
            .collect();
        if undecided > 0 {
            context.warn(format!(
                "{undecided} rows that do not tell what the conditions ask were left out"
            ));
        }
        Ok(json!({"rows": kept, "count": kept.len(), "checked": total, "undecided": undecided, "not_applied": not_applied}))
    }
}
