//! The tool `browser.check`: sets a checkbox, radio button or switch.

use browser::{Action, Ref};
use policy::ValueSource;
use serde::Deserialize;

use crate::agent_tool::{ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary};

/// The tool `browser.check`.
pub struct Check;

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    #[serde(rename = "ref")]
    target: Ref,
}

impl AgentTool for Check {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        Ok(CallSummary::of(arguments.target))
    }

    async fn execute(
        &self,
        arguments: Arguments,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        let target = arguments.target;
        context.permit_fill(target, ValueSource::Page).await?;
        context.act(&Action::Check { target, on: true }).await
    }
}
