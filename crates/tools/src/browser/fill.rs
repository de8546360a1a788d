//! The tool `browser.fill`: replaces the value of a field.

use browser::{Action, Ref};
use policy::ValueSource;
use serde::Deserialize;

use crate::agent_tool::{ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary};

/// The tool `browser.fill`.
pub struct Fill;

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    #[serde(rename = "ref")]
    target: Ref,
    value: String,
}

impl AgentTool for Fill {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        Ok(CallSummary::of(arguments.target).with(arguments.value.clone()))
    }

    async fn execute(
        &self,
        arguments: Arguments,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        let Arguments { target, value } = arguments;
        context.permit_fill(target, ValueSource::Model(&value)).await?;
        context.act(&Action::Fill { target, value }).await
    }
}
