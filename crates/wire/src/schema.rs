//! JSON Schemas of everything on the wire, generated from the types: what is checked in, served and tested.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use crate::automate::AutomateEvent;
use crate::event::{Event, Stamp};
use crate::research::ResearchEvent;
use crate::scrape::{ScrapeEvent, ScrapeRequest};
use crate::tabstack::{
    AutomateRequest, ExtractJsonRequest, GenerateJsonRequest, MarkdownRequest, MarkdownResponse,
    ResearchRequest,
};

/// Every schema with the name of its file.
#[must_use]
pub fn all() -> Vec<(&'static str, Value)> {
    vec![
        ("automate-events", of_events::<AutomateEvent>("event")),
        ("research-events", of_events::<ResearchEvent>("event")),
        ("scrape-events", of_events::<ScrapeEvent>("type")),
        ("automate-request", of_request::<AutomateRequest>()),
        ("research-request", of_request::<ResearchRequest>()),
        ("scrape-request", of_request::<ScrapeRequest>()),
        ("extract-markdown-request", of_request::<MarkdownRequest>()),
        ("extract-markdown-response", of_response::<MarkdownResponse>()),
        ("extract-json-request", of_request::<ExtractJsonRequest>()),
        ("generate-json-request", of_request::<GenerateJsonRequest>()),
        ("tool-request", of_request::<crate::tooling::ToolRequest>()),
        (
            "site-match-request",
            of_request::<crate::tooling::SiteMatchRequest>(),
        ),
        ("plan-request", of_plan_request()),
        ("crawl-request", of_request::<crate::site::CrawlRequest>()),
        ("batch-request", of_request::<crate::site::BatchRequest>()),
        ("map-request", of_request::<crate::site::MapRequest>()),
        ("map-response", of_response::<crate::site::SiteMap>()),
        ("tenant-request", of_request::<crate::tenancy::TenantRequest>()),
        ("key-request", of_request::<crate::tenancy::KeyRequest>()),
        ("rotate-request", of_request::<crate::tenancy::RotateRequest>()),
        (
            "create-profile-request",
            of_request::<crate::profile::CreateProfile>(),
        ),
        ("profile", of_response::<crate::profile::ProfileSummary>()),
        ("storage-state", of_open_request::<crate::profile::StorageState>()),
        ("profile-list", of_response::<crate::profile::ProfileList>()),
        ("set-secret-request", of_request::<crate::vault::SetSecret>()),
        ("secret", of_response::<crate::vault::SecretSummary>()),
        ("secret-list", of_response::<crate::vault::SecretList>()),
        ("site-memory", of_response::<crate::memory::SiteMemory>()),
        ("memory-list", of_response::<crate::memory::MemoryList>()),
        (
            "create-webhook-request",
            of_request::<crate::webhooks::CreateWebhook>(),
        ),
        ("webhook", of_response::<crate::webhooks::Webhook>()),
        (
            "webhook-with-secret",
            of_response::<crate::webhooks::WebhookWithSecret>(),
        ),
        ("webhook-list", of_response::<crate::webhooks::WebhookList>()),
        ("delivery", of_response::<crate::webhooks::Delivery>()),
        ("delivery-list", of_response::<crate::webhooks::DeliveryList>()),
        (
            "create-monitor-request",
            of_request::<crate::monitors::CreateMonitor>(),
        ),
        (
            "update-monitor-request",
            of_request::<crate::monitors::UpdateMonitor>(),
        ),
        ("monitor", of_response::<crate::monitors::Monitor>()),
        ("monitor-list", of_response::<crate::monitors::MonitorList>()),
        (
            "monitor-history",
            of_response::<crate::monitors::MonitorHistory>(),
        ),
        ("act-request", of_request::<crate::takeover::PersonAct>()),
        ("resume-request", of_request::<crate::takeover::ResumeRequest>()),
        ("takeover", of_response::<crate::takeover::TakeoverState>()),
        ("run", of_response::<crate::run::RunDetail>()),
        ("run-list", of_response::<crate::run::RunList>()),
    ]
}

/// A schema as its file holds it: indented, with a line end.
#[must_use]
pub fn text(schema: &Value) -> String {
    format!("{schema:#}\n")
}

fn of_request<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    allow_null(&mut schema);
    if schema["additionalProperties"] != json!(false) {
        // Further keys are told to be ignored, except misspelt ones and those that only the operator may set; null is as
        // good as absent.
        let operator_only = format!("^({})$", crate::strict::OPERATOR_ONLY.join("|"));
        schema["patternProperties"] = json!({operator_only: {"type": "null"}});
    }
    if schema["properties"].get("profile_save").is_some() {
        // A profile is written back only where one is named.
        schema["anyOf"] = json!([
            {"properties": {"profile_save": {"enum": [false, null]}}},
            {"properties": {"profile": {"type": "string"}}, "required": ["profile"]},
        ]);
    }
    schema
}

/// A body whose further keys are ignored or told in the answer, whatever they are.
fn of_open_request<T: JsonSchema>() -> Value {
    let mut schema = of_request::<T>();
    if let Some(map) = schema.as_object_mut() {
        map.remove("patternProperties");
    }
    schema
}

/// A plan with what stands beside it, or its list of steps alone.
fn of_plan_request() -> Value {
    let mut schema = of_request::<crate::run::PlanRequest>();
    schema["type"] = json!(["object", "array"]);
    // What stands beside the steps of a plan is the plan's; beside a whole plan nothing else is read.
    let fields: Vec<String> = schema["properties"]
        .as_object()
        .map(|fields| fields.keys().cloned().collect())
        .unwrap_or_default();
    schema["if"] = json!({"properties": {"plan": {"type": "object"}}});
    schema["then"] = json!({"propertyNames": {"enum": fields}});
    schema
}

