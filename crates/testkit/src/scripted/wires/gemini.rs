//! Google Gemini.

use llm::FinishReason;
use llm::wires::Wire;
use serde_json::{Value, json};

use super::{Conversation, ScriptedWire, events, objects, texts};
use crate::scripted::turn::ScriptedTurn;

pub(super) const WIRE: ScriptedWire = ScriptedWire {
    wire: Wire::Gemini,
    path_end: ":streamGenerateContent",
    content_type: "text/event-stream",
    body_names_model: false,
    body,
    conversation,
    pairs_by_name: true,
    alternates: false,
};

fn body(turn: &ScriptedTurn) -> String {
    let usage = turn.usage();
    let usage = json!({"promptTokenCount": usage.input, "candidatesTokenCount": usage.output,
                       "cachedContentTokenCount": usage.cached});
    let chunk =
        |parts: Value| json!({"candidates": [{"index": 0, "content": {"role": "model", "parts": parts}}]});
    let mut out: Vec<Value> = turn
        .pieces(&turn.reasoning)
        .into_iter()
        .map(|piece| chunk(json!([{"text": piece, "thought": true}])))
        .collect();
    out.extend(
        turn.pieces(&turn.text)
            .into_iter()
            .map(|piece| chunk(json!([{"text": piece}]))),
    );
    for (nth, (_, name, arguments)) in turn.calls.iter().enumerate() {
        let mut part = json!({"functionCall": {"name": name, "args": arguments}});
        if nth == 0 {
            part["thoughtSignature"] = "signed".into();
        }
        out.push(chunk(json!([part])));
    }
    let reason = match turn.finish() {
        FinishReason::Length => "MAX_TOKENS",
        FinishReason::ContentFilter(_) => "SAFETY",
        _ => "STOP",
    };
    out.push(json!({"candidates": [{"index": 0, "content": {"role": "model", "parts": [{"text": ""}]}, "finishReason": reason}],
                    "usageMetadata": usage}));
    events(out)
}

/// Calls and results are parts of contents and name their tool.
fn conversation(body: &Value) -> Conversation<'_> {
    let parts = |key: &'static str| {
        let parts = objects(&body["contents"]).flat_map(|content| objects(&content["parts"]));
        parts.map(move |part| &part[key]).filter(|part| !part.is_null())
    };
    Conversation {
        messages: &body["contents"],
        calls: texts(parts("functionCall"), "name"),
        results: texts(parts("functionResponse"), "name"),
    }
}
