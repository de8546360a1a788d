//! Plans and their steps as written, before they are checked.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::condition::StepCondition;

/// Largest plan, in bytes.
pub const MAX_BYTES: usize = 1 << 20;
/// Most steps of a plan.
pub const MAX_STEPS: usize = 100;
/// Deepest nesting of a plan.
pub const MAX_DEPTH: usize = 64;

/// What happens when a step fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnError {
    /// The plan ends.
    Stop,
    /// The next step runs.
    Continue,
    /// The plan's fallback runs.
    Fallback,
}

/// One step as it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanStep {
    /// The step's id; `s1`, `s2` ... by default.
    pub id: String,
    /// The tool's id.
    pub tool: String,
    /// Parameters, with references.
    pub parameters: Map<String, Value>,
    /// The reason for the step.
    pub description: String,
    /// What happens when it fails.
    pub on_error: Option<OnError>,
    /// A further name for its output.
    pub save_as: Option<String>,
    /// The condition under which it runs.
    pub(crate) when: Option<StepCondition>,
}

/// A plan as it is written: well formed, not yet checked.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolPlan {
    /// The steps, in order.
    pub steps: Vec<PlanStep>,
    /// The names of the outputs that are the answer, separated by commas.
    pub expected_output: Option<String>,
    /// Fallbacks that are tried in order when the plan fails: tool and parameters.
    pub fallback: Vec<(String, Map<String, Value>)>,
    /// The currency of the amounts in the parameters, as an ISO 4217 code; prices in another one are told.
    pub currency: Option<&'static str>,
    /// The plan as JSON.
    pub source: Value,
}
