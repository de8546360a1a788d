//! Can this plan run? Every reason why not, found before anything runs.

mod names;

use serde_json::{Map, Value};

use super::coerce::coerce;
use super::dsl::{Issue, Issues, OnError, Plan, Step, cut, pointer};
use super::reference::{Reference, follow, references};
use super::when::When;
use locale::nearest;
use tools::manifest::format::faults;
use tools::manifest::{Dependency, Manifest, rules};
use tools::registry::{Entry, Registry};
use tools::{Grant, ToolContext};

/// Under which conditions a plan is to run.
#[derive(Debug, Clone, Default)]
pub struct Conditions {
    /// What the run may do.
    pub grant: Grant,
    /// What it will have.
    pub has: Vec<Dependency>,
    /// Most steps; as many as a plan may have when absent.
    pub max_steps: Option<usize>,
    /// Schemas of the parameters, where the plan is a composite tool.
    pub parameters: Map<String, Value>,
}

impl Conditions {
    /// Everything is there and everything is allowed.
    pub fn all() -> Conditions {
        let has = vec![
            Dependency::Page,
            Dependency::Tab,
            Dependency::Model,
            Dependency::Network,
        ];
        Conditions {
            has,
            ..Conditions::default()
        }
    }

    /// Whether a tool may be used, and what it needs is there.
    pub(super) fn allow(&self, registry: &Registry, manifest: &Manifest) -> bool {
        let mut needs = manifest.dependencies.iter();
        needs.all(|it| self.has.contains(it)) && registry.permits(&self.grant, manifest).is_ok()
    }

    /// The conditions that a place to work in offers.
    pub fn of(context: &ToolContext) -> Conditions {
        let offers = [
            (Dependency::Page, context.has_page()),
            (Dependency::Tab, context.has_tab()),
            (Dependency::Model, context.services.seat.is_some()),
            (Dependency::Network, context.services.client.is_some()),
        ];
        let has = offers
            .into_iter()
            .filter(|(_, has)| *has)
            .map(|(it, _)| it)
            .collect();
        Conditions {
            grant: context.grant.clone(),
            has,
            max_steps: None,
            parameters: Map::new(),
        }
    }
}

/// A step that can run.
#[derive(Clone)]
pub struct CheckedStep {
    /// Its name.
    pub id: String,
    /// Its parameters: coerced and with defaults, references still in them.
    pub parameters: Map<String, Value>,
    /// Why it is there.
    pub description: String,
    /// The name under which what it gave is kept, too.
    pub save_as: Option<String>,
    pub(crate) entry: Entry,
    pub(crate) on_error: OnError,
    pub(crate) when: Option<When>,
}

impl CheckedStep {
    /// The tool's id.
    pub fn tool(&self) -> &str {
        self.entry.id()
    }
}

/// A plan that can run. Only [`check`] makes one.
#[derive(Clone)]
pub struct CheckedPlan {
    pub(crate) steps: Vec<CheckedStep>,
    pub(crate) fallback: Vec<(Entry, Map<String, Value>)>,
    pub(crate) expected_output: Option<String>,
    /// What was wrong and is made up for: steps whose tool is unknown while a fallback is there.
    pub notes: Vec<Issue>,
}

impl CheckedPlan {
    /// The steps, in order. None when only the fallback can run.
    pub fn steps(&self) -> &[CheckedStep] {
        &self.steps
    }

    /// The name of the output that is the answer.
    pub fn expected_output(&self) -> Option<&str> {
        self.expected_output.as_deref()
    }

    /// Ids of the tools that are tried when the plan fails.
    pub fn fallbacks(&self) -> impl Iterator<Item = &str> {
        self.fallback.iter().map(|(entry, _)| entry.id())
    }

    /// The plan as JSON, as it will run: with ids, defaults and coerced parameters.
    pub fn json(&self) -> Value {
        let steps = self.steps.iter().map(|step| {
            let mut told = serde_json::json!({"id": step.id, "tool": step.tool(), "parameters": step.parameters, "on_error": step.on_error});
            if let (Some(told), false) = (told.as_object_mut(), step.description.is_empty()) {
                told.insert("description".into(), step.description.clone().into());
            }
            if let (Some(told), Some(name)) = (told.as_object_mut(), &step.save_as) {
                told.insert("save_as".into(), name.clone().into());
            }
            told
        });
        serde_json::json!({
            "plan": steps.collect::<Vec<_>>(),
            "expected_output": self.expected_output,
            "fallback": self.fallbacks().collect::<Vec<_>>(),
        })
    }
}

