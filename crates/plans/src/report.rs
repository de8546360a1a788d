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

/// What became of a condition of the instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConditionState {
    /// Every row of the answer meets it.
    Applied,
    /// A model was told of it and decides.
    Model,
    /// It is understood, and the rows cannot answer it.
    NotApplied,
    /// Its words are not understood.
    NotUnderstood,
}

/// A condition of the instruction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConditionReport {
    /// The condition as it was read, or the words of the instruction.
    pub text: String,
    /// What became of it.
    pub state: ConditionState,
}

/// The verdict on a plan's result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanVerdict {
    /// How good the result is.
    pub status: VerdictStatus,
    /// Issues, each in a sentence.
    pub issues: Vec<String>,
    /// What the instruction asks of the result, and what became of each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<ConditionReport>,
    /// The outputs of the validation tools.
    pub validation: Vec<Value>,
}

/// Why no plan was made for a page although the instruction asks something of its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoPlanReason {
    /// A model reads the page, and the conditions are left to it.
    ModelReads,
    /// No tool is known for the words.
    NotUnderstood,
    /// The request itself leaves no room for the tools; the text says what of it.
    Withheld(String),
}

impl PlanVerdict {
    /// The verdict on a page that no plan was made for, although the instruction asks something of its rows.
    pub fn without_plan(conditions: Vec<String>, reason: &NoPlanReason) -> PlanVerdict {
        let state = match reason {
            NoPlanReason::ModelReads => ConditionState::Model,
            NoPlanReason::NotUnderstood => ConditionState::NotUnderstood,
            NoPlanReason::Withheld(_) => ConditionState::NotApplied,
        };
        let issue = |text: &String| match reason {
            NoPlanReason::ModelReads => None,
            NoPlanReason::NotUnderstood => Some(format!("{NOT_UNDERSTOOD}: {text}")),
            NoPlanReason::Withheld(why) => Some(format!("not applied: {text}: {why}")),
        };
        PlanVerdict {
            status: VerdictStatus::Partial,
            issues: conditions.iter().filter_map(issue).collect(),
            conditions: conditions
                .into_iter()
                .map(|text| ConditionReport { text, state })
                .collect(),
            validation: Vec::new(),
        }
    }

    /// Adds a column that was asked for and that no row has.
    pub fn add_missing_column(&mut self, column: &str) {
        self.issues.push(format!("no row has the column {column:?}"));
        self.conditions.push(ConditionReport {
            text: format!("column {column}"),
            state: ConditionState::NotApplied,
        });
        if self.status == VerdictStatus::Passed {
            self.status = VerdictStatus::Partial;
        }
    }

    /// Adds that the list goes on at a place that was not read, though all of it was asked for. `place` is as in [`unread_part`].
    pub fn add_unread_part(&mut self, place: &str) {
        self.issues.push(unread_part(place));
        self.conditions.push(ConditionReport {
            text: ALL_OF_LIST.into(),
            state: ConditionState::NotApplied,
        });
        if self.status == VerdictStatus::Passed {
            self.status = VerdictStatus::Partial;
        }
    }
}

/// Says that a list goes on at a place that was not read: `at https://...`, `behind the button "Next"`.
pub fn unread_part(place: &str) -> String {
    format!(
        "the list goes on {place}, which was not read; ask for \"all pages\" or a number of pages to have it read on"
    )
}

/// The condition that all of a list is read.
pub(crate) const ALL_OF_LIST: &str = "all of the list";

/// How an issue about words that nothing understood begins.
pub(crate) const NOT_UNDERSTOOD: &str = "not understood and not applied";

/// What a validation does about what it finds wrong: the parameter `mode` of its step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValidationMode {
    /// It reports it.
    Report,
    /// It takes it out of the list.
    Filter,
    /// It fails the plan.
    Fail,
}

impl ValidationMode {
    /// The mode that parameters name; the words are those of the manifests of validations.
    pub(crate) fn of(parameters: &Map<String, Value>) -> Self {
        match parameters.get("mode").and_then(Value::as_str) {
            Some("filter") => ValidationMode::Filter,
            Some("fail") => ValidationMode::Fail,
            _ => ValidationMode::Report,
        }
    }
}

/// The result of a validation step.
pub(crate) struct ValidationResult {
    pub(crate) step: String,
    pub(crate) mode: ValidationMode,
    pub(crate) is_valid: bool,
    pub(crate) data: Value,
}
