//! The tool `browser.select`: chooses options of a select field.

use browser::{Action, Ref};
use policy::ValueSource;
use serde::Deserialize;

use crate::agent_tool::{ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary};

/// The tool `browser.select`.
pub struct Select;

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    #[serde(rename = "ref")]
    target: Ref,
    value: Vec<String>,
}

impl AgentTool for Select {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        Ok(CallSummary::of(arguments.target).with(arguments.value.join(", ")))
    }

    async fn execute(
        &self,
        arguments: Arguments,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        let Arguments { target, value } = arguments;
        context.permit_fill(target, ValueSource::Page).await?;
        let options = value;
        context.act(&Action::Select { target, options }).await
    }
}
