//! Rules of real providers, and the ones that a request breaks.

use serde_json::Value;

use super::wires::ScriptedWire;

/// Every rule that the request breaks.
pub(super) fn violations(wire: &ScriptedWire, body: &Value) -> Vec<String> {
    let mut violations = Vec::new();
    if !body.is_object() {
        return vec!["the body is no JSON object".into()];
    }
    if wire.body_names_model {
        if body["model"].as_str().is_none_or(str::is_empty) {
            violations.push("there is no model".into());
        }
        if body["stream"] != true {
            violations.push("no stream is asked for".into());
        }
    }
    let conversation = (wire.conversation)(body);
    if conversation.messages.as_array().is_none_or(Vec::is_empty) {
        violations.push("there are no messages".into());
    }
    pairing(
        conversation.calls,
        conversation.results,
        wire.pairs_by_name,
        &mut violations,
    );
    if wire.alternates {
        alternation(conversation.messages, &mut violations);
    }
    tools(body, &mut violations);
    violations
}

fn pairing(mut calls: Vec<String>, mut results: Vec<String>, by_name: bool, violations: &mut Vec<String>) {
    calls.sort();
    results.sort();
    if !by_name && calls.windows(2).any(|pair| pair[0] == pair[1]) {
        violations.push(format!("two calls share an id: {calls:?}"));
    }
    if calls.iter().any(String::is_empty) {
        violations.push("a call has no id".into());
    }
    if calls != results {
        violations.push(format!("calls {calls:?} and results {results:?} are not paired"));
    }
}

fn alternation(messages: &Value, violations: &mut Vec<String>) {
    let roles: Vec<&str> = messages
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|message| message["role"].as_str())
        .collect();
    if roles.first() != Some(&"user") || roles.windows(2).any(|pair| pair[0] == pair[1]) {
        violations.push(format!("roles do not alternate: {roles:?}"));
    }
}

fn tools(body: &Value, violations: &mut Vec<String>) {
    let listed = body["tools"].as_array().into_iter().flatten();
    let flat = listed.flat_map(|tool| match tool["functionDeclarations"].as_array() {
        Some(inner) => inner.clone(),
        None => vec![tool.clone()],
    });
    for tool in flat {
        let function = if tool["function"].is_object() {
            &tool["function"]
        } else {
            &tool
        };
        let name = function["name"].as_str().unwrap_or_default();
        let fits = |sign: char| sign.is_ascii_alphanumeric() || sign == '_' || sign == '-';
        if name.is_empty() || name.len() > 64 || !name.chars().all(fits) {
            violations.push(format!("no provider takes the tool name {name:?}"));
        }
        let schema = ["parameters", "input_schema", "parametersJsonSchema"]
            .iter()
            .find_map(|key| function.get(*key));
        if schema.is_none_or(|schema| schema["type"] != "object") {
            violations.push(format!("the parameters of {name:?} are no object schema"));
        }
    }
}
