//! Execution of a checked plan: step after step, outputs into inputs, fallbacks, verdict.

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::{Map, Value, json};

use crate::checked_plan::{CheckedPlan, CheckedStep};
use crate::coerce::coerce;
use crate::condition::is_present;
use crate::observer::{PlanEvent, PlanObserver};
use crate::plan::OnError;
use crate::reference::{ReferenceRoot, StepProperty, ValueReference, bind, follow};
use crate::report::{PlanReport, PlanStepStatus, StepReport, ValidationMode, ValidationResult};
use crate::tool_output::{expected_names, is_check, main_field};
use crate::verdict::judge;
use tools::Error;
use tools::ToolContext;
use tools::registry::{RegisteredTool, Registry, ToolOutcome};

/// Runs a plan to its end.
pub async fn execute(
    plan: &CheckedPlan,
    registry: &Registry,
    context: &mut ToolContext,
    observer: &mut dyn PlanObserver,
) -> PlanReport {
    execute_with_parameters(plan, registry, context, observer, &Map::new()).await
}

/// As [`execute`], with the parameters of the composite tool that the plan is.
pub(crate) async fn execute_with_parameters(
    plan: &CheckedPlan,
    registry: &Registry,
    context: &mut ToolContext,
    observer: &mut dyn PlanObserver,
    parameters: &Map<String, Value>,
) -> PlanReport {
    let mut run = PlanRun {
        plan,
        registry,
        parameters,
        steps: Vec::new(),
        order: Vec::new(),
        ended: BTreeMap::new(),
        checks: Vec::new(),
        reasons: plan.notes.iter().map(ToString::to_string).collect(),
        answered_by: None,
        stopped: false,
    };
    let end = match plan.steps.is_empty() {
        true => StepsEnd::Failed("the plan cannot run as it is written".to_owned()),
        false => run.steps(context, observer).await,
    };
    let mut used_fallback = false;
    let wanted = match end {
        StepsEnd::Reached => run.missing_answer(context),
        StepsEnd::Stopped => None,
        StepsEnd::Failed(reason) => Some(reason),
    };
    if let Some(reason) = wanted.filter(|_| !run.stopped) {
        run.reasons.push(reason.clone());
        used_fallback = run.fall_back(context, observer, reason).await;
    }
    let answer = run.answer(context);
    let verdict = judge(plan, answer.as_ref(), &run.steps, &run.checks, used_fallback);
    if !run.stopped {
        observer.tell(PlanEvent::Judged(&verdict)).await;
    }
    PlanReport {
        answer,
        steps: run.steps,
        used_fallback,
        reasons: run.reasons,
        verdict,
        stopped: run.stopped,
    }
}

struct PlanRun<'a> {
    plan: &'a CheckedPlan,
    registry: &'a Registry,
    parameters: &'a Map<String, Value>,
    steps: Vec<StepReport>,
    /// Ids of the plan's steps by place.
    order: Vec<String>,
    /// Place in `steps` of the last report of each id.
    ended: BTreeMap<String, usize>,
    checks: Vec<ValidationResult>,
    reasons: Vec<String>,
    /// The tool whose output is the answer when nothing is expected by name.
    answered_by: Option<RegisteredTool>,
    stopped: bool,
}

/// How the steps of a plan came to their end.
enum StepsEnd {
    /// All of them have run.
    Reached,
    /// The observer stopped the plan, or a step failed that stops it on purpose.
    Stopped,
    /// A step failed for which the fallback has to run, with the reason.
    Failed(String),
}

