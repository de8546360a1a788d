//! The tool `agent.request_user_data`: asks the person for values of fields.

use browser::Ref;
use serde::Deserialize;

use crate::agent_tool::{AgentTool, CallSummary, LoopRequest};

/// The tool `agent.request_user_data`.
pub struct AgentRequestUserData;

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    description: String,
    refs: Vec<Ref>,
}

impl AgentTool for AgentRequestUserData {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        Ok(CallSummary::default().with(arguments.description.clone()))
    }

    fn loop_request(&self, arguments: &Arguments) -> Option<LoopRequest> {
        Some(LoopRequest::AskPerson {
            description: arguments.description.clone(),
            fields: arguments.refs.clone(),
        })
    }
}
