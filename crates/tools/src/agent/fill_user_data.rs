//! The tool `agent.fill_user_data`: puts a value of the person into a field, by its key.

use browser::Ref;
use policy::ValueSource;
use serde::Deserialize;

use crate::agent_tool::{ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary};

/// The tool `agent.fill_user_data`.
pub struct AgentFillUserData;

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    #[serde(rename = "ref")]
    target: Ref,
    key: String,
}

impl AgentTool for AgentFillUserData {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        Ok(CallSummary::of(arguments.target).with(format!("{{{{{}}}}}", arguments.key)))
    }

    async fn execute(
        &self,
        arguments: Arguments,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        let Some(value) = context.values.value(&arguments.key).map(str::to_owned) else {
            let keys = context.values.keys().join(", ");
            let text = format!("there is no value under that key; the keys are: {keys}");
            return Err(ActionError::Impossible(text));
        };
        let values = context.values;
        let source = values
            .sites(&arguments.key)
            .map_or(ValueSource::Caller, ValueSource::Vault);
        context.put_value(arguments.target, &value, source).await
    }
}
