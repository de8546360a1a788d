//! `ai:*` and `system:*`: what passes between agent and model. Not public.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::num::Num;

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GenerationFinishReason {
    /// It was done.
    Stop,
    /// It ran out of tokens.
    Length,
    /// Its provider held something back.
    ContentFilter,
    /// It called tools.
    ToolCalls,
    /// It broke.
    Error,
    /// Something else.
    Other,
}

/// What a model call cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenUsage {
    /// Tokens sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens received.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// Both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_tokens: Option<u64>,
}

/// Whose message it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum MessageRole {
    System,
    User,
    Assistant,
    Tool,
}

/// One message of a conversation, as the contract's clients expect it.
///
/// Messages are read leniently, since other versions may tell parts that this one does not know; the schema says exactly
/// what this one tells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelMessage {
    /// Whose.
    pub role: MessageRole,
    /// A text, or a list of typed parts (always a list for `tool`).
    pub content: Value,
    /// What only one provider understands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_options: Option<BTreeMap<String, Value>>,
}

impl JsonSchema for ModelMessage {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ModelMessage".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        message_schema()
    }
}

/// The four kinds of messages, by their role, with the parts that each may have.
fn message_schema() -> Schema {
    let message = |role: &str, content: Value| {
        let options = json!({"type": "object", "additionalProperties": true});
        json!({
            "type": "object",
            "properties": {"role": {"const": role}, "content": content, "providerOptions": options},
            "required": ["role", "content"],
        })
    };
    let part = |kind: &str, properties: Value, optional: &[&str]| {
        let mut properties = properties;
        let names = properties.as_object().into_iter().flat_map(|all| all.keys());
        let mut required: Vec<String> = names
            .filter(|name| !optional.contains(&name.as_str()))
            .cloned()
            .collect();
        required.push("type".to_owned());
        properties["type"] = json!({"const": kind});
        json!({"type": "object", "properties": properties, "required": required})
    };
    let text = || json!({"type": "string"});
    let parts = |kinds: Vec<Value>| json!({"type": "array", "items": {"oneOf": kinds}});
    let text_part = part("text", json!({"text": text()}), &[]);
    let image = part(
        "image",
        json!({"image": text(), "mediaType": text()}),
        &["mediaType"],
    );
    let call = part(
        "tool-call",
        json!({"toolCallId": text(), "toolName": text(), "input": {}}),
        &[],
    );
    let outputs = json!({"oneOf": [
        part("text", json!({"value": text()}), &[]),
        part("error-text", json!({"value": text()}), &[]),
    ]});
    let result = part(
        "tool-result",
        json!({"toolCallId": text(), "toolName": text(), "output": outputs}),
        &[],
    );
    json_schema!({
        "description": "One message of a conversation, as the contract's clients expect it.",
        "oneOf": [
            message("system", text()),
            message("user", json!({"oneOf": [text(), parts(vec![text_part.clone(), image])]})),
            message("assistant", json!({"oneOf": [text(), parts(vec![text_part, call])]})),
            message("tool", parts(vec![result])),
        ],
    })
}

/// `ai:generation`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AiGeneration {
    /// What was asked.
    pub prompt: String,
    /// In which shape the answer was wanted.
    pub schema: Value,
    /// Cost.
    pub usage: TokenUsage,
    /// Why the model stopped.
    pub finish_reason: GenerationFinishReason,
    /// The conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<ModelMessage>>,
    /// The structured answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<Value>,
    /// What only one provider reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_metadata: Option<BTreeMap<String, Value>>,
    /// Sampling temperature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<Num>,
    /// What the provider did not like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<Value>>,
}

/// What a call of a model cost: of all tries that it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelCallCost {
    /// Tokens sent.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Millionths of a US dollar by the price table; 0 where the model has no price.
    pub micro_dollars: u64,
}

/// `ai:generation:error`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AiGenerationError {
    /// What went wrong, without secrets.
    pub error: String,
    /// What was asked.
    pub prompt: String,
    /// In which shape the answer was wanted.
    pub schema: Value,
    /// The conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<Value>>,
}

/// `system:debug_compression`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DebugCompression {
    /// Bytes before.
    pub original_size: u64,
    /// Bytes after.
    pub compressed_size: u64,
    /// Saved share, 0 to 100.
    pub compression_percent: Num,
}

/// `system:debug_message`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DebugMessage {
    /// The conversation.
    pub messages: Vec<Value>,
}
