//! Anthropic messages.

use llm::FinishReason;
use llm::wires::Wire;
use serde_json::{Value, json};

use super::{Conversation, ScriptedWire, named_events, objects, texts};
use crate::scripted::turn::ScriptedTurn;

pub(super) const WIRE: ScriptedWire = ScriptedWire {
    wire: Wire::Anthropic,
    path_end: "/messages",
    content_type: "text/event-stream",
    body_names_model: true,
    body,
    conversation,
    pairs_by_name: false,
    alternates: true,
};

fn body(turn: &ScriptedTurn) -> String {
    let usage = turn.usage();
    let mut out = vec![
        json!({"type": "message_start", "message": {"id": "m", "role": "assistant", "content": [],
        "usage": {"input_tokens": usage.input - usage.cached, "cache_read_input_tokens": usage.cached, "output_tokens": 1}}}),
    ];
    let mut index = 0;
    let mut block = |start: Value, deltas: Vec<Value>| {
        out.push(json!({"type": "content_block_start", "index": index, "content_block": start}));
        out.extend(
            deltas
                .into_iter()
                .map(|delta| json!({"type": "content_block_delta", "index": index, "delta": delta})),
        );
        out.push(json!({"type": "content_block_stop", "index": index}));
        index += 1;
    };
    if !turn.reasoning.is_empty() {
        let pieces = turn
            .pieces(&turn.reasoning)
            .into_iter()
            .map(|piece| json!({"type": "thinking_delta", "thinking": piece}));
        let deltas = pieces
            .chain([json!({"type": "signature_delta", "signature": "signed"})])
            .collect();
        block(json!({"type": "thinking", "thinking": ""}), deltas);
    }
    if !turn.text.is_empty() {
        let deltas = turn
            .pieces(&turn.text)
            .into_iter()
            .map(|piece| json!({"type": "text_delta", "text": piece}))
            .collect();
        block(json!({"type": "text", "text": ""}), deltas);
    }
    for (id, name, arguments) in &turn.calls {
        let text = arguments.to_string();
        let deltas = turn
            .pieces(&text)
            .into_iter()
            .map(|piece| json!({"type": "input_json_delta", "partial_json": piece}))
            .collect();
        block(
            json!({"type": "tool_use", "id": id, "name": name, "input": {}}),
            deltas,
        );
    }
    let reason = match turn.finish() {
        FinishReason::ToolCalls => "tool_use",
        FinishReason::Length => "max_tokens",
        FinishReason::ContentFilter(_) => "refusal",
        _ => "end_turn",
    };
    out.push(json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": usage.output}}));
    out.push(json!({"type": "message_stop"}));
    named_events(out)
}

/// Calls and results are blocks of messages.
fn conversation(body: &Value) -> Conversation<'_> {
    let blocks = |kind: &'static str| {
        let blocks = objects(&body["messages"]).flat_map(|message| objects(&message["content"]));
        blocks.filter(move |block| block["type"] == kind)
    };
    Conversation {
        messages: &body["messages"],
        calls: texts(blocks("tool_use"), "id"),
        results: texts(blocks("tool_result"), "tool_use_id"),
    }
}
