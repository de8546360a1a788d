//! Reading of a plan from JSON text or values, with every issue of its form.

use serde_json::{Map, Value};

use crate::condition::StepCondition;
use crate::issue::{Issue, IssueCode, Issues, MAX_ISSUES, pointer, shorten};
use crate::plan::{MAX_BYTES, MAX_DEPTH, MAX_STEPS, OnError, PlanStep, ToolPlan};
use locale::nearest;
use tools::manifest::rules::nesting;
use tools::manifest::value_depth;

const PLAN_KEYS: [&str; 6] = [
    "plan",
    "expected_output",
    "fallback",
    "currency",
    "description",
    "name",
];
const STEP_KEYS: [&str; 7] = [
    "id",
    "tool",
    "parameters",
    "description",
    "on_error",
    "save_as",
    "when",
];
/// Names that mean something else in references.
const RESERVED: [&str; 4] = ["steps", "params", "data", "output"];

impl ToolPlan {
    /// Reads a plan from its text.
    ///
    /// # Errors
    /// Every place where it is not in the form of a plan.
    pub fn read(text: &str) -> Result<ToolPlan, Issues> {
        if text.len() > MAX_BYTES {
            let message = format!("the plan has {} bytes; at most {MAX_BYTES} are read", text.len());
            return Err(Issues::of(Issue::new("/", IssueCode::TooLarge, message)));
        }
        if let Some(depth) = nesting(text).filter(|it| *it > MAX_DEPTH) {
            return Err(too_deep(depth));
        }
        match serde_json::from_str(text) {
            Ok(value) => ToolPlan::from_value(&value),
            Err(error) => Err(Issues::of(Issue::new(
                "/",
                IssueCode::NotJson,
                format!("it is not JSON: {error}"),
            ))),
        }
    }

    /// Reads a plan from JSON: `{"plan": [step, ...], "expected_output", "fallback"}`, or the list of steps alone.
    ///
    /// # Errors
    /// Every place where it is not in the form of a plan.
    pub fn from_value(value: &Value) -> Result<ToolPlan, Issues> {
        let depth = value_depth(value);
        if depth > MAX_DEPTH {
            return Err(too_deep(depth));
        }
        let none = Map::new();
        let (plan, steps) = match value {
            Value::Array(steps) => (&none, Some(steps)),
            Value::Object(plan) => (plan, plan.get("plan").and_then(Value::as_array)),
            _ => (&none, None),
        };
        let Some(steps) = steps else {
            let message = "a plan is an object with a list of steps under `plan`: {\"plan\": [{\"tool\": ..., \"parameters\": {...}}]}";
            return Err(Issues::of(Issue::new("/plan", IssueCode::NotAPlan, message)));
        };
        let mut reader = PlanReader::default();
        reader.unknown_keys("", plan, &PLAN_KEYS);
        if steps.len() > MAX_STEPS {
            let message = format!("the plan has {} steps; at most {MAX_STEPS} are run", steps.len());
            return Err(Issues::of(Issue::new("/plan", IssueCode::TooManySteps, message)));
        }
        if steps.is_empty() {
            reader.report("/plan", IssueCode::NotAPlan, "the plan has no step");
        }
        let read: Vec<PlanStep> = steps
            .iter()
            .enumerate()
            .filter_map(|(at, it)| reader.step(at, it))
            .collect();
        let expected_output = reader.text("", plan, "expected_output");
        let currency = reader.currency(plan);
        let fallback = plan
            .get("fallback")
            .map(|it| reader.fallback(it))
            .unwrap_or_default();
        reader.ids(&read);
        if reader.issues.is_empty() {
            Ok(ToolPlan {
                steps: read,
                expected_output,
                fallback,
                currency,
                source: value.clone(),
            })
        } else {
            Err(Issues(reader.issues))
        }
    }
}

fn too_deep(depth: usize) -> Issues {
    Issues::of(Issue::new(
        "/",
        IssueCode::TooDeep,
        format!("the plan is nested {depth} levels deep; at most {MAX_DEPTH} are read"),
    ))
}

/// Collects issues while it reads.
#[derive(Default)]
struct PlanReader {
    issues: Vec<Issue>,
}

impl PlanReader {
    fn report(&mut self, path: impl Into<String>, code: IssueCode, message: impl Into<String>) {
        if self.issues.len() < MAX_ISSUES {
            self.issues.push(Issue::new(path, code, message));
        }
    }

