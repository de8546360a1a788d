//! A request as Ollama's `/api/chat`.

use serde_json::{Map, Value, json};

use crate::endpoint::ModelEndpoint;
use crate::message::{Message, MessageContent};
use crate::model::{Choice, ModelRequest};
use crate::tool::safe_name;
use crate::wires::render::{function_tools, has_tools, put, put_sampling};

pub(super) fn body(request: &ModelRequest, endpoint: &ModelEndpoint) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("model".into(), endpoint.model.clone().into());
    body.insert("messages".into(), request.messages.iter().map(message).collect());
    body.insert("stream".into(), true.into());
    if has_tools(request, endpoint) && request.choice != Choice::None {
        body.insert("tools".into(), function_tools(request));
    }
    if let Some(output) = request.output.as_ref().filter(|_| endpoint.quirks.json_schema) {
        body.insert("format".into(), output.schema.clone());
    }
    // Without these, Ollama loads the model with a window of its own choice and silently leaves out what is longer.
    body.insert("truncate".into(), false.into());
    let mut options = Map::new();
    options.insert("num_ctx".into(), endpoint.context_tokens.into());
    put(&mut options, "num_predict", request.max_tokens);
    put_sampling(&mut options, request, endpoint);
    body.insert("options".into(), options.into());
    body
}

fn message(message: &Message) -> Value {
    match message {
        Message::System(text) => json!({"role": "system", "content": text}),
        Message::User(content) => {
            let mut text = Vec::new();
            let mut images = Vec::new();
            for piece in content {
                match piece {
                    MessageContent::Text(piece) => text.push(piece.as_str()),
                    MessageContent::Image { data, .. } => images.push(data.as_str()),
                }
            }
            let mut fields = Map::new();
            fields.insert("role".into(), "user".into());
            fields.insert("content".into(), text.join("\n").into());
            put(
                &mut fields,
                "images",
                Some(images).filter(|images| !images.is_empty()),
            );
            Value::Object(fields)
        }
        Message::Assistant(assistant) => {
            let mut fields = Map::new();
            fields.insert("role".into(), "assistant".into());
            fields.insert("content".into(), assistant.text.clone().into());
            if !assistant.calls.is_empty() {
                let calls = assistant.calls.iter().map(|call| {
                    json!({"id": call.id, "function": {"name": safe_name(&call.name), "arguments": call.arguments}})
                });
                fields.insert("tool_calls".into(), calls.collect());
            }
            Value::Object(fields)
        }
        Message::Observation(observation) => {
            let name = safe_name(&observation.name);
            json!({"role": "tool", "content": observation.text, "tool_name": name, "tool_call_id": observation.call_id})
        }
    }
}
