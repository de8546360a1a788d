//! Laws of the three event families.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking"
)]

mod contract;

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use wire::automate::AutomateEvent;
use wire::research::ResearchEvent;
use wire::scrape::ScrapeEvent;
use wire::{Audience, Event, Family, Stamped};

fn at() -> Timestamp {
    Timestamp::from_millisecond(1_764_000_000_123).unwrap()
}

fn stamped<E: Event>(event: E) -> Stamped<E> {
    let iteration = (E::FAMILY == Family::Automate).then(|| "hN3kQ0aZ".to_owned());
    Stamped {
        seq: 7,
        at: at(),
        iteration,
        event,
    }
}

/// The names that a family's schema knows: one per variant, found without asking `name()`.
fn variants<E: Event>(tag: &str) -> BTreeSet<String> {
    let schema = schemars::schema_for!(E).to_value();
    let of = |it: &Value| it["properties"][tag]["const"].as_str().map(str::to_owned);
    schema["oneOf"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| of(it).unwrap())
        .collect()
}

fn laws<E: Event>(tag: &str, count: usize) {
    let samples = E::samples();
    let named: BTreeSet<String> = samples.iter().map(|it| it.name().to_owned()).collect();
    assert_eq!(
        named,
        variants::<E>(tag),
        "every variant has a sample, under its own name"
    );
    assert_eq!(named.len(), count);
    for event in samples {
        assert_eq!(
            serde_json::to_value(&event).unwrap()[tag],
            event.name(),
            "name() is the wire name"
        );
        let entry = stamped(event.clone()).entry();
        assert!(!entry.data.contains(['\n', '\r']), "{}", entry.data);
        assert!(!null_anywhere(&entry.data), "{}", entry.data);
        assert_eq!(
            (entry.name.as_str(), entry.terminal),
            (event.name(), event.is_terminal())
        );
        let back = Stamped::<E>::from_entry(&entry).unwrap();
        assert_eq!(back.event, event, "what the log gives back is what was emitted");
        let kept: wire::LogEntry = serde_json::from_str(&serde_json::to_string(&entry).unwrap()).unwrap();
        assert_eq!(kept, entry);
    }
}

/// Every key that a family's schema knows, and every key of its samples, both as `event/key/key`.
fn keys<E: Event>(tag: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let schema = schemars::generate::SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<E>()
        .to_value();
    let (mut known, mut used) = (BTreeSet::new(), BTreeSet::new());
    for variant in schema["oneOf"].as_array().unwrap() {
        let name = variant["properties"][tag]["const"].as_str().unwrap();
        collect_known(&schema, variant, name, &mut known);
    }
    for event in E::samples() {
        collect_used(&serde_json::to_value(&event).unwrap(), event.name(), &mut used);
    }
    (known, used)
}

fn collect_known(root: &Value, schema: &Value, path: &str, keys: &mut BTreeSet<String>) {
    if let Some(target) = schema["$ref"].as_str() {
        collect_known(root, root.pointer(&target[1..]).unwrap(), path, keys);
    }
    for choice in schema["anyOf"].as_array().into_iter().flatten() {
        collect_known(root, choice, path, keys);
    }
    if schema["items"].is_object() {
        collect_known(root, &schema["items"], path, keys);
    }
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}/{key}");
        collect_known(root, property, &path, keys);
        keys.insert(path);
    }
}

fn collect_used(value: &Value, path: &str, keys: &mut BTreeSet<String>) {
    match value {
        Value::Array(list) => list.iter().for_each(|item| collect_used(item, path, keys)),
        Value::Object(map) => map.iter().for_each(|(key, value)| {
            let path = format!("{path}/{key}");
            collect_used(value, &path, keys);
            keys.insert(path);
        }),
        _ => {}
    }
}

#[test]
fn the_samples_leave_no_field_out() {
    for (known, used) in [
        keys::<ScrapeEvent>("type"),
        keys::<AutomateEvent>("event"),
        keys::<ResearchEvent>("event"),
    ] {
        assert_eq!(known.difference(&used).collect::<Vec<_>>(), Vec::<&String>::new());
    }
}

/// Null stands only where the contract wants a key that may be empty.
fn null_anywhere(data: &str) -> bool {
    let mut data = data.replace("\"finalAnswer\":null", "");
    if data.contains("\"success\":true") {
        data = data.replace("\"error\":null", "");
    }
    data.contains(":null")
}