    fn unknown_keys(&mut self, path: &str, object: &Map<String, Value>, known: &[&str]) {
        for key in object.keys().filter(|it| !known.contains(&it.as_str())) {
            let hint = match nearest(key, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "the keys are {}; plans hold no code and no other settings",
                    known.join(", ")
                ),
            };
            let message = format!(
                "`{}` is no key of a {}; {hint}",
                shorten(key),
                if path.is_empty() { "plan" } else { "step" }
            );
            self.report(format!("{path}/{}", pointer(key)), IssueCode::UnknownKey, message);
        }
    }

    fn text(&mut self, path: &str, object: &Map<String, Value>, key: &str) -> Option<String> {
        match object.get(key) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) if text.len() <= 10_000 => Some(text.clone()),
            Some(_) => {
                self.report(
                    format!("{path}/{key}"),
                    IssueCode::BadPlan,
                    format!("`{key}` is a text of at most 10000 bytes"),
                );
                None
            }
        }
    }

    fn currency(&mut self, plan: &Map<String, Value>) -> Option<&'static str> {
        let written = self.text("", plan, "currency")?;
        let currency = locale::price::iso(&written, None);
        if currency.is_none() {
            let message = format!("`{}` is no currency; give a code such as EUR", shorten(&written));
            self.report("/currency", IssueCode::BadPlan, message);
        }
        currency
    }

    fn step(&mut self, at: usize, value: &Value) -> Option<PlanStep> {
        let path = format!("/plan/{at}");
        let Some(fields) = value.as_object() else {
            self.report(
                path,
                IssueCode::BadPlan,
                "a step is an object: {\"tool\": ..., \"parameters\": {...}}",
            );
            return None;
        };
        let step = respelled(fields);
        self.unknown_keys(&path, &step, &STEP_KEYS);
        let tool = self.text(&path, &step, "tool");
        if tool.is_none() && !matches!(step.get("tool"), Some(it) if !it.is_null()) {
            self.report(
                format!("{path}/tool"),
                IssueCode::BadPlan,
                "the step names no `tool`",
            );
        }
        let on_error = match self.text(&path, &step, "on_error").as_deref() {
            None => None,
            Some("stop") => Some(OnError::Stop),
            Some("continue") => Some(OnError::Continue),
            Some("fallback") => Some(OnError::Fallback),
            Some(_) => {
                self.report(
                    format!("{path}/on_error"),
                    IssueCode::BadPlan,
                    "`on_error` is stop, continue or fallback",
                );
                None
            }
        };
        let when = match step
            .get("when")
            .filter(|it| !it.is_null())
            .map(StepCondition::read)
        {
            None => None,
            Some(Ok(when)) => Some(when),
            Some(Err(why)) => {
                self.report(format!("{path}/when"), IssueCode::BadCondition, why);
                None
            }
        };
        Some(PlanStep {
            id: self
                .text(&path, &step, "id")
                .unwrap_or_else(|| format!("s{}", at + 1)),
            parameters: self.parameters(&path, step.get("parameters")),
            description: self.text(&path, &step, "description").unwrap_or_default(),
            save_as: self.text(&path, &step, "save_as"),
            tool: tool?,
            on_error,
            when,
        })
    }

    fn parameters(&mut self, path: &str, value: Option<&Value>) -> Map<String, Value> {
        match value {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(parameters)) => parameters.clone(),
            Some(Value::String(_)) => {
                let message =
                    "`parameters` is an object; write the object itself, not a text that holds JSON";
                self.report(format!("{path}/parameters"), IssueCode::BadParameter, message);
                Map::new()
            }
            Some(_) => {
                self.report(
                    format!("{path}/parameters"),
                    IssueCode::BadParameter,
                    "`parameters` is an object",
                );
                Map::new()
            }
        }
    }

    /// Reads a fallback: a tool's name, a step with tool and parameters, or a list of these.
    fn fallback(&mut self, value: &Value) -> Vec<(String, Map<String, Value>)> {
        let list = match value {
            Value::Null => return Vec::new(),
            Value::Array(list) => list.iter().collect(),
            single => vec![single],
        };
        if list.len() > 10 {
            self.report("/fallback", IssueCode::BadPlan, "a plan has at most 10 fallbacks");
            return Vec::new();
        }
        let mut read = Vec::new();
        for entry in list {
            match entry {
                Value::String(tool) => read.push((tool.clone(), Map::new())),
                Value::Object(fields) => {
                    let step = respelled(fields);
                    self.unknown_keys("/fallback", &step, &["tool", "parameters", "description"]);
                    match self.text("/fallback", &step, "tool") {
                        Some(tool) => read.push((tool, self.parameters("/fallback", step.get("parameters")))),
                        None => self.report(
                            "/fallback/tool",
                            IssueCode::BadPlan,
                            "the fallback names no `tool`",
                        ),
                    }
                }
                _ => self.report(
                    "/fallback",
                    IssueCode::BadPlan,
                    "`fallback` is the name of a tool, or a step",
                ),
            }
        }
        read
    }

    /// Checks that names are words and that no two steps or outputs share one.
    fn ids(&mut self, steps: &[PlanStep]) {
        let mut seen: Vec<&str> = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            for (key, name) in [("id", Some(&step.id)), ("save_as", step.save_as.as_ref())] {
                let Some(name) = name else { continue };
                let path = format!("/plan/{at}/{key}");
                let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
                if name.is_empty()
                    || name.len() > 64
                    || !name.chars().all(fits)
                    || name.bytes().all(|it| it.is_ascii_digit())
                {
                    let message = format!(
                        "{:?} is no name: use letters, digits, _ and -, not digits alone",
                        shorten(name)
                    );
                    self.report(path, IssueCode::BadPlan, message);
                } else if RESERVED.contains(&name.as_str()) {
                    self.report(
                        path,
                        IssueCode::BadPlan,
                        format!("`{name}` means something else in references; take another name"),
                    );
                } else if seen.contains(&name.as_str()) {
                    let message = match key == "save_as" && *name == step.id {
                        true => format!(
                            "`{name}` is the id of this step and names all that it gives; take another name"
                        ),
                        false => format!("`{name}` is taken by an earlier step"),
                    };
                    self.report(path, IssueCode::DuplicateId, message);
                } else {
                    seen.push(name);
                }
            }
        }
    }
}

/// Renames the keys of a step that models spell in other ways: `tool_name`, `params`, `arguments`, `reasoning`.
fn respelled(step: &Map<String, Value>) -> Map<String, Value> {
    let usual = |key: &str| match key {
        "tool_name" => "tool",
        "params" | "arguments" => "parameters",
        "reasoning" | "reason" => "description",
        _ => "",
    };
    let mut read = Map::new();
    for (key, value) in step {
        let usual = usual(key);
        let key = if usual.is_empty() || step.contains_key(usual) {
            key.as_str()
        } else {
            usual
        };
        read.insert(key.to_owned(), value.clone());
    }
    read
}
