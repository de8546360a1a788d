//! Ollama's own chat; calls and results as in chat completions.

use llm::FinishReason;
use llm::wires::Wire;
use serde_json::{Value, json};

use super::{ScriptedWire, openai_chat};
use crate::scripted::turn::ScriptedTurn;

pub(super) const WIRE: ScriptedWire = ScriptedWire {
    wire: Wire::Ollama,
    path_end: "/api/chat",
    content_type: "application/x-ndjson",
    body_names_model: true,
    body,
    conversation: openai_chat::conversation,
    pairs_by_name: false,
    alternates: false,
};

fn body(turn: &ScriptedTurn) -> String {
    let line = |message: Value| json!({"model": "scripted", "message": message, "done": false});
    let mut out: Vec<Value> = turn
        .pieces(&turn.text)
        .into_iter()
        .map(|piece| line(json!({"role": "assistant", "content": piece})))
        .collect();
    for (_, name, arguments) in &turn.calls {
        let call = json!({"function": {"index": 0, "name": name, "arguments": arguments}});
        out.push(line(
            json!({"role": "assistant", "content": "", "tool_calls": [call]}),
        ));
    }
    let reason = if turn.finish() == FinishReason::Length {
        "length"
    } else {
        "stop"
    };
    let usage = turn.usage();
    out.push(
        json!({"model": "scripted", "message": {"role": "assistant", "content": ""}, "done": true,
        "done_reason": reason, "prompt_eval_count": usage.input, "eval_count": usage.output}),
    );
    out.into_iter().map(|line| format!("{line}\n")).collect()
}
