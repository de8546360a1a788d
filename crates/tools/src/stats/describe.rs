//! Descriptive statistics of numbers.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::rows;
use crate::values::number;
use crate::{Error, Tool, ToolContext};

/// The tool `stats.describe`.
pub struct StatsDescribe;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    data: Option<Vec<Value>>,
    field: Option<String>,
}

impl Tool for StatsDescribe {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let given = rows(context, params.data)?;
        let cells = given.iter().filter_map(|row| match &params.field {
            Some(field) => row.get(field).and_then(number),
            None => number(row),
        });
        let mut numbers: Vec<f64> = cells.collect();
        numbers.sort_by(f64::total_cmp);
        let count = numbers.len();
        if count == 0 {
            return Ok(
                json!({"count": 0, "skipped": given.len(), "empty": true, "mean": null, "median": null, "std": null, "min": null, "max": null, "sum": null}),
            );
        }
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let n = count as f64;
        let sum: f64 = numbers.iter().sum();
        let mean = sum / n;
        let spread: f64 = numbers.iter().map(|it| (it - mean).powi(2)).sum();
        let std = if count > 1 {
            (spread / (n - 1.0)).sqrt()
        } else {
            0.0
        };
        let at = |place: usize| numbers.get(place).copied().unwrap_or_default();
        let median = if count % 2 == 1 {
            at(count / 2)
        } else {
            f64::midpoint(at(count / 2 - 1), at(count / 2))
        };
        Ok(
            json!({"count": count, "skipped": given.len() - count, "mean": mean, "median": median, "std": std, "min": numbers.first(), "max": numbers.last(), "sum": sum}),
        )
    }
}
