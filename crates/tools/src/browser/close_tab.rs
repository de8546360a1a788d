//! The tool `browser.close_tab`: closes a tab, the present one by default.

use browser::Action;
use serde::Deserialize;

use crate::agent_tool::{ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary, tab_number};

/// The tool `browser.close_tab`.
pub struct BrowserCloseTab;

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    tab: Option<f64>,
}

impl AgentTool for BrowserCloseTab {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        let tab = arguments.tab.map(tab_number);
        Ok(CallSummary::default().with(tab.map(|tab| tab.to_string())))
    }

    async fn execute(
        &self,
        arguments: Arguments,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        let tab = arguments.tab.map(tab_number);
        context.act(&Action::CloseTab { tab }).await
    }
}
