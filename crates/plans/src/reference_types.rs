//! Types of the values that references name, and whether they fit where they stand.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::issue::shorten;
use crate::plan::{PlanStep, ToolPlan};
use crate::reference::{ReferenceRoot, StepProperty, ValueReference, schema_at};
use crate::tool_output::{is_check, main_schema, output_fields, output_names};
use locale::nearest;
use tools::manifest::rules;
use tools::registry::RegisteredTool;

/// A step that was checked before the present one.
pub(crate) struct EarlierStep {
    pub(crate) id: String,
    pub(crate) save_as: Option<String>,
    /// Its tool; `None` when there is no tool of that name.
    pub(crate) entry: Option<RegisteredTool>,
}

/// Why a reference cannot be resolved, worded for the author of the plan.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ReferenceFault {
    /// It names nothing that is known by then.
    Unknown(String),
    /// It names what needs its own step.
    Cycle(String),
}

impl From<String> for ReferenceFault {
    fn from(reason: String) -> Self {
        ReferenceFault::Unknown(reason)
    }
}

/// What the references of one step can name.
pub(crate) struct ReferenceScope<'a> {
    pub(crate) plan: &'a ToolPlan,
    pub(crate) earlier: &'a [EarlierStep],
    /// Schemas of the parameters of the composite tool that the plan is.
    pub(crate) parameters: &'a Map<String, Value>,
}

impl ReferenceScope<'_> {
    /// The types that the named value can have; empty when the schemas leave that open.
    ///
    /// # Errors
    /// When the reference names nothing that is known by then, with a suggestion.
    pub(crate) fn types(&self, reference: &ValueReference) -> Result<Vec<String>, ReferenceFault> {
        match &reference.root {
            ReferenceRoot::Parameter(name) => match self.parameters.get(name) {
                Some(schema) => Ok(types_at(schema, reference)?),
                None => Err(ReferenceFault::Unknown(format!(
                    "`{}`: this plan has no parameter `{}`",
                    reference.text,
                    shorten(name)
                ))),
            },
            ReferenceRoot::Step(id) => {
                let number = id.parse::<usize>().ok();
                let earlier = match number {
                    Some(index) => self.earlier.get(index),
                    None => self.earlier.iter().find(|step| step.id == *id),
                };
                let entry = earlier.and_then(|step| step.entry.as_ref());
                if let Some(entry) = entry
                    && let Some(path) = reference.path_of_field(entry.manifest())
                    && let field = (ValueReference {
                        path,
                        ..reference.clone()
                    })
                    && let Ok(types) = types_at(&entry.manifest().output_schema, &field)
                {
                    return Ok(types);
                }
                match (earlier, reference.property) {
                    (Some(step), StepProperty::Data) => Ok(types_of_output(step.entry.as_ref(), reference)?),
                    (Some(_), StepProperty::Error) => Ok(vec!["string".into(), "null".into()]),
                    (Some(_), StepProperty::Ok | StepProperty::Empty | StepProperty::Skipped) => {
                        Ok(vec!["boolean".into()])
                    }
                    (None, _) => Err(self.unknown(&reference.text, id, number)),
                }
            }
            ReferenceRoot::Name(name) => self.types_of_name(name, reference),
        }
    }

    /// The latest earlier step, saved output or output field of this name decides.
    fn types_of_name(&self, name: &str, reference: &ValueReference) -> Result<Vec<String>, ReferenceFault> {
        let mut is_open = false;
        for step in self.earlier.iter().rev() {
            if step.save_as.as_deref() == Some(name) {
                return match &step.entry {
                    Some(entry) => Ok(types_at(main_schema(entry.manifest()), reference)?),
                    None => Ok(Vec::new()),
                };
            }
            if step.id == name {
                return Ok(types_of_output(step.entry.as_ref(), reference)?);
            }
            match &step.entry {
                Some(entry) if !is_check(entry) => {
                    if let Some(field) = output_fields(entry.manifest()).and_then(|fields| fields.get(name)) {
                        return Ok(types_at(field, reference)?);
                    }
                }
                Some(_) => {}
                // The output of an unknown tool can hold anything.
                None => is_open = true,
            }
        }
        if is_open && !self.plan.steps.iter().any(|step| is_named(step, name)) {
            return Ok(Vec::new());
        }
        Err(self.unknown(&reference.text, name, None))
    }

    /// Says why a reference cannot be resolved: it names this step, a later one, or nothing.
    fn unknown(&self, text: &str, name: &str, number: Option<usize>) -> ReferenceFault {
        let current = self.earlier.len();
        let later = match number {
            Some(index) => (index < self.plan.steps.len()).then_some(index),
            None => self.plan.steps.iter().position(|step| is_named(step, name)),
        };
        match later {
            Some(index) if index == current => {
                ReferenceFault::Cycle(format!("`{text}` refers to the step itself: that is a circle"))
            }
            Some(index) if self.refers_back(index, current) => ReferenceFault::Cycle(format!(
                "`{text}` refers to a later step that refers to this one: that is a circle"
            )),
            Some(_) => format!("`{text}` refers to a later step; move it before this one").into(),
            None => self.unknown_name(text, name).into(),
        }
    }

    /// Whether a later step needs the current one, so that no order of the two can work.
    fn refers_back(&self, later: usize, current: usize) -> bool {
        let steps = &self.plan.steps;
        let (Some(current), Some(later)) = (steps.get(current), steps.get(later)) else {
            return false;
        };
        let parameters = Value::Object(later.parameters.clone()).to_string();
        let in_braces = |name: &String| parameters.contains(&format!("{{{{{name}"));
        parameters.contains(&format!("steps.{}", current.id))
            || in_braces(&current.id)
            || current.save_as.as_ref().is_some_and(in_braces)
    }

    fn unknown_name(&self, text: &str, name: &str) -> String {
        let mut names: BTreeSet<&str> = BTreeSet::new();
        for step in self.earlier {
            names.insert(&step.id);
            names.extend(step.save_as.as_deref());
            let outputs = step.entry.iter().flat_map(|entry| output_names(entry.manifest()));
            names.extend(outputs.map(String::as_str));
        }
        match nearest(name, names.iter().copied()) {
            Some(near) => {
                format!("`{text}` names nothing that an earlier step gives; did you mean `{near}`?")
            }
            None if names.is_empty() => format!("`{text}` names nothing: no step runs before this one"),
            None => {
                let names: Vec<&str> = names.into_iter().take(20).collect();
                format!(
                    "`{text}` names nothing that an earlier step gives; there are {}",
                    names.join(", ")
                )
            }
        }
    }
}

