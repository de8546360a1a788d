//! How a plan is written, and its reading from JSON of any kind.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::when::When;
use locale::nearest;
use tools::manifest::rules::nesting;

/// Largest plan, in bytes.
pub const MAX_BYTES: usize = 1 << 20;
/// Most steps of a plan.
pub const MAX_STEPS: usize = 100;
/// Deepest nesting of a plan.
pub const MAX_DEPTH: usize = 64;
/// Most issues that are told at once.
const MAX_ISSUES: usize = 100;

/// One thing that is wrong with a plan, worded for whoever wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// JSON pointer to the place in the plan.
    pub path: String,
    /// What kind of issue: `unknown_tool`, `missing_parameter`, `bad_reference` ...
    pub code: String,
    /// What is wrong and what to write instead.
    pub message: String,
}

impl Issue {
    pub(crate) fn new(path: impl Into<String>, code: &str, message: impl Into<String>) -> Issue {
        Issue {
            path: path.into(),
            code: code.to_owned(),
            message: message.into(),
        }
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// Everything that is wrong with a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub struct Issues(pub Vec<Issue>);

impl fmt::Display for Issues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the plan cannot run:")?;
        for issue in self.0.iter().take(MAX_ISSUES) {
            write!(f, "\n- {issue}")?;
        }
        Ok(())
    }
}

impl Issues {
    /// The stable name for clients: `POLICY_DENIED` when nothing but the grant stands against the plan.
    pub fn code(&self) -> &'static str {
        match self.0.iter().all(|it| it.code == "denied") {
            true if !self.0.is_empty() => "POLICY_DENIED",
            _ => "INVALID_PLAN",
        }
    }

    fn of(issue: Issue) -> Issues {
        Issues(vec![issue])
    }
}

/// What happens when a step fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnError {
    /// The plan ends.
    Stop,
    /// The next step runs.
    Continue,
    /// The plan's fallback runs.
    Fallback,
}

/// One step as it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Its name; `s1`, `s2` ... when none is given.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// What it is given.
    pub parameters: Map<String, Value>,
    /// Why.
    pub description: String,
    /// What happens when it fails.
    pub on_error: Option<OnError>,
    /// The name under which what it gave is kept, too.
    pub save_as: Option<String>,
    /// Only then.
    pub(crate) when: Option<When>,
}

/// A plan as it is written: well formed, not yet checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// Which of the outputs is the answer.
    pub expected_output: Option<String>,
    /// What is tried when the plan fails, one after the other: tool and parameters.
    pub fallback: Vec<(String, Map<String, Value>)>,
    /// The plan as JSON.
    pub source: Value,
}

const PLAN_KEYS: [&str; 5] = ["plan", "expected_output", "fallback", "description", "name"];
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

impl Plan {
    /// Reads a plan from its text.
    ///
    /// # Errors
    /// With everything that is no plan about it.
    pub fn read(text: &str) -> Result<Plan, Issues> {
        if text.len() > MAX_BYTES {
            let told = format!("the plan has {} bytes; at most {MAX_BYTES} are read", text.len());
            return Err(Issues::of(Issue::new("/", "too_large", told)));
        }
        if let Some(depth) = nesting(text).filter(|it| *it > MAX_DEPTH) {
            return Err(too_deep(depth));
        }
        match serde_json::from_str(text) {
            Ok(value) => Plan::from_value(&value),
            Err(error) => Err(Issues::of(Issue::new(
                "/",
                "not_json",
                format!("it is not JSON: {error}"),
            ))),
        }
    }

    /// Reads a plan from JSON: `{"plan": [step, ...], "expected_output", "fallback"}`, or the list of steps alone.
    ///
    /// # Errors
    /// With everything that is no plan about it.
    pub fn from_value(value: &Value) -> Result<Plan, Issues> {
        let depth = depth(value);
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
            let told = "a plan is an object with a list of steps under `plan`: {\"plan\": [{\"tool\": ..., \"parameters\": {...}}]}";
            return Err(Issues::of(Issue::new("/plan", "not_a_plan", told)));
        };
        let mut reading = Reading::default();
        reading.unknown_keys("", plan, &PLAN_KEYS);
        if steps.len() > MAX_STEPS {
            let told = format!("the plan has {} steps; at most {MAX_STEPS} are run", steps.len());
            return Err(Issues::of(Issue::new("/plan", "too_many_steps", told)));
        }
        if steps.is_empty() {
            reading.say("/plan", "not_a_plan", "the plan has no step");
        }
        let read: Vec<Step> = steps
            .iter()
            .enumerate()
            .filter_map(|(at, it)| reading.step(at, it))
            .collect();
        let expected_output = reading.text("", plan, "expected_output");
        let fallback = plan
            .get("fallback")
            .map(|it| reading.fallback(it))
            .unwrap_or_default();
        reading.ids(&read);
        if reading.issues.is_empty() {
            Ok(Plan {
                steps: read,
                expected_output,
                fallback,
                source: value.clone(),
            })
        } else {
            Err(Issues(reading.issues))
        }
    }
}

fn too_deep(depth: usize) -> Issues {
    Issues::of(Issue::new(
        "/",
        "too_deep",
        format!("the plan is nested {depth} levels deep; at most {MAX_DEPTH} are read"),
    ))
}

