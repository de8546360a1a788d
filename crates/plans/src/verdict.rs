//! Is the answer what was wanted?

use serde::Serialize;
use serde_json::Value;

use super::check::CheckedPlan;
use super::execute::{Finding, StepReport, StepStatus};
use super::when::is_something;

/// How a plan's result stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// There is an answer and nothing speaks against it.
    Passed,
    /// There is an answer, and something about it or the way to it is wrong.
    Partial,
    /// There is none.
    Failed,
}

/// The judgement on a plan's result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// How it stands.
    pub status: Standing,
    /// What is wrong, each in a sentence.
    pub issues: Vec<String>,
    /// What the checks said.
    pub validation: Vec<Value>,
}

/// Judges by the expected output, the checks and the steps. Each tool's output schema was held while it ran.
pub(crate) fn judge(
    plan: &CheckedPlan,
    answer: Option<&Value>,
    steps: &[StepReport],
    checks: &[Finding],
    used_fallback: bool,
) -> Verdict {
    let mut issues = Vec::new();
    let name = plan.expected_output.as_deref().unwrap_or("the answer");
    let answered = answer.is_some_and(is_something);
    match answer {
        None => issues.push(format!("{name} was not given by any step")),
        Some(value) if !is_something(value) => issues.push(format!("{name} is empty")),
        Some(_) => {}
    }
    for check in checks.iter().filter(|it| !it.valid && it.mode != "filter") {
        issues.push(format!("{} found something wrong", check.step));
    }
    for step in steps.iter().filter(|it| it.status == StepStatus::Failed) {
        let why = step.error.as_deref().unwrap_or("it failed");
        issues.push(format!("step {} ({}) failed: {why}", step.id, step.tool));
    }
    if used_fallback {
        issues.push("a fallback gave the answer".into());
    }
    let broken = checks.iter().any(|it| !it.valid && it.mode == "fail");
    let status = match (answered && !broken, issues.is_empty()) {
        (false, _) => Standing::Failed,
        (true, true) => Standing::Passed,
        (true, false) => Standing::Partial,
    };
    Verdict {
        status,
        issues,
        validation: checks.iter().map(|it| it.data.clone()).collect(),
    }
}
