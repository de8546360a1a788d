//! Helpers for request bodies that the wires share.

use serde_json::{Map, Value, json};

use crate::endpoint::ModelEndpoint;
use crate::message::Message;
use crate::model::{Choice, ModelRequest};
use crate::tool::{ToolSpec, safe_name};

/// Whether the request may carry tools at all.
pub(super) fn has_tools(request: &ModelRequest, endpoint: &ModelEndpoint) -> bool {
    !request.tools.is_empty() && endpoint.quirks.tools
}

/// A function tool in OpenAI's form, without the envelope.
pub(super) fn function(tool: &ToolSpec) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("name".into(), safe_name(&tool.name).into_owned().into());
    fields.insert("description".into(), tool.description.clone().into());
    fields.insert("parameters".into(), parameters(tool));
    fields
}

/// The tools as OpenAI's chat completions and Ollama take them.
pub(super) fn function_tools(request: &ModelRequest) -> Value {
    let tools = request.tools.iter();
    tools
        .map(|tool| json!({"type": "function", "function": function(tool)}))
        .collect()
}

/// The fields of OpenAI's wires that say whether tools may be called; `only` names one tool.
pub(super) fn put_tool_choice(
    body: &mut Map<String, Value>,
    request: &ModelRequest,
    endpoint: &ModelEndpoint,
    only: impl Fn(&str) -> Value,
) {
    let choice = match &request.choice {
        Choice::Auto => json!("auto"),
        Choice::None => json!("none"),
        Choice::Required => json!("required"),
        Choice::Only(name) => only(&safe_name(name)),
    };
    body.insert("tool_choice".into(), choice);
    if endpoint.quirks.parallel_calls && !request.parallel_calls {
        body.insert("parallel_tool_calls".into(), false.into());
    }
}

/// Temperature and seed, where the provider takes them.
pub(super) fn put_sampling(body: &mut Map<String, Value>, request: &ModelRequest, endpoint: &ModelEndpoint) {
    let quirks = &endpoint.quirks;
    put(
        body,
        "temperature",
        request.temperature.filter(|_| quirks.temperature),
    );
    put(body, "seed", request.seed.filter(|_| quirks.seed));
}

/// All system messages in one text.
pub(super) fn system_text(messages: &[Message]) -> Option<String> {
    let texts: Vec<&str> = messages
        .iter()
        .filter_map(|message| match message {
            Message::System(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

/// Adds pieces under a role; neighbours of one role are joined, as some wires demand.
pub(super) fn push_joined<'a>(entries: &mut Vec<(&'a str, Vec<Value>)>, role: &'a str, pieces: Vec<Value>) {
    match entries.last_mut() {
        Some((last, list)) if *last == role => list.extend(pieces),
        _ => entries.push((role, pieces)),
    }
}

/// A tool's parameters; providers want an object schema even where there is nothing to pass.
pub(super) fn parameters(tool: &ToolSpec) -> Value {
    let mut schema = tool.parameters.as_object().cloned().unwrap_or_default();
    schema.entry("type").or_insert_with(|| "object".into());
    schema
        .entry("properties")
        .or_insert_with(|| Value::Object(Map::new()));
    Value::Object(schema)
}

/// Adds a field where there is a value.
pub(super) fn put<T: Into<Value>>(body: &mut Map<String, Value>, name: &str, value: Option<T>) {
    if let Some(value) = value {
        body.insert(name.into(), value.into());
    }
}

/// Whether the schema fits OpenAI's strict mode: every object closed and every property required.
pub(super) fn is_strict(schema: &Value) -> bool {
    let mut queue = vec![schema];
    while let Some(value) = queue.pop() {
        match value {
            Value::Object(fields) => {
                if let Some(properties) = fields.get("properties").and_then(Value::as_object) {
                    let required = fields.get("required").and_then(Value::as_array);
                    let is_required = |name: &String| {
                        required.is_some_and(|list| list.iter().any(|item| item.as_str() == Some(name)))
                    };
                    if !properties.keys().all(is_required)
                        || fields.get("additionalProperties") != Some(&Value::Bool(false))
                    {
                        return false;
                    }
                }
                queue.extend(fields.values());
            }
            Value::Array(items) => queue.extend(items),
            _ => {}
        }
    }
    true
}
