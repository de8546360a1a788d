//! Check that prices lie within a range.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::checked_items::{field, list, remaining};
use crate::values::number;
use crate::{Error, Tool, ToolContext};

/// The tool `validation.price_range_check`.
pub struct ValidationPriceRangeCheck;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    min: f64,
    max: f64,
    field: String,
    source: String,
    mode: String,
}

#[derive(Serialize)]
pub struct Output {
    valid: bool,
    checked: usize,
    in_range: usize,
    out_of_range: Vec<PriceOutside>,
    missing: usize,
    items: Vec<Value>,
}

/// A price outside of the range.
#[derive(Serialize)]
pub struct PriceOutside {
    index: usize,
    value: f64,
}

impl Tool for ValidationPriceRangeCheck {
    type Params = Params;
    type Output = Output;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Output, Error> {
        if params.min > params.max {
            return Err(Error::param("min", "it is more than max"));
        }
        let items = list(context, Some(&params.source))?;
        let prices: Vec<Option<f64>> = items
            .iter()
            .map(|it| field(it, &params.field).and_then(number))
            .collect();
        let within = |price: &Option<f64>| price.is_some_and(|it| it >= params.min && it <= params.max);
        let passed: Vec<bool> = prices.iter().map(within).collect();
        let missing = prices.iter().filter(|it| it.is_none()).count();
        let outside = prices
            .iter()
            .enumerate()
            .filter_map(|(index, it)| Some(PriceOutside { index, value: (*it)? }));
        let out_of_range: Vec<PriceOutside> = outside
            .filter(|it| passed.get(it.index) == Some(&false))
            .collect();
        let kept = remaining(&params.mode, items.clone(), &passed);
        Ok(Output {
            valid: passed.iter().all(|it| *it),
            checked: items.len(),
            in_range: passed.iter().filter(|it| **it).count(),
            out_of_range,
            missing,
            items: kept,
        })
    }
}
