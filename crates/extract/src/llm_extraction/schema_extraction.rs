//! SchemaExtraction: reads a page with a model into the shape of a JSON schema.

use llm::structured::StructuredRequest;
use llm::{Error, JsonSchema};
use serde_json::{Map, Value, json};

use super::extraction_meta::ModelAttempt;
use super::input::{ExtractionInput, MEMORY, known_fields};
use super::passages;
use super::prompt;
use super::question::{ModelReply, Question};
use super::question_size::{MOST_WINDOWS, PageCoverage, QuestionSize};

/// Most bytes of the page in one question: models find single facts in longer texts less reliably.
const LARGEST: usize = 120_000;
/// The smallest window that is tried when a model cannot read more.
const SMALLEST: usize = 2_000;
/// Bytes of an earlier answer that a question repeats, where its answer only adds.
const SO_FAR: usize = 2_000;
/// Bytes of what the page says of itself that a question shows.
const HEAD: usize = 3_000;

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
    size: QuestionSize,
    /// Bytes that were shown in questions without a usable answer.
    lost: usize,
    /// Whether the last question showed the whole earlier answer, so that the model can give it anew.
    revises: bool,
    asked: u32,
    value: Option<Value>,
    error: Option<Error>,
    over: bool,
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
            size: QuestionSize::between(SMALLEST, LARGEST),
            lost: 0,
            revises: false,
            asked: 0,
            value: None,
            error: None,
            over: false,
            attempts: Vec::new(),
        })
    }

    /// For a model that reads and writes so many tokens in one call.
    #[must_use]
    pub fn for_context(mut self, tokens: u32) -> SchemaExtraction {
        self.size.set_context(tokens);
        self
    }

    /// Tells how many tokens the budget leaves before the next question; none where nothing bounds them.
    pub fn set_tokens_left(&mut self, tokens: Option<u64>) {
        self.size.set_tokens_left(tokens);
    }

    /// How much of the page the model was shown.
    pub fn page_coverage(&self) -> PageCoverage {
        let passages = &self.input.passages;
        PageCoverage {
            bytes: passages.bytes() + passages.beyond(),
            unread_bytes: passages.unseen() + passages.beyond() + self.lost,
            questions: self.asked,
        }
    }

    /// The next question; none when the answer is whole or nothing more can be had.
    pub fn ask(&mut self) -> Option<Question> {
        if self.over {
            return None;
        }
        if let Some(value) = &self.value {
            let rest = self.input.passages.unseen() > 0 && self.asked < MOST_WINDOWS;
            // What is made of a page is made of the whole page.
            if !rest || self.task == SchemaTask::Extract && !may_grow(value) {
                self.over = true;
                return None;
            }
        }
        match self.question() {
            Ok(question) => question,
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

    /// A question; none when the budget has no room for a further one.
    fn question(&mut self) -> Result<Option<Question>, String> {
        let names: Vec<String> = property_names(self.schema.source());
        let query = passages::PassageQuery {
            fields: &names,
            instructions: &self.instructions,
        };
        let head: String = self
            .input
            .head
            .iter()
            .map(|(name, line)| format!("{name}: {line}\n"))
            .chain([self.input.address_line(), known_fields(&self.input.item)])
            .collect();
        let generate = self.task == SchemaTask::Generate;
        let rules = prompt::render("shape_rules", minijinja::context!(generate => generate))?;
        let (so_far, revises) = self.so_far();
        let so_far_bytes = so_far.as_ref().map_or(0, String::len);
        let other =
            rules.len() + self.schema_bytes() + self.instructions.len() + HEAD + MEMORY + so_far_bytes;
        if self.asked > 0 && self.size.is_spent(other) {
            self.over = true;
            return Ok(None);
        }
        // What tools found takes its share.
        let room = self.size.page(other) / (1 + usize::from(!self.input.findings.is_empty()));
        let text = self.input.passages.window(&query, room);
        let shown = text.len();
        if shown == 0 && self.asked > 0 {
            self.over = true;
            return Ok(None);
        }
        let page = format!("{}\n{text}", self.input.item.url);
        let words = prompt::render(
            "shape",
            minijinja::context!(
                instructions => self.instructions.as_str(),
                so_far => so_far,
                revise => revises,
                memory => self.input.quoted_memory(),
                known => (!head.is_empty()).then(|| prompt::quoted(&head, HEAD).to_string()),
                page => prompt::quoted(&page, room * 2 + 9000).to_string(),
            ),
        )?;
        let wanted = StructuredRequest {
            retries: self.retries,
            longest_string: 4000,
            ..StructuredRequest::new("data", self.asked_for.clone())
        };
        self.asked += 1;
        self.revises = revises;
        let question = Question::new(self.asked, rules, words, wanted, Vec::new(), shown);
        Ok(Some(question.with_tool_findings(&self.input.findings, room)))
    }

    /// The earlier answer as a question shows it, and whether the model is to give it anew: what is made of a page is revised
    /// with each part, as long as it can be shown whole.
    fn so_far(&self) -> (Option<String>, bool) {
        let Some(value) = &self.value else {
            return (None, false);
        };
        let text = value.to_string();
        let revises = self.task == SchemaTask::Generate && text.len() <= self.size.question() / 8;
        let room = if revises { usize::MAX } else { SO_FAR };
        (Some(prompt::quoted(&text, room).to_string()), revises)
    }

    fn schema_bytes(&self) -> usize {
        self.asked_for.source().to_string().len()
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
            && self.size.halvings() < HALVINGS
        {
            self.size.halve();
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
                let merged = if self.revises {
                    revised(known, value)
                } else {
                    let mut merged = known.clone();
                    merge(&mut merged, value);
                    merged
                };
                if self.schema.violations(&merged).is_empty() {
                    *known = merged;
                } else {
                    self.lost += question.shown;
                }
            }
            // One part that the model cannot put into the shape does not end the reading of the others.
            (Some(_), Some(_)) => self.lost += question.shown,
            (None, _) => {
                self.over = true;
                self.lost += question.shown;
                self.error.clone_from(&reply.error);
            }
        }
    }

    /// What the page itself says about its title and icon, where the model left them empty.
    fn fill(&self, value: &mut Value) {
        let Some(map) = value.as_object_mut() else { return };
        let title = || {
            let titles = self.input.head.iter().find(|(name, _)| name.ends_with("title"));
            titles.map(|(_, line)| line.clone())
        };
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

/// An answer given anew, with what it lacks of the earlier one: a model that forgets a value does not take it away.
fn revised(known: &Value, anew: &Value) -> Value {
    match (known, anew) {
        (Value::Object(known), Value::Object(anew)) => {
            let mut revised_map = anew.clone();
            for (name, value) in known {
                let place = revised_map.entry(name.clone()).or_insert(Value::Null);
                *place = revised(value, place);
            }
            Value::Object(revised_map)
        }
        (known, anew) if is_empty(anew) => known.clone(),
        (_, anew) => anew.clone(),
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
