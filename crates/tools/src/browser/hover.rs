//! The tool `browser.hover`: moves the pointer over an element.

use browser::{Action, Ref};
use serde::Deserialize;

use crate::agent_tool::{
    ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary, point, shown_point,
};

/// The tool `browser.hover`.
pub struct BrowserHover;

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    #[serde(rename = "ref")]
    target: Ref,
    x: Option<f64>,
    y: Option<f64>,
}

impl AgentTool for BrowserHover {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        let at = point(arguments.x, arguments.y);
        Ok(CallSummary::of(arguments.target).with(at.map(shown_point)))
    }

    async fn execute(
        &self,
        arguments: Arguments,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        context.page()?;
        let Arguments { target, x, y } = arguments;
        let at = point(x, y);
        context.act(&Action::Hover { target, at }).await
    }
}
