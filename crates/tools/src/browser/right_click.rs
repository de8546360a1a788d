//! The tool `browser.right_click`: clicks with the other button.

use browser::{Action, Ref};
use serde::Deserialize;

use crate::agent_tool::{ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary};

/// The tool `browser.right_click`.
pub struct BrowserRightClick;

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    #[serde(rename = "ref")]
    target: Ref,
}

impl AgentTool for BrowserRightClick {
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
        context.permit_click(target).await?;
        context.act(&Action::RightClick { target }).await
    }
}
