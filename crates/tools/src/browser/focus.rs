//! The tool `browser.focus`: gives an element the focus.

use browser::{Action, Ref};
use serde::Deserialize;

use crate::agent_tool::{ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary};

/// The tool `browser.focus`.
pub struct BrowserFocus;

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    #[serde(rename = "ref")]
    target: Ref,
}

impl AgentTool for BrowserFocus {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        Ok(CallSummary::of(arguments.target))
    }

    async fn execute(
        &self,
        arguments: Arguments,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        context.page()?;
        let target = arguments.target;
        context.act(&Action::Focus { target }).await
    }
}
