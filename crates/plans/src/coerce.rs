//! Conversion of values to the type of a schema, such as `"150"` to 150.

use serde_json::{Number, Value};

use tools::manifest::rules::{is_of, types_of};

/// Converts a value to the type of a parameter's schema, when nothing is lost.
///
/// # Errors
/// When it cannot be converted, in words.
pub fn coerce(value: Value, schema: &Value) -> Result<Value, String> {
    let types = types_of(schema);
    if types.is_empty() {
        return Ok(value);
    }
    if let Some(kind) = types.iter().find(|kind| is_of(&value, kind)) {
        return match *kind {
            "integer" if !types.contains(&"number") => whole(value),
            "array" => items(value, schema),
            _ => Ok(value),
        };
    }
    let changed = types.iter().find_map(|kind| changed(&value, kind, schema));
    changed.ok_or_else(|| {
        let hint = match &value {
            Value::String(text) if text.trim_start().starts_with(['{', '[']) => {
                "; write the value itself, not a text that holds JSON"
            }
            _ => "",
        };
        format!("{} is no {}{hint}", shown(&value), types.join(" or "))
    })
}

fn changed(value: &Value, kind: &str, schema: &Value) -> Option<Value> {
    match (value, kind) {
        (Value::String(text), "number" | "integer") => {
            let number = number(text.trim())?;
            if kind == "integer" {
                whole(number).ok()
            } else {
                Some(number)
            }
        }
        (Value::String(text), "boolean") => match text.trim() {
            "true" | "True" | "TRUE" => Some(Value::Bool(true)),
            "false" | "False" | "FALSE" => Some(Value::Bool(false)),
            _ => None,
        },
        (Value::Number(_) | Value::Bool(_), "string") => Some(Value::String(value.to_string())),
        // A single value where a list is expected becomes a list of one.
        (Value::String(text), "array") if !text.trim_start().starts_with(['{', '[']) => {
            items(Value::Array(vec![value.clone()]), schema).ok()
        }
        (Value::Number(_), "array") => items(Value::Array(vec![value.clone()]), schema).ok(),
        _ => None,
    }
}

/// Reads a number as JSON writes it; not `inf`, `NaN`, `0x1f` or numbers out of range.
fn number(text: &str) -> Option<Value> {
    let plain = !text.is_empty()
        && text
            .bytes()
            .all(|it| it.is_ascii_digit() || matches!(it, b'.' | b'-' | b'+' | b'e' | b'E'));
    let text = text.strip_prefix('+').unwrap_or(text);
    if !plain {
        return None;
    }
    if let Ok(whole) = text.parse::<i64>() {
        return Some(whole.into());
    }
    let number = text.parse::<f64>().ok().filter(|it| it.is_finite())?;
    Number::from_f64(number).map(Value::Number)
}

/// Converts `150.0` to the whole number 150.
fn whole(value: Value) -> Result<Value, String> {
    if value.is_i64() || value.is_u64() {
        return Ok(value);
    }
    // 2^53: beyond it a float is no longer exact.
    let exact = value
        .as_f64()
        .filter(|it| it.fract() == 0.0 && it.abs() < 9_007_199_254_740_992.0);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "checked to be a whole number below 2^53"
    )]
    let whole = exact.map(|it| Value::from(it as i64));
    whole.ok_or_else(|| format!("{} is no whole number", shown(&value)))
}

fn items(value: Value, schema: &Value) -> Result<Value, String> {
    let (Value::Array(items), Some(of)) = (&value, schema.get("items")) else {
        return Ok(value);
    };
    let types = types_of(of);
    if types.is_empty() || items.iter().all(|it| types.iter().any(|kind| is_of(it, kind))) {
        return Ok(value);
    }
    let changed = |(at, item): (usize, &Value)| match types.iter().any(|kind| is_of(item, kind)) {
        true => Ok(item.clone()),
        false => types
            .iter()
            .find_map(|kind| changed(item, kind, &Value::Null))
            .ok_or_else(|| format!("[{at}]: {} is no {}", shown(item), types.join(" or "))),
    };
    items
        .iter()
        .enumerate()
        .map(changed)
        .collect::<Result<Vec<_>, _>>()
        .map(Value::Array)
}

/// A value short enough for a message.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
        other => crate::issue::shorten(&other.to_string()),
    }
}
