//! Structured output: an answer that follows a JSON Schema, from any model.
//!
//! Where the provider can hold the model to a schema it is asked to; else a single tool is demanded whose arguments are
//! the answer; else the schema stands in the prompt. In each case the answer is checked here, and a wrong one goes back
//! with everything that is wrong with it.

use serde_json::{Map, Value};

use crate::ask::RoleModel;
use crate::error::Error;
use crate::message::{Assistant, Message};
use crate::model::{Choice, ModelRequest, OutputSchema};
use crate::schema::{JsonSchema, Violation};
use crate::tool::{ToolEffects, ToolSet, ToolSpec};
use crate::turn::ModelAnswer;

mod bound;
mod find;

pub use bound::bounded;
pub use find::json_in;

pub use crate::output_mode::{KnownModes, OutputMode};

/// Request for a structured answer.
#[derive(Debug, Clone)]
pub struct StructuredRequest {
    /// The schema.
    pub schema: JsonSchema,
    /// A short name for the answer: letters, digits, `_`, `-`.
    pub name: String,
    /// How often a wrong answer is sent back; with 0 the model is asked once.
    pub retries: u32,
    /// The longest string where the schema sets no bound, in characters; weak models may not stop by themselves.
    pub longest_string: u64,
}

impl StructuredRequest {
    /// An answer of this schema, asked for at most three times.
    pub fn new(name: impl Into<String>, schema: JsonSchema) -> Self {
        Self {
            schema,
            name: name.into(),
            retries: 2,
            longest_string: 2000,
        }
    }
}

/// One attempt.
#[derive(Debug, Clone, PartialEq)]
pub struct StructuredAttempt {
    /// How the model was asked.
    pub mode: OutputMode,
    /// What was wrong; empty for the accepted answer.
    pub violations: Vec<Violation>,
}

/// An answer that follows its schema.
#[derive(Debug, Clone, PartialEq)]
pub struct StructuredAnswer {
    /// The answer.
    pub value: Value,
    /// All attempts, the accepted one last.
    pub attempts: Vec<StructuredAttempt>,
}

impl RoleModel {
    /// Asks for an answer of a schema.
    ///
    /// # Errors
    /// [`Error::SchemaMismatch`] with the best candidate after the last try, and whatever [`RoleModel::ask`] gives.
    pub async fn ask_for(
        &self,
        request: &ModelRequest,
        wanted: &StructuredRequest,
    ) -> Result<StructuredAnswer, Error> {
        self.ask_for_and_tell(request, wanted, |_| {}).await
    }

    /// As [`RoleModel::ask_for`], showing each turn of the model as it is finished, also those that are sent back.
    ///
    /// # Errors
    /// As [`RoleModel::ask_for`].
    pub async fn ask_for_and_tell(
        &self,
        request: &ModelRequest,
        wanted: &StructuredRequest,
        mut on_answer: impl FnMut(&ModelAnswer) + Send,
    ) -> Result<StructuredAnswer, Error> {
        let able = self.model.capabilities();
        let model = &*self.model;
        let first = OutputMode::first(able);
        let mut mode = self.modes.of(model, &wanted.schema).unwrap_or(first);
        let mut request = request.clone();
        let mut attempts: Vec<StructuredAttempt> = Vec::new();
        let mut best: Option<(usize, Value, Vec<Violation>)> = None;
        loop {
            let turn = match self.ask(&prepared(&request, wanted, mode)).await {
                Ok(turn) => turn,
                // The provider does not know the means after all: take the next one, at no try's cost.
                Err(Error::BadRequest {
                    status: 400 | 404 | 422 | 501,
                    ..
                }) if mode != OutputMode::Prompt => {
                    mode = mode.next(able);
                    continue;
                }
                Err(error) => return Err(error),
            };
            if mode != first {
                self.modes.insert(model, &wanted.schema, mode);
            }
            on_answer(&turn);
            let (value, mut violations) = judge(&turn, wanted);
            if turn.is_cut() && !violations.is_empty() {
                let reason = "the answer was cut off at its length limit; write less".to_owned();
                violations.insert(
                    0,
                    Violation {
                        path: "/".into(),
                        reason,
                    },
                );
            }
            attempts.push(StructuredAttempt {
                mode,
                violations: violations.clone(),
            });
            if violations.is_empty()
                && let Some(value) = value
            {
                return Ok(StructuredAnswer { value, attempts });
            }
            if let Some(value) = value
                && best.as_ref().is_none_or(|(count, ..)| violations.len() <= *count)
            {
                best = Some((violations.len(), value, violations.clone()));
            }
            let count = u32::try_from(attempts.len()).unwrap_or(u32::MAX);
            if count > wanted.retries {
                let (best, violations) = match best {
                    Some((_, value, violations)) => (Some(value), violations),
                    None => (None, violations),
                };
                return Err(Error::SchemaMismatch {
                    attempts: count,
                    best,
                    violations,
                });
            }
            send_back(&mut request, &turn, &violations);
        }
    }
}