/// Says everything that is wrong with a plan, or gives it back ready to run.
///
/// A plan whose only fault is that it names unknown tools is made up for by its fallback, when it has one that can run:
/// then nothing of it runs but the fallback, and `notes` say why.
///
/// # Errors
/// With every issue, each with its place and what to write instead.
pub fn check(plan: &Plan, registry: &Registry, conditions: &Conditions) -> Result<CheckedPlan, Issues> {
    let mut checking = Checking {
        registry,
        conditions,
        issues: Vec::new(),
        known: Vec::new(),
    };
    let mut steps = Vec::new();
    for (at, step) in plan.steps.iter().enumerate() {
        if let Some(step) = checking.step(at, step, plan) {
            steps.push(step);
        }
    }
    if let Some(most) = conditions.max_steps.filter(|it| plan.steps.len() > *it) {
        let told = format!(
            "the plan has {} steps; this run may make {most}",
            plan.steps.len()
        );
        checking.say("/plan", "too_many_steps", told);
    }
    let fallback: Vec<_> = plan
        .fallback
        .iter()
        .filter_map(|it| checking.fallback(it, plan))
        .collect();
    if let Some(name) = &plan.expected_output {
        checking.expected(name, &fallback);
    }
    if checking.issues.is_empty() {
        return Ok(CheckedPlan {
            steps,
            fallback,
            expected_output: plan.expected_output.clone(),
            notes: Vec::new(),
        });
    }
    let unknown_only = checking
        .issues
        .iter()
        .all(|it| it.code == "unknown_tool" && it.path.starts_with("/plan"));
    if unknown_only && !fallback.is_empty() {
        let notes = checking.issues;
        return Ok(CheckedPlan {
            steps: Vec::new(),
            fallback,
            expected_output: plan.expected_output.clone(),
            notes,
        });
    }
    Err(Issues(checking.issues))
}

struct Checking<'a> {
    registry: &'a Registry,
    conditions: &'a Conditions,
    issues: Vec<Issue>,
    /// The steps so far: name, what it was saved as, and its tool where that is known.
    known: Vec<(String, Option<String>, Option<Entry>)>,
}