#[test]
fn every_scrape_event_has_a_sample_that_survives_the_log() {
    laws::<ScrapeEvent>("type", 6);
}

#[test]
fn every_automate_event_has_a_sample_that_survives_the_log() {
    laws::<AutomateEvent>("event", 35);
}

#[test]
fn every_research_event_has_a_sample_that_survives_the_log() {
    laws::<ResearchEvent>("event", 23);
}

#[test]
fn model_traffic_and_images_are_not_public() {
    let restricted: Vec<_> = AutomateEvent::samples()
        .into_iter()
        .filter(|it| it.audience() != Audience::Public)
        .map(|it| (it.name(), it.audience()))
        .collect();
    use Audience::{Debug, Verbose};
    let expected = [
        ("task:metrics", Verbose),
        ("task:metrics_incremental", Verbose),
        ("browser:screenshot_captured_image", Debug),
        ("ai:generation", Verbose),
        ("ai:generation:error", Verbose),
        ("system:debug_compression", Debug),
        ("system:debug_message", Debug),
    ];
    assert_eq!(restricted, expected);
}

#[test]
fn a_step_is_stamped_with_its_place_and_time() {
    for event in ScrapeEvent::samples() {
        let body = stamped(event.clone()).body();
        assert_eq!(body["type"], event.name());
        if event.name() == "step" {
            assert_eq!(body["data"]["step_number"], 7);
            assert_eq!(body["data"]["timestamp"], "2025-11-24T16:00:00.123000+00:00");
            assert!(body["data"]["extracted_data"].is_object());
        }
    }
}

/// Both payloads of the stream's first description, key by key.
#[test]
fn a_tool_call_is_spelled_as_its_readers_know_it() {
    let read = |step: Value| serde_json::from_value::<ScrapeEvent>(json!({"type": "step", "data": step}));
    let helper = json!({
        "step_number": 3, "action": "tool_call", "url": "https://a.example/", "status": "complete", "message": "m",
        "reward": 0.05, "duration_ms": null, "timestamp": "2026-04-08T11:49:20.000000+00:00",
        "extracted_data": {"tool_name": "url.parse", "tool_description": "d", "parameters": {"url": "x"}, "result": {"scheme": "https"}}
    });
    let runtime = json!({
        "step_number": 4, "action": "tool_call", "status": "completed", "message": "m", "reward": 0.05,
        "timestamp": "2026-04-08T11:49:20.000000+00:00",
        "extracted_data": {"tool": "html.select", "success": true, "result_preview": "{}", "error": null, "duration_ms": 5.0}
    });
    let decision = json!({
        "step_number": 5, "action": "agent_decision", "status": "completed", "message": "m", "reward": 0.1,
        "timestamp": "2026-04-08T11:49:20.000000+00:00",
        "extracted_data": {"tool_calls": [{"tool": "html.select", "params": {"limit": 20}, "reasoning": "r"}]}
    });
    for given in [helper, runtime, decision] {
        let event = read(given.clone()).unwrap_or_else(|error| panic!("{given}: {error}"));
        let ours = Value::Object(stamped(event).body());
        for key in ["action", "message", "reward"] {
            assert_eq!(ours["data"][key], given[key], "{given}");
        }
        assert_eq!(ours["data"]["status"], "completed");
        for (key, value) in given["extracted_data"].as_object().unwrap() {
            let written = ours["data"]["extracted_data"].get(key);
            assert!(
                written.is_some_and(|written| same(written, value)),
                "{key} of {given}: {ours}"
            );
        }
    }
    assert!(
        read(
            json!({"action": "sing", "status": "running", "message": "", "reward": 0, "extracted_data": {}})
        )
        .is_err()
    );
}

fn same(a: &Value, b: &Value) -> bool {
    a == b || (a.is_number() && a.as_f64() == b.as_f64())
}

#[test]
fn events_without_a_time_in_the_contract_get_none() {
    for event in AutomateEvent::samples() {
        let name = event.name();
        let body: Map<String, Value> = stamped(event).body();
        let bare = matches!(name, "complete" | "done" | "task:trace_context" | "error");
        assert_eq!(body.contains_key("timestamp"), !bare, "{name}");
        assert_eq!(body.contains_key("iterationId"), !bare, "{name}");
        if name == "error" {
            assert_eq!(body["error"]["timestamp"], "2025-11-24T16:00:00.123Z");
        }
    }
    for event in ResearchEvent::samples() {
        assert_eq!(stamped(event).body()["timestamp"], 1_764_000_000_123_i64);
    }
}
