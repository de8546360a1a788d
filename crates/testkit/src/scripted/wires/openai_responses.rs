//! OpenAI responses.

use llm::FinishReason;
use llm::wires::Wire;
use serde_json::{Value, json};

use super::{Conversation, ScriptedWire, named_events, objects, texts};
use crate::scripted::turn::ScriptedTurn;

pub(super) const WIRE: ScriptedWire = ScriptedWire {
    wire: Wire::OpenAiResponses,
    path_end: "/responses",
    content_type: "text/event-stream",
    body_names_model: true,
    body,
    conversation,
    pairs_by_name: false,
    alternates: false,
};

fn body(turn: &ScriptedTurn) -> String {
    let mut out = vec![json!({"type": "response.created", "response": {"id": "r", "status": "in_progress"}})];
    let mut output = 0;
    if !turn.text.is_empty() {
        let item = json!({"type": "message", "id": "m", "role": "assistant", "content": []});
        out.push(json!({"type": "response.output_item.added", "output_index": output, "item": item}));
        for piece in turn.pieces(&turn.text) {
            out.push(json!({"type": "response.output_text.delta", "output_index": output, "item_id": "m", "delta": piece}));
        }
        output += 1;
    }
    for (id, name, arguments) in &turn.calls {
        let item_id = format!("fc_{id}");
        let text = arguments.to_string();
        let item = |text: &str| json!({"type": "function_call", "id": item_id, "call_id": id, "name": name, "arguments": text});
        out.push(json!({"type": "response.output_item.added", "output_index": output, "item": item("")}));
        let about = |kind: &str, key: &str, text: &str| json!({"type": format!("response.function_call_arguments.{kind}"), "output_index": output, "item_id": item_id, key: text});
        out.extend(
            turn.pieces(&text)
                .into_iter()
                .map(|piece| about("delta", "delta", piece)),
        );
        out.push(about("done", "arguments", &text));
        out.push(json!({"type": "response.output_item.done", "output_index": output, "item": item(&text)}));
        output += 1;
    }
    let usage = turn.usage();
    let usage = json!({"input_tokens": usage.input, "output_tokens": usage.output,
                       "input_tokens_details": {"cached_tokens": usage.cached}});
    out.push(match turn.finish() {
        FinishReason::Length => json!({"type": "response.incomplete", "response": {"status": "incomplete",
            "incomplete_details": {"reason": "max_output_tokens"}, "usage": usage}}),
        FinishReason::ContentFilter(_) => {
            json!({"type": "response.incomplete", "response": {"status": "incomplete",
            "incomplete_details": {"reason": "content_filter"}, "usage": usage}})
        }
        _ => json!({"type": "response.completed", "response": {"status": "completed", "usage": usage}}),
    });
    named_events(out)
}

/// Calls and results are items of the input.
fn conversation(body: &Value) -> Conversation<'_> {
    let items = |kind: &'static str| objects(&body["input"]).filter(move |item| item["type"] == kind);
    Conversation {
        messages: &body["input"],
        calls: texts(items("function_call"), "call_id"),
        results: texts(items("function_call_output"), "call_id"),
    }
}
