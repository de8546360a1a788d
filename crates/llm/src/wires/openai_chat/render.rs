//! A request as OpenAI chat completions.

use serde_json::{Map, Value, json};

use crate::endpoint::ModelEndpoint;
use crate::message::{Message, MessageContent};
use crate::model::ModelRequest;
use crate::tool::safe_name;
use crate::wires::render::{function_tools, has_tools, is_strict, put, put_sampling, put_tool_choice};

pub(super) fn body(request: &ModelRequest, endpoint: &ModelEndpoint) -> Map<String, Value> {
    let quirks = &endpoint.quirks;
    let mut body = Map::new();
    body.insert("model".into(), endpoint.model.clone().into());
    body.insert("messages".into(), request.messages.iter().map(message).collect());
    body.insert("stream".into(), true.into());
    if !quirks.no_stream_options {
        body.insert("stream_options".into(), json!({"include_usage": true}));
    }
    put(
        &mut body,
        quirks.max_tokens_field.as_deref().unwrap_or("max_tokens"),
        request.max_tokens,
    );
    put_sampling(&mut body, request, endpoint);
    if has_tools(request, endpoint) {
        body.insert("tools".into(), function_tools(request));
        let only = |name: &str| json!({"type": "function", "function": {"name": name}});
        put_tool_choice(&mut body, request, endpoint, only);
    }
    if let Some(output) = request.output.as_ref().filter(|_| quirks.json_schema) {
        let schema =
            json!({"name": output.name, "schema": output.schema, "strict": is_strict(&output.schema)});
        body.insert(
            "response_format".into(),
            json!({"type": "json_schema", "json_schema": schema}),
        );
    }
    body
}

fn message(message: &Message) -> Value {
    match message {
        Message::System(text) => json!({"role": "system", "content": text}),
        Message::User(content) => json!({"role": "user", "content": pieces(content)}),
        Message::Assistant(assistant) => {
            let mut fields = Map::new();
            fields.insert("role".into(), "assistant".into());
            let content = match assistant.text.is_empty() && !assistant.calls.is_empty() {
                true => Value::Null,
                false => assistant.text.clone().into(),
            };
            fields.insert("content".into(), content);
            if !assistant.calls.is_empty() {
                let calls = assistant.calls.iter().map(|call| {
                    let arguments = Value::Object(call.arguments.clone()).to_string();
                    let mut entry = json!({
                        "id": call.id,
                        "type": "function",
                        "function": {"name": safe_name(&call.name), "arguments": arguments},
                    });
                    if let (Some(extras @ Value::Object(_)), Some(entry)) =
                        (&call.extras, entry.as_object_mut())
                    {
                        entry.insert("extra_content".into(), extras.clone());
                    }
                    entry
                });
                fields.insert("tool_calls".into(), calls.collect());
            }
            Value::Object(fields)
        }
        Message::Observation(observation) => {
            json!({"role": "tool", "tool_call_id": observation.call_id, "content": observation.text})
        }
    }
}

fn pieces(content: &[MessageContent]) -> Value {
    if let [MessageContent::Text(text)] = content {
        return text.clone().into();
    }
    content
        .iter()
        .map(|piece| match piece {
            MessageContent::Text(text) => json!({"type": "text", "text": text}),
            MessageContent::Image { media_type, data } => {
                json!({"type": "image_url", "image_url": {"url": format!("data:{media_type};base64,{data}")}})
            }
        })
        .collect()
}
