//! Nesting of values that tools take and give.

use serde_json::Value;

/// Deepest nesting of a parameter and of an output. Events and stored jobs hold them some levels deeper, and JSON is
/// read back to 127 levels.
pub const MAX_VALUE_DEPTH: usize = 100;

/// The levels of lists and objects in a value; 0 for one that is neither.
pub fn value_depth(value: &Value) -> usize {
    let (mut deepest, mut open) = (0, vec![(value, 0_usize)]);
    while let Some((value, depth)) = open.pop() {
        let inner = depth + usize::from(value.is_array() || value.is_object());
        deepest = deepest.max(inner);
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, inner))),
            Value::Object(fields) => open.extend(fields.values().map(|field| (field, inner))),
            _ => {}
        }
    }
    deepest
}
