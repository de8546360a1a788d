//! The streamed body of a scripted turn, in each wire.

use llm::FinishReason;
use llm::wires::Wire;
use serde_json::{Value, json};

use super::turn::ScriptedTurn;

pub(super) fn body(wire: Wire, turn: &ScriptedTurn) -> String {
    match wire {
        Wire::OpenAiChat => openai_chat(turn),
        Wire::OpenAiResponses => openai_responses(turn),
        Wire::Anthropic => anthropic(turn),
        Wire::Gemini => gemini(turn),
        Wire::Ollama => ollama(turn),
    }
}

fn events(payloads: impl IntoIterator<Item = Value>) -> String {
    payloads
        .into_iter()
        .map(|payload| format!("data: {payload}\n\n"))
        .collect()
}

/// Events that repeat their type as the event's name.
fn named_events(payloads: impl IntoIterator<Item = Value>) -> String {
    let event = |payload: Value| {
        format!(
            "event: {}\ndata: {payload}\n\n",
            payload["type"].as_str().unwrap_or_default()
        )
    };
    payloads.into_iter().map(event).collect()
}

fn openai_chat(turn: &ScriptedTurn) -> String {
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

fn openai_responses(turn: &ScriptedTurn) -> String {
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

fn anthropic(turn: &ScriptedTurn) -> String {
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

fn gemini(turn: &ScriptedTurn) -> String {
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

fn ollama(turn: &ScriptedTurn) -> String {
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
