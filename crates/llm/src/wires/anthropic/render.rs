//! A request as Anthropic messages: system text apart, roles in turn, results as user blocks.

use serde_json::{Map, Value, json};

use crate::endpoint::ModelEndpoint;
use crate::message::{Message, MessageContent};
use crate::model::{Choice, ModelRequest};
use crate::tool::safe_name;
use crate::wires::render::{has_tools, parameters, push_joined, put, system_text};

/// The wire wants a bound; this one is used where the request has none.
const DEFAULT_MAX_TOKENS: u32 = 8192;

pub(super) fn body(request: &ModelRequest, endpoint: &ModelEndpoint) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("model".into(), endpoint.model.clone().into());
    body.insert(
        "max_tokens".into(),
        request.max_tokens.unwrap_or(DEFAULT_MAX_TOKENS).into(),
    );
    body.insert("stream".into(), true.into());
    put(&mut body, "system", system_text(&request.messages));
    body.insert("messages".into(), messages(&request.messages).into());
    let temperature = request.temperature.filter(|_| endpoint.quirks.temperature);
    put(
        &mut body,
        "temperature",
        temperature.map(|degree| degree.min(1.0)),
    );
    if has_tools(request, endpoint) {
        let tools = request.tools.iter().map(|tool| {
            json!({"name": safe_name(&tool.name), "description": tool.description, "input_schema": parameters(tool)})
        });
        body.insert("tools".into(), tools.collect());
        let mut choice = match &request.choice {
            Choice::Auto => json!({"type": "auto"}),
            Choice::None => json!({"type": "none"}),
            Choice::Required => json!({"type": "any"}),
            Choice::Only(name) => json!({"type": "tool", "name": safe_name(name)}),
        };
        if let Some(fields) = choice
            .as_object_mut()
            .filter(|_| !request.parallel_calls && request.choice != Choice::None)
        {
            fields.insert("disable_parallel_tool_use".into(), true.into());
        }
        body.insert("tool_choice".into(), choice);
    }
    body
}

/// The conversation with neighbours of one role joined, as the wire demands.
fn messages(messages: &[Message]) -> Vec<Value> {
    let mut entries: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in messages {
        let (role, blocks) = match message {
            Message::System(_) => continue,
            Message::User(content) => ("user", content.iter().filter_map(piece).collect()),
            Message::Assistant(assistant) => {
                let is_thinking = |extra: &&Value| {
                    matches!(
                        extra.get("type").and_then(Value::as_str),
                        Some("thinking" | "redacted_thinking")
                    )
                };
                let mut blocks: Vec<Value> = assistant.extras.iter().filter(is_thinking).cloned().collect();
                if !assistant.text.trim().is_empty() {
                    blocks.push(json!({"type": "text", "text": assistant.text}));
                }
                blocks.extend(assistant.calls.iter().map(|call| {
                    json!({"type": "tool_use", "id": call.id, "name": safe_name(&call.name), "input": call.arguments})
                }));
                ("assistant", blocks)
            }
            Message::Observation(observation) => {
                let mut block = json!({"type": "tool_result", "tool_use_id": observation.call_id, "content": observation.text});
                if let Some(fields) = block.as_object_mut().filter(|_| observation.is_error) {
                    fields.insert("is_error".into(), true.into());
                }
                ("user", vec![block])
            }
        };
        if blocks.is_empty() {
            continue;
        }
        push_joined(&mut entries, role, blocks);
    }
    entries
        .into_iter()
        .map(|(role, content)| json!({"role": role, "content": content}))
        .collect()
}

fn piece(piece: &MessageContent) -> Option<Value> {
    match piece {
        MessageContent::Text(text) if text.trim().is_empty() => None,
        MessageContent::Text(text) => Some(json!({"type": "text", "text": text})),
        MessageContent::Image { media_type, data } => {
            let source = json!({"type": "base64", "media_type": media_type, "data": data});
            Some(json!({"type": "image", "source": source}))
        }
    }
}
