//! Tool specifications and the set offered to a model.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use crate::schema::{JsonSchema, SchemaError, Violation};
use crate::turn::ToolCall;
use crate::unfinished::shorten;

/// What running a tool may do to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ToolEffects {
    /// It only reads.
    Read,
    /// Running it twice is the same as running it once.
    Idempotent,
    /// It changes something, every time.
    #[default]
    Act,
}

/// A tool as a model sees it.
#[derive(Debug, Clone)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// JSON Schema of its arguments.
    pub parameters: Value,
    /// What running it may do.
    pub effects: ToolEffects,
    schema: Arc<OnceLock<Result<JsonSchema, SchemaError>>>,
}

impl ToolSpec {
    /// A tool to offer. The schema is compiled when arguments are first checked.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        parameters: Value,
        effects: ToolEffects,
    ) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            parameters,
            effects,
            schema: Arc::default(),
        }
    }

    /// True when the tool takes any parameters at all.
    pub fn takes_parameters(&self) -> bool {
        let named = self.properties().is_some_and(|fields| !fields.is_empty());
        let open = self
            .parameters
            .get("additionalProperties")
            .is_some_and(|rule| rule == &Value::Bool(true) || rule.is_object());
        let composed = ["anyOf", "oneOf", "allOf", "$ref", "patternProperties"]
            .iter()
            .any(|word| self.parameters.get(word).is_some());
        named || open || composed
    }

    /// The schema of one parameter.
    pub fn parameter(&self, name: &str) -> Option<&Value> {
        self.properties()?.get(name)
    }

    fn properties(&self) -> Option<&Map<String, Value>> {
        self.parameters.get("properties")?.as_object()
    }

    /// Everything about the arguments that the tool's schema does not allow.
    ///
    /// # Errors
    /// When the tool's own schema is unusable.
    pub fn check(&self, arguments: &Map<String, Value>) -> Result<Vec<Violation>, SchemaError> {
        match self
            .schema
            .get_or_init(|| JsonSchema::new(self.parameters.clone()))
        {
            Ok(schema) => Ok(schema.violations(&Value::Object(arguments.clone()))),
            Err(error) => Err(error.clone()),
        }
    }
}

/// A name that every provider accepts: letters, digits, `_` and `-`. A dot becomes two underscores, so that
/// `html.select` is `html__select` on the wire.
pub fn safe_name(name: &str) -> Cow<'_, str> {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    if !name.is_empty() && name.chars().all(fits) {
        return Cow::Borrowed(name);
    }
    let safe: String = name
        .chars()
        .map(|letter| match letter {
            letter if fits(letter) => letter.to_string(),
            '.' => "__".to_owned(),
            _ => "_".to_owned(),
        })
        .collect();
    Cow::Owned(if safe.is_empty() {
        "unknown".to_owned()
    } else {
        safe
    })
}

/// All tools offered with one request. A tool is found under its own name and under its [`safe_name`].
#[derive(Debug, Clone, Default)]
pub struct ToolSet {
    tools: BTreeMap<String, Arc<ToolSpec>>,
    order: Vec<String>,
}

impl ToolSet {
    /// The tools in the order given; of two with one name the later one counts.
    pub fn new(tools: impl IntoIterator<Item = ToolSpec>) -> Self {
        let mut offer = Self::default();
        let tools: Vec<Arc<ToolSpec>> = tools.into_iter().map(Arc::new).collect();
        for tool in &tools {
            offer
                .tools
                .insert(safe_name(&tool.name).into_owned(), Arc::clone(tool));
        }
        // A tool's own name wins over another one's safe name.
        for tool in tools {
            let name = tool.name.clone();
            offer.tools.insert(name.clone(), tool);
            if !offer.order.contains(&name) {
                offer.order.push(name);
            }
        }
        offer
    }

    /// The tool of that name.
    pub fn get(&self, name: &str) -> Option<&Arc<ToolSpec>> {
        self.tools.get(name)
    }

    /// Is there a tool of that name?
    pub fn has(&self, name: &str) -> bool {
        self.tools.contains_key(name)
    }

    /// Does any offered name start with `prefix`?
    pub fn begins(&self, prefix: &str) -> bool {
        self.tools
            .range(prefix.to_owned()..)
            .next()
            .is_some_and(|(name, _)| name.starts_with(prefix))
    }

    /// The tools in the order they were offered.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<ToolSpec>> {
        self.order.iter().filter_map(|name| self.tools.get(name))
    }

    /// True when nothing is offered.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// How many tools are offered.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// The offered names in one line, for an error text.
    pub fn names(&self) -> String {
        if self.order.is_empty() {
            "none".to_owned()
        } else {
            shorten(&self.order.join(", "))
        }
    }

    /// Checks a whole call against its tool's schema: the last gate before it runs.
    ///
    /// # Errors
    /// A sentence for the model that names each path and what is wrong there.
    pub fn check(&self, call: &ToolCall) -> Result<&Arc<ToolSpec>, String> {
        let Some(tool) = self.get(call.name()) else {
            return Err(format!(
                "no tool named `{}` is offered; use one of: {}",
                call.name(),
                self.names()
            ));
        };
        match tool.check(call.arguments()) {
            Ok(violations) if violations.is_empty() => Ok(tool),
            Ok(violations) => {
                let list: Vec<String> = violations
                    .iter()
                    .map(|violation| format!("- {violation}"))
                    .collect();
                Err(format!(
                    "the arguments of `{}` do not fit its schema:\n{}\nNothing was run. Send the call again with these mended.",
                    call.name(),
                    list.join("\n")
                ))
            }
            Err(error) => Err(format!("`{}` cannot be called: {error}", call.name())),
        }
    }
}
