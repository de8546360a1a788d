//! Running a checked plan: step after step, outputs into inputs, nothing swallowed.

use std::collections::BTreeMap;
use std::time::Instant;

use async_trait::async_trait;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::check::{CheckedPlan, CheckedStep, expected_names, is_check, lookup, main_field};
use super::coerce::coerce;
use super::dsl::OnError;
use super::reference::{About, Reference, Root, bind};
use super::verdict::{Verdict, judge};
use super::when::is_something;
use tools::Error;
use tools::ToolContext;
use tools::registry::{Entry, Outcome, Registry};

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    /// Well.
    Completed,
    /// Badly.
    Failed,
    /// Its condition did not hold.
    Skipped,
}

/// What came of a step.
#[derive(Debug, Clone, Serialize)]
pub struct StepReport {
    /// Its name; `fallback` for a fallback.
    pub id: String,
    /// Its tool.
    pub tool: String,
    /// What it was given, references replaced.
    pub parameters: Map<String, Value>,
    /// How it ended.
    pub status: StepStatus,
    /// What it gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// Whether it found nothing.
    pub empty: bool,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The error's stable name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// What a reader of the output should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// How long it took.
    pub duration_ms: u64,
}

/// What came of a plan.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The answer: what `expected_output` names, after validation; without it what the last giving step is for.
    pub answer: Option<Value>,
    /// Every step that was reached, in order.
    pub steps: Vec<StepReport>,
    /// Whether a fallback gave the answer.
    pub used_fallback: bool,
    /// Why fallbacks were tried, and why the plan ended early.
    pub reasons: Vec<String>,
    /// Whether the answer is what was wanted.
    pub verdict: Verdict,
    /// Whether whoever watched asked to stop.
    pub stopped: bool,
}

