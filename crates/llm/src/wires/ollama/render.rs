//! A request as Ollama's `/api/chat`.

use serde_json::{Map, Value, json};

use crate::endpoint::Endpoint;
use crate::message::{Content, Message};
use crate::model::{Choice, Request};
use crate::tool::safe_name;
use crate::wires::render::{function, has_tools, put};

pub(in crate::wires) fn body(request: &Request, endpoint: &Endpoint) -> Map<String, Value> {
    let quirks = &endpoint.quirks;
    let mut body = Map::new();
    body.insert("model".into(), endpoint.model.clone().into());
    body.insert("messages".into(), request.messages.iter().map(message).collect());
    body.insert("stream".into(), true.into());
    if has_tools(request, endpoint) && request.choice != Choice::None {
        let tools = request
            .tools
            .iter()
            .map(|tool| json!({"type": "function", "function": function(tool)}));
        body.insert("tools".into(), tools.collect());
    }
    if let Some(output) = request.output.as_ref().filter(|_| quirks.json_schema) {
        body.insert("format".into(), output.schema.clone());
    }
    let mut options = Map::new();
    put(&mut options, "num_predict", request.max_tokens);
    put(
        &mut options,
        "temperature",
        request.temperature.filter(|_| quirks.temperature),
    );
    put(&mut options, "seed", request.seed.filter(|_| quirks.seed));
    if !options.is_empty() {
        body.insert("options".into(), options.into());
    }
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
                    Content::Text(it) => text.push(it.as_str()),
                    Content::Image { data, .. } => images.push(data.as_str()),
                }
            }
            let mut fields = Map::new();
            fields.insert("role".into(), "user".into());
            fields.insert("content".into(), text.join("\n").into());
            put(&mut fields, "images", Some(images).filter(|it| !it.is_empty()));
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
        Message::Observation(seen) => {
            let name = safe_name(&seen.name);
            json!({"role": "tool", "content": seen.text, "tool_name": name, "tool_call_id": seen.call_id})
        }
    }
}
