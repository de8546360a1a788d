//! What the contract says of each event, as facts: which keys, which of them required, which names are allowed.

use std::collections::BTreeSet;
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

/// Events and keys that we add to the contract. Everything else has to be there, and to be the same.
const ADDITIONS: &[&str] = &[
    "automate agent:action by? person",
    "automate agent:action picture?.bytes number",
    "automate agent:action picture?.height number",
    "automate agent:action picture?.name string",
    "automate agent:action picture?.target?.height number",
    "automate agent:action picture?.target?.width number",
    "automate agent:action picture?.target?.x number",
    "automate agent:action picture?.target?.y number",
    "automate agent:action picture?.width number",
    "automate browser:action_completed action? string",
    "automate browser:action_completed isRecoverable? boolean",
    "automate browser:action_started by? person",
    "automate browser:action_started picture?.bytes number",
    "automate browser:action_started picture?.height number",
    "automate browser:action_started picture?.name string",
    "automate browser:action_started picture?.target?.height number",
    "automate browser:action_started picture?.target?.width number",
    "automate browser:action_started picture?.target?.x number",
    "automate browser:action_started picture?.target?.y number",
    "automate browser:action_started picture?.width number",
    "automate complete validationOutcome? accepted|force-accepted",
    "automate error error.recoverable? boolean",
    "automate interactive:form_data:error fields[].receivers?[] string",
    "automate interactive:form_data:request fields[].receivers?[] string",
    "automate interactive:paused exists",
    "automate interactive:paused iterationId string",
    "automate interactive:paused pageUrl string",
    "automate interactive:paused timestamp number",
    "automate interactive:paused until number",
    "automate interactive:resumed acts number",
    "automate interactive:resumed durationMs number",
    "automate interactive:resumed exists",
    "automate interactive:resumed iterationId string",
    "automate interactive:resumed note? string",
    "automate interactive:resumed reason handed_back|time_over",
    "automate interactive:resumed timestamp number",
    "automate task:started title? string",
    "automate task:validation_error feedback? string",
    "research complete metadata.citations?.checked number",
    "research complete metadata.citations?.dropped number",
    "research complete metadata.citations?.supported number",
    "research complete metadata.notes?[] string",
    "research complete metadata.outcome? not_answered",
];

/// `contract.txt` as one line per key.
fn agreed() -> BTreeSet<String> {
    let mut event = "";
    let mut facts = BTreeSet::new();
    for line in include_str!("contract.txt")
        .lines()
        .filter(|it| !it.starts_with('#') && !it.is_empty())
    {
        match line.strip_prefix("  ") {
            Some(fact) => {
                facts.insert(format!("{event} {fact}"));
            }
            None => {
                event = line;
                facts.insert(format!("{event} exists"));
            }
        }
    }
    facts
}

/// The same of one of our schemas.
fn ours(family: &str, schema: &Value) -> BTreeSet<String> {
    let mut facts = BTreeSet::new();
    for variant in schema["oneOf"].as_array().unwrap() {
        let event = format!(
            "{family} {}",
            variant["properties"]["event"]["const"].as_str().unwrap()
        );
        facts.insert(format!("{event} exists"));
        let mut found = Vec::new();
        keys(schema, &variant["properties"]["data"], "", &mut found);
        facts.extend(found.into_iter().map(|it| format!("{event} {it}")));
    }
    facts
}

/// A schema with its references followed and its conditions merged.
fn whole(root: &Value, schema: &Value) -> Map<String, Value> {
    let mut map = schema.as_object().cloned().unwrap_or_default();
    if let Some(Value::String(target)) = map.remove("$ref") {
        let target = root.pointer(target.trim_start_matches('#')).unwrap();
        map.extend(whole(root, target));
    }
    for part in map
        .remove("allOf")
        .and_then(|it| it.as_array().cloned())
        .unwrap_or_default()
    {
        for (key, value) in whole(root, &part) {
            match (map.get_mut(&key), value) {
                (Some(Value::Object(old)), Value::Object(new)) => {
                    for (name, condition) in new {
                        let merged = match old.remove(&name) {
                            Some(own) => serde_json::json!({"allOf": [own, condition]}),
                            None => condition,
                        };
                        old.insert(name, merged);
                    }
                }
                (Some(Value::Array(old)), Value::Array(new)) => old.extend(new),
                (_, value) => {
                    map.insert(key, value);
                }
            }
        }
    }
    map
}

