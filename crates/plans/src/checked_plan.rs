//! Plans that passed the check, ready to run.

use serde_json::{Map, Value, json};
use tools::registry::RegisteredTool;

use crate::condition::StepCondition;
use crate::issue::Issue;
use crate::plan::OnError;

/// A step that passed the check.
#[derive(Clone)]
pub struct CheckedStep {
    /// The step's id.
    pub id: String,
    /// Parameters: coerced and with defaults, references still in them.
    pub parameters: Map<String, Value>,
    /// The reason for the step.
    pub description: String,
    /// A further name for its output.
    pub save_as: Option<String>,
    pub(crate) entry: RegisteredTool,
    pub(crate) on_error: OnError,
    pub(crate) when: Option<StepCondition>,
}

impl CheckedStep {
    /// The tool's id.
    pub fn tool(&self) -> &str {
        self.entry.id()
    }
}

/// A plan that passed the check; only [`crate::check()`] makes one.
#[derive(Clone)]
pub struct CheckedPlan {
    pub(crate) steps: Vec<CheckedStep>,
    pub(crate) fallback: Vec<(RegisteredTool, Map<String, Value>)>,
    pub(crate) expected_output: Option<String>,
    /// Issues that the fallback makes up for: steps whose tool is unknown.
    pub notes: Vec<Issue>,
    /// Tools whose failure is no issue, because later steps do what they would have done.
    pub(crate) optional_tools: Vec<String>,
    /// What the instruction asks for and the parameters of the steps do.
    pub by_parameters: Vec<String>,
    /// What the instruction asks for and the model that made the plan was told.
    pub for_model: Vec<String>,
    /// The currency of the instruction's amounts, as an ISO 4217 code.
    pub(crate) currency: Option<&'static str>,
    /// Whether the instruction asks for all of a list, so that a list of which a bound left out the rest is an issue.
    pub wants_all: bool,
    /// What the instruction asks for and the plan does not do, in the instruction's words; a verdict names it.
    pub not_understood: Vec<String>,
}

impl CheckedPlan {
    /// The steps, in order. None when only the fallback can run.
    pub fn steps(&self) -> &[CheckedStep] {
        &self.steps
    }

    /// The name of the output that is the answer.
    pub fn expected_output(&self) -> Option<&str> {
        self.expected_output.as_deref()
    }

    /// Ids of the tools that are tried when the plan fails.
    pub fn fallbacks(&self) -> impl Iterator<Item = &str> {
        self.fallback.iter().map(|(entry, _)| entry.id())
    }

    /// The plan as JSON, as it will run: with ids, defaults and coerced parameters.
    pub fn json(&self) -> Value {
        let steps = self.steps.iter().map(|step| {
            let mut written = json!({"id": step.id, "tool": step.tool(), "parameters": step.parameters, "on_error": step.on_error});
            if let Some(fields) = written.as_object_mut() {
                if !step.description.is_empty() {
                    fields.insert("description".into(), step.description.clone().into());
                }
                if let Some(name) = &step.save_as {
                    fields.insert("save_as".into(), name.clone().into());
                }
            }
            written
        });
        json!({
            "plan": steps.collect::<Vec<_>>(),
            "expected_output": self.expected_output,
            "fallback": self.fallbacks().collect::<Vec<_>>(),
        })
    }
}
