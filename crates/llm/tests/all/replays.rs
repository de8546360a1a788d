//! Recorded answers of a real server, whole and cut anywhere.

use base64::Engine;
use llm::assembly_report::{AnswerRecording, ReportOptions, report};
use serde_json::{Value, json};

/// A recorded exchange: name, offered tools as in its request, raw body.
fn recordings() -> Vec<(String, Value, Vec<u8>)> {
    let folder = std::env::var("HUNTSMAN_TEST_RECORDINGS").map(std::path::PathBuf::from);
    let Ok(folder) = folder else { return Vec::new() };
    let mut out = Vec::new();
    for file in std::fs::read_dir(folder).expect("the folder") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|it| it == "sse") {
            let request = std::fs::read_to_string(path.with_extension("request.json")).unwrap_or_default();
            let request: Value = serde_json::from_str(&request).unwrap_or(Value::Null);
            let tools = request.get("tools").cloned().unwrap_or_else(|| json!([]));
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            out.push((name, tools, std::fs::read(&path).expect("a body")));
        }
    }
    out
}

/// A body as llama.cpp's server writes it: role first with null content, call ids without prefix, timings at the end.
fn like_llama_cpp() -> (String, Value, Vec<u8>) {
    let head = |choices: Value| json!({"choices": choices, "created": 1, "id": "chatcmpl-x", "model": "local", "object": "chat.completion.chunk"});
    let delta = |delta: Value| head(json!([{"finish_reason": null, "index": 0, "delta": delta}]));
    let mut chunks = vec![delta(json!({"role": "assistant", "content": null}))];
    let opening =
        json!({"index": 0, "id": "Qx7", "type": "function", "function": {"name": "clock", "arguments": "{"}});
    chunks.push(delta(json!({"tool_calls": [opening]})));
    for piece in ["\"", "zone", "\":", " \"", "Europe/Warsaw", "\"}"] {
        chunks.push(delta(
            json!({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}),
        ));
    }
    let mut last = head(json!([{"finish_reason": "tool_calls", "index": 0, "delta": {}}]));
    last["timings"] = json!({"predicted_n": 30});
    chunks.push(last);
    let body: String = chunks.iter().map(|it| format!("data: {it}\n\n")).collect();
    let tools = json!([{"type": "function", "function": {"name": "clock", "parameters": {"type": "object", "properties": {"zone": {"type": "string"}}}}}]);
    (
        "like llama.cpp".into(),
        tools,
        format!("{body}data: [DONE]\n\n").into_bytes(),
    )
}

#[test]
fn a_recorded_answer_is_the_same_turn_whole_and_cut_anywhere() {
    let mut all = recordings();
    all.push(like_llama_cpp());
    for (name, tools, body) in all {
        for text_calls in [false, true] {
            let options = ReportOptions {
                text_calls,
                details: true,
            };
            let run = |input: AnswerRecording<'_>| {
                report("openai_chat", &tools, input, options).expect("a known wire")
            };
            let whole = run(AnswerRecording::Body(&body));
            if std::env::var_os("HUNTSMAN_TEST_RECORDINGS").is_some() {
                println!("{name} text_calls={text_calls}: {whole}");
            }
            let usable = whole["error"].is_null();
            assert_eq!(usable, !name.starts_with("error"), "{name}: {whole}");
            let mut random = 7_u64;
            for _ in 0..20 {
                let mut reads = Vec::new();
                let mut rest = body.as_slice();
                while !rest.is_empty() {
                    random = random
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    let size = usize::try_from(random >> 33).expect("small") % 90 + 1;
                    let (read, after) = rest.split_at(size.min(rest.len()));
                    reads.push(json!({"_b64": base64::engine::general_purpose::STANDARD.encode(read)}));
                    rest = after;
                }
                assert_eq!(run(AnswerRecording::Chunks(&reads)), whole, "{name}");
            }
        }
    }
    let (_, tools, body) = like_llama_cpp();
    let got = report(
        "openai_chat",
        &tools,
        AnswerRecording::Body(&body),
        ReportOptions::default(),
    )
    .expect("a known wire");
    assert_eq!(
        got["calls"],
        json!([{"id": "Qx7", "name": "clock", "args": {"zone": "Europe/Warsaw"}}])
    );
}
