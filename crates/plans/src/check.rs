//! Check of a whole plan before anything runs: tools, parameters, references and expected output.

use serde_json::{Map, Value, json};

use crate::checked_plan::{CheckedPlan, CheckedStep};
use crate::coerce::coerce;
use crate::conditions::Conditions;
use crate::issue::{Issue, IssueCode, Issues, pointer, shorten};
use crate::plan::{OnError, PlanStep, ToolPlan};
use crate::reference::{self, ParameterValue, TextSegment, ValueReference, references};
use crate::reference_types::{EarlierStep, ReferenceFault, ReferenceScope, is_assignable};
use crate::tool_output::{expected_names, has_output, output_names};
use locale::nearest;
use tools::manifest::format::faults;
use tools::manifest::{Dependency, Manifest, rules};
use tools::registry::{RegisteredTool, Registry};

/// Checks a plan as a whole and returns it ready to run.
///
/// A plan whose only issues are unknown tools passes when it has a fallback that can run: then it has no steps, only
/// the fallback runs, and `notes` hold the issues.
///
/// # Errors
/// Every issue, each with its place and what to write instead.
pub fn check(plan: &ToolPlan, registry: &Registry, conditions: &Conditions) -> Result<CheckedPlan, Issues> {
    let mut checker = PlanChecker {
        plan,
        registry,
        conditions,
        issues: Vec::new(),
        earlier: Vec::new(),
    };
    let mut steps: Vec<CheckedStep> = Vec::new();
    for (index, step) in plan.steps.iter().enumerate() {
        steps.extend(checker.step(index, step));
    }
    if let Some(most) = conditions.max_steps.filter(|most| plan.steps.len() > *most) {
        let message = format!(
            "the plan has {} steps; this run may make {most}",
            plan.steps.len()
        );
        checker.report("/plan", IssueCode::TooManySteps, message);
    }
    let fallback: Vec<_> = plan
        .fallback
        .iter()
        .filter_map(|(tool, parameters)| checker.fallback(tool, parameters))
        .collect();
    for name in plan
        .expected_output
        .iter()
        .flat_map(|names| expected_names(names))
    {
        checker.expected_output(name, &fallback);
    }
    let issues = checker.issues;
    let is_unknown_tool =
        |issue: &Issue| issue.code == IssueCode::UnknownTool && issue.path.starts_with("/plan");
    if !issues.is_empty() {
        if fallback.is_empty() || !issues.iter().all(is_unknown_tool) {
            return Err(Issues(issues));
        }
        steps.clear();
    }
    Ok(CheckedPlan {
        steps,
        fallback,
        expected_output: plan.expected_output.clone(),
        notes: issues,
        optional_tools: Vec::new(),
        currency: plan.currency,
        by_parameters: Vec::new(),
        for_model: Vec::new(),
        wants_all: false,
        not_understood: Vec::new(),
    })
}

/// What is known about the parameters of one tool while they are checked.
#[derive(Default)]
struct ParameterCheck<'a> {
    ready: Map<String, Value>,
    /// Parameters that have an issue already, or whose value is known only during the run.
    undecided: Vec<&'a str>,
}

struct PlanChecker<'a> {
    plan: &'a ToolPlan,
    registry: &'a Registry,
    conditions: &'a Conditions,
    issues: Vec<Issue>,
    earlier: Vec<EarlierStep>,
}

