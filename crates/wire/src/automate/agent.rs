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
    /// The page just before, where pictures are kept: of `browser:action_started`, and of `agent:action` for `done`. An
    /// addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<StepPicture>,
    /// Who does it, where it is not the agent: of `browser:action_started` alone. An addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<ActedBy>,
}

/// Who acts in the browser of a run in the place of its agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ActedBy {
    /// A person who has paused the run.
    Person,
}

/// A picture of the browser, as JPEG.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepPicture {
    /// Its name among the files of the run: `GET /v1/runs/{id}/files/{name}`.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
    /// Where the element is that the action is done to; absent when there is none to be seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<PictureArea>,
}

/// A rectangle of a picture, in pixels from its top left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PictureArea {
    /// From the left.
    pub x: u32,
    /// From the top.
    pub y: u32,
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
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