fn of_response<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    leave_out_null(&mut schema);
    schema
}

/// The schema of a family as readers see it: each event with the fields that the recorder adds.
fn of_events<E: Event>(tag: &str) -> Value {
    let mut schema = of_response::<E>();
    for event in E::samples() {
        let bare = event.body();
        let mut stamped = bare.clone();
        event.stamp(
            &mut stamped,
            Stamp {
                seq: 1,
                at: jiff::Timestamp::UNIX_EPOCH,
                iteration: Some("1"),
            },
        );
        let variant = schema["oneOf"].as_array_mut().and_then(|all| {
            all.iter_mut()
                .find(|it| it["properties"][tag]["const"] == event.name())
        });
        if let (Some(variant), Some(added)) = (variant, added(&bare, &stamped)) {
            let place = if tag == "event" {
                variant.pointer_mut("/properties/data")
            } else {
                Some(variant)
            };
            if let Some(place) = place {
                attach(place, added);
            }
        }
    }
    schema
}

/// The schema of what stamping added to a body, or nothing when it added nothing.
fn added(bare: &Map<String, Value>, stamped: &Map<String, Value>) -> Option<Value> {
    let mut properties = Map::new();
    for (key, value) in stamped {
        match (bare.get(key), value) {
            (None, Value::Number(_)) => {
                properties.insert(key.clone(), json!({"type": "integer"}));
            }
            (None, _) => {
                properties.insert(key.clone(), json!({"type": "string"}));
            }
            (Some(Value::Object(bare)), Value::Object(stamped)) => {
                if let Some(inner) = added(bare, stamped) {
                    properties.insert(key.clone(), inner);
                }
            }
            (Some(_), _) => {}
        }
    }
    let required: Vec<_> = properties.keys().cloned().collect();
    (!required.is_empty()).then(|| json!({"type": "object", "properties": properties, "required": required}))
}

/// Adds a condition to a schema: to this use of it only, never to the definition that others share.
fn attach(place: &mut Value, condition: Value) {
    let own = place.take();
    // A second sample of the same event brings the same condition again.
    let known = own["allOf"]
        .as_array()
        .is_some_and(|all| all.contains(&condition));
    *place = match own {
        own if known => own,
        Value::Object(mut map) if !map.contains_key("$ref") => {
            map.insert("allOf".into(), json!([condition]));
            Value::Object(map)
        }
        own => json!({"allOf": [own, condition]}),
    };
}

/// An optional field is left out when there is nothing to say, so its schema has no null; except where the contract
/// allows one. Walks with its own stack.
fn leave_out_null(schema: &mut Value) {
    let mut stack = vec![schema];
    while let Some(next) = stack.pop() {
        match next {
            Value::Array(list) => stack.extend(list),
            Value::Object(map) => {
                let required = map.get("required").cloned().unwrap_or_default();
                let is_required = |name: &str| {
                    required
                        .as_array()
                        .is_some_and(|all| all.iter().any(|it| it == name))
                };
                if let Some(Value::Object(properties)) = map.get_mut("properties") {
                    for (name, property) in properties {
                        if !is_required(name) && !matches!(name.as_str(), "ref" | "value") {
                            without_null(property);
                        }
                    }
                }
                stack.extend(map.values_mut());
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// Definitions that describe JSON Schemas inside a request. A keyword that is null is refused there, since JSON Schema
/// does not know null as "left out".
const SCHEMA_DEFINITIONS: [&str; 2] = ["ItemSchema", "InnerItemSchema"];

/// A field of a request that may be left out may be null as well, because the strict reader
/// ([`crate::strict::Fields`]) takes both alike.
fn allow_null(schema: &mut Value) {
    allow_null_in_object(schema);
    if let Some(Value::Object(definitions)) = schema.get_mut("$defs") {
        definitions
            .iter_mut()
            .filter(|(name, _)| !SCHEMA_DEFINITIONS.contains(&name.as_str()))
            .for_each(|(_, definition)| allow_null_in_object(definition));
    }
}

fn allow_null_in_object(schema: &mut Value) {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties
            .iter_mut()
            .filter(|(name, _)| !required.iter().any(|it| it == name.as_str()))
            .for_each(|(_, property)| with_null(property));
    }
}

/// Lets a property be null beside what it takes. `default` and `description` stay where they stand.
fn with_null(property: &mut Value) {
    let Some(map) = property.as_object_mut() else {
        return;
    };
    if let Some(target) = map.remove("$ref") {
        map.insert("anyOf".into(), json!([{"$ref": target}, {"type": "null"}]));
        return;
    }
    match map.get_mut("type") {
        Some(Value::Array(types)) if !types.contains(&json!("null")) => types.push(json!("null")),
        Some(Value::String(only)) if only != "null" => {
            let types = json!([only, "null"]);
            map.insert("type".into(), types);
        }
        _ => {}
    }
    if let Some(Value::Array(values)) = map.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(Value::Array(choices)) = map.get_mut(key)
            && !choices.iter().any(|it| it["type"] == "null")
        {
            choices.push(json!({"type": "null"}));
        }
    }
}

fn without_null(property: &mut Value) {
    if let Some(Value::Array(types)) = property.get_mut("type") {
        types.retain(|it| it != "null");
        if let [only] = types.as_slice() {
            property["type"] = only.clone();
        }
    }
    if let Some(Value::Array(choices)) = property.get_mut("anyOf") {
        choices.retain(|it| it["type"] != "null");
        if let [Value::Object(only)] = choices.as_slice() {
            let only = only.clone();
            if let Some(map) = property.as_object_mut() {
                map.remove("anyOf");
                map.extend(only);
            }
        }
    }
}
