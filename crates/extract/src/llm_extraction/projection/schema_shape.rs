//! Types and properties that a JSON schema allows.

use serde_json::Value;

/// The properties of the objects of a schema.
pub(super) fn properties(schema: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let named = schema.get("properties").and_then(Value::as_object);
    named
        .into_iter()
        .flatten()
        .map(|(name, property)| (name.as_str(), property))
}

/// The types a schema allows; those of its alternatives count.
pub(super) fn kinds(schema: &Value) -> Vec<&str> {
    let alternatives = ["anyOf", "oneOf"]
        .iter()
        .filter_map(|keyword| schema.get(*keyword)?.as_array());
    let all = alternatives.flatten().chain([schema]);
    all.flat_map(|schema| match schema.get("type") {
        Some(Value::String(one)) => vec![one.as_str()],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    })
    .collect()
}