impl PlanRun<'_> {
    /// Runs all steps.
    async fn steps(&mut self, context: &mut ToolContext, observer: &mut dyn PlanObserver) -> StepsEnd {
        let plan = self.plan;
        for step in &plan.steps {
            self.order.push(step.id.clone());
            let failed = self.step(step, context, observer).await;
            if self.stopped {
                return StepsEnd::Stopped;
            }
            let Some(why) = failed else { continue };
            let reason = format!("step {} ({}): {why}", step.id, step.tool());
            match step.on_error {
                OnError::Continue => self.reasons.push(reason),
                OnError::Fallback => return StepsEnd::Failed(reason),
                OnError::Stop => {
                    self.reasons.push(reason);
                    return StepsEnd::Stopped;
                }
            }
        }
        StepsEnd::Reached
    }

    /// Runs one step; the error's text when it failed.
    async fn step(
        &mut self,
        step: &CheckedStep,
        context: &mut ToolContext,
        observer: &mut dyn PlanObserver,
    ) -> Option<String> {
        if let Some(when) = &step.when {
            let value = self.value_of(&when.reference, context).unwrap_or(Value::Null);
            if !when.holds(&value) {
                let report = StepReport {
                    status: PlanStepStatus::Skipped,
                    ..StepReport::new(&step.id, step.tool(), &step.parameters)
                };
                self.close(report, observer).await;
                return None;
            }
        }
        let parameters = match self.bound(&step.entry, &step.parameters, context) {
            Ok(parameters) => parameters,
            Err(why) => {
                let report = StepReport {
                    status: PlanStepStatus::Failed,
                    error: Some(why.clone()),
                    code: Some("BAD_REFERENCE".into()),
                    ..StepReport::new(&step.id, step.tool(), &step.parameters)
                };
                self.close(report, observer).await;
                return Some(why);
            }
        };
        let failed = self
            .call(
                &step.id,
                &step.entry,
                parameters,
                step.save_as.as_deref(),
                context,
                observer,
            )
            .await;
        match failed {
            None if is_check(&step.entry) => self.validation(step),
            other => other,
        }
    }

    /// Runs a tool and stores its output; the error's text when it failed.
    async fn call(
        &mut self,
        id: &str,
        entry: &RegisteredTool,
        parameters: Map<String, Value>,
        save_as: Option<&str>,
        context: &mut ToolContext,
        observer: &mut dyn PlanObserver,
    ) -> Option<String> {
        let began = Instant::now();
        if !observer
            .tell(PlanEvent::Started {
                id,
                entry,
                parameters: &parameters,
            })
            .await
        {
            self.stopped = true;
            return None;
        }
        let result = self.registry.run_entry(entry, &parameters, context).await;
        let mut report = StepReport::new(id, entry.id(), &parameters);
        report.duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let failed = match result {
            Ok(outcome) => {
                store_output(id, entry, &parameters, &outcome, save_as, context);
                if !is_check(entry) {
                    self.answered_by = Some(entry.clone());
                }
                report.warnings = outcome.warnings;
                report.empty = outcome.empty;
                report.data = Some(outcome.data);
                None
            }
            Err(error) => {
                let why = error.to_string();
                report.status = PlanStepStatus::Failed;
                report.code = Some(error.code().to_owned());
                report.error = Some(why.clone());
                Some(why)
            }
        };
        self.close(report, observer).await;
        failed
    }

    async fn close(&mut self, report: StepReport, observer: &mut dyn PlanObserver) {
        self.stopped |= !observer.tell(PlanEvent::Ended(&report)).await;
        self.ended.insert(report.id.clone(), self.steps.len());
        self.steps.push(report);
    }

    /// Stores the result of a validation step; the error's text when it fails the plan.
    fn validation(&mut self, step: &CheckedStep) -> Option<String> {
        let report = self.steps.last()?;
        let data = report.data.clone().unwrap_or_default();
        let is_valid = data.get("valid").and_then(Value::as_bool).unwrap_or(true);
        let mode = ValidationMode::of(&report.parameters);
        let failed = (mode == ValidationMode::Fail && !is_valid)
            .then(|| format!("validation failed: {}", locale::truncate(&data.to_string(), 300)));
        self.checks.push(ValidationResult {
            step: step.id.clone(),
            mode,
            is_valid,
            data,
        });
        failed
    }

    /// The reason for a fallback although no step failed: the answer is missing or empty.
    fn missing_answer(&self, context: &ToolContext) -> Option<String> {
        if self.plan.fallback.is_empty() {
            return None;
        }
        let name = self.plan.expected_output.as_deref().unwrap_or("the answer");
        match self.answer(context) {
            Some(value) if is_present(&value) => None,
            _ => Some(format!("{name} came out empty")),
        }
    }

    /// Tries the fallbacks in turn, each followed by the plan's validations; whether one gave an answer.
    async fn fall_back(
        &mut self,
        context: &mut ToolContext,
        observer: &mut dyn PlanObserver,
        reason: String,
    ) -> bool {
        let plan = self.plan;
        let mut reason = reason;
        for (entry, parameters) in &plan.fallback {
            if !observer
                .tell(PlanEvent::Fallback {
                    reason: &reason,
                    tool: entry.id(),
                })
                .await
            {
                self.stopped = true;
                return false;
            }
            self.checks.clear();
            let failed = match self.bound(entry, parameters, context) {
                Ok(parameters) => {
                    self.call("fallback", entry, parameters, None, context, observer)
                        .await
                }
                Err(why) => Some(why),
            };
            if self.stopped {
                return false;
            }
            let why = match failed {
                Some(why) => Some(why),
                None => self.check_again(context, observer).await,
            };
            let why = why.or_else(|| match self.answer(context) {
                Some(value) if is_present(&value) => None,
                _ => Some("it found nothing".to_owned()),
            });
            match why {
                None => return true,
                Some(why) => {
                    reason = format!("fallback {}: {why}", entry.id());
                    self.reasons.push(reason.clone());
                }
            }
            if self.stopped {
                return false;
            }
        }
        false
    }

    /// Runs the plan's validations on the output of a fallback.
    async fn check_again(
        &mut self,
        context: &mut ToolContext,
        observer: &mut dyn PlanObserver,
    ) -> Option<String> {
        let plan = self.plan;
        for step in plan.steps.iter().filter(|it| is_check(&it.entry)) {
            let failed = self.step(step, context, observer).await;
            if let Some(why) = failed {
                return Some(why);
            }
        }
        None
    }

    /// Replaces the references in a tool's parameters by values.
    fn bound(
        &self,
        entry: &RegisteredTool,
        parameters: &Map<String, Value>,
        context: &ToolContext,
    ) -> Result<Map<String, Value>, String> {
        let mut bound = Map::new();
        for (name, value) in parameters {
            let mut value = value.clone();
            let before = value.clone();
            bind(&mut value, |reference| {
                self.value_of(reference, context).ok_or_else(|| {
                    format!(
                        "`{}` has no value: the step that gives it did not",
                        reference.text
                    )
                })
            })?;
            if value != before
                && let Some(schema) = entry.manifest().parameter(name)
            {
                value = coerce(value, schema).map_err(|why| format!("{name}: {why}"))?;
            }
            bound.insert(name.clone(), value);
        }
        Ok(bound)
    }

    fn value_of(&self, reference: &ValueReference, context: &ToolContext) -> Option<Value> {
        match &reference.root {
            ReferenceRoot::Parameter(name) => match self.parameters.get(name) {
                Some(value) => follow(value, &reference.path).cloned(),
                // A parameter that was not given is nothing, and that is something.
                None => Some(Value::Null),
            },
            ReferenceRoot::Name(name) => follow(context.input.get(name)?, &reference.path).cloned(),
            ReferenceRoot::Step(id) => {
                let id = match id.parse::<usize>() {
                    Ok(at) => self.order.get(at)?,
                    Err(_) => id,
                };
                let report = self.ended.get(id).and_then(|at| self.steps.get(*at))?;
                // A field of the tool's output hides a property of that name, where there is an output.
                let step = self.plan.steps.iter().find(|step| step.id == *id);
                if let (Some(step), Some(data)) = (step, &report.data)
                    && let Some(path) = reference.path_of_field(step.entry.manifest())
                    && let Some(value) = follow(data, &path)
                {
                    return Some(value.clone());
                }
                match reference.property {
                    StepProperty::Data => follow(report.data.as_ref()?, &reference.path).cloned(),
                    StepProperty::Ok => Some(json!(report.status == PlanStepStatus::Completed)),
                    StepProperty::Skipped => Some(json!(report.status == PlanStepStatus::Skipped)),
                    StepProperty::Empty => Some(json!(report.empty)),
                    StepProperty::Error => Some(json!(report.error)),
                }
            }
        }
    }

    /// The answer: the expected output where one is named, else the main output of the last tool that gave any.
    fn answer(&self, context: &ToolContext) -> Option<Value> {
        let gave = |report: &StepReport| report.status == PlanStepStatus::Completed;
        match &self.plan.expected_output {
            Some(names) if names.contains(',') => {
                let found = expected_names(names)
                    .filter_map(|it| Some((it.to_owned(), context.input.get(it)?.clone())));
                let found: Map<String, Value> = found.collect();
                // Of several lists one may be empty; when all are, the answer is.
                let any = found.values().any(is_present);
                Some(Value::Object(if any { found } else { Map::new() }))
            }
            Some(name) => context.input.get(name).cloned(),
            None => {
                let entry = self.answered_by.as_ref()?;
                match main_field(entry.manifest()) {
                    Some(field) => context.input.get(field).cloned(),
                    None => self
                        .steps
                        .iter()
                        .rev()
                        .find(|it| gave(it) && it.tool == entry.id())?
                        .data
                        .clone(),
                }
            }
        }
    }
}

