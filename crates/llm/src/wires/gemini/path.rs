//! JSON paths of streamed arguments.

use serde_json::{Map, Value};

/// The highest array index that is believed, so that a path cannot ask for a huge array.
const MAX_INDEX: usize = 4096;

/// The most steps of a path.
const MAX_STEPS: usize = 64;

enum PathStep {
    Field(String),
    Item(usize),
}

/// Puts the value of a `partialArgs` entry at its JSON path (`$.a.b[0]["c d"]`), or appends it to the string there.
/// A path that cannot be read changes nothing.
pub(super) fn put(arguments: &mut Map<String, Value>, path: &str, piece: &Value, append: bool) {
    let Some(steps) = steps(path) else { return };
    let mut steps = steps.into_iter();
    let Some(PathStep::Field(first)) = steps.next() else {
        return;
    };
    let mut place = arguments.entry(first).or_insert(Value::Null);
    for step in steps {
        place = match step {
            PathStep::Field(name) => {
                if !place.is_object() {
                    *place = Value::Object(Map::new());
                }
                let Value::Object(fields) = place else { return };
                fields.entry(name).or_insert(Value::Null)
            }
            PathStep::Item(at) => {
                if !place.is_array() {
                    *place = Value::Array(Vec::new());
                }
                let Value::Array(items) = place else { return };
                if items.len() <= at {
                    items.resize(at + 1, Value::Null);
                }
                let Some(item) = items.get_mut(at) else { return };
                item
            }
        };
    }
    if let Some(text) = piece.get("stringValue").and_then(Value::as_str) {
        match place {
            Value::String(old) if append => old.push_str(text),
            _ => *place = Value::String(text.to_owned()),
        }
    } else if let Some(number) = piece.get("numberValue").filter(|number| number.is_number()) {
        *place = number.clone();
    } else if let Some(flag) = piece.get("boolValue").filter(|flag| flag.is_boolean()) {
        *place = flag.clone();
    } else if piece.get("nullValue").is_some() {
        *place = Value::Null;
    }
}

fn steps(path: &str) -> Option<Vec<PathStep>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if steps.len() == MAX_STEPS {
            return None;
        }
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            let (name, after) = after.split_at(end);
            if name.is_empty() {
                return None;
            }
            steps.push(PathStep::Field(name.to_owned()));
            rest = after;
            continue;
        }
        let after = rest.strip_prefix('[')?;
        let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\''));
        rest = if let Some(quote) = quote {
            let (name, after) = after.get(1..)?.split_once(quote)?;
            steps.push(PathStep::Field(name.to_owned()));
            after.strip_prefix(']')?
        } else {
            let (number, after) = after.split_once(']')?;
            steps.push(PathStep::Item(number.parse().ok().filter(|at| *at <= MAX_INDEX)?));
            after
        };
    }
    Some(steps)
}
