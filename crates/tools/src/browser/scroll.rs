//! What comes on scrolling?

use browser::Action;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Error, Tool, ToolContext};

/// The tool `browser.scroll`.
pub struct Scroll;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    direction: String,
    amount: u32,
}

impl Tool for Scroll {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let down = match params.direction.as_str() {
            "up" => -f64::from(params.amount),
            "top" => -1e7,
            "bottom" => 1e7,
            _ => f64::from(params.amount),
        };
        context
            .act(&Action::Scroll {
                target: None,
                right: 0.0,
                down,
            })
            .await?;
        Ok(json!({"scrolled": true, "direction": params.direction}))
    }
}
