//! The tool `browser.upload`: gives files to a file field.

use browser::{Action, Ref};
use policy::ValueSource;
use serde::Deserialize;

use crate::agent_tool::{ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary};

/// The tool `browser.upload`.
pub struct BrowserUpload;

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    #[serde(rename = "ref")]
    target: Ref,
    files: Vec<String>,
}

impl AgentTool for BrowserUpload {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        Ok(CallSummary::of(arguments.target).with(arguments.files.join(", ")))
    }

    async fn execute(
        &self,
        arguments: Arguments,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        let target = arguments.target;
        let files = context.files.find(&arguments.files);
        let files = files.map_err(ActionError::Impossible)?;
        context.permit_fill(target, ValueSource::Caller).await?;
        context.act(&Action::Upload { target, files }).await
    }
}
