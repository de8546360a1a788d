//! Quality score of a list: completeness and uniqueness.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::input::{RowsParams, rows};
use crate::values::{fields, is_blank, rounded, share};
use crate::{Error, Tool, ToolContext};

/// The tool `validate.row_signal`.
pub struct ValidateRowSignal;

impl Tool for ValidateRowSignal {
    type Params = RowsParams;
    type Output = Value;

    async fn run(&self, params: RowsParams, context: &mut ToolContext) -> Result<Value, Error> {
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
        let (completeness, uniqueness) = (share(filled, cells), share(distinct, rows.len()));
        let signal = rounded(0.7 * completeness + 0.3 * uniqueness);
        Ok(
            json!({"signal": signal, "completeness": completeness, "uniqueness": uniqueness, "empty": rows.is_empty()}),
        )
    }
}
