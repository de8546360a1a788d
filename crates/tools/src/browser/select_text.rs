//! The tool `browser.select_text`: selects text, in an element or anywhere.

use browser::{Action, Ref};
use serde::Deserialize;

use crate::agent_tool::{ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary, missing};

/// The tool `browser.select_text`.
pub struct BrowserSelectText;

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    #[serde(rename = "ref")]
    target: Option<Ref>,
    text: Option<String>,
}

impl AgentTool for BrowserSelectText {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        let text = arguments.text.clone().filter(|text| !text.is_empty());
        match (arguments.target, text) {
            (None, None) => Err(missing("select_text", "text")),
            (target, text) => Ok(CallSummary::of(target).with(text)),
        }
    }

    async fn execute(
        &self,
        arguments: Arguments,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        let Arguments { target, text } = arguments;
        if let Some(target) = target {
            context.permit_submit(target).await?;
        }
        let text = text.filter(|text| !text.is_empty());
        context.act(&Action::SelectText { target, text }).await
    }
}
