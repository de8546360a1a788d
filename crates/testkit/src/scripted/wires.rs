//! The wires that the scripted provider speaks, a file each.

mod anthropic;
mod gemini;
mod ollama;
mod openai_chat;
mod openai_responses;

use llm::wires::Wire;
use serde_json::Value;

use super::turn::ScriptedTurn;

/// One wire: where its requests arrive, how a turn is streamed, and what requests must keep to.
pub(super) struct ScriptedWire {
    pub wire: Wire,
    /// How the path of a request ends.
    pub path_end: &'static str,
    /// The media type of an answer.
    pub content_type: &'static str,
    /// Whether the body names a model and asks for a stream; otherwise the path does.
    pub body_names_model: bool,
    /// The streamed body of a turn.
    pub body: fn(&ScriptedTurn) -> String,
    /// The messages of a request's body with the calls and results among them.
    pub conversation: fn(&Value) -> Conversation<'_>,
    /// Whether calls are told apart by the name of the tool.
    pub pairs_by_name: bool,
    /// Whether the messages of user and assistant have to take turns.
    pub alternates: bool,
}

/// What a request says of the conversation so far.
pub(super) struct Conversation<'v> {
    pub messages: &'v Value,
    /// The ids of the calls, or the names of their tools.
    pub calls: Vec<String>,
    /// The ids of the calls that have results, or the names of their tools.
    pub results: Vec<String>,
}

/// All wires.
const WIRES: [&ScriptedWire; 5] = [
    &openai_chat::WIRE,
    &openai_responses::WIRE,
    &anthropic::WIRE,
    &gemini::WIRE,
    &ollama::WIRE,
];

/// The wire whose requests arrive at that path.
pub(super) fn at_path(path: &str) -> Option<&'static ScriptedWire> {
    let path = path.split('?').next().unwrap_or(path);
    WIRES.into_iter().find(|wire| path.ends_with(wire.path_end))
}

/// Server-sent events, one for each payload.
pub(super) fn events(payloads: impl IntoIterator<Item = Value>) -> String {
    payloads
        .into_iter()
        .map(|payload| format!("data: {payload}\n\n"))
        .collect()
}

/// Server-sent events that repeat their type as the event's name.
pub(super) fn named_events(payloads: impl IntoIterator<Item = Value>) -> String {
    let event = |payload: Value| {
        format!(
            "event: {}\ndata: {payload}\n\n",
            payload["type"].as_str().unwrap_or_default()
        )
    };
    payloads.into_iter().map(event).collect()
}

/// The objects of a list, also when the value is no list.
pub(super) fn objects(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

/// The texts under a key.
pub(super) fn texts<'v>(values: impl IntoIterator<Item = &'v Value>, key: &str) -> Vec<String> {
    values
        .into_iter()
        .map(|value| value[key].as_str().unwrap_or_default().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wire_is_scripted() {
        let scripted: Vec<Wire> = WIRES.iter().map(|wire| wire.wire).collect();
        assert_eq!(scripted, Wire::ALL);
    }
}
