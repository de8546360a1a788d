//! Manifest: what the model, the plan checker, MCP, the API and the console read about a tool.

mod agent;
pub mod format;
pub mod rules;
mod value_depth;

use std::sync::OnceLock;
use std::time::Duration;

use llm::{JsonSchema, SchemaError, Violation};
use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use agent::{AgentNeed, AgentParameter, AgentView, ArgumentKind};
pub use policy::Effects;
pub use value_depth::{MAX_VALUE_DEPTH, value_depth};

/// What a tool cannot work without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dependency {
    /// A page to read.
    Page,
    /// A live tab to act in.
    Tab,
    /// A language model.
    Model,
    /// The way out.
    Network,
}

/// An example of a tool's use, which is a test of it too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// What a user says.
    pub instruction: String,
    /// The parameters that follow from it.
    pub parameters: Map<String, Value>,
    /// The page, inline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub html: Option<String>,
    /// The page, as a path of the fixture site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// What earlier steps gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Map<String, Value>>,
    /// What must be in the output; `"..."` stands for any text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_output: Option<Value>,
    /// A part of the error that must come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_error: Option<String>,
}

/// A manifest, checked.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Manifest {
    /// Its name within its category.
    pub name: String,
    /// Three numbers joined by dots.
    pub version: String,
    /// What it does and when to use it.
    pub description: String,
    /// Its category.
    pub category: String,
    /// Regular expressions over an instruction that speak for this tool.
    #[serde(default)]
    pub triggers: Vec<String>,
    /// JSON Schema of its parameters, with defaults.
    #[serde(default = "no_fields")]
    pub parameters: Value,
    /// JSON Schema of what it gives back.
    #[serde(default = "no_fields")]
    pub output_schema: Value,
    /// Examples of its use.
    #[serde(default)]
    pub examples: Vec<Example>,
    /// What it cannot work without.
    #[serde(default)]
    pub dependencies: Vec<Dependency>,
    /// How long it may take, in milliseconds.
    pub timeout_ms: u64,
    /// What it may do to the world.
    pub effects: Effects,
    /// What else a reader should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Whether it runs only where the operator granted it by its id.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub needs_grant: bool,
    /// For a composite tool: the plan that it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Value>,
    /// For an HTTP tool: the endpoint that it calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http: Option<Value>,
    /// For a tool that reads a page: its selectors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<Value>,
    /// How an agent that drives a browser is offered it.
    #[serde(default, skip_serializing)]
    pub agent: Option<AgentView>,
    /// Whether it may talk to any host, by itself: what a run was told about hosts cannot be held for it.
    #[serde(skip)]
    pub open_world: bool,
    #[serde(skip)]
    compiled: Compiled,
}

/// What is compiled when it is first needed: most tools of a house are never run.
#[derive(Debug, Clone, Default)]
struct Compiled {
    parameters: OnceLock<Result<JsonSchema, SchemaError>>,
    output: OnceLock<Result<JsonSchema, SchemaError>>,
    triggers: OnceLock<Vec<Regex>>,
}

fn no_fields() -> Value {
    serde_json::json!({"type": "object", "properties": {}})
}

/// A manifest that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {}", issues.join("; "))]
pub struct BadManifest {
    /// Where it lies, as `<category>/<name>.json`.
    pub place: String,
    /// Everything that is wrong with it.
    pub issues: Vec<String>,
}

impl Manifest {
    /// Reads a manifest of which is known that nothing is wrong with it.
    ///
    /// # Errors
    /// When it is no manifest at all.
    pub(crate) fn parse(text: &str, category: &str, name: &str) -> Result<Manifest, BadManifest> {
        serde_json::from_str(text).map_err(|error| BadManifest {
            place: format!("{category}/{name}.json"),
            issues: vec![error.to_string()],
        })
    }