/// Stores a tool's output as input of later steps: under its step's id, under `save_as`, and each field under its own
/// name. A validation changes nothing but the list that it filtered.
fn store_output(
    id: &str,
    entry: &RegisteredTool,
    parameters: &Map<String, Value>,
    outcome: &ToolOutcome,
    save_as: Option<&str>,
    context: &mut ToolContext,
) {
    let put = |input: &mut Map<String, Value>, name: &str, value: Value| {
        input.shift_remove(name);
        input.insert(name.to_owned(), value);
    };
    if is_check(entry) && ValidationMode::of(parameters) == ValidationMode::Filter {
        let source = parameters
            .get("source")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let old = context.list(source).cloned().map(Value::Array);
        // The list may be there under several names.
        for value in context
            .input
            .values_mut()
            .filter(|it| Some(&**it) == old.as_ref())
        {
            *value = outcome.data.get("items").cloned().unwrap_or_default();
        }
    }
    put(&mut context.input, id, outcome.data.clone());
    let field = main_field(entry.manifest());
    let main = field.and_then(|it| outcome.data.get(it)).unwrap_or(&outcome.data);
    if let Some(name) = save_as {
        put(&mut context.input, name, main.clone());
    }
    if is_check(entry) {
        return;
    }
    for (name, value) in outcome
        .data
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, _)| *name != "empty")
    {
        put(&mut context.input, name, value.clone());
    }
}

/// The error of a plan that is a tool, when it gave no answer.
pub(crate) fn failure(report: &PlanReport) -> Error {
    let reasons = if report.reasons.is_empty() {
        "it gave nothing".to_owned()
    } else {
        report.reasons.join("; ")
    };
    Error::Failed(format!("the plan behind this tool failed: {reasons}"))
}
