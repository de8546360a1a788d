//! The tool `agent.extract`: has a model read something out of the whole page.

use serde::Deserialize;

use crate::agent_tool::{AgentTool, CallSummary, LoopRequest};

/// The tool `agent.extract`.
pub struct AgentExtract;

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    description: String,
}

impl AgentTool for AgentExtract {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        Ok(CallSummary::default().with(arguments.description.clone()))
    }

    fn loop_request(&self, arguments: &Arguments) -> Option<LoopRequest> {
        Some(LoopRequest::Extract(arguments.description.clone()))
    }
}
