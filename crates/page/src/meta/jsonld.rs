//! JSON-LD.

use serde_json::Value;

use super::entities::decode_entities;
use super::lenient_json;
use crate::page::Page;

/// Every JSON-LD object of the page, in order. A list at the top of a block counts as its members; what cannot be
/// read is left out, and empty objects too.
pub fn jsonld(page: &Page) -> Vec<Value> {
    let mut out = Vec::new();
    for script in page.dom().by_tag("script") {
        if !script.attr("type").is_some_and(is_jsonld) {
            continue;
        }
        let text = script.raw_text();
        let mut values = lenient_json::values(&text);
        if values.is_empty() && text.contains("&quot;") {
            values = lenient_json::values(&decode_entities(&text));
        }
        for value in values {
            match value {
                Value::Array(list) => out.extend(list.into_iter().filter(has_content)),
                value => out.extend(Some(value).filter(has_content)),
            }
        }
    }
    out
}

fn is_jsonld(kind: &str) -> bool {
    let kind = kind.split(';').next().unwrap_or("").trim();
    kind.eq_ignore_ascii_case("application/ld+json")
}

/// Whether a value is an object or list that holds something.
pub(super) fn has_content(value: &Value) -> bool {
    match value {
        Value::Object(map) => !map.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}
