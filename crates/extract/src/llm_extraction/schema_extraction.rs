//! SchemaExtraction: reads a page with a model into the shape of a JSON schema.

use llm::structured::StructuredRequest;
use llm::{Error, JsonSchema};
use serde_json::{Map, Value, json};

use super::extraction_meta::ModelAttempt;
use super::input::{ExtractionInput, known_fields};
use super::passages;
use super::prompt;
use super::question::{ModelReply, Question};

/// Bytes of the page in one question.
const WINDOW: usize = 16_000;
/// The smallest window that is tried when a model cannot read more.
const SMALLEST: usize = 2_000;
/// Most windows of one page.
const MOST_WINDOWS: u32 = 6;
/// Bytes of an earlier answer that a question repeats.
const SO_FAR: usize = 2_000;

/// What the model does with the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaTask {
    /// Give what it states.
    Extract,
    /// Make something of it.
    Generate,
}

/// The reading of a page into the shape of a schema. Driven like [`super::FieldCompletion`].
#[derive(Debug, Clone)]
pub struct SchemaExtraction {
    input: ExtractionInput,
    schema: JsonSchema,
    asked_for: JsonSchema,
    task: SchemaTask,
    instructions: String,
    retries: u32,
    window: usize,
    asked: u32,
    value: Option<Value>,
    error: Option<Error>,
    over: bool,
    too_long: u32,
    attempts: Vec<ModelAttempt>,
}

impl SchemaExtraction {
    /// A reading; an answer that does not fit is sent back `retries` times.
    ///
    /// # Errors
    /// When the schema cannot be used.
    pub fn new(
        input: ExtractionInput,
        schema: &Value,
        task: SchemaTask,
        instructions: &str,
        retries: u32,
    ) -> Result<SchemaExtraction, Error> {
        let asked_for = JsonSchema::new(allowing_null(schema))?;
        Ok(SchemaExtraction {
            input,
            schema: JsonSchema::new(schema.clone())?,
            asked_for,
            task,
            instructions: instructions.to_owned(),
            retries,
            window: WINDOW,
            asked: 0,
            value: None,
            error: None,
            over: false,
            too_long: 0,
            attempts: Vec::new(),
        })
    }

    /// The next question; none when the answer is whole or nothing more can be had.
    pub fn ask(&mut self) -> Option<Question> {
        if self.over {
            return None;
        }
        if let Some(value) = &self.value {
            let rest = self.input.passages.unseen() > 0 && self.asked < MOST_WINDOWS;
            if !rest || self.task == SchemaTask::Generate || !may_grow(value) {
                self.over = true;
                return None;
            }
        }
        match self.question() {
            Ok(question) => Some(question),
            Err(reason) => {
                self.over = true;
                let reason = format!("the question could not be written: {reason}");
                self.error = Some(Error::BadSetting {
                    variable: "the prompt".into(),
                    reason,
                });
                None
            }
        }
    }

    fn question(&mut self) -> Result<Question, String> {
        let names: Vec<String> = property_names(self.schema.source());
        let query = passages::PassageQuery {
            fields: &names,
            instructions: &self.instructions,
        };
        let text = self.input.passages.window(&query, self.window);
        let shown = text.len();
        let page = format!("{}\n{text}", self.input.item.url);
        let head: String = self
            .input
            .head
            .iter()
            .map(|(name, line)| format!("{name}: {line}\n"))
            .chain([known_fields(&self.input.item)])
            .collect();
        let generate = self.task == SchemaTask::Generate;
        let rules = prompt::render("shape_rules", minijinja::context!(generate => generate))?;
        let so_far = self
            .value
            .as_ref()
            .map(|value| prompt::quoted(&value.to_string(), SO_FAR).to_string());
        let words = prompt::render(
            "shape",
            minijinja::context!(
                instructions => self.instructions.as_str(),
                so_far => so_far,
                known => (!head.is_empty()).then(|| prompt::quoted(&head, 3000).to_string()),
                page => prompt::quoted(&page, self.window * 2 + 9000).to_string(),
            ),
        )?;
        let wanted = StructuredRequest {
            retries: self.retries,
            longest_string: 4000,
            ..StructuredRequest::new("data", self.asked_for.clone())
        };
        self.asked += 1;
        Ok(Question::new(self.asked, rules, words, wanted, Vec::new(), shown)
            .with_tool_findings(&self.input.findings, self.window))
    }