    /// Reads the manifest that lies at `<category>/<name>.json`.
    ///
    /// # Errors
    /// With everything that is wrong with it: the rules of [`rules`], and schemas or triggers that do not compile.
    pub fn read(text: &str, category: &str, name: &str) -> Result<Manifest, BadManifest> {
        let bad = |issues| BadManifest {
            place: format!("{category}/{name}.json"),
            issues,
        };
        let issues = rules::of_text(text, category, name);
        if !issues.is_empty() {
            return Err(bad(issues));
        }
        let manifest = Manifest::parse(text, category, name)?;
        let mut issues = Vec::new();
        for (key, schema) in [
            ("parameters", manifest.parameter_schema()),
            ("output_schema", manifest.own_output_schema()),
        ] {
            if let Err(error) = schema {
                issues.push(format!("`{key}`: {error}"));
            }
        }
        issues.extend(manifest.agent.iter().flat_map(AgentView::issues));
        for trigger in &manifest.triggers {
            if let Err(error) = trigger_of(trigger) {
                issues.push(format!("trigger {trigger:?}: {error}"));
            }
        }
        for (at, example) in manifest.examples.iter().enumerate() {
            let filled = crate::manifest::filled(&manifest.parameters, &example.parameters);
            let wrong = manifest.parameter_violations(&Value::Object(filled));
            issues.extend(
                wrong
                    .into_iter()
                    .map(|it| format!("example {at}: parameters{it}")),
            );
        }
        if issues.is_empty() {
            Ok(manifest)
        } else {
            Err(bad(issues))
        }
    }

    /// `category.name`, under which plans and people know the tool.
    pub fn id(&self) -> String {
        format!("{}.{}", self.category, self.name)
    }

    /// How long it may take.
    pub fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms)
    }

    /// The schema of one parameter.
    pub fn parameter(&self, name: &str) -> Option<&Value> {
        self.properties()?.get(name)
    }

    /// The parameters by name.
    pub fn properties(&self) -> Option<&Map<String, Value>> {
        self.parameters.get("properties")?.as_object()
    }

    /// Names of the parameters that must be given.
    pub fn required(&self) -> impl Iterator<Item = &str> {
        let required = self.parameters.get("required").and_then(Value::as_array);
        required.into_iter().flatten().filter_map(Value::as_str)
    }

    /// The triggers, compiled. That each one compiles is checked when a manifest is read, and by a test for those that
    /// are compiled in; one that does not is logged.
    pub fn trigger_patterns(&self) -> &[Regex] {
        let compile = |trigger: &String| {
            trigger_of(trigger)
                .inspect_err(|error| tracing::error!(tool = self.id(), %error, "a trigger does not compile"))
                .ok()
        };
        let triggers = &self.compiled.triggers;
        triggers.get_or_init(|| self.triggers.iter().filter_map(compile).collect())
    }

    /// Whether only an agent that drives a browser can use it.
    pub fn is_for_agents_only(&self) -> bool {
        self.agent.as_ref().is_some_and(|view| view.only)
    }

    /// What the schema says against these parameters.
    pub fn parameter_violations(&self, parameters: &Value) -> Vec<Violation> {
        violations(self.parameter_schema(), parameters)
    }

    /// What the schema says against this output.
    pub fn output_violations(&self, output: &Value) -> Vec<Violation> {
        violations(self.own_output_schema(), output)
    }

    fn parameter_schema(&self) -> &Result<JsonSchema, SchemaError> {
        self.compiled.parameters.get_or_init(|| {
            // Parameters that the manifest does not name are refused, whether it says so or not.
            let mut parameters = self.parameters.clone();
            if let Some(parameters) = parameters.as_object_mut() {
                parameters
                    .entry("additionalProperties")
                    .or_insert(Value::Bool(false));
            }
            JsonSchema::new(parameters)
        })
    }

    fn own_output_schema(&self) -> &Result<JsonSchema, SchemaError> {
        let output = &self.compiled.output;
        output.get_or_init(|| JsonSchema::new(self.output_schema.clone()))
    }
}

fn violations(schema: &Result<JsonSchema, SchemaError>, value: &Value) -> Vec<Violation> {
    match schema {
        Ok(schema) => schema.violations(value),
        Err(error) => vec![Violation {
            path: "/".to_owned(),
            reason: error.to_string(),
        }],
    }
}

/// Violations as one text each, with their places.
pub(crate) fn violation_texts(violations: Vec<Violation>) -> Vec<String> {
    violations.iter().map(Violation::to_string).collect()
}

/// A trigger as it is matched: without regard to case, in linear time, with a bound on its size.
///
/// # Errors
/// When it is no regular expression of this engine (it has no look-around and no back-references).
pub fn trigger_of(text: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(text)
        .case_insensitive(true)
        .size_limit(1 << 20)
        .build()
}

/// Parameters with the defaults of their schema for those that are missing. A default of null is left out.
pub fn filled(schema: &Value, given: &Map<String, Value>) -> Map<String, Value> {
    let mut parameters = given.clone();
    for (name, property) in schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        match property.get("default") {
            Some(Value::Null) | None => {}
            Some(default) => {
                parameters.entry(name.as_str()).or_insert_with(|| default.clone());
            }
        }
    }
    parameters
}