fn is_named(step: &PlanStep, name: &str) -> bool {
    step.id == name || step.save_as.as_deref() == Some(name)
}

fn types_of_output(
    entry: Option<&RegisteredTool>,
    reference: &ValueReference,
) -> Result<Vec<String>, String> {
    match entry {
        Some(entry) => types_at(&entry.manifest().output_schema, reference),
        None => Ok(Vec::new()),
    }
}

/// The types at the path of a reference within a schema.
fn types_at(schema: &Value, reference: &ValueReference) -> Result<Vec<String>, String> {
    let schema =
        schema_at(schema, &reference.path).map_err(|reason| format!("`{}`: {reason}", reference.text))?;
    let types = schema.map(rules::types_of).unwrap_or_default();
    Ok(types.into_iter().map(str::to_owned).collect())
}

/// Whether a value of one of the types `given` can be used where one of `wanted` is expected.
pub(crate) fn is_assignable(given: &[String], wanted: &[&str]) -> bool {
    let is_open = given.is_empty() || wanted.is_empty();
    is_open
        || given.iter().any(|given| {
            wanted.iter().any(|wanted| match (given.as_str(), *wanted) {
                (given, wanted) if given == wanted => true,
                ("integer" | "number" | "boolean", "string") => true,
                ("integer", "number") | ("number", "integer") => true,
                ("string", "number" | "integer" | "boolean" | "array") => true,
                _ => false,
            })
        })
}
