//! A request as Gemini `generateContent`.

use serde_json::{Map, Value, json};

use crate::endpoint::ModelEndpoint;
use crate::message::{Message, MessageContent};
use crate::model::{Choice, ModelRequest};
use crate::tool::safe_name;
use crate::wires::render::{has_tools, parameters, push_joined, put, put_sampling};

pub(super) fn body(request: &ModelRequest, endpoint: &ModelEndpoint) -> Map<String, Value> {
    let mut body = Map::new();
    let mut system = Vec::new();
    let mut contents: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in &request.messages {
        let (role, parts) = match message {
            Message::System(text) => {
                system.push(json!({"text": text}));
                continue;
            }
            Message::User(content) => ("user", content.iter().map(piece).collect()),
            Message::Assistant(assistant) => ("model", assistant_parts(assistant)),
            Message::Observation(observation) => {
                let key = if observation.is_error { "error" } else { "result" };
                let response =
                    json!({"name": safe_name(&observation.name), "response": {key: observation.text}});
                ("user", vec![json!({"functionResponse": response})])
            }
        };
        push_joined(&mut contents, role, parts);
    }
    if !system.is_empty() {
        body.insert("systemInstruction".into(), json!({"parts": system}));
    }
    let contents = contents
        .into_iter()
        .map(|(role, parts)| json!({"role": role, "parts": parts}));
    body.insert("contents".into(), contents.collect());
    if has_tools(request, endpoint) {
        let tools: Vec<Value> = request
            .tools
            .iter()
            .map(|tool| {
                json!({
                    "name": safe_name(&tool.name),
                    "description": tool.description,
                    "parametersJsonSchema": parameters(tool),
                })
            })
            .collect();
        body.insert("tools".into(), json!([{"functionDeclarations": tools}]));
        let choice = match &request.choice {
            Choice::Auto => json!({"mode": "AUTO"}),
            Choice::None => json!({"mode": "NONE"}),
            Choice::Required => json!({"mode": "ANY"}),
            Choice::Only(name) => json!({"mode": "ANY", "allowedFunctionNames": [safe_name(name)]}),
        };
        body.insert("toolConfig".into(), json!({"functionCallingConfig": choice}));
    }
    let mut config = Map::new();
    put(&mut config, "maxOutputTokens", request.max_tokens);
    put_sampling(&mut config, request, endpoint);
    if let Some(output) = request.output.as_ref().filter(|_| endpoint.quirks.json_schema) {
        config.insert("responseMimeType".into(), "application/json".into());
        config.insert("responseJsonSchema".into(), output.schema.clone());
    }
    if !config.is_empty() {
        body.insert("generationConfig".into(), config.into());
    }
    body
}

/// Text and calls, each with the signature it came with.
fn assistant_parts(assistant: &crate::message::Assistant) -> Vec<Value> {
    let mut parts = Vec::new();
    let signature = assistant.extras.iter().find(|extra| extra.is_string());
    if !assistant.text.is_empty() || (signature.is_some() && assistant.calls.is_empty()) {
        let mut part = Map::new();
        part.insert("text".into(), assistant.text.clone().into());
        put(&mut part, "thoughtSignature", signature.cloned());
        parts.push(Value::Object(part));
    }
    for call in &assistant.calls {
        let mut part = Map::new();
        part.insert(
            "functionCall".into(),
            json!({"name": safe_name(&call.name), "args": call.arguments}),
        );
        put(
            &mut part,
            "thoughtSignature",
            call.extras.clone().filter(Value::is_string),
        );
        parts.push(Value::Object(part));
    }
    if parts.is_empty() {
        parts.push(json!({"text": ""}));
    }
    parts
}

fn piece(piece: &MessageContent) -> Value {
    match piece {
        MessageContent::Text(text) => json!({"text": text}),
        MessageContent::Image { media_type, data } => {
            json!({"inlineData": {"mimeType": media_type, "data": data}})
        }
    }
}
