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
    /// Its name; `s1`, `s2` ... when none is given.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// What it is given.
    pub parameters: Map<String, Value>,
    /// Why.
    pub description: String,
    /// What happens when it fails.
    pub on_error: Option<OnError>,
    /// The name under which what it gave is kept, too.
    pub save_as: Option<String>,
    /// Only then.
    pub(crate) when: Option<StepCondition>,
}

/// A plan as it is written: well formed, not yet checked.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolPlan {
    /// The steps, in order.
    pub steps: Vec<PlanStep>,
    /// Which of the outputs is the answer.
    pub expected_output: Option<String>,
    /// What is tried when the plan fails, one after the other: tool and parameters.
    pub fallback: Vec<(String, Map<String, Value>)>,
    /// The plan as JSON.
    pub source: Value,
}
