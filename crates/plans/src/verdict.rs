//! The verdict on a plan's result.

use serde_json::Value;

use crate::checked_plan::CheckedPlan;
use crate::condition::is_present;
use crate::report::{
    ALL_OF_LIST, ConditionReport, ConditionState, NOT_UNDERSTOOD, PlanStepStatus, PlanVerdict, StepReport,
    ValidationMode, ValidationResult, VerdictStatus,
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
        Some(value) if !is_present(value) => issues.push(match reader_of_nothing(steps) {
            Some(reader) => format!("{name} is empty: {reader} found no entries on the page"),
            None => format!("{name} is empty"),
        }),
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
    let mut conditions = conditions(plan, steps);
    issues.extend(conditions.iter().filter_map(|condition| match condition.state {
        ConditionState::NotUnderstood => Some(format!("{NOT_UNDERSTOOD}: {}", condition.text)),
        ConditionState::NotApplied => Some(format!("not applied: {}", condition.text)),
        ConditionState::Applied | ConditionState::Model => None,
    }));
    let unread = unread_rest(plan, steps);
    if !unread.is_empty() {
        conditions.push(ConditionReport {
            text: ALL_OF_LIST.to_owned(),
            state: ConditionState::NotApplied,
        });
    }
    issues.extend(unread);
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

/// The tool that reads the page's list and found no entry, so that an empty answer says nothing of what the page lists.
fn reader_of_nothing(steps: &[StepReport]) -> Option<&str> {
    let is_reader = |step: &&StepReport| step.tool.starts_with("extraction.");
    let found_nothing = |step: &&StepReport| {
        let count = step.data.as_ref().and_then(|data| data.get("count"));
        count.and_then(Value::as_u64) == Some(0)
    };
    let reader = steps.iter().filter(is_reader).find(found_nothing)?;
    Some(&reader.tool)
}

/// Says so when a list goes on behind what was read, though all of it is wanted, or though the walk through its pages was cut short.
fn unread_rest(plan: &CheckedPlan, steps: &[StepReport]) -> Vec<String> {
    let of_tool = |tool: &str| {
        let steps = steps.iter().filter(|step| step.tool == tool);
        steps
            .filter_map(|step| Some((step, step.data.as_ref()?)))
            .next_back()
    };
    let mut issues = Vec::new();
    if let Some((step, data)) = of_tool("navigation.pagination")
        && let Some(place) = data.get("goes_on").and_then(Value::as_str)
    {
        let pages = data.get("pages_visited").and_then(Value::as_u64).unwrap_or(1);
        let read = match pages {
            1 => "one page".to_owned(),
            pages => format!("{pages} pages"),
        };
        let reason = data
            .get("stopped_reason")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let why = match reason {
            "max_pages" => None,
            "time" => Some("the time for reading them was over".to_owned()),
            "size" => Some("the pages are too large to be held together".to_owned()),
            "no_change" => Some("that changed nothing".to_owned()),
            "needs_scripts" => Some("that needs scripts".to_owned()),
            reason => Some(step.warnings.last().cloned().unwrap_or_else(|| reason.to_owned())),
        };
        if plan.wants_all || why.is_some() {
            let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
            issues.push(format!(
                "{read} of the list were read; the list goes on {place}, which was not read{why}; orders and conditions are of \
                 what was read"
            ));
        }
    }
    if let Some((_, data)) = of_tool("navigation.scroll_load")
        && plan.wants_all
        && data.get("reached_end").and_then(Value::as_bool) == Some(false)
    {
        let scrolls = data
            .get("scrolls_performed")
            .and_then(Value::as_u64)
            .unwrap_or_default();
        issues.push(format!(
            "the end of the list was not reached in {scrolls} scrolls; orders and conditions are of what was loaded"
        ));
    }
    issues
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
