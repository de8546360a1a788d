//! Length limits added to a schema before a model sees it.

use serde_json::Value;

/// The most items where a schema sets no bound.
const MAX_ITEMS: u64 = 500;

/// The schema with a `maxLength` on every string and a `maxItems` on every list that has none. Only for the model's
/// eyes: answers are checked against the schema as it was given.
pub fn bounded(schema: &Value, longest_string: u64) -> Value {
    let mut schema = schema.clone();
    let mut queue = vec![&mut schema];
    while let Some(place) = queue.pop() {
        let Value::Object(fields) = place else { continue };
        let is = |word: &str, fields: &serde_json::Map<String, Value>| match fields.get("type") {
            Some(Value::String(one)) => one == word,
            Some(Value::Array(many)) => many.iter().any(|name| name.as_str() == Some(word)),
            _ => false,
        };
        let closed = ["enum", "const", "pattern", "format"]
            .iter()
            .any(|word| fields.contains_key(*word));
        if is("string", fields) && !closed {
            fields.entry("maxLength").or_insert_with(|| longest_string.into());
        }
        if is("array", fields) {
            fields.entry("maxItems").or_insert_with(|| MAX_ITEMS.into());
        }
        for (word, inner) in fields.iter_mut() {
            match (word.as_str(), inner) {
                ("properties" | "patternProperties" | "$defs" | "definitions", Value::Object(named)) => {
                    queue.extend(named.values_mut());
                }
                ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(list)) => {
                    queue.extend(list.iter_mut())
                }
                (
                    "items" | "additionalProperties" | "not" | "if" | "then" | "else",
                    inner @ Value::Object(_),
                ) => {
                    queue.push(inner);
                }
                _ => {}
            }
        }
    }
    schema
}
