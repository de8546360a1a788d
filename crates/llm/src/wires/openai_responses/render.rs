//! A request as OpenAI responses, without state kept at the provider.

use serde_json::{Map, Value, json};

use crate::endpoint::ModelEndpoint;
use crate::message::{Message, MessageContent};
use crate::model::ModelRequest;
use crate::tool::safe_name;
use crate::wires::render::{function, has_tools, is_strict, put, put_tool_choice, system_text};

pub(super) fn body(request: &ModelRequest, endpoint: &ModelEndpoint) -> Map<String, Value> {
    let quirks = &endpoint.quirks;
    let mut body = Map::new();
    body.insert("model".into(), endpoint.model.clone().into());
    put(&mut body, "instructions", system_text(&request.messages));
    let mut input = Vec::new();
    for message in &request.messages {
        push_items(message, &mut input);
    }
    body.insert("input".into(), input.into());
    body.insert("stream".into(), true.into());
    body.insert("store".into(), false.into());
    body.insert("include".into(), json!(["reasoning.encrypted_content"]));
    put(&mut body, "max_output_tokens", request.max_tokens);
    put(
        &mut body,
        "temperature",
        request.temperature.filter(|_| quirks.temperature),
    );
    if has_tools(request, endpoint) {
        let tools = request.tools.iter().map(|tool| {
            let mut fields = function(tool);
            fields.insert("type".into(), "function".into());
            fields.insert("strict".into(), false.into());
            Value::Object(fields)
        });
        body.insert("tools".into(), tools.collect());
        let only = |name: &str| json!({"type": "function", "name": name});
        put_tool_choice(&mut body, request, endpoint, only);
    }
    if let Some(output) = request.output.as_ref().filter(|_| quirks.json_schema) {
        let strict = is_strict(&output.schema);
        let format =
            json!({"type": "json_schema", "name": output.name, "schema": output.schema, "strict": strict});
        body.insert("text".into(), json!({"format": format}));
    }
    body
}

fn push_items(message: &Message, input: &mut Vec<Value>) {
    match message {
        Message::System(_) => {}
        Message::User(content) => {
            let pieces: Vec<Value> = content
                .iter()
                .map(|piece| match piece {
                    MessageContent::Text(text) => json!({"type": "input_text", "text": text}),
                    MessageContent::Image { media_type, data } => {
                        json!({"type": "input_image", "image_url": format!("data:{media_type};base64,{data}")})
                    }
                })
                .collect();
            input.push(json!({"role": "user", "content": pieces}));
        }
        Message::Assistant(assistant) => {
            let reasoning = assistant
                .extras
                .iter()
                .filter(|extra| extra.get("type").and_then(Value::as_str) == Some("reasoning"));
            input.extend(reasoning.cloned());
            if !assistant.text.is_empty() {
                let piece = json!({"type": "output_text", "text": assistant.text});
                input.push(json!({"role": "assistant", "content": [piece]}));
            }
            input.extend(assistant.calls.iter().map(|call| {
                json!({
                    "type": "function_call",
                    "call_id": call.id,
                    "name": safe_name(&call.name),
                    "arguments": Value::Object(call.arguments.clone()).to_string(),
                })
            }));
        }
        Message::Observation(observation) => {
            input.push(json!({"type": "function_call_output", "call_id": observation.call_id, "output": observation.text}));
        }
    }
}
