//! Properties of every stream, wherever the network cuts it.

use base64::Engine;
use llm::assembly_report::{AnswerRecording, ReportOptions, report};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const OPTIONS: ReportOptions = ReportOptions {
    text_calls: false,
    details: false,
};

fn reads(pieces: &[&[u8]]) -> Vec<Value> {
    let encode = |piece: &&[u8]| json!({"_b64": base64::engine::general_purpose::STANDARD.encode(piece)});
    pieces.iter().map(encode).collect()
}

/// The vectors' payloads as a body, with the given line end.
pub(crate) fn body(vector: &Value, line_end: &str) -> Option<Vec<u8>> {
    let lines = vector["wire"] == "ollama";
    let mut body = Vec::new();
    for chunk in vector["chunks"].as_array()? {
        let data = match chunk {
            Value::String(text) => text.clone(),
            Value::Object(object) if object.contains_key("_b64") => return None,
            other => other.to_string(),
        };
        let framed = if lines {
            format!("{data}{line_end}")
        } else {
            format!("data: {data}{line_end}{line_end}")
        };
        body.extend(framed.into_bytes());
    }
    Some(body)
}

fn without_ids(mut got: Value) -> Value {
    for call in got["calls"].as_array_mut().into_iter().flatten() {
        call["id"] = Value::Null;
    }
    got
}

/// Wherever the network cuts a body, and whatever ends its lines, the calls are the same.
#[test]
fn a_turn_does_not_depend_on_where_the_network_cuts_it() {
    for line in include_str!("vectors.jsonl").lines() {
        let vector: Value = serde_json::from_str(line).expect("a vector");
        let Some(whole) = body(&vector, "\n") else {
            continue;
        };
        let wire = vector["wire"].as_str().expect("a wire");
        let options = ReportOptions {
            text_calls: vector["text_tools"] == true,
            details: true,
        };
        let run = |input: AnswerRecording<'_>| {
            report(wire, &vector["tools"], input, options).expect("a known wire")
        };
        let expected = run(AnswerRecording::Body(&whole));
        for line_end in ["\r\n", "\r"] {
            let other = body(&vector, line_end).expect("a body");
            assert_eq!(
                run(AnswerRecording::Body(&other)),
                expected,
                "{} with {line_end:?}",
                vector["name"]
            );
        }
        let bytes: Vec<&[u8]> = whole.chunks(1).collect();
        assert_eq!(
            run(AnswerRecording::Chunks(&reads(&bytes))),
            expected,
            "{} byte by byte",
            vector["name"]
        );
        let step = (whole.len() / 150).max(1);
        for cut in (0..whole.len()).step_by(step) {
            let (head, tail) = whole.split_at(cut);
            assert_eq!(
                run(AnswerRecording::Chunks(&reads(&[head, tail]))),
                expected,
                "{} cut at {cut}",
                vector["name"]
            );
        }
    }
}

/// How a provider may tell two calls: each way must give the same two calls.
const WAYS: [&str; 9] = [
    "index and id once",
    "id with every piece",
    "id and name with every piece",
    "no ids",
    "no indexes",
    "interleaved",
    "everything so far each time",
    "the whole once more at the end",
    "index always zero",
];

fn pieces(text: &str, cuts: &[usize]) -> Vec<String> {
    let mut cuts: Vec<usize> = cuts
        .iter()
        .map(|cut| cut % (text.len() + 1))
        .filter(|it| text.is_char_boundary(*it))
        .collect();
    cuts.extend([0, text.len()]);
    cuts.sort_unstable();
    cuts.dedup();
    cuts.windows(2)
        .filter_map(|pair| text.get(pair[0]..pair[1]))
        .map(str::to_owned)
        .collect()
}

