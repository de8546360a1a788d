//! OpenAI chat completions.

use llm::wires::Wire;
use serde_json::{Value, json};

use super::{Conversation, ScriptedWire, events, objects, texts};
use crate::scripted::turn::ScriptedTurn;

pub(super) const WIRE: ScriptedWire = ScriptedWire {
    wire: Wire::OpenAiChat,
    path_end: "/chat/completions",
    content_type: "text/event-stream",
    body_names_model: true,
    body,
    conversation,
    pairs_by_name: false,
    alternates: false,
};

fn body(turn: &ScriptedTurn) -> String {
    let chunk = |delta: Value, finish: Value| {
        json!({"id": "c", "object": "chat.completion.chunk", "model": "scripted",
               "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
    };
    let mut out = vec![chunk(json!({"role": "assistant", "content": null}), Value::Null)];
    for piece in turn.pieces(&turn.reasoning) {
        out.push(chunk(json!({"reasoning_content": piece}), Value::Null));
    }
    for piece in turn.pieces(&turn.text) {
        out.push(chunk(json!({"content": piece}), Value::Null));
    }
    for (index, (id, name, arguments)) in turn.calls.iter().enumerate() {
        let opening = json!({"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": ""}});
        out.push(chunk(json!({"tool_calls": [opening]}), Value::Null));
        for piece in turn.pieces(&arguments.to_string()) {
            out.push(chunk(
                json!({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}),
                Value::Null,
            ));
        }
    }
    out.push(chunk(json!({}), turn.finish().word().into()));
    let usage = turn.usage();
    out.push(
        json!({"id": "c", "object": "chat.completion.chunk", "choices": [],
        "usage": {"prompt_tokens": usage.input, "completion_tokens": usage.output,
                  "prompt_tokens_details": {"cached_tokens": usage.cached}}}),
    );
    events(out) + "data: [DONE]\n\n"
}

/// Calls stand in the messages of the assistant, results are messages of their own.
pub(super) fn conversation(body: &Value) -> Conversation<'_> {
    let messages = &body["messages"];
    let calls = objects(messages).flat_map(|message| objects(&message["tool_calls"]));
    let results = objects(messages).filter(|message| !message["tool_call_id"].is_null());
    Conversation {
        messages,
        calls: texts(calls, "id"),
        results: texts(results, "tool_call_id"),
    }
}