fn keys(root: &Value, schema: &Value, path: &str, found: &mut Vec<String>) {
    let map = whole(root, schema);
    let choices = map.get("oneOf").and_then(Value::as_array).into_iter().flatten();
    let shapes: Vec<&Value> = choices.clone().filter(|it| it.get("const").is_none()).collect();
    if !shapes.is_empty() {
        for shape in shapes {
            // Objects are told apart by the only value of one of their keys.
            let name = ["role", "type"]
                .iter()
                .find_map(|key| shape["properties"][key]["const"].as_str());
            let kind = name.map(|name| format!("<{name}>")).unwrap_or_default();
            keys(root, shape, &format!("{path}{kind}"), found);
        }
        return;
    }
    let mut names: Vec<&str> = choices.filter_map(|it| it["const"].as_str()).collect();
    names.extend(
        map.get("enum")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str),
    );
    if !names.is_empty() {
        names.sort_unstable();
        found.push(format!("{path} {}", names.join("|")));
    } else if let Some(only) = map.get("const") {
        found.push(format!("{path} {only}"));
    } else if let Some(Value::Object(properties)) = map.get("properties") {
        let required = map
            .get("required")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        for (name, property) in properties {
            let mark = if required.iter().any(|it| it == name) {
                ""
            } else {
                "?"
            };
            let dot = if path.is_empty() { "" } else { "." };
            keys(root, property, &format!("{path}{dot}{name}{mark}"), found);
        }
    } else if let Some(items) = map.get("items") {
        keys(root, items, &format!("{path}[]"), found);
    } else if let Some(values @ Value::Object(_)) = map.get("additionalProperties") {
        keys(root, values, &format!("{path}{{}}"), found);
    } else {
        let plain = |it: &Value| it.as_str().map(|it| it.replace("integer", "number"));
        let kind = match map.get("type") {
            Some(Value::Array(all)) => {
                let mut all: Vec<_> = all.iter().filter_map(plain).collect();
                all.sort_unstable();
                all.join("|")
            }
            Some(one) => plain(one).unwrap(),
            None => "any".into(),
        };
        if !path.is_empty() {
            found.push(format!("{path} {kind}"));
        }
    }
}

fn schema_of(name: &str) -> Value {
    wire::schema::all()
        .into_iter()
        .find(|(it, _)| *it == name)
        .map(|(_, schema)| schema)
        .unwrap()
}

/// Every key of the contract has our type, is required where it is required, and knows the same names.
#[test]
fn our_schemas_say_what_the_contract_says() {
    let mut ours: BTreeSet<String> = ["automate", "research"]
        .into_iter()
        .flat_map(|family| ours(family, &schema_of(&format!("{family}-events"))))
        .collect();
    for addition in ADDITIONS {
        assert!(ours.remove(*addition), "{addition} is no longer ours");
    }
    let agreed = agreed();
    let (missing, surplus): (Vec<_>, Vec<_>) = (
        agreed.difference(&ours).collect(),
        ours.difference(&agreed).collect(),
    );
    assert!(
        missing.is_empty() && surplus.is_empty(),
        "missing: {missing:#?}\nsurplus: {surplus:#?}"
    );
}

/// What is checked in is what the types say now.
#[test]
fn the_schemas_in_the_repository_are_current() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("schemas");
    for (name, schema) in wire::schema::all() {
        let kept = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap_or_default();
        assert!(
            kept == wire::schema::text(&schema),
            "{name}.json is out of date: run `cargo xtask schemas`"
        );
    }
    assert_eq!(
        std::fs::read_dir(folder).unwrap().count(),
        wire::schema::all().len(),
        "a schema is left over"
    );
}

/// Every stamped sample is valid under our own schema, and a sample without its stamp is not.
#[test]
fn our_samples_are_valid_under_our_schema() {
    fn check<E: Event>(name: &str, frame: impl Fn(&str, Map<String, Value>) -> Value) {
        let validator = jsonschema::validator_for(&schema_of(name)).unwrap();
        for event in E::samples() {
            let bare = event.body();
            let body = Stamped {
                seq: 1,
                at: jiff::Timestamp::UNIX_EPOCH,
                iteration: None,
                event: event.clone(),
            }
            .body();
            assert_eq!(
                validator.is_valid(&frame(event.name(), bare.clone())),
                bare == body,
                "{bare:?}"
            );
            assert!(validator.is_valid(&frame(event.name(), body)), "{event:?}");
        }
    }
    let tagged = |name: &str, data: Map<String, Value>| serde_json::json!({"event": name, "data": data});
    check::<AutomateEvent>("automate-events", tagged);
    check::<ResearchEvent>("research-events", tagged);
    check::<wire::scrape::ScrapeEvent>("scrape-events", |_, body| Value::Object(body));
}
