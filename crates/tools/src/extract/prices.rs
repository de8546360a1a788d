//! Prices in a text.

use locale::price;
use serde_json::{Value, json};

use crate::input::{TextSearchParams, text};
use crate::{Error, Tool, ToolContext};

/// The tool `extract.prices`.
pub struct ExtractPrices;

impl Tool for ExtractPrices {
    type Params = TextSearchParams;
    type Output = Value;

    async fn run(&self, params: TextSearchParams, context: &mut ToolContext) -> Result<Value, Error> {
        let text = text(context, params.text).await?;
        let found: Vec<Value> = text
            .lines()
            .flat_map(|line| price::find_all(line, &price::PriceHints::default()))
            .map(|it| json!({"raw": it.raw, "amount": it.amount.parse::<f64>().ok(), "currency": it.iso.or(it.currency)}))
            .take(params.limit)
            .collect();
        Ok(json!({"count": found.len(), "prices": found}))
    }
}
