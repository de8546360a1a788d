//! Output of tools that read listings: limits of price and number, and selected fields.

use serde::Serialize;
use serde_json::Value;

use crate::error::Error;

/// Limits of price and number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PriceLimits {
    pub(crate) min: f64,
    pub(crate) max: Option<f64>,
    /// Whether the limits themselves are outside.
    pub(crate) is_exclusive: bool,
    pub(crate) results: usize,
}

impl PriceLimits {
    /// Limits that something can be within; without a number of results all are within.
    ///
    /// # Errors
    /// When the lower one is above the upper one.
    pub(crate) fn new(
        min: f64,
        max: Option<f64>,
        is_exclusive: bool,
        results: Option<usize>,
    ) -> Result<Self, Error> {
        match max {
            Some(max) if min > max => Err(Error::param(
                "min_price",
                format!("{min} is more than max_price, {max}"),
            )),
            _ => Ok(Self {
                min,
                max,
                is_exclusive,
                results: results.unwrap_or(usize::MAX),
            }),
        }
    }

    /// Whether a price is within the limits; no price is within only when there are no limits.
    pub(crate) fn contain(&self, price: Option<f64>) -> bool {
        match price {
            Some(price) if self.is_exclusive => {
                (price > self.min || self.min <= 0.0) && self.max.is_none_or(|max| price < max)
            }
            Some(price) => price >= self.min && self.max.is_none_or(|max| price <= max),
            None => self.min <= 0.0 && self.max.is_none(),
        }
    }
}

/// Output of tools that list products.
#[derive(Serialize)]
pub struct ProductListOutput {
    products: Vec<Value>,
}

impl ProductListOutput {
    /// The products with the wanted fields only.
    ///
    /// # Errors
    /// When there is no field of that name.
    pub(crate) fn new(
        products: impl Iterator<Item = impl Serialize>,
        fields: Option<&[String]>,
    ) -> Result<Self, Error> {
        let products = products.filter_map(|it| serde_json::to_value(it).ok()).collect();
        Ok(Self {
            products: project(products, fields)?,
        })
    }
}

/// Items with the wanted fields only.
///
/// # Errors
/// When no item has a field of that name.
pub(crate) fn project(items: Vec<Value>, fields: Option<&[String]>) -> Result<Vec<Value>, Error> {
    let Some(fields) = fields else { return Ok(items) };
    let known: Vec<String> = items
        .first()
        .and_then(Value::as_object)
        .map(|it| it.keys().cloned().collect())
        .unwrap_or_default();
    if let Some(unknown) = fields.iter().find(|it| !items.is_empty() && !known.contains(it)) {
        return Err(Error::param(
            "fields",
            format!("there is no field {unknown:?}; there are {}", known.join(", ")),
        ));
    }
    let kept = |item: Value| match item {
        Value::Object(map) => Value::Object(map.into_iter().filter(|it| fields.contains(&it.0)).collect()),
        other => other,
    };
    Ok(items.into_iter().map(kept).collect())
}
