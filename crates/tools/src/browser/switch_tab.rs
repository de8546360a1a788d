//! The tool `browser.switch_tab`: goes on in another open tab.

use browser::Action;
use serde::Deserialize;

use crate::agent_tool::{
    ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary, missing, tab_number,
};

/// The tool `browser.switch_tab`.
pub struct BrowserSwitchTab;

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    tab: Option<f64>,
}

impl AgentTool for BrowserSwitchTab {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        let tab = arguments.tab.ok_or_else(|| missing("switch_tab", "tab"))?;
        Ok(CallSummary::default().with(tab_number(tab).to_string()))
    }

    async fn execute(
        &self,
        arguments: Arguments,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        let tab = tab_number(arguments.tab.unwrap_or_default());
        context.act(&Action::SwitchTab { tab }).await
    }
}
