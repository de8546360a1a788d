//! What comes on scrolling?

use serde::Deserialize;
use serde_json::{Value, json};
use browser::Action;

use crate::{Cx, Error, Tool};

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

    async fn run(&self, params: Params, cx: &mut Cx) -> Result<Value, Error> {
        let down = match params.direction.as_str() {
            "up" => -f64::from(params.amount),
            "top" => -1e7,
            "bottom" => 1e7,
            _ => f64::from(params.amount),
        };
        cx.act(&Action::Scroll {
            target: None,
            right: 0.0,
            down,
        })
        .await?;
        Ok(json!({"scrolled": true, "direction": params.direction}))
    }
}
