//! Rules of real providers, and the ones that a request breaks.

use llm::wires::Wire;
use serde_json::Value;

use super::exchange::ProviderRequest;

/// Every rule that the request breaks.
pub(super) fn violations(exchange: &ProviderRequest) -> Vec<String> {
    let body = &exchange.body;
    let mut violations = Vec::new();
    if !body.is_object() {
        return vec!["the body is no JSON object".into()];
    }
    if exchange.wire != Wire::Gemini {
        if body["model"].as_str().is_none_or(str::is_empty) {
            violations.push("there is no model".into());
        }
        if body["stream"] != true {
            violations.push("no stream is asked for".into());
        }
    }
    let (messages, calls, results) = match exchange.wire {
        Wire::OpenAiChat => (
            &body["messages"],
            ids(body, "/messages", &["tool_calls"], "id"),
            ids(body, "/messages", &[], "tool_call_id"),
        ),
        Wire::OpenAiResponses => {
            let ids_of = |kind: &str| {
                let items = body["input"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter(|item| item["type"] == kind);
                items
                    .map(|item| item["call_id"].as_str().unwrap_or_default().to_owned())
                    .collect()
            };
            (
                &body["input"],
                ids_of("function_call"),
                ids_of("function_call_output"),
            )
        }
        Wire::Anthropic => {
            let ids_of = |kind: &str, key: &str| {
                let messages = body["messages"].as_array().into_iter().flatten();
                let blocks = messages
                    .filter_map(|message| message["content"].as_array())
                    .flatten()
                    .filter(|block| block["type"] == kind);
                blocks
                    .map(|block| block[key].as_str().unwrap_or_default().to_owned())
                    .collect()
            };
            (
                &body["messages"],
                ids_of("tool_use", "id"),
                ids_of("tool_result", "tool_use_id"),
            )
        }
        Wire::Gemini => {
            let ids_of = |key: &str| {
                let contents = body["contents"].as_array().into_iter().flatten();
                let parts = contents
                    .filter_map(|content| content["parts"].as_array())
                    .flatten()
                    .filter(|part| !part[key].is_null());
                parts
                    .map(|part| part[key]["name"].as_str().unwrap_or_default().to_owned())
                    .collect()
            };
            (
                &body["contents"],
                ids_of("functionCall"),
                ids_of("functionResponse"),
            )
        }
        Wire::Ollama => (
            &body["messages"],
            ids(body, "/messages", &["tool_calls"], "id"),
            ids(body, "/messages", &[], "tool_call_id"),
        ),
    };
    if messages.as_array().is_none_or(Vec::is_empty) {
        violations.push("there are no messages".into());
    }
    pairing(calls, results, exchange.wire == Wire::Gemini, &mut violations);
    if exchange.wire == Wire::Anthropic {
        alternation(messages, &mut violations);
    }
    tools(body, &mut violations);
    violations
}

fn ids(body: &Value, list: &str, within: &[&str], key: &str) -> Vec<String> {
    let messages = body.pointer(list).and_then(Value::as_array).into_iter().flatten();
    let entries: Vec<&Value> = match within {
        [inner] => messages
            .filter_map(|message| message[*inner].as_array())
            .flatten()
            .collect(),
        _ => messages.filter(|message| !message[key].is_null()).collect(),
    };
    entries
        .into_iter()
        .map(|entry| entry[key].as_str().unwrap_or_default().to_owned())
        .collect()
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