/// How deeply a value is nested.
fn depth(value: &Value) -> usize {
    let (mut deepest, mut open) = (0, vec![(value, 0_usize)]);
    while let Some((value, depth)) = open.pop() {
        deepest = deepest.max(depth);
        match value {
            Value::Array(items) => open.extend(items.iter().map(|it| (it, depth + 1))),
            Value::Object(fields) => open.extend(fields.values().map(|it| (it, depth + 1))),
            _ => {}
        }
    }
    deepest
}

#[derive(Default)]
struct Reading {
    issues: Vec<Issue>,
}

impl Reading {
    fn say(&mut self, path: impl Into<String>, code: &str, message: impl Into<String>) {
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
            let told = format!(
                "`{}` is no key of a {}; {hint}",
                cut(key),
                if path.is_empty() { "plan" } else { "step" }
            );
            self.say(format!("{path}/{}", pointer(key)), "unknown_key", told);
        }
    }

    fn text(&mut self, path: &str, object: &Map<String, Value>, key: &str) -> Option<String> {
        match object.get(key) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) if text.len() <= 10_000 => Some(text.clone()),
            Some(_) => {
                self.say(
                    format!("{path}/{key}"),
                    "bad_plan",
                    format!("`{key}` is a text of at most 10000 bytes"),
                );
                None
            }
        }
    }

    fn step(&mut self, at: usize, value: &Value) -> Option<Step> {
        let path = format!("/plan/{at}");
        let Some(given) = value.as_object() else {
            self.say(
                path,
                "bad_plan",
                "a step is an object: {\"tool\": ..., \"parameters\": {...}}",
            );
            return None;
        };
        let step = respelled(given);
        self.unknown_keys(&path, &step, &STEP_KEYS);
        let tool = self.text(&path, &step, "tool");
        if tool.is_none() && !matches!(step.get("tool"), Some(it) if !it.is_null()) {
            self.say(format!("{path}/tool"), "bad_plan", "the step names no `tool`");
        }
        let on_error = match self.text(&path, &step, "on_error").as_deref() {
            None => None,
            Some("stop") => Some(OnError::Stop),
            Some("continue") => Some(OnError::Continue),
            Some("fallback") => Some(OnError::Fallback),
            Some(_) => {
                self.say(
                    format!("{path}/on_error"),
                    "bad_plan",
                    "`on_error` is stop, continue or fallback",
                );
                None
            }
        };
        let when = match step.get("when").filter(|it| !it.is_null()).map(When::read) {
            None => None,
            Some(Ok(when)) => Some(when),
            Some(Err(why)) => {
                self.say(format!("{path}/when"), "bad_condition", why);
                None
            }
        };
        Some(Step {
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
                let told = "`parameters` is an object; write the object itself, not a text that holds JSON";
                self.say(format!("{path}/parameters"), "bad_parameter", told);
                Map::new()
            }
            Some(_) => {
                self.say(
                    format!("{path}/parameters"),
                    "bad_parameter",
                    "`parameters` is an object",
                );
                Map::new()
            }
        }
    }

    /// A tool's name, a step with tool and parameters, or a list of these.
    fn fallback(&mut self, value: &Value) -> Vec<(String, Map<String, Value>)> {
        let list = match value {
            Value::Null => return Vec::new(),
            Value::Array(list) => list.iter().collect(),
            one => vec![one],
        };
        if list.len() > 10 {
            self.say("/fallback", "bad_plan", "a plan has at most 10 fallbacks");
            return Vec::new();
        }
        let mut read = Vec::new();
        for one in list {
            match one {
                Value::String(tool) => read.push((tool.clone(), Map::new())),
                Value::Object(given) => {
                    let step = respelled(given);
                    self.unknown_keys("/fallback", &step, &["tool", "parameters", "description"]);
                    match self.text("/fallback", &step, "tool") {
                        Some(tool) => read.push((tool, self.parameters("/fallback", step.get("parameters")))),
                        None => self.say("/fallback/tool", "bad_plan", "the fallback names no `tool`"),
                    }
                }
                _ => self.say(
                    "/fallback",
                    "bad_plan",
                    "`fallback` is the name of a tool, or a step",
                ),
            }
        }
        read
    }

    /// Names must be words, and no two things may have one.
    fn ids(&mut self, steps: &[Step]) {
        let mut seen: Vec<&str> = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            for (key, name) in [("id", Some(&step.id)), ("save_as", step.save_as.as_ref())] {
                let Some(name) = name else { continue };
                let path = format!("/plan/{at}/{key}");
                let fits = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-');
                if name.is_empty()
                    || name.len() > 64
                    || !name.chars().all(fits)
                    || name.bytes().all(|it| it.is_ascii_digit())
                {
                    let told = format!(
                        "{:?} is no name: use letters, digits, _ and -, not digits alone",
                        cut(name)
                    );
                    self.say(path, "bad_plan", told);
                } else if RESERVED.contains(&name.as_str()) {
                    self.say(
                        path,
                        "bad_plan",
                        format!("`{name}` means something else in references; take another name"),
                    );
                } else if seen.contains(&name.as_str()) {
                    self.say(
                        path,
                        "duplicate_id",
                        format!("`{name}` is taken by an earlier step"),
                    );
                } else {
                    seen.push(name);
                }
            }
        }
    }
}

/// A step with the usual spellings of its keys: models write `tool_name`, `params`, `arguments`, `reasoning`.
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

/// A key as a part of a JSON pointer.
pub(crate) fn pointer(key: &str) -> String {
    cut(key).replace('~', "~0").replace('/', "~1")
}

/// A name short enough for a message.
pub(crate) fn cut(text: &str) -> String {
    locale::truncate(text, 80)
}