/// The request with the schema in it.
fn prepared(request: &ModelRequest, wanted: &StructuredRequest, mode: OutputMode) -> ModelRequest {
    let mut request = request.clone();
    let schema = bounded(wanted.schema.source(), wanted.longest_string);
    match mode {
        OutputMode::Native => {
            request.output = Some(OutputSchema {
                name: wanted.name.clone(),
                schema,
            });
            request.tools = ToolSet::default();
        }
        OutputMode::Tool => {
            let wrapped = if is_object_schema(&schema) {
                schema
            } else {
                wrap(schema)
            };
            let tool = ToolSpec::new(
                wanted.name.clone(),
                "Gives the answer. Call it exactly once, with the whole answer as its arguments.",
                wrapped,
                ToolEffects::Read,
            );
            request.tools = ToolSet::new([tool]);
            request.choice = Choice::Only(wanted.name.clone());
            request.parallel_calls = false;
        }
        OutputMode::Prompt => {
            request.tools = ToolSet::default();
            let rule = format!(
                "Answer with one JSON value that follows this JSON Schema, and with nothing else: no explanation, no Markdown.\n{schema}"
            );
            request.messages.push(Message::user(rule));
        }
    }
    request
}

/// The field under which a tool carries an answer that is no object.
const WRAPPED: &str = "answer";

fn is_object_schema(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("object")
        || (schema.get("type").is_none() && schema.get("properties").is_some())
}

fn wrap(schema: Value) -> Value {
    serde_json::json!({"type": "object", "properties": {WRAPPED: schema}, "required": [WRAPPED]})
}

/// The answer in a turn and what is wrong with it.
fn judge(turn: &ModelAnswer, wanted: &StructuredRequest) -> (Option<Value>, Vec<Violation>) {
    let mut candidates: Vec<Value> = Vec::new();
    for call in turn.whole_calls() {
        let object = Value::Object(call.arguments().clone());
        let inner = (!is_object_schema(wanted.schema.source()))
            .then(|| object.get(WRAPPED).cloned())
            .flatten();
        candidates.extend(inner);
        candidates.push(object);
    }
    candidates.extend(json_in(&turn.text));
    // A list of one where an object is wanted is that object.
    let alone: Vec<Value> = candidates
        .iter()
        .filter_map(|candidate| match candidate {
            Value::Array(items) if items.len() == 1 => items.first().filter(|item| item.is_object()).cloned(),
            _ => None,
        })
        .collect();
    candidates.extend(alone);
    let judged = candidates.into_iter().map(|value| {
        let violations = wanted.schema.violations(&value);
        (value, violations)
    });
    match judged.min_by_key(|(_, violations)| violations.len()) {
        Some((value, violations)) => (Some(value), violations),
        None => {
            let why = turn.rejected_calls().next().map_or_else(
                || "the answer holds no JSON".to_owned(),
                |call| call.why.to_string(),
            );
            (
                None,
                vec![Violation {
                    path: "/".into(),
                    reason: why,
                }],
            )
        }
    }
}

/// Adds the wrong answer and its violations to the conversation, as text, which works in every mode.
fn send_back(request: &mut ModelRequest, turn: &ModelAnswer, violations: &[Violation]) {
    const MAX_CHARS: usize = 4000;
    let mut answer_text = turn.text.clone();
    if answer_text.trim().is_empty() {
        answer_text = turn.whole_calls().next().map_or_else(
            || "(no answer)".to_owned(),
            |call| Value::Object(Map::clone(call.arguments())).to_string(),
        );
    }
    if let Some((at, _)) = answer_text.char_indices().nth(MAX_CHARS) {
        answer_text.truncate(at);
    }
    let list: Vec<String> = violations
        .iter()
        .map(|violation| format!("- {violation}"))
        .collect();
    request.messages.push(Message::Assistant(Assistant {
        text: answer_text,
        ..Assistant::default()
    }));
    request.messages.push(Message::user(format!(
        "That answer does not follow the schema:\n{}\nGive the whole answer again with these mended.",
        list.join("\n")
    )));
}
