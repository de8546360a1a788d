//! The tool `agent.abort`: gives up, with a reason.

use serde::Deserialize;

use crate::agent_tool::{AgentTool, CallSummary, LoopRequest};

/// The tool `agent.abort`.
pub struct AgentAbort;

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    reason: String,
}

impl AgentTool for AgentAbort {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        Ok(CallSummary::default().with(arguments.reason.clone()))
    }

    fn loop_request(&self, arguments: &Arguments) -> Option<LoopRequest> {
        Some(LoopRequest::GiveUp(arguments.reason.clone()))
    }
}
