//! The tool `browser.search_page`: finds elements by a text they contain, on the whole page.

use browser::snapshot::SnapshotView;
use page::quote::Quoted;
use serde::Deserialize;

use crate::agent_tool::{ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary};

/// The tool `browser.search_page`.
pub struct BrowserSearchPage;

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    text: String,
}

impl AgentTool for BrowserSearchPage {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        Ok(CallSummary::default().with(arguments.text.clone()))
    }

    async fn execute(
        &self,
        arguments: Arguments,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        let view = SnapshotView {
            bytes: 6000,
            search: Some(arguments.text),
            ..SnapshotView::default()
        };
        let found = context.values.mask(&context.snapshot.text(&view));
        let quoted = Quoted::lines(context.label, found.trim_end());
        Ok(ActionOutcome::told(format!("Found on the page:\n{quoted}")))
    }
}