    /// Takes the reply to a question.
    pub fn hear(&mut self, question: &Question, reply: &ModelReply) {
        const HALVINGS: u32 = 3;
        let failure = reply.error.as_ref().filter(|_| reply.value.is_none());
        self.attempts.push(ModelAttempt {
            attempt: question.number,
            input_tokens: reply.usage.input,
            output_tokens: reply.usage.output,
            shown: question.shown,
            unseen: self.input.passages.unseen(),
            error: failure.map(ToString::to_string),
            ..ModelAttempt::default()
        });
        if let Some(Error::ContextTooLong { .. }) = &reply.error
            && self.too_long < HALVINGS
        {
            self.too_long += 1;
            self.window = (self.window / 2).max(SMALLEST);
            self.input.passages.undo_window();
            return;
        }
        match (&reply.value, &mut self.value) {
            (Some(value), None) => {
                let mut value = value.clone();
                self.fill(&mut value);
                let violations = self.schema.violations(&value);
                if violations.is_empty() {
                    self.value = Some(value);
                } else {
                    self.over = true;
                    self.error = Some(Error::SchemaMismatch {
                        attempts: reply.turns,
                        best: None,
                        violations,
                    });
                }
            }
            (Some(value), Some(known)) if reply.fits => {
                let mut merged = known.clone();
                merge(&mut merged, value);
                if self.schema.violations(&merged).is_empty() {
                    *known = merged;
                }
            }
            _ => {
                self.over = true;
                self.error.clone_from(&reply.error);
            }
        }
    }

    /// What the page itself says about its title and icon, where the model left them empty.
    fn fill(&self, value: &mut Value) {
        let Some(map) = value.as_object_mut() else { return };
        let title = || self.input.head.first().map(|(_, line)| line.clone());
        for name in FROM_PAGE {
            let is_asked = self.schema.source()["properties"].get(*name).is_some();
            if is_asked && map.get(*name).is_none_or(is_empty) {
                let known = if *name == "favicon" {
                    self.input.favicon.clone()
                } else {
                    title()
                };
                if let Some(known) = known {
                    map.insert((*name).to_owned(), known.into());
                }
            }
        }
    }

    /// The questions so far and what they cost.
    pub fn attempts(&self) -> &[ModelAttempt] {
        &self.attempts
    }

    /// Hosts that addresses in the answer lead to and that the page names nowhere, neither in its links nor in its text:
    /// what a model makes up or page text injected. A request to such an address sends its query to an unknown host.
    pub fn strangers(&self) -> Vec<String> {
        self.value
            .as_ref()
            .map(|value| self.input.strangers(value))
            .unwrap_or_default()
    }

    /// The answer.
    ///
    /// # Errors
    /// Why there is none.
    pub fn finish(self) -> Result<Value, Error> {
        match (self.value, self.error) {
            (Some(value), _) => Ok(value),
            (None, Some(error)) => Err(error),
            (None, None) => Err(Error::SchemaMismatch {
                attempts: self.asked,
                best: None,
                violations: Vec::new(),
            }),
        }
    }
}

/// Properties that are taken from the page's own head when the model leaves them empty.
const FROM_PAGE: &[&str] = &["page_title", "favicon"];

/// The schema in which these properties may be `null`.
fn allowing_null(schema: &Value) -> Value {
    let mut schema = schema.clone();
    for name in FROM_PAGE {
        let Some(property) = schema.pointer_mut(&format!("/properties/{name}")) else {
            continue;
        };
        if property["type"] == json!("string")
            && let Some(map) = property.as_object_mut()
        {
            map.insert("type".into(), json!(["string", "null"]));
            for word in ["format", "minLength", "pattern"] {
                map.remove(word);
            }
        }
    }
    schema
}

/// Names of properties and the words that describe them, for choosing what to show. A few levels are enough.
fn property_names(schema: &Value) -> Vec<String> {
    const MOST: usize = 200;
    let mut names = Vec::new();
    let mut pending = vec![schema];
    while let Some(place) = pending.pop() {
        match place {
            Value::Object(map) => {
                if let Some(properties) = map.get("properties").and_then(Value::as_object) {
                    names.extend(properties.keys().cloned());
                }
                names.extend(map.get("description").and_then(Value::as_str).map(str::to_owned));
                pending.extend(map.values());
            }
            Value::Array(list) => pending.extend(list),
            _ => {}
        }
        if names.len() >= MOST {
            break;
        }
    }
    names.truncate(MOST);
    names
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Whether the rest of the page could add something: a list that may go on, or a property without a value.
fn may_grow(value: &Value) -> bool {
    match value {
        Value::Array(_) => true,
        Value::Object(map) => map.values().any(|value| value.is_array() || is_empty(value)),
        other => is_empty(other),
    }
}

/// Adds what a later part of the page gave: entries to lists, values where there were none.
fn merge(known: &mut Value, later: &Value) {
    match (known, later) {
        (Value::Array(known), Value::Array(later)) => append(known, later),
        (Value::Object(known), Value::Object(later)) => merge_object(known, later),
        (known, later) if is_empty(known) => *known = later.clone(),
        _ => {}
    }
}

fn merge_object(known: &mut Map<String, Value>, later: &Map<String, Value>) {
    for (name, value) in later {
        match known.get_mut(name) {
            Some(Value::Array(list)) => append(list, value.as_array().map_or(&[], Vec::as_slice)),
            Some(place) if is_empty(place) && !is_empty(value) => *place = value.clone(),
            Some(_) => {}
            None => {
                known.insert(name.clone(), value.clone());
            }
        }
    }
}

fn append(known: &mut Vec<Value>, later: &[Value]) {
    for entry in later {
        if !known.contains(entry) {
            known.push(entry.clone());
        }
    }
}
