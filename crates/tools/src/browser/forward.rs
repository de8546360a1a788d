//! The tool `browser.forward`: goes one page forward.

use serde::Deserialize;

use crate::agent_tool::{ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary};

/// The tool `browser.forward`.
pub struct BrowserForward;

/// What the model gives: nothing.
#[derive(Deserialize)]
pub struct Arguments {}

impl AgentTool for BrowserForward {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        let Arguments {} = arguments;
        Ok(CallSummary::default())
    }

    async fn execute(
        &self,
        arguments: Arguments,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        let Arguments {} = arguments;
        let visit = context.tab.forward().await;
        context.travelled(visit)
    }
}
