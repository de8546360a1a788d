//! A provider's stream, whole and cut at one place, gives the same turn on every wire.

#![no_main]

use base64::Engine as _;
use libfuzzer_sys::fuzz_target;
use llm::assembly_report::{AnswerRecording, ReportOptions, report};

const WIRES: [&str; 5] = ["openai_chat", "openai_responses", "anthropic_messages", "gemini", "ollama"];

fuzz_target!(|bytes: &[u8]| {
    let [wire, cut, body @ ..] = bytes else { return };
    let wire = WIRES[usize::from(*wire) % WIRES.len()];
    let tools = serde_json::json!({"read": ["url"], "click": ["ref"]});
    let cut = usize::from(*cut) * body.len() / 256;
    let (left, right) = body.split_at(cut);
    let options = ReportOptions { text_calls: cut % 2 == 0, ..ReportOptions::default() };
    let read = |bytes: &[u8]| serde_json::json!({"_b64": base64::engine::general_purpose::STANDARD.encode(bytes)});
    let whole = report(wire, &tools, AnswerRecording::Body(body), options);
    let parts = report(wire, &tools, AnswerRecording::Chunks(&[read(left), read(right)]), options);
    assert_eq!(whole, parts);
});