impl Checking<'_> {
    fn say(&mut self, path: impl Into<String>, code: &str, message: impl Into<String>) {
        self.issues.push(Issue::new(path, code, message));
    }

    fn step(&mut self, at: usize, step: &Step, plan: &Plan) -> Option<CheckedStep> {
        let path = format!("/plan/{at}");
        let entry = self.tool(&path, &step.tool);
        let parameters = match &entry {
            Some(entry) => self.parameters(
                &format!("{path}/parameters"),
                entry.manifest(),
                &step.parameters,
                plan,
            ),
            None => step.parameters.clone(),
        };
        if let Some(when) = &step.when {
            let place = format!("{path}/when");
            if let Err(why) = self.type_of(&when.reference, plan) {
                self.say(place, "bad_reference", why);
            }
        }
        if step.on_error == Some(OnError::Fallback) && plan.fallback.is_empty() {
            self.say(
                format!("{path}/on_error"),
                "bad_plan",
                "`on_error` is fallback and the plan has no `fallback`",
            );
        }
        self.known
            .push((step.id.clone(), step.save_as.clone(), entry.clone()));
        let usual = if plan.fallback.is_empty() {
            OnError::Stop
        } else {
            OnError::Fallback
        };
        Some(CheckedStep {
            id: step.id.clone(),
            parameters,
            description: step.description.clone(),
            save_as: step.save_as.clone(),
            entry: entry?,
            on_error: step.on_error.unwrap_or(usual),
            when: step.when.clone(),
        })
    }

    /// The tool of a name, when it is known, allowed, and has what it needs.
    fn tool(&mut self, path: &str, name: &str) -> Option<Entry> {
        let registry = self.registry;
        let entry = match registry.find(name) {
            Ok(entry) => entry,
            Err(error) => {
                self.say(format!("{path}/tool"), "unknown_tool", error.to_string());
                return None;
            }
        };
        if let Err(error) = registry.permits(&self.conditions.grant, entry.manifest()) {
            self.say(format!("{path}/tool"), "denied", error.to_string());
        }
        for need in &entry.manifest().dependencies {
            // A tab that an earlier step opens is not there yet, but an engine that opens it is.
            if !self.conditions.has.contains(need) {
                let told = match need {
                    Dependency::Page | Dependency::Tab => "a page; give an address to start on",
                    Dependency::Model => "a model; set HUNTSMAN_LLM_PROVIDER and HUNTSMAN_LLM_MODEL",
                    Dependency::Network => "the network, which this run has not",
                };
                self.say(
                    format!("{path}/tool"),
                    "unavailable",
                    format!("{} needs {told}", entry.id()),
                );
            }
        }
        Some(entry.clone())
    }

    /// Parameters with defaults and in the types that the manifest wants.
    fn parameters(
        &mut self,
        path: &str,
        manifest: &Manifest,
        given: &Map<String, Value>,
        plan: &Plan,
    ) -> Map<String, Value> {
        let none = Map::new();
        let properties = manifest.properties().unwrap_or(&none);
        let mut ready = Map::new();
        // What has its own issue, or is not known before the run, is left to later.
        let mut later: Vec<&str> = Vec::new();
        for (name, value) in given {
            let here = format!("{path}/{}", pointer(name));
            let Some(schema) = properties.get(name) else {
                let hint = match nearest(name, properties.keys().map(String::as_str)) {
                    Some(near) => format!("; did you mean `{near}`?"),
                    None if properties.is_empty() => "; it takes none".to_owned(),
                    None => format!(
                        "; it takes {}",
                        properties
                            .keys()
                            .map(String::as_str)
                            .collect::<Vec<_>>()
                            .join(", ")
                    ),
                };
                self.say(
                    here,
                    "unknown_parameter",
                    format!("{} has no parameter `{}`{hint}", manifest.id(), cut(name)),
                );
                continue;
            };
            let (found, wrong) = references(value, &here);
            for (place, why) in &wrong {
                self.say(place.clone(), "bad_reference", why.clone());
            }
            for (place, written) in &found {
                self.reference(place, written, (*place == here).then_some(schema), plan);
            }
            if !found.is_empty() || !wrong.is_empty() {
                later.push(name);
                ready.insert(name.clone(), value.clone());
                continue;
            }
            let mut plain = value.clone();
            if super::reference::bind(&mut plain, |_| Ok(Value::Null)).is_err() {
                later.push(name);
                continue;
            }
            let required = manifest.required().any(|it| it == name);
            if plain.is_null() && !required && !rules::types_of(schema).contains(&"null") {
                continue;
            }
            match coerce(plain, schema) {
                Ok(value) => {
                    // A `$literal` stays one until the run, so that it is not read as a reference then.
                    ready.insert(name.clone(), value);
                }
                Err(why) => {
                    later.push(name);
                    self.say(here, "bad_parameter", why);
                }
            }
        }
        let missing: Vec<String> = manifest
            .required()
            .filter(|it| !given.contains_key(*it))
            .map(str::to_owned)
            .collect();
        for name in &missing {
            let schema = properties.get(name);
            if schema.is_some_and(|it| it.get("default").is_some_and(|it| !it.is_null())) {
                continue;
            }
            let told = schema
                .and_then(|it| it.get("description"))
                .and_then(Value::as_str)
                .unwrap_or_default();
            let kind = schema
                .map(|it| rules::types_of(it).join(" or "))
                .unwrap_or_default();
            self.say(
                format!("{path}/{name}"),
                "missing_parameter",
                format!("{} needs `{name}` ({kind}): {told}", manifest.id()),
            );
            later.push(name);
        }
        let ready = tools::manifest::filled(&manifest.parameters, &ready);
        self.judge(path, manifest, &ready, &later);
        protected(ready, given)
    }

    /// What the manifest's schema and formats say, apart from parameters that have their own issue or come later.
    fn judge(&mut self, path: &str, manifest: &Manifest, ready: &Map<String, Value>, later: &[&str]) {
        let mut judged = ready.clone();
        for name in later {
            judged.insert((*name).to_owned(), Value::Null);
        }
        for violation in manifest.parameter_violations(&Value::Object(judged)) {
            let (place, why) = violation.split_once(": ").unwrap_or(("/", violation.as_str()));
            let name = place
                .trim_start_matches('/')
                .split('/')
                .next()
                .unwrap_or_default();
            if !later.contains(&name) {
                self.say(
                    format!("{path}{}", place.trim_end_matches('/')),
                    "bad_parameter",
                    why,
                );
            }
        }
        let none = Map::new();
        for (name, why) in faults(manifest.properties().unwrap_or(&none), ready) {
            if !later.contains(&name.as_str()) {
                self.say(format!("{path}/{name}"), "bad_parameter", why);
            }
        }
    }

    /// The fallback takes over the parameters of the steps that it stands in for, by name.
    fn fallback(
        &mut self,
        (name, own): &(String, Map<String, Value>),
        plan: &Plan,
    ) -> Option<(Entry, Map<String, Value>)> {
        let entry = self.tool("/fallback", name)?;
        let none = Map::new();
        let properties = entry.manifest().properties().unwrap_or(&none);
        let mut given = own.clone();
        for step in plan.steps.iter().rev() {
            for (name, value) in &step.parameters {
                let known = properties.get(name);
                let plain = references(value, "");
                let usable = plain.0.is_empty() && plain.1.is_empty();
                if let Some(schema) = known.filter(|_| usable)
                    && !given.contains_key(name)
                    && let Ok(value) = coerce(value.clone(), schema)
                {
                    given.insert(name.clone(), value);
                }
            }
        }
        let before = self.issues.len();
        let parameters = self.parameters("/fallback/parameters", entry.manifest(), &given, plan);
        (self.issues.len() == before).then_some((entry, parameters))
    }

    /// The answer must be something that a step gives, and the fallback too.
    fn expected(&mut self, names: &str, fallback: &[(Entry, Map<String, Value>)]) {
        for name in expected_names(names) {
            self.expected_one(name, fallback);
        }
    }

    fn expected_one(&mut self, name: &str, fallback: &[(Entry, Map<String, Value>)]) {
        let gives = |entry: &Entry| gives(entry, name);
        let saved = self
            .known
            .iter()
            .any(|(id, saved, _)| id == name || saved.as_deref() == Some(name));
        let unknown = self.known.iter().any(|(.., entry)| entry.is_none());
        if !saved
            && !unknown
            && !self
                .known
                .iter()
                .any(|(.., entry)| entry.as_ref().is_some_and(gives))
        {
            let names: Vec<String> = self
                .known
                .iter()
                .filter_map(|(.., it)| it.as_ref())
                .flat_map(fields_of)
                .collect();
            let hint = match nearest(name, names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("they give {}", names.join(", ")),
            };
            self.say(
                "/expected_output",
                "bad_expected_output",
                format!("no step gives `{}`; {hint}", cut(name)),
            );
        }
        for (entry, _) in fallback {
            if !saved && !gives(entry) {
                let told = format!("the fallback {} gives no `{}`", entry.id(), cut(name));
                self.say("/fallback", "bad_expected_output", told);
            }
        }
    }
}

