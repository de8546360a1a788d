//! Correlation of two lists of numbers (Pearson).

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Error, Tool, ToolContext};

/// The tool `stats.correlation`.
pub struct StatsCorrelation;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Tool for StatsCorrelation {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, _: &mut ToolContext) -> Result<Value, Error> {
        if params.x.len() != params.y.len() {
            return Err(Error::param(
                "y",
                format!("it has {} numbers and x has {}", params.y.len(), params.x.len()),
            ));
        }
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let n = params.x.len() as f64;
        let mean = |of: &[f64]| of.iter().sum::<f64>() / n;
        let (mx, my) = (mean(&params.x), mean(&params.y));
        let pairs = || params.x.iter().zip(&params.y).map(|(x, y)| (x - mx, y - my));
        let (xy, xx, yy) = (
            pairs().map(|(x, y)| x * y).sum::<f64>(),
            pairs().map(|(x, _)| x * x).sum::<f64>(),
            pairs().map(|(_, y)| y * y).sum::<f64>(),
        );
        let correlation = Some(xy / (xx * yy).sqrt()).filter(|it| it.is_finite());
        Ok(json!({"correlation": correlation, "count": params.x.len(), "empty": params.x.is_empty()}))
    }
}
