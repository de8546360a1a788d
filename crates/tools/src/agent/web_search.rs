//! The tool `agent.web_search`: searches the web.

use serde::Deserialize;

use crate::agent_tool::{AgentTool, CallSummary, LoopRequest};

/// The tool `agent.web_search`.
pub struct AgentWebSearch;

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    query: String,
}

impl AgentTool for AgentWebSearch {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        Ok(CallSummary::default().with(arguments.query.clone()))
    }

    fn loop_request(&self, arguments: &Arguments) -> Option<LoopRequest> {
        Some(LoopRequest::SearchWeb(arguments.query.clone()))
    }
}
