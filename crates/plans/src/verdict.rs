//! The verdict on a plan's result.

use serde_json::Value;

use crate::checked_plan::CheckedPlan;
use crate::condition::is_present;
use crate::report::{
    ConditionReport, ConditionState, NOT_UNDERSTOOD, PlanStepStatus, PlanVerdict, StepReport, ValidationMode,
    ValidationResult, VerdictStatus,
};

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
        .filter(|check| !check.is_valid && check.mode != ValidationMode::Filter)
    {
        issues.push(format!("{} found something wrong", check.step));
    }
    let is_issue = |step: &&StepReport| {
        step.status == PlanStepStatus::Failed && !(is_answered && plan.optional_tools.contains(&step.tool))
    };
    for step in steps.iter().filter(is_issue) {
        let why = step.error.as_deref().unwrap_or("it failed");
        issues.push(format!("step {} ({}) failed: {why}", step.id, step.tool));
    }
    let conditions = conditions(plan, steps);
    issues.extend(conditions.iter().filter_map(|condition| match condition.state {
        ConditionState::NotUnderstood => Some(format!("{NOT_UNDERSTOOD}: {}", condition.text)),
        ConditionState::NotApplied => Some(format!("not applied: {}", condition.text)),
        ConditionState::Applied | ConditionState::Model => None,
    }));
    issues.extend(other_currency(plan, answer));
    if used_fallback {
        issues.push("a fallback gave the answer".into());
    }
    let is_broken = checks
        .iter()
        .any(|check| !check.is_valid && check.mode == ValidationMode::Fail);
    let status = match (is_answered && !is_broken, issues.is_empty()) {
        (false, _) => VerdictStatus::Failed,
        (true, true) => VerdictStatus::Passed,
        (true, false) => VerdictStatus::Partial,
    };
    PlanVerdict {
        status,
        issues,
        conditions,
        validation: checks.iter().map(|it| it.data.clone()).collect(),
    }
}

/// Says so when prices are in another currency than the amounts of the instruction.
fn other_currency(plan: &CheckedPlan, answer: Option<&Value>) -> Option<String> {
    let asked = plan.currency?;
    let rows = answer?.as_array()?;
    let told: Vec<&str> = rows
        .iter()
        .filter_map(|row| row.get("currency")?.as_str())
        .collect();
    let others = || told.iter().filter(|currency| **currency != asked);
    let first = others().next()?;
    let amounts = format!("the amounts of the instruction in {asked}");
    match others().count() {
        count if count == told.len() => Some(format!("the prices are in {first}, {amounts}")),
        1 => Some(format!("one price is in {first}, {amounts}")),
        count => Some(format!(
            "{count} of {} prices are in another currency, such as {first}, {amounts}",
            told.len()
        )),
    }
}

/// What the instruction asks, and what the steps did of it.
fn conditions(plan: &CheckedPlan, steps: &[StepReport]) -> Vec<ConditionReport> {
    let of_state = |state| {
        move |text: &String| ConditionReport {
            text: text.clone(),
            state,
        }
    };
    let told = |name: &'static str| {
        let lists = steps
            .iter()
            .filter_map(move |step| step.data.as_ref()?.get(name)?.as_array());
        lists.flatten().filter_map(Value::as_str).map(str::to_owned)
    };
    let by_parameters = plan.by_parameters.iter().map(of_state(ConditionState::Applied));
    let applied = told("applied").map(|text| ConditionReport {
        text,
        state: ConditionState::Applied,
    });
    let for_model = plan.for_model.iter().map(of_state(ConditionState::Model));
    let not_applied = told("not_applied").map(|text| ConditionReport {
        text,
        state: ConditionState::NotApplied,
    });
    let not_understood = plan
        .not_understood
        .iter()
        .map(of_state(ConditionState::NotUnderstood));
    by_parameters
        .chain(applied)
        .chain(for_model)
        .chain(not_applied)
        .chain(not_understood)
        .collect()
}
