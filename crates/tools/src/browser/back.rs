//! The tool `browser.back`: goes one page back.

use serde::Deserialize;

use crate::agent_tool::{ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary};

/// The tool `browser.back`.
pub struct BrowserBack;

/// What the model gives: nothing.
#[derive(Deserialize)]
pub struct Arguments {}

impl AgentTool for BrowserBack {
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
        let visit = context.tab.back().await;
        context.travelled(visit)
    }
}