fn told(way: &str, calls: &[(&str, &str, Vec<String>)]) -> Vec<Value> {
    let chunk = |entry: Value| json!({"choices": [{"index": 0, "delta": {"tool_calls": [entry]}, "finish_reason": null}]});
    let mut streams: Vec<Vec<Value>> = Vec::new();
    for (at, (id, name, pieces)) in calls.iter().enumerate() {
        let mut stream = Vec::new();
        let mut so_far = String::new();
        for (nth, piece) in pieces.iter().enumerate() {
            so_far.push_str(piece);
            let first = nth == 0;
            let mut function = Map::new();
            if first || way == "id and name with every piece" {
                function.insert("name".into(), json!(name));
            }
            let text = if way == "everything so far each time" {
                &so_far
            } else {
                piece
            };
            function.insert("arguments".into(), json!(text));
            let mut entry = Map::new();
            entry.insert("function".into(), function.into());
            if way != "no indexes" {
                entry.insert(
                    "index".into(),
                    json!(if way == "index always zero" { 0 } else { at }),
                );
            }
            if way != "no ids" && (first || way.starts_with("id ")) {
                entry.insert("id".into(), json!(id));
            }
            stream.push(chunk(entry.into()));
        }
        if way == "the whole once more at the end" && pieces.len() > 1 {
            stream.push(chunk(json!({"index": at, "function": {"arguments": so_far}})));
        }
        streams.push(stream);
    }
    let mut chunks = Vec::new();
    if way == "interleaved" {
        let longest = streams.iter().map(Vec::len).max().unwrap_or(0);
        for nth in 0..longest {
            chunks.extend(streams.iter().filter_map(|stream| stream.get(nth).cloned()));
        }
    } else {
        chunks.extend(streams.into_iter().flatten());
    }
    chunks
}

fn arguments() -> impl Strategy<Value = Map<String, Value>> {
    let leaf = prop_oneof![
        any::<i32>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
        "[a-z{}\\[\\]\",: \\\\\n\u{fc}\u{5317}\u{1f600}]{0,12}".prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("[a-z]{1,4}", inner, 0..4)
                .prop_map(|it| Value::Object(it.into_iter().collect())),
        ]
    });
    prop::collection::hash_map("[a-z\"{}]{1,5}", value, 1..4).prop_map(|it| it.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn two_calls_are_the_same_in_every_way_of_telling_them(
        one in arguments(),
        two in arguments(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let tools = json!({"left": ["a"], "right": ["a"]});
        let texts = [Value::Object(one.clone()).to_string(), Value::Object(two.clone()).to_string()];
        let cuts: Vec<usize> = cuts.iter().map(|it| it.index(4096)).collect();
        let calls = [("i1", "left", pieces(&texts[0], &cuts)), ("i2", "right", pieces(&texts[1], &cuts))];
        let expected = json!([{"id": null, "name": "left", "args": one}, {"id": null, "name": "right", "args": two}]);
        for way in WAYS {
            let mut chunks = told(way, &calls);
            chunks.push(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}));
            chunks.push(json!("[DONE]"));
            let got = report("openai_chat", &tools, AnswerRecording::Chunks(&chunks), OPTIONS).expect("a known wire");
            prop_assert_eq!(&without_ids(got)["calls"], &expected, "{}", way);
        }
    }

    /// Whatever is cut off the end, no call appears that the whole stream does not have.
    #[test]
    fn a_broken_stream_never_invents_a_call(one in arguments(), two in arguments(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4), how in 0..5_usize) {
        let tools = json!({"left": ["a"], "right": ["a"]});
        let texts = [Value::Object(one).to_string(), Value::Object(two).to_string()];
        let cuts: Vec<usize> = cuts.iter().map(|it| it.index(4096)).collect();
        let calls = [("i1", "left", pieces(&texts[0], &cuts)), ("i2", "right", pieces(&texts[1], &cuts))];
        let mut chunks = told(WAYS[how], &calls);
        chunks.push(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}));
        chunks.push(json!("[DONE]"));
        let vector = json!({"wire": "openai_chat", "chunks": chunks});
        let whole = body(&vector, "\n").expect("a body");
        let run = |body: &[u8]| without_ids(report("openai_chat", &tools, AnswerRecording::Body(body), OPTIONS).expect("a known wire"));
        let all = run(&whole)["calls"].as_array().cloned().unwrap_or_default();
        for cut in (0..whole.len()).step_by(7) {
            for call in run(&whole[..cut])["calls"].as_array().into_iter().flatten() {
                prop_assert!(all.contains(call), "cut at {} gives {}", cut, call);
            }
        }
    }

    #[test]
    fn nothing_that_a_provider_sends_makes_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), text in "(data: |[\\[\\]{}\":,<>a-z|`=/\n]){0,80}") {
        let tools = json!({"find": ["a"], "a": []});
        for wire in ["openai_chat", "openai_responses", "anthropic_messages", "gemini", "ollama"] {
            for body in [bytes.as_slice(), text.as_bytes()] {
                let options = ReportOptions { text_calls: true, details: true };
                prop_assert!(report(wire, &tools, AnswerRecording::Body(body), options).is_ok());
            }
        }
    }
}

