//! `interactive:paused` and `interactive:resumed`: a person has the browser of the run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `interactive:paused`. An addition of ours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunPaused {
    /// The page that is open.
    pub page_url: String,
    /// When the agent goes on by itself, in milliseconds since the epoch.
    pub until: i64,
}

/// Why a pause is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PauseEnd {
    /// The person handed the browser back.
    HandedBack,
    /// Its time was over.
    TimeOver,
}

/// `interactive:resumed`. An addition of ours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunResumed {
    /// Why.
    pub reason: PauseEnd,
    /// How many things the person did; each has its own `browser:action_started`.
    pub acts: u32,
    /// How long the pause was, in milliseconds.
    pub duration_ms: i64,
    /// What the person wrote about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}
