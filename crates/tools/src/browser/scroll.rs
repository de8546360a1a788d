//! The tool `browser.scroll`: scrolls the page or an element.

use browser::{Action, Ref};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::agent_tool::{ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary};
use crate::{Error, Tool, ToolContext};

/// The tool `browser.scroll`.
pub struct BrowserScroll;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    direction: String,
    amount: u32,
}

impl Tool for BrowserScroll {
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

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    direction: Option<String>,
    pixels: Option<f64>,
    #[serde(rename = "ref")]
    target: Option<Ref>,
}

impl Arguments {
    fn action(&self) -> Result<Action, String> {
        let target = self.target;
        let scroll = |right, down| Action::Scroll { target, right, down };
        if let (Some(_), None, None) = (target, &self.direction, self.pixels) {
            return Ok(scroll(0.0, 0.0));
        }
        let pixels = self.pixels.unwrap_or(600.0).abs().clamp(1.0, 100_000.0);
        match self.word().as_str() {
            "down" => Ok(scroll(0.0, pixels)),
            "up" => Ok(scroll(0.0, -pixels)),
            "right" => Ok(scroll(pixels, 0.0)),
            "left" => Ok(scroll(-pixels, 0.0)),
            other => Err(format!("{other:?} is no direction; use up, down, left or right")),
        }
    }

    fn word(&self) -> String {
        let word = self.direction.as_deref().unwrap_or("down");
        word.trim().to_ascii_lowercase()
    }
}

impl AgentTool for BrowserScroll {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        arguments.action()?;
        Ok(CallSummary::of(arguments.target).with(arguments.word()))
    }

    async fn execute(
        &self,
        arguments: Arguments,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        if arguments.target.is_some() {
            context.page()?;
        }
        let action = arguments.action().map_err(ActionError::Impossible)?;
        let outcome = context.act(&action).await?;
        Ok(ActionOutcome {
            reads_on: true,
            ..outcome
        })
    }
}
