//! Whether a value can serve as a JSON Schema: right types in the right places, and no way out of itself.

use serde_json::Value;

use super::refusal::type_of;

/// Most subschemas of a schema.
const MAX_SUBSCHEMAS: usize = 5_000;

/// The types that a schema can name.
pub(crate) const SCHEMA_TYPES: &[&str] = &[
    "array", "boolean", "integer", "null", "number", "object", "string",
];

/// Keywords that hold one schema.
pub(crate) const HOLD_ONE: &[&str] = &[
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// Keywords that hold a list of schemas.
pub(crate) const HOLD_LIST: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems"];
/// Keywords that hold schemas by name.
pub(crate) const HOLD_NAMED: &[&str] = &[
    "$defs",
    "definitions",
    "dependentSchemas",
    "patternProperties",
    "properties",
];

/// Checks a schema. The walk keeps its own stack: a schema is as deep as its sender likes.
pub(super) fn check(schema: &Value) -> Result<(), String> {
    if !matches!(schema, Value::Object(_) | Value::Bool(_)) {
        return Err(format!(
            "must be a JSON Schema (an object), not {}",
            type_of(schema)
        ));
    }
    check_root(schema)?;
    let mut seen = 0_usize;
    let mut stack = vec![(String::new(), schema)];
    while let Some((at, schema)) = stack.pop() {
        seen += 1;
        if seen > MAX_SUBSCHEMAS {
            return Err(format!("has more than {MAX_SUBSCHEMAS} subschemas"));
        }
        let map = match schema {
            Value::Bool(_) => continue,
            Value::Object(map) => map,
            other => {
                return Err(format!(
                    "is not a schema at {at}: {} instead of an object",
                    type_of(other)
                ));
            }
        };
        for (keyword, value) in map {
            let here = format!("{at}/{keyword}");
            let known = |set: &[&str]| set.contains(&keyword.as_str());
            if keyword == "type" {
                check_type(&here, value)?;
            } else if keyword == "$ref" || keyword == "$dynamicRef" {
                check_ref(&here, value)?;
            } else if keyword == "required" {
                check_required(&here, value)?;
            } else if keyword == "enum" && !value.is_array() {
                return Err(format!(
                    "is not a schema at {here}: a list is wanted, not {}",
                    type_of(value)
                ));
            } else if known(HOLD_LIST) || (keyword == "items" && value.is_array()) {
                let Value::Array(list) = value else {
                    return Err(format!(
                        "is not a schema at {here}: a list is wanted, not {}",
                        type_of(value)
                    ));
                };
                stack.extend(
                    list.iter()
                        .enumerate()
                        .map(|(index, it)| (format!("{here}/{index}"), it)),
                );
            } else if known(HOLD_ONE) {
                stack.push((here, value));
            } else if known(HOLD_NAMED) {
                let Value::Object(named) = value else {
                    return Err(format!(
                        "is not a schema at {here}: an object is wanted, not {}",
                        type_of(value)
                    ));
                };
                stack.extend(named.iter().map(|(name, it)| (format!("{here}/{name}"), it)));
            }
        }
    }
    Ok(())
}

/// Keys of a schema that describe nothing and may hold an object or the name of a type.
const NO_FIELDS: &[&str] = &[
    "type",
    "default",
    "const",
    "example",
    "dependencies",
    "dependentRequired",
    "$vocabulary",
    "discriminator",
    "externalDocs",
    "xml",
];

/// A schema that describes no part of a value, and has names of fields where its own keywords stand: its `properties` are forgotten.
fn check_root(schema: &Value) -> Result<(), String> {
    let Value::Object(map) = schema else { return Ok(()) };
    let is_keyword = |key: &str| {
        [HOLD_ONE, HOLD_LIST, HOLD_NAMED]
            .iter()
            .any(|keywords| keywords.contains(&key))
            || matches!(key, "$ref" | "$dynamicRef" | "enum")
    };
    let is_of_other_type = map.get("type").is_some_and(|value| *value != "object");
    if is_of_other_type || map.keys().any(|key| is_keyword(key)) {
        return Ok(());
    }
    let is_field = |(key, value): &(&String, &Value)| {
        let is_type = || value.as_str().is_some_and(|name| SCHEMA_TYPES.contains(&name));
        !NO_FIELDS.contains(&key.as_str()) && !key.starts_with("x-") && (value.is_object() || is_type())
    };
    match map.iter().find(is_field) {
        Some((key, _)) => Err(format!(
            "describes no fields: {key:?} is no keyword of JSON Schema; the fields stand below `properties`, as in \
             {{\"type\": \"object\", \"properties\": {{\"title\": {{\"type\": \"string\"}}}}}}"
        )),
        None => Ok(()),
    }
}

fn check_type(at: &str, value: &Value) -> Result<(), String> {
    let names = match value {
        Value::Array(list) if !list.is_empty() => list.iter().collect(),
        other => vec![other],
    };
    for name in names {
        if !name.as_str().is_some_and(|it| SCHEMA_TYPES.contains(&it)) {
            return Err(format!(
                "is not a schema at {at}: the type must be one of {}",
                SCHEMA_TYPES.join(", ")
            ));
        }
    }
    Ok(())
}

/// Only references within the schema are followed, so that nobody makes the server fetch one.
fn check_ref(at: &str, value: &Value) -> Result<(), String> {
    match value.as_str() {
        Some(target) if target.starts_with('#') => Ok(()),
        Some(_) => Err(format!(
            "points outside itself at {at}; only references that begin with # are followed"
        )),
        None => Err(format!(
            "is not a schema at {at}: a string is wanted, not {}",
            type_of(value)
        )),
    }
}

fn check_required(at: &str, value: &Value) -> Result<(), String> {
    let is_list = value.as_array().is_some_and(|it| it.iter().all(Value::is_string));
    if is_list {
        return Ok(());
    }
    // Drafts before 4 wrote a boolean at each property; models and people still do.
    let advice = if value.is_boolean() {
        "; it stands beside `properties` and names the fields that have to be there"
    } else {
        ""
    };
    Err(format!(
        "is not a schema at {at}: a list of names is wanted{advice}"
    ))
}