/// Bodies of the vectors with bytes flipped, cut out, doubled and put elsewhere.
#[test]
fn a_damaged_stream_is_judged_and_never_makes_it_panic() {
    let seconds: u64 = std::env::var("HUNTSMAN_TEST_FUZZ_SECONDS")
        .ok()
        .and_then(|it| it.parse().ok())
        .unwrap_or(0);
    let until = std::time::Instant::now() + std::time::Duration::from_secs(seconds);
    let vectors: Vec<Value> = include_str!("vectors.jsonl")
        .lines()
        .map(|it| serde_json::from_str(it).expect("a vector"))
        .collect();
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random % u64::try_from(below.max(1)).unwrap_or(1)).unwrap_or(0)
    };
    let mut rounds = 0_u64;
    while rounds < 4000 || std::time::Instant::now() < until {
        rounds += 1;
        let vector = &vectors[next(vectors.len())];
        let Some(mut bytes) = body(vector, "\n") else {
            continue;
        };
        for _ in 0..=next(6) {
            let (from, size) = (next(bytes.len()), next(60));
            let to = (from + size).min(bytes.len());
            match next(5) {
                0 => bytes[from..to].iter_mut().for_each(|it| *it ^= 1 << (size % 8)),
                1 => drop(bytes.drain(from..to)),
                2 => {
                    let piece = bytes[from..to].to_vec();
                    let at = next(bytes.len());
                    bytes.splice(at..at, piece);
                }
                3 => bytes.truncate(from),
                _ => {
                    let marks: [&[u8]; 8] = [
                        b"{",
                        b"\"",
                        b"}",
                        b"\\",
                        b"<tool_call>",
                        b"[TOOL_CALLS]",
                        b"\r",
                        b"</invoke>",
                    ];
                    bytes.splice(from..from, marks[size % marks.len()].iter().copied());
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        let wire = vector["wire"].as_str().expect("a wire");
        let options = ReportOptions {
            text_calls: next(2) == 0,
            details: true,
        };
        let got =
            report(wire, &vector["tools"], AnswerRecording::Body(&bytes), options).expect("a known wire");
        for call in got["calls"].as_array().expect("calls") {
            assert!(call["args"].is_object() && call["id"].is_string(), "{call}");
        }
    }
    println!("{rounds} damaged streams");
}

/// Texts made of opening marks alone, which a careless search would walk again and again.
#[test]
fn a_text_of_marks_costs_no_more_than_its_length() {
    let tools = json!({"find": ["a"]});
    for mark in [
        "<tool_call>",
        "<function_calls>",
        "<invoke name=",
        "[TOOL_CALLS]",
        "[TOOL_CALLS]a ",
        "<",
        "`",
        "``` ",
        "` `` ",
        "~~~\n",
        "<|python_tag|>{",
        "<tool_call></tool_call>",
        "<function=a>",
    ] {
        let text = mark.repeat(600_000 / mark.len());
        let chunks = [
            json!({"choices": [{"delta": {"content": text}, "finish_reason": "stop"}]}),
            json!("[DONE]"),
        ];
        let options = ReportOptions {
            text_calls: true,
            details: false,
        };
        let got =
            report("openai_chat", &tools, AnswerRecording::Chunks(&chunks), options).expect("a known wire");
        assert_eq!(got["calls"], json!([]), "{mark}");
    }
}

/// A body that is no text from some place on gives the same words before that place, wherever the network cuts it.
#[test]
fn what_comes_before_a_broken_place_is_kept_wherever_the_network_cuts() {
    let mut body = b"data: {\"choices\":[{\"delta\":{\"content\":\"tea\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\" pot\"}}]}\n\n".to_vec();
    body.extend(b"data: \xff\xfe\n\n");
    let run =
        |input: AnswerRecording<'_>| report("openai_chat", &json!({}), input, OPTIONS).expect("a known wire");
    let whole = run(AnswerRecording::Body(&body));
    assert_eq!(
        (&whole["text"], &whole["error"]),
        (&json!("tea pot"), &json!("malformed_chunk"))
    );
    for cut in 0..body.len() {
        let (left, right) = body.split_at(cut);
        assert_eq!(
            run(AnswerRecording::Chunks(&reads(&[left, right]))),
            whole,
            "cut at {cut}"
        );
    }
}
