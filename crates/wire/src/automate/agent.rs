//! `agent:*`: what the agent thinks and does.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::num::Num;

/// `agent:processing`: emitted before every model call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentProcessing {
    /// What the model is asked for, in words.
    pub operation: String,
    /// Whether a screenshot goes along.
    pub has_screenshot: bool,
}

/// `agent:status`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentStatus {
    /// The news.
    pub message: String,
}

/// `agent:step`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentStep {
    /// The turn, from 0.
    pub current_iteration: u32,
}

/// `agent:reasoned`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentReasoned {
    /// The model's own words.
    pub reasoning: String,
}

/// `agent:action` (every tool call) and `browser:action_started` (those that touch the tab).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentAction {
    /// The tool's name.
    pub action: String,
    /// The element it is done to.
    #[serde(rename = "ref", default, skip_serializing_if = "Option::is_none")]
    pub ref_: Option<String>,
    /// What is put in; a caller's secret shows as `{{key}}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// `agent:waiting`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentWaiting {
    /// For how long, in seconds.
    pub seconds: Num,
}

/// `agent:extracted`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentExtracted {
    /// What was read, as text.
    pub extracted_data: String,
}
