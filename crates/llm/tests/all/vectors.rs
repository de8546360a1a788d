//! Recorded and constructed streams of `vectors.jsonl` and the calls they hold.

use llm::assembly_report::{AnswerRecording, ReportOptions, report};
use serde_json::{Map, Value};

/// The vectors of the repository, and more from a file that `HUNTSMAN_TEST_VECTORS` names.
fn vectors() -> Vec<Value> {
    let mut lines = include_str!("vectors.jsonl").to_owned();
    if let Ok(more) = std::env::var("HUNTSMAN_TEST_VECTORS") {
        lines.push_str(&std::fs::read_to_string(more).expect("the file of further vectors"));
    }
    let parsed = lines
        .lines()
        .filter(|it| !it.trim().is_empty())
        .map(|it| serde_json::from_str(it).expect("a vector"));
    parsed.collect()
}

/// The result in the words of a vector's `expect`, generated ids as `*`.
fn outcome(got: &Value, expect: &Value, id_given: impl Fn(&str) -> bool) -> Value {
    if !got["error"].is_null() {
        return serde_json::json!({"error": got["error"]});
    }
    let mut seen = std::collections::HashSet::new();
    let calls = got["calls"].as_array().expect("calls").iter().zip(
        expect["calls"]
            .as_array()
            .into_iter()
            .flatten()
            .map(Some)
            .chain(std::iter::repeat(None)),
    );
    let calls: Vec<Value> = calls
        .map(|(call, wanted)| {
            let mut call = call.as_object().expect("a call").clone();
            let id = call["id"].as_str().expect("an id").to_owned();
            assert!(
                !id.is_empty() && seen.insert(id.clone()),
                "id {id:?} is empty or repeated"
            );
            if !id_given(&id) {
                call.insert("id".into(), "*".into());
            }
            for key in ["ready_after", "eager_after", "repair"] {
                if wanted.is_some_and(|it| it.get("ready_after").is_none() && it.get(key).is_none()) {
                    call.remove(key);
                }
            }
            Value::Object(call)
        })
        .collect();
    let mut out = Map::new();
    out.insert("calls".into(), calls.into());
    let rejected: Vec<Value> = got["rejected"]
        .as_array()
        .expect("rejected")
        .iter()
        .map(|it| serde_json::json!({"name": it["name"], "code": it["error"]}))
        .collect();
    if !rejected.is_empty() {
        out.insert("rejected".into(), rejected.into());
    }
    if expect.get("text").is_some() {
        out.insert("text".into(), got["text"].clone());
    }
    Value::Object(out)
}

#[test]
fn every_vector_gives_what_it_should() {
    let mut failures = Vec::new();
    let vectors = vectors();
    for vector in &vectors {
        let chunks = vector["chunks"].as_array().expect("chunks");
        let options = ReportOptions {
            text_calls: vector["text_tools"] == true,
            details: true,
        };
        let wire = vector["wire"].as_str().expect("a wire");
        let got =
            report(wire, &vector["tools"], AnswerRecording::Chunks(chunks), options).expect("a known wire");
        if let Some(body) = crate::laws::body(vector, "\n") {
            let as_body =
                report(wire, &vector["tools"], AnswerRecording::Body(&body), options).expect("a known wire");
            assert_eq!(as_body, got, "{} as a body", vector["name"]);
        }
        let sent = Value::Array(chunks.clone()).to_string();
        let got = outcome(&got, &vector["expect"], |id| {
            vector["expect"]["calls"]
                .as_array()
                .is_some_and(|calls| calls.iter().any(|it| it["id"] == id))
                || sent.contains(&format!("\"id\":\"{id}\""))
        });
        if got != vector["expect"] {
            failures.push(format!(
                "{}\n  got    {got}\n  wanted {}",
                vector["name"], vector["expect"]
            ));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} vectors fail:\n{}",
        failures.len(),
        vectors.len(),
        failures.join("\n")
    );
}