/// What a plan expects: one name, or several with commas between them.
pub(crate) fn expected_names(written: &str) -> impl Iterator<Item = &str> {
    written.split(',').map(str::trim)
}

fn gives(entry: &Entry, name: &str) -> bool {
    let schema = &entry.manifest().output_schema;
    schema.get("properties").and_then(|it| it.get(name)).is_some()
        || schema
            .get("additionalProperties")
            .is_some_and(|it| *it != Value::Bool(false))
}

fn fields_of(entry: &Entry) -> Vec<String> {
    let fields = entry
        .manifest()
        .output_schema
        .get("properties")
        .and_then(Value::as_object);
    fields.into_iter().flat_map(Map::keys).cloned().collect()
}

/// Whether a tool judges what others gave, instead of giving something.
pub(crate) fn is_check(entry: &Entry) -> bool {
    entry.manifest().category == "validation"
}

/// The name of the only list in a tool's output.
pub(crate) fn main_field(manifest: &Manifest) -> Option<&str> {
    let fields = manifest.output_schema.get("properties")?.as_object()?;
    let mut lists = fields.iter().filter(|(_, it)| rules::types_of(it) == ["array"]);
    match (lists.next(), lists.next()) {
        (Some((name, _)), None) => Some(name),
        _ => None,
    }
}

/// Literals that would be read as references are written so that the run does not read them.
fn protected(mut ready: Map<String, Value>, given: &Map<String, Value>) -> Map<String, Value> {
    for (name, value) in given {
        let literal = references(value, "").0.is_empty() && value.to_string().contains("\"$literal\"");
        if literal && let Some(ready) = ready.get_mut(name) {
            *ready = serde_json::json!({"$literal": ready.take()});
        }
    }
    ready
}

/// What a reference stands for in a plan that runs.
pub(crate) fn lookup(value: Option<&Value>, reference: &Reference) -> Option<Value> {
    value.and_then(|it| follow(it, &reference.path)).cloned()
}
