//! Question: one question to a model about a page, and ModelReply, what came back.

use llm::structured::StructuredRequest;
use llm::{Error, JsonSchema, Message, ModelRequest, RoleModel, Usage};
use serde_json::{Map, Value, json};

use super::tool_results::{self, ToolFinding};
use crate::fields::PageType;

/// Longest quote, in characters.
const QUOTE: u64 = 120;
/// Longest value, in characters, of a field that holds a name or a number.
const VALUE: u64 = 200;
/// Longest value of a field that holds sentences.
const SENTENCES: u64 = 600;
/// Most further facts of one answer.
const MOST_MORE: u64 = 8;
/// Most entries of a list in one answer.
const MOST_ITEMS: u64 = 200;

/// A question that is ready to be asked.
#[derive(Debug, Clone)]
pub struct Question {
    /// Its number on this page, from 1.
    pub number: u32,
    /// The fields that are asked for; empty when the answer has a shape of its own.
    pub fields: Vec<String>,
    /// Bytes of the page that it shows.
    pub shown: usize,
    /// What the model reads.
    pub(super) request: ModelRequest,
    pub(super) wanted: StructuredRequest,
    /// Results of tools that ran before.
    tool_messages: tool_results::ToolMessages,
}

/// The reply of a model to a question.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelReply {
    /// The answer, where one was given; it need not follow the schema in everything.
    pub value: Option<Value>,
    /// Whether it follows the schema.
    pub fits: bool,
    /// What it cost.
    pub usage: Usage,
    /// How often the model answered.
    pub turns: u32,
    /// Why there is no answer, or what is wrong with it.
    pub error: Option<Error>,
}

impl ModelReply {
    /// A reply without a value; the model was not asked.
    pub fn nothing(error: Error) -> ModelReply {
        ModelReply {
            value: None,
            fits: false,
            usage: Usage::default(),
            turns: 0,
            error: Some(error),
        }
    }
}

impl Question {
    pub(super) fn new(
        number: u32,
        rules: String,
        prompt: String,
        wanted: StructuredRequest,
        fields: Vec<String>,
        shown: usize,
    ) -> Self {
        let request = ModelRequest::new(vec![Message::System(rules), Message::user(prompt)]);
        Self {
            number,
            fields,
            shown,
            request,
            wanted,
            tool_messages: tool_results::ToolMessages::default(),
        }
    }

    /// The same with what tools found on the page, in about `budget` bytes.
    pub(super) fn with_tool_findings(mut self, seen: &[ToolFinding], budget: usize) -> Self {
        self.tool_messages = tool_results::messages(seen, budget);
        self
    }

    /// The request for a model of these capabilities: results of tools are observations where it knows tool calls, else text.
    pub(super) fn request_for(&self, able: llm::Capabilities) -> ModelRequest {
        let mut request = self.request.clone();
        if able.tools {
            request
                .messages
                .extend(self.tool_messages.messages.iter().cloned());
        } else if !self.tool_messages.plain.is_empty()
            && let Some(Message::User(content)) = request.messages.last_mut()
        {
            content.push(llm::MessageContent::Text(self.tool_messages.plain.clone()));
        }
        request
    }

    /// Asks a model.
    pub async fn put(&self, model: &RoleModel) -> ModelReply {
        let (mut usage, mut turns) = (Usage::default(), 0);
        let answered = model
            .ask_for_and_tell(
                &self.request_for(model.model.capabilities()),
                &self.wanted,
                |turn| {
                    usage = usage.plus(turn.usage);
                    turns += 1;
                },
            )
            .await;
        let (value, fits, error) = match answered {
            Ok(answer) => (Some(answer.value), true, None),
            Err(Error::SchemaMismatch {
                attempts,
                best,
                violations,
            }) => {
                let error = Error::SchemaMismatch {
                    attempts,
                    best: None,
                    violations,
                };
                (best, false, Some(error))
            }
            Err(error) => (None, false, Some(error)),
        };
        ModelReply {
            value,
            fits,
            usage,
            turns,
            error,
        }
    }

    /// The prompt as text.
    #[cfg(test)]
    pub(super) fn text(&self) -> String {
        let text = |message: &Message| match message {
            Message::System(text) => format!("[system]\n{text}"),
            Message::User(parts) => {
                let parts = parts.iter().map(|part| match part {
                    llm::MessageContent::Text(text) => text.as_str(),
                    llm::MessageContent::Image { .. } => "[image]",
                });
                format!("[user]\n{}", parts.collect::<String>())
            }
            Message::Assistant(_) | Message::Observation(_) => String::new(),
        };
        self.request
            .messages
            .iter()
            .map(text)
            .collect::<Vec<_>>()
            .join("\n")
    }
}

fn text_up_to(longest: u64) -> Value {
    json!({"type": "string", "maxLength": longest})
}

fn object(properties: Map<String, Value>) -> Value {
    let required: Vec<&String> = properties.keys().collect();
    json!({"type": "object", "required": required, "additionalProperties": false, "properties": properties})
}

fn or_null(schema: Value) -> Value {
    json!({"anyOf": [schema, {"type": "null"}]})
}

/// The shape of an answer about fields.
pub(super) struct AnswerShape<'s> {
    /// The fields.
    pub(super) fields: &'s [String],
    /// Whether further facts are welcome.
    pub(super) more: bool,
    /// The fields of an entry, where entries of a list are asked for.
    pub(super) entry: &'s [String],
    /// Whether the type of the page is asked for.
    pub(super) page_type: bool,
}

impl AnswerShape<'_> {
    /// The schema: closed and with every property required, as providers want it that hold their models to it.
    pub(super) fn schema(&self) -> Result<JsonSchema, Error> {
        let mut properties = Map::new();
        if self.page_type {
            let names: Vec<&str> = PageType::ALL.iter().map(|page_type| page_type.name()).collect();
            properties.insert("page_type".into(), json!({"type": "string", "enum": names}));
        }
        let fact = |longest| {
            let parts = [("quote", text_up_to(QUOTE)), ("value", text_up_to(longest))];
            parts.map(|(name, schema)| (name.to_owned(), schema))
        };
        for field in self.fields {
            let longest = match field.as_str() {
                "description" | "summary" | "ingredients" | "steps" => SENTENCES,
                _ => VALUE,
            };
            properties.insert(
                field.clone(),
                or_null(object(fact(longest).into_iter().collect())),
            );
        }
        if !self.entry.is_empty() {
            let of_entry = self
                .entry
                .iter()
                .map(|field| (field.clone(), or_null(text_up_to(QUOTE))));
            let items = json!({"type": "array", "maxItems": MOST_ITEMS, "items": object(of_entry.collect())});
            properties.insert("items".into(), items);
        }
        if self.more {
            let name = ("name".to_owned(), text_up_to(60));
            let one = object([name].into_iter().chain(fact(VALUE)).collect());
            properties.insert(
                "more".into(),
                json!({"type": "array", "maxItems": MOST_MORE, "items": one}),
            );
        }
        if !self.fields.is_empty() {
            let one = json!({"type": "string", "enum": self.fields});
            let list = json!({"type": "array", "maxItems": self.fields.len(), "items": one});
            properties.insert("unavailable".into(), list);
        }
        Ok(JsonSchema::new(object(properties))?)
    }
}
