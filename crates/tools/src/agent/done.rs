//! The tool `agent.done`: finishes with an answer.

use serde::Deserialize;

use crate::agent_tool::{AgentTool, CallSummary, LoopRequest};

/// The tool `agent.done`.
pub struct AgentDone;

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    result: String,
}

impl AgentTool for AgentDone {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        Ok(CallSummary::default().with(arguments.result.clone()))
    }

    fn loop_request(&self, arguments: &Arguments) -> Option<LoopRequest> {
        Some(LoopRequest::Finish(arguments.result.clone()))
    }
}
