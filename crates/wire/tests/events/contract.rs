//! What the contract says of each event, as facts: which keys, which of them required, which names are allowed.

use std::path::PathBuf;

use serde_json::{Map, Value};
use wire::automate::AutomateEvent;
use wire::research::ResearchEvent;
use wire::{Event, Stamped};

/// A folder with `<family>-events.schema.json` and `<family>-events.samples.jsonl` of the contract, when there is one.
fn contract_dir() -> Option<PathBuf> {
    std::env::var_os("HUNTSMAN_CONTRACT_DIR").map(PathBuf::from)
}

fn body_of(line: &Value) -> Map<String, Value> {
    line["data"].as_object().unwrap().clone()
}

fn at(body: &Map<String, Value>) -> jiff::Timestamp {
    let nested = || body.get("error")?.get("timestamp")?.as_str()?.parse().ok();
    let millis = body.get("timestamp").and_then(Value::as_i64);
    millis
        .map(|it| jiff::Timestamp::from_millisecond(it).unwrap())
        .or_else(nested)
        .unwrap_or_default()
}

/// Every line of a contract's samples is read into our types and written again unchanged.
fn samples_survive<E: Event>(family: &str) {
    let Some(dir) = contract_dir() else { return };
    let lines = std::fs::read_to_string(dir.join(format!("{family}-events.samples.jsonl"))).unwrap();
    for line in lines.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let (name, body) = (line["event"].as_str().unwrap(), body_of(&line));
        let event = E::parse(name, body.clone()).unwrap_or_else(|error| panic!("{name}: {error}\n{line}"));
        assert_eq!(event.name(), name);
        let iteration = body.get("iterationId").and_then(Value::as_str).map(str::to_owned);
        let again = Stamped {
            seq: 1,
            at: at(&body),
            iteration,
            event,
        }
        .body();
        assert_eq!(Value::Object(again), line["data"], "{name}");
    }
}

/// Every sample of ours is valid under a contract's own schema.
fn ours_are_valid<E: Event>(family: &str) {
    let Some(dir) = contract_dir() else { return };
    let text = std::fs::read_to_string(dir.join(format!("{family}-events.schema.json"))).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for event in E::samples() {
        let name = event.name();
        let data = Stamped {
            seq: 1,
            at: jiff::Timestamp::UNIX_EPOCH,
            iteration: None,
            event,
        }
        .body();
        let frame = serde_json::json!({"event": name, "data": data});
        assert!(validator.is_valid(&frame), "{name}: {frame}");
    }
}

#[test]
fn our_types_lose_nothing_of_a_contract_s_samples() {
    samples_survive::<AutomateEvent>("automate");
    samples_survive::<ResearchEvent>("research");
}

#[test]
fn our_samples_are_valid_under_a_contract_s_schema() {
    ours_are_valid::<AutomateEvent>("automate");
    ours_are_valid::<ResearchEvent>("research");
}
