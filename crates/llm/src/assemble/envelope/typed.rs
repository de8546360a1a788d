//! Typed values of parameters that were written as text.

use serde_json::Value;

/// A value written as text becomes what the schema says, and stays text where the schema does not say otherwise.
pub(super) fn typed(text: &str, schema: Option<&Value>, is_string: Option<&str>) -> Value {
    let inner = match text.strip_prefix('\n').and_then(|inner| inner.strip_suffix('\n')) {
        Some(inner) => inner,
        None => text,
    };
    let as_text = || Value::String(inner.to_owned());
    if is_string == Some("true") {
        return as_text();
    }
    let types = types_of(schema);
    if types.is_empty() {
        return if is_string == Some("false") {
            serde_json::from_str(inner.trim()).unwrap_or_else(|_| as_text())
        } else {
            as_text()
        };
    }
    if types.contains(&"string") {
        return as_text();
    }
    let word = inner.trim();
    let word = if types.contains(&"boolean") && (word == "True" || word == "False") {
        word.to_lowercase()
    } else {
        word.to_owned()
    };
    let fits = |value: &Value| match value {
        Value::Null => types.contains(&"null"),
        Value::Bool(_) => types.contains(&"boolean"),
        Value::Number(number) => {
            types.contains(&"number") || (types.contains(&"integer") && !number.is_f64())
        }
        Value::Array(_) => types.contains(&"array"),
        Value::Object(_) => types.contains(&"object"),
        Value::String(_) => false,
    };
    serde_json::from_str(&word)
        .ok()
        .filter(fits)
        .unwrap_or_else(as_text)
}

/// The type names a schema allows at its top.
fn types_of(schema: Option<&Value>) -> Vec<&str> {
    let Some(schema) = schema else { return Vec::new() };
    let own = match schema.get("type") {
        Some(Value::String(one)) => vec![one.as_str()],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let branches = ["anyOf", "oneOf"]
        .iter()
        .filter_map(|key| schema.get(*key).and_then(Value::as_array))
        .flatten();
    own.into_iter()
        .chain(branches.filter_map(|branch| branch.get("type").and_then(Value::as_str)))
        .collect()
}
