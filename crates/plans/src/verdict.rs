//! The verdict on a plan's result.

use serde_json::Value;

use crate::checked_plan::CheckedPlan;
use crate::condition::is_present;
use crate::report::{PlanStepStatus, PlanVerdict, StepReport, ValidationResult, VerdictStatus};

/// Judges the answer by the expected output, the validation results and the steps.
pub(crate) fn judge(
    plan: &CheckedPlan,
    answer: Option<&Value>,
    steps: &[StepReport],
    checks: &[ValidationResult],
    used_fallback: bool,
) -> PlanVerdict {
    let mut issues = Vec::new();
    let name = plan.expected_output.as_deref().unwrap_or("the answer");
    let is_answered = answer.is_some_and(is_present);
    match answer {
        None => issues.push(format!("{name} was not given by any step")),
        Some(value) if !is_present(value) => issues.push(format!("{name} is empty")),
        Some(_) => {}
    }
    for check in checks
        .iter()
        .filter(|check| !check.is_valid && check.mode != "filter")
    {
        issues.push(format!("{} found something wrong", check.step));
    }
    for step in steps.iter().filter(|it| it.status == PlanStepStatus::Failed) {
        let why = step.error.as_deref().unwrap_or("it failed");
        issues.push(format!("step {} ({}) failed: {why}", step.id, step.tool));
    }
    let not_understood = plan.not_understood.iter();
    issues.extend(not_understood.map(|words| format!("not understood and not applied: {words}")));
    for step in steps {
        let not_applied = step.data.as_ref().and_then(|data| data.get("not_applied"));
        let not_applied = not_applied.and_then(Value::as_array).into_iter().flatten();
        issues.extend(
            not_applied
                .filter_map(Value::as_str)
                .map(|words| format!("not applied: {words}")),
        );
    }
    if used_fallback {
        issues.push("a fallback gave the answer".into());
    }
    let is_broken = checks.iter().any(|check| !check.is_valid && check.mode == "fail");
    let status = match (is_answered && !is_broken, issues.is_empty()) {
        (false, _) => VerdictStatus::Failed,
        (true, true) => VerdictStatus::Passed,
        (true, false) => VerdictStatus::Partial,
    };
    PlanVerdict {
        status,
        issues,
        validation: checks.iter().map(|it| it.data.clone()).collect(),
    }
}
