//! How good is a list?

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::given::{fields, is_blank, rows};
use crate::{Error, Tool, ToolContext};

/// The tool `validate.row_signal`.
pub struct RowSignal;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    rows: Option<Vec<Value>>,
}

impl Tool for RowSignal {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let rows = rows(context, params.rows)?;
        let names = fields(&rows);
        let cells = rows.len() * names.len();
        let filled = rows
            .iter()
            .map(|row| {
                names
                    .iter()
                    .filter(|it| row.get(*it).is_some_and(|it| !is_blank(it)))
                    .count()
            })
            .sum::<usize>();
        let distinct = rows.iter().map(Value::to_string).collect::<HashSet<_>>().len();
        // Counts are far below 2^53.
        #[allow(clippy::cast_precision_loss)]
        let share = |part: usize, whole: usize| {
            if whole == 0 {
                0.0
            } else {
                (part as f64 / whole as f64 * 1000.0).round() / 1000.0
            }
        };
        let (completeness, uniqueness) = (share(filled, cells), share(distinct, rows.len()));
        let signal = ((0.7 * completeness + 0.3 * uniqueness) * 1000.0).round() / 1000.0;
        Ok(
            json!({"signal": signal, "completeness": completeness, "uniqueness": uniqueness, "empty": rows.is_empty()}),
        )
    }
}
