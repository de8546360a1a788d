//! Reports of plans and steps, and the verdict on a plan's result.

use serde::Serialize;
use serde_json::{Map, Value};

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanStepStatus {
    /// Its tool succeeded.
    Completed,
    /// Its tool or a reference failed.
    Failed,
    /// Its condition did not hold.
    Skipped,
}

/// The result of one step.
#[derive(Debug, Clone, Serialize)]
pub struct StepReport {
    /// The step's id; `fallback` for a fallback.
    pub id: String,
    /// The tool's id.
    pub tool: String,
    /// Parameters, with values in place of references.
    pub parameters: Map<String, Value>,
    /// How it ended.
    pub status: PlanStepStatus,
    /// The tool's output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// Whether the output holds nothing.
    pub empty: bool,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The error's stable code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Warnings about the output.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Duration in milliseconds.
    pub duration_ms: u64,
}

impl StepReport {
    /// The report of a step that has completed without output.
    pub(crate) fn new(id: &str, tool: &str, parameters: &Map<String, Value>) -> StepReport {
        StepReport {
            id: id.to_owned(),
            tool: tool.to_owned(),
            parameters: parameters.clone(),
            status: PlanStepStatus::Completed,
            data: None,
            empty: false,
            error: None,
            code: None,
            warnings: Vec::new(),
            duration_ms: 0,
        }
    }
}

/// The result of a plan.
#[derive(Debug, Clone, Serialize)]
pub struct PlanReport {
    /// The output that `expected_output` names, after validation; without one, the main output of the last tool that
    /// gave any.
    pub answer: Option<Value>,
    /// Every step that was reached, in order.
    pub steps: Vec<StepReport>,
    /// Whether a fallback gave the answer.
    pub used_fallback: bool,
    /// Why fallbacks were tried, and why the plan ended early.
    pub reasons: Vec<String>,
    /// The verdict on the answer.
    pub verdict: PlanVerdict,
    /// Whether the observer stopped the plan.
    pub stopped: bool,
}

/// How good a plan's result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictStatus {
    /// There is an answer and no issue.
    Passed,
    /// There is an answer with issues.
    Partial,
    /// There is no answer.
    Failed,
}

/// The verdict on a plan's result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanVerdict {
    /// How good the result is.
    pub status: VerdictStatus,
    /// Issues, each in a sentence.
    pub issues: Vec<String>,
    /// The outputs of the validation tools.
    pub validation: Vec<Value>,
}

/// The result of a validation step.
pub(crate) struct ValidationResult {
    pub(crate) step: String,
    /// `report`, `filter` or `fail`.
    pub(crate) mode: String,
    pub(crate) is_valid: bool,
    pub(crate) data: Value,
}
