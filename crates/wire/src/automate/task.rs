//! `task:*`: how the task was understood, started, judged and ended.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `task:trace_context`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskTraceContext {
    /// W3C trace id: 32 lower-case hex digits.
    pub trace_id: String,
}

/// `task:setup`. Addresses of browser endpoints are never put in a public one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskSetup {
    /// What was asked.
    pub task: String,
    /// Which browser engine is used.
    pub browser_name: String,
    /// The start page the caller named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The caller's rules in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guardrails: Option<String>,
    /// The caller's data; values are replaced by their keys before this is emitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// Whether a key for the model's provider is configured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has_api_key: Option<bool>,
    /// Where that key came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_source: Option<KeySource>,
    /// The model's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The model's provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// The way out, when a proxy is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy: Option<String>,
    /// A remote browser by its protocol endpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pw_endpoint: Option<String>,
    /// A remote browser by its CDP endpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pw_cdp_endpoint: Option<String>,
    /// All CDP endpoints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pw_cdp_endpoints: Option<Vec<String>>,
    /// How many CDP endpoints there are; says as much as a reader needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pw_cdp_endpoint_count: Option<u32>,
    /// Whether the model is shown screenshots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vision: Option<bool>,
}

/// Where the provider's key was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeySource {
    /// In the configuration.
    Global,
    /// In the environment.
    Env,
    /// Nowhere.
    NotSet,
}

/// `task:started`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskStarted {
    /// What was asked.
    pub task: String,
    /// By what the answer will be judged.
    pub success_criteria: String,
    /// How the agent means to get there.
    pub plan: String,
    /// The page it starts on.
    pub url: String,
    /// The plan as a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action_items: Option<Vec<String>>,
    /// Title of that page. An addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// How good an answer is. `Complete` and `Excellent` are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CompletionQuality {
    /// It does not answer the task.
    Failed,
    /// It answers a part.
    Partial,
    /// It answers the task.
    Complete,
    /// It answers the task, with proof.
    Excellent,
}

impl CompletionQuality {
    /// Whether an answer of this quality ends the run.
    #[must_use]
    pub fn is_accepted(self) -> bool {
        matches!(self, Self::Complete | Self::Excellent)
    }
}

/// `task:validated`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskValidated {
    /// What the judge saw.
    pub observation: String,
    /// The verdict.
    pub completion_quality: CompletionQuality,
    /// The answer that was judged.
    pub final_answer: String,
    /// What is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
}

/// `task:validation_error`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskValidationError {
    /// Why the answer was not accepted.
    pub errors: Vec<String>,
    /// How many answers were refused so far.
    pub retry_count: u32,
    /// What the judge answered, as it came.
    pub raw_response: Value,
    /// What the agent is told. An addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
}

/// `task:aborted`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskAborted {
    /// Why.
    pub reason: String,
    /// What can be said nevertheless.
    pub final_answer: String,
}

/// `task:completed`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskCompleted {
    /// Whether the task was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success: Option<bool>,
    /// The answer; null when there is none.
    pub final_answer: Option<String>,
}

/// `task:metrics` and `task:metrics_incremental`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskMetrics {
    /// Model calls that answered.
    pub ai_generation_count: u64,
    /// Model calls that failed.
    pub ai_generation_error_count: u64,
    /// How often each event was emitted.
    pub event_counts: BTreeMap<String, u64>,
    /// Turns of the loop.
    pub step_count: u64,
    /// Tokens sent to models.
    pub total_input_tokens: u64,
    /// Tokens received from models.
    pub total_output_tokens: u64,
}