impl PlanChecker<'_> {
    fn report(&mut self, path: impl Into<String>, code: IssueCode, message: impl Into<String>) {
        self.issues.push(Issue::new(path, code, message));
    }

    fn scope(&self) -> ReferenceScope<'_> {
        ReferenceScope {
            plan: self.plan,
            earlier: &self.earlier,
            parameters: &self.conditions.parameters,
        }
    }

    fn step(&mut self, index: usize, step: &PlanStep) -> Option<CheckedStep> {
        let path = format!("/plan/{index}");
        let entry = self.tool(&path, &step.tool);
        let parameters = match &entry {
            Some(entry) => self.parameters(&format!("{path}/parameters"), entry.manifest(), &step.parameters),
            None => step.parameters.clone(),
        };
        if let Some(when) = &step.when
            && let Err(fault) = self.scope().types(&when.reference)
        {
            self.reference_fault(&format!("{path}/when"), fault);
        }
        let has_fallback = !self.plan.fallback.is_empty();
        if step.on_error == Some(OnError::Fallback) && !has_fallback {
            self.report(
                format!("{path}/on_error"),
                IssueCode::BadPlan,
                "`on_error` is fallback and the plan has no `fallback`",
            );
        }
        self.earlier.push(EarlierStep {
            id: step.id.clone(),
            save_as: step.save_as.clone(),
            entry: entry.clone(),
        });
        let default = if has_fallback {
            OnError::Fallback
        } else {
            OnError::Stop
        };
        Some(CheckedStep {
            id: step.id.clone(),
            parameters,
            description: step.description.clone(),
            save_as: step.save_as.clone(),
            entry: entry?,
            on_error: step.on_error.unwrap_or(default),
            when: step.when.clone(),
        })
    }

    /// Finds a tool and checks that it is permitted and has its dependencies.
    fn tool(&mut self, path: &str, name: &str) -> Option<RegisteredTool> {
        let registry = self.registry;
        let path = format!("{path}/tool");
        let entry = match registry.find(name) {
            Ok(entry) => entry,
            Err(error) => {
                self.report(path, IssueCode::UnknownTool, error.to_string());
                return None;
            }
        };
        if let Err(error) = registry.permits(&self.conditions.grant, entry.manifest()) {
            self.report(&path, IssueCode::Denied, error.to_string());
        }
        for dependency in &entry.manifest().dependencies {
            if !self.conditions.has.contains(dependency) {
                let missing = match dependency {
                    Dependency::Page | Dependency::Tab => "a page; give an address to start on",
                    Dependency::Model => "a model; set HUNTSMAN_LLM_PROVIDER and HUNTSMAN_LLM_MODEL",
                    Dependency::Network => "the network, which this run has not",
                };
                self.report(
                    &path,
                    IssueCode::Unavailable,
                    format!("{} needs {missing}", entry.id()),
                );
            }
        }
        Some(entry.clone())
    }

    /// Checks parameters; returns them with defaults and in the types that the manifest declares.
    fn parameters(
        &mut self,
        path: &str,
        manifest: &Manifest,
        given: &Map<String, Value>,
    ) -> Map<String, Value> {
        let mut check = ParameterCheck::default();
        for (name, value) in given {
            self.parameter(path, manifest, name, value, &mut check);
        }
        self.missing_parameters(path, manifest, given, &mut check);
        let ready = tools::manifest::filled(&manifest.parameters, &check.ready);
        self.violations(path, manifest, &ready, &check.undecided);
        keep_literals(ready, given)
    }

    fn parameter<'p>(
        &mut self,
        path: &str,
        manifest: &Manifest,
        name: &'p str,
        value: &Value,
        check: &mut ParameterCheck<'p>,
    ) {
        let path = format!("{path}/{}", pointer(name));
        let Some(schema) = manifest.parameter(name) else {
            return self.unknown_parameter(path, manifest, name);
        };
        let (found, wrong) = references(value, &path);
        let has_references = !found.is_empty() || !wrong.is_empty();
        for (place, value) in &found {
            self.reference(place, value, (*place == path).then_some(schema));
        }
        for (place, reason) in wrong {
            self.report(place, IssueCode::BadReference, reason);
        }
        if has_references {
            check.undecided.push(name);
            check.ready.insert(name.to_owned(), value.clone());
            return;
        }
        let mut plain = value.clone();
        if reference::bind(&mut plain, |_| Ok(Value::Null)).is_err() {
            check.undecided.push(name);
            return;
        }
        let is_required = manifest.required().any(|required| required == name);
        if plain.is_null() && !is_required && !rules::types_of(schema).contains(&"null") {
            return;
        }
        match coerce(plain, schema) {
            Ok(value) => {
                check.ready.insert(name.to_owned(), value);
            }
            Err(reason) => {
                check.undecided.push(name);
                self.report(path, IssueCode::BadParameter, reason);
            }
        }
    }

    fn unknown_parameter(&mut self, path: String, manifest: &Manifest, name: &str) {
        let names: Vec<&str> = manifest
            .properties()
            .into_iter()
            .flat_map(Map::keys)
            .map(String::as_str)
            .collect();
        let hint = match nearest(name, names.iter().copied()) {
            Some(near) => format!("; did you mean `{near}`?"),
            None if names.is_empty() => "; it takes none".to_owned(),
            None => format!("; it takes {}", names.join(", ")),
        };
        let message = format!("{} has no parameter `{}`{hint}", manifest.id(), shorten(name));
        self.report(path, IssueCode::UnknownParameter, message);
    }

    /// A reference fits when it names something earlier, of a type that can be used there.
    fn reference(&mut self, place: &str, value: &ParameterValue, schema: Option<&Value>) {
        let wanted = match (value, schema) {
            (ParameterValue::Template(_), _) => vec!["string"],
            (_, Some(schema)) => rules::types_of(schema),
            (_, None) => Vec::new(),
        };
        let named: Vec<&ValueReference> = match value {
            ParameterValue::Reference(reference) => vec![reference],
            ParameterValue::Template(segments) => segments
                .iter()
                .filter_map(|segment| match segment {
                    TextSegment::Reference(reference) => Some(reference),
                    TextSegment::Text(_) => None,
                })
                .collect(),
            ParameterValue::Plain | ParameterValue::Literal(_) => return,
        };
        for reference in named {
            match self.scope().types(reference) {
                Err(fault) => self.reference_fault(place, fault),
                Ok(types) if !is_assignable(&types, &wanted) => {
                    let message = format!(
                        "`{}` is {} and {} is wanted",
                        reference.text,
                        types.join(" or "),
                        wanted.join(" or ")
                    );
                    self.report(place, IssueCode::BadReference, message);
                }
                Ok(_) => {}
            }
        }
    }

    fn reference_fault(&mut self, place: &str, fault: ReferenceFault) {
        match fault {
            ReferenceFault::Unknown(reason) => self.report(place, IssueCode::BadReference, reason),
            ReferenceFault::Cycle(reason) => self.report(place, IssueCode::Cycle, reason),
        }
    }

    fn missing_parameters<'p>(
        &mut self,
        path: &str,
        manifest: &'p Manifest,
        given: &Map<String, Value>,
        check: &mut ParameterCheck<'p>,
    ) {
        for name in manifest.required().filter(|name| !given.contains_key(*name)) {
            let schema = manifest.parameter(name);
            let keyword = |key: &str| schema.and_then(|schema| schema.get(key));
            if keyword("default").is_some_and(|default| !default.is_null()) {
                continue;
            }
            let description = keyword("description").and_then(Value::as_str).unwrap_or_default();
            let types = schema.map(rules::types_of).unwrap_or_default().join(" or ");
            self.report(
                format!("{path}/{name}"),
                IssueCode::MissingParameter,
                format!("{} needs `{name}` ({types}): {description}", manifest.id()),
            );
            check.undecided.push(name);
        }
    }

    /// Reports what the manifest's schema and formats forbid, apart from undecided parameters.
    fn violations(
        &mut self,
        path: &str,
        manifest: &Manifest,
        ready: &Map<String, Value>,
        undecided: &[&str],
    ) {
        let mut decided = ready.clone();
        for name in undecided {
            decided.insert((*name).to_owned(), Value::Null);
        }
        for violation in manifest.parameter_violations(&Value::Object(decided)) {
            let name = violation
                .path
                .trim_start_matches('/')
                .split('/')
                .next()
                .unwrap_or_default();
            if !undecided.contains(&name) {
                let place = format!("{path}{}", violation.path.trim_end_matches('/'));
                self.report(place, IssueCode::BadParameter, violation.reason);
            }
        }
        let none = Map::new();
        for (name, reason) in faults(manifest.properties().unwrap_or(&none), ready) {
            if !undecided.contains(&name.as_str()) {
                self.report(format!("{path}/{name}"), IssueCode::BadParameter, reason);
            }
        }
    }

    /// Checks a fallback. It takes over the parameters of the steps by name, those of later steps first.
    fn fallback(
        &mut self,
        name: &str,
        own: &Map<String, Value>,
    ) -> Option<(RegisteredTool, Map<String, Value>)> {
        let entry = self.tool("/fallback", name)?;
        let mut parameters = own.clone();
        for (name, value) in self.plan.steps.iter().rev().flat_map(|step| &step.parameters) {
            let (found, wrong) = references(value, "");
            if found.is_empty()
                && wrong.is_empty()
                && !parameters.contains_key(name)
                && let Some(schema) = entry.manifest().parameter(name)
                && let Ok(value) = coerce(value.clone(), schema)
            {
                parameters.insert(name.clone(), value);
            }
        }
        let before = self.issues.len();
        let parameters = self.parameters("/fallback/parameters", entry.manifest(), &parameters);
        (self.issues.len() == before).then_some((entry, parameters))
    }

    /// Checks that a step gives the expected output, and each fallback too.
    fn expected_output(&mut self, name: &str, fallback: &[(RegisteredTool, Map<String, Value>)]) {
        let is_named = |step: &EarlierStep| step.id == name || step.save_as.as_deref() == Some(name);
        let is_saved = self.earlier.iter().any(is_named);
        let can_give = |step: &EarlierStep| {
            let manifest = step.entry.as_ref().map(RegisteredTool::manifest);
            manifest.is_none_or(|manifest| has_output(manifest, name))
        };
        if !is_saved && !self.earlier.iter().any(can_give) {
            let entries = self.earlier.iter().filter_map(|step| step.entry.as_ref());
            let names: Vec<&str> = entries
                .flat_map(|entry| output_names(entry.manifest()))
                .map(String::as_str)
                .collect();
            let hint = match nearest(name, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("they give {}", names.join(", ")),
            };
            let message = format!("no step gives `{}`; {hint}", shorten(name));
            self.report("/expected_output", IssueCode::BadExpectedOutput, message);
        }
        for (entry, _) in fallback {
            if !is_saved && !has_output(entry.manifest(), name) {
                let message = format!("the fallback {} gives no `{}`", entry.id(), shorten(name));
                self.report("/fallback", IssueCode::BadExpectedOutput, message);
            }
        }
    }
}

/// Wraps literals that would be read as references in `$literal`, so that the run does not read them.
fn keep_literals(mut ready: Map<String, Value>, given: &Map<String, Value>) -> Map<String, Value> {
    for (name, value) in given {
        let is_literal = references(value, "").0.is_empty() && value.to_string().contains("\"$literal\"");
        if is_literal && let Some(ready) = ready.get_mut(name) {
            *ready = json!({"$literal": ready.take()});
        }
    }
    ready
}