/// What happens while a plan runs.
pub enum Event<'a> {
    /// A step begins; its parameters are bound.
    Started {
        /// Its name.
        id: &'a str,
        /// Its tool.
        entry: &'a Entry,
        /// What it is given.
        parameters: &'a Map<String, Value>,
    },
    /// A step ended, or was skipped.
    Ended(&'a StepReport),
    /// A fallback is tried.
    Fallback {
        /// Why.
        reason: &'a str,
        /// Which tool.
        tool: &'a str,
    },
    /// The result was judged.
    Judged(&'a Verdict),
}

/// Hears what happens. Answering `false` ends the plan before the next step.
#[async_trait]
pub trait Watch: Send {
    /// Takes one event.
    async fn tell(&mut self, event: Event<'_>) -> bool;
}

/// Nobody watches.
pub struct Quiet;

#[async_trait]
impl Watch for Quiet {
    async fn tell(&mut self, _: Event<'_>) -> bool {
        true
    }
}

/// Runs a plan to its end.
pub async fn execute(
    plan: &CheckedPlan,
    registry: &Registry,
    context: &mut ToolContext,
    watch: &mut dyn Watch,
) -> Report {
    execute_within(plan, registry, context, watch, &Map::new()).await
}

/// As [`execute`], with the parameters of the composite tool that the plan is.
pub(crate) async fn execute_within(
    plan: &CheckedPlan,
    registry: &Registry,
    context: &mut ToolContext,
    watch: &mut dyn Watch,
    given: &Map<String, Value>,
) -> Report {
    let mut running = Running {
        plan,
        registry,
        given,
        steps: Vec::new(),
        order: Vec::new(),
        ended: BTreeMap::new(),
        checks: Vec::new(),
        reasons: plan.notes.iter().map(ToString::to_string).collect(),
        answered_by: None,
        stopped: false,
    };
    let failure = match plan.steps.is_empty() {
        true => Some("the plan cannot run as it is written".to_owned()),
        false => running.steps(context, watch).await,
    };
    let mut used_fallback = false;
    let wanted = failure.or_else(|| running.lacking(context));
    if let Some(reason) = wanted.filter(|_| !running.stopped) {
        running.reasons.push(reason.clone());
        used_fallback = running.fall_back(context, watch, reason).await;
    }
    let answer = running.answer(context);
    let verdict = judge(
        plan,
        answer.as_ref(),
        &running.steps,
        &running.checks,
        used_fallback,
    );
    if !running.stopped {
        watch.tell(Event::Judged(&verdict)).await;
    }
    Report {
        answer,
        steps: running.steps,
        used_fallback,
        reasons: running.reasons,
        verdict,
        stopped: running.stopped,
    }
}

/// A check's finding: its step, whether all was valid, and what it said.
pub(crate) struct Finding {
    pub(crate) step: String,
    pub(crate) mode: String,
    pub(crate) valid: bool,
    pub(crate) data: Value,
}

struct Running<'a> {
    plan: &'a CheckedPlan,
    registry: &'a Registry,
    given: &'a Map<String, Value>,
    steps: Vec<StepReport>,
    /// Ids of the plan's steps by place.
    order: Vec<String>,
    /// Place in `steps` of the last report of each id.
    ended: BTreeMap<String, usize>,
    checks: Vec<Finding>,
    reasons: Vec<String>,
    /// The tool whose output is the answer when nothing is expected by name.
    answered_by: Option<Entry>,
    stopped: bool,
}

impl Running<'_> {
    /// Runs all steps; a reason when the fallback has to.
    async fn steps(&mut self, context: &mut ToolContext, watch: &mut dyn Watch) -> Option<String> {
        let plan = self.plan;
        for step in &plan.steps {
            self.order.push(step.id.clone());
            let failed = self.step(step, context, watch).await;
            if self.stopped {
                return None;
            }
            let Some(why) = failed else { continue };
            let reason = format!("step {} ({}): {why}", step.id, step.tool());
            match step.on_error {
                OnError::Continue => self.reasons.push(reason),
                OnError::Fallback => return Some(reason),
                OnError::Stop => {
                    self.reasons.push(reason);
                    return None;
                }
            }
        }
        None
    }

    /// Runs one step; the error's text when it failed.
    async fn step(
        &mut self,
        step: &CheckedStep,
        context: &mut ToolContext,
        watch: &mut dyn Watch,
    ) -> Option<String> {
        if let Some(when) = &step.when {
            let value = self.value_of(&when.reference, context).unwrap_or(Value::Null);
            if !when.holds(&value) {
                let report = StepReport {
                    status: StepStatus::Skipped,
                    ..started(&step.id, step.tool(), &step.parameters)
                };
                self.close(report, watch).await;
                return None;
            }
        }
        let parameters = match self.bound(&step.entry, &step.parameters, context) {
            Ok(parameters) => parameters,
            Err(why) => {
                let report = StepReport {
                    status: StepStatus::Failed,
                    error: Some(why.clone()),
                    code: Some("BAD_REFERENCE".into()),
                    ..started(&step.id, step.tool(), &step.parameters)
                };
                self.close(report, watch).await;
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
                watch,
            )
            .await;
        match failed {
            None if is_check(&step.entry) => self.finding(step),
            other => other,
        }
    }

    /// Runs a tool and keeps what it gave.
    async fn call(
        &mut self,
        id: &str,
        entry: &Entry,
        parameters: Map<String, Value>,
        save_as: Option<&str>,
        context: &mut ToolContext,
        watch: &mut dyn Watch,
    ) -> Option<String> {
        let began = Instant::now();
        if !watch
            .tell(Event::Started {
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
        let mut report = started(id, entry.id(), &parameters);
        report.duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let failed = match result {
            Ok(outcome) => {
                keep(id, entry, &parameters, &outcome, save_as, context);
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
                report.status = StepStatus::Failed;
                report.code = Some(error.code().to_owned());
                report.error = Some(why.clone());
                Some(why)
            }
        };
        self.close(report, watch).await;
        failed
    }

    async fn close(&mut self, report: StepReport, watch: &mut dyn Watch) {
        self.stopped |= !watch.tell(Event::Ended(&report)).await;
        self.ended.insert(report.id.clone(), self.steps.len());
        self.steps.push(report);
    }

    /// What a check found, and whether that fails the plan.
    fn finding(&mut self, step: &CheckedStep) -> Option<String> {
        let report = self.steps.last()?;
        let data = report.data.clone().unwrap_or_default();
        let valid = data.get("valid").and_then(Value::as_bool).unwrap_or(true);
        let mode = report
            .parameters
            .get("mode")
            .and_then(Value::as_str)
            .unwrap_or("report")
            .to_owned();
        let failed = (mode == "fail" && !valid).then(|| format!("validation failed: {}", Brief(&data)));
        self.checks.push(Finding {
            step: step.id.clone(),
            mode,
            valid,
            data,
        });
        failed
    }

    /// Why the answer is not one, although no step failed the plan.
    fn lacking(&self, context: &ToolContext) -> Option<String> {
        if self.plan.fallback.is_empty() || self.stopped {
            return None;
        }
        // A step that stopped the plan did so on purpose.
        let stopped = self.steps.len() < self.plan.steps.len();
        let name = self.plan.expected_output.as_deref().unwrap_or("the answer");
        match self.answer(context) {
            _ if stopped => None,
            Some(value) if is_something(&value) => None,
            _ => Some(format!("{name} came out empty")),
        }
    }

    /// Tries the fallbacks in turn, and the plan's checks after each; whether one gave an answer.
    async fn fall_back(&mut self, context: &mut ToolContext, watch: &mut dyn Watch, reason: String) -> bool {
        let plan = self.plan;
        let mut reason = reason;
        for (entry, parameters) in &plan.fallback {
            if !watch
                .tell(Event::Fallback {
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
                    self.call("fallback", entry, parameters, None, context, watch)
                        .await
                }
                Err(why) => Some(why),
            };
            if self.stopped {
                return false;
            }
            let why = match failed {
                Some(why) => Some(why),
                None => self.check_again(context, watch).await,
            };
            let why = why.or_else(|| match self.answer(context) {
                Some(value) if is_something(&value) => None,
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

    /// Runs the plan's checks on what a fallback gave.
    async fn check_again(&mut self, context: &mut ToolContext, watch: &mut dyn Watch) -> Option<String> {
        let plan = self.plan;
        for step in plan.steps.iter().filter(|it| is_check(&it.entry)) {
            let failed = self.step(step, context, watch).await;
            if let Some(why) = failed {
                return Some(why);
            }
        }
        None
    }

    /// A tool's parameters with values in place of references.
    fn bound(
        &self,
        entry: &Entry,
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

    fn value_of(&self, reference: &Reference, context: &ToolContext) -> Option<Value> {
        match &reference.root {
            Root::Parameter(name) => match self.given.get(name) {
                Some(value) => lookup(Some(value), reference),
                // A parameter that was not given is nothing, and that is something.
                None => Some(Value::Null),
            },
            Root::Name(name) => lookup(context.input.get(name), reference),
            Root::Step(id) => {
                let id = match id.parse::<usize>() {
                    Ok(at) => self.order.get(at)?,
                    Err(_) => id,
                };
                let report = self.ended.get(id).and_then(|at| self.steps.get(*at))?;
                match reference.about {
                    About::Data => lookup(report.data.as_ref(), reference),
                    About::Ok => Some(json!(report.status == StepStatus::Completed)),
                    About::Skipped => Some(json!(report.status == StepStatus::Skipped)),
                    About::Empty => Some(json!(report.empty)),
                    About::Error => Some(json!(report.error)),
                }
            }
        }
    }

    /// What the plan came to: by its name where one is expected, never simply the last object.
    fn answer(&self, context: &ToolContext) -> Option<Value> {
        let gave = |it: &StepReport| it.status == StepStatus::Completed;
        match &self.plan.expected_output {
            Some(names) if names.contains(',') => {
                let found = expected_names(names)
                    .filter_map(|it| Some((it.to_owned(), context.input.get(it)?.clone())));
                let found: Map<String, Value> = found.collect();
                // Of several lists one may be empty; when all are, the answer is.
                let any = found.values().any(is_something);
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

fn started(id: &str, tool: &str, parameters: &Map<String, Value>) -> StepReport {
    StepReport {
        id: id.to_owned(),
        tool: tool.to_owned(),
        parameters: parameters.clone(),
        status: StepStatus::Completed,
        data: None,
        empty: false,
        error: None,
        code: None,
        warnings: Vec::new(),
        duration_ms: 0,
    }
}

/// Puts what a tool gave where later steps find it: under its step's name, under the name it is saved as, and each
/// field under its own name. A check changes nothing but the list that it filtered.
fn keep(
    id: &str,
    entry: &Entry,
    parameters: &Map<String, Value>,
    outcome: &Outcome,
    save_as: Option<&str>,
    context: &mut ToolContext,
) {
    let put = |input: &mut Map<String, Value>, name: &str, value: Value| {
        input.shift_remove(name);
        input.insert(name.to_owned(), value);
    };
    if is_check(entry) && parameters.get("mode").and_then(Value::as_str) == Some("filter") {
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

/// A value in a few words.
struct Brief<'v>(&'v Value);

impl std::fmt::Display for Brief<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&locale::truncate(&self.0.to_string(), 300))
    }
}

/// The error of a plan that is a tool, when it gave no answer.
pub(crate) fn failure(report: &Report) -> Error {
    let reasons = if report.reasons.is_empty() {
        "it gave nothing".to_owned()
    } else {
        report.reasons.join("; ")
    };
    Error::Failed(format!("the plan behind this tool failed: {reasons}"))
}
