//! Types and properties that a JSON schema allows, and the schema with its references and alternatives written out.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value, json};

/// Levels of lists and objects that rules fill, with one to spare: an object, a list in it, an entry, its values.
const LEVELS: usize = 5;
/// Most references and alternatives that are followed one after the other.
const LONGEST_CHAIN: usize = 16;
/// Most places of a schema that are written out; the rest stays as it is.
const MOST_PLACES: usize = 5_000;

/// A schema as rules fill it: references within it are replaced by what they point to, and the parts of `allOf`, `anyOf` and `oneOf` are
/// joined, down to the level that rules fill. Alternatives allow the types and properties of each; what else they ask for counts where
/// there is one beside `null`.
pub fn resolved_schema(schema: &Value) -> Value {
    let mut writer = SchemaWriter {
        root: schema,
        places: 0,
    };
    Value::Object(writer.written_out(schema, LEVELS))
}

struct SchemaWriter<'s> {
    root: &'s Value,
    places: usize,
}

impl SchemaWriter<'_> {
    fn written_out(&mut self, schema: &Value, levels: usize) -> Map<String, Value> {
        let mut place = self.joined(schema, LONGEST_CHAIN);
        if levels == 0 {
            return place;
        }
        if let Some(items) = place.get("items").cloned() {
            place.insert("items".to_owned(), self.place(&items, levels - 1));
        }
        if let Some(Value::Object(properties)) = place.remove("properties") {
            let written = properties
                .iter()
                .map(|(name, property)| (name.clone(), self.place(property, levels - 1)));
            let written: Map<String, Value> = written.collect();
            place.insert("properties".to_owned(), Value::Object(written));
        }
        place
    }

    fn place(&mut self, schema: &Value, levels: usize) -> Value {
        self.places += 1;
        match schema.is_object() && self.places <= MOST_PLACES {
            true => Value::Object(self.written_out(schema, levels)),
            false => schema.clone(),
        }
    }

    /// The keywords of a place with those of what it refers to and of its parts.
    fn joined(&mut self, schema: &Value, chain: usize) -> Map<String, Value> {
        let Value::Object(own) = schema else {
            return Map::new();
        };
        let parts = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf"];
        let mut joined: Map<String, Value> = own
            .iter()
            .filter(|(keyword, _)| !parts.contains(&keyword.as_str()))
            .map(|(keyword, value)| (keyword.clone(), value.clone()))
            .collect();
        self.places += 1;
        if chain == 0 || self.places > MOST_PLACES {
            return joined;
        }
        let list = |keyword: &str| own.get(keyword).and_then(Value::as_array).into_iter().flatten();
        let references = ["$ref", "$dynamicRef"]
            .into_iter()
            .filter_map(|keyword| own.get(keyword));
        let root = self.root;
        let targets = references.filter_map(|target| referred(root, target.as_str()?));
        for part in targets.chain(list("allOf")) {
            let part = self.joined(part, chain - 1);
            join(&mut joined, part, true);
        }
        for keyword in ["anyOf", "oneOf"] {
            let alternatives: Vec<Map<String, Value>> =
                list(keyword).map(|part| self.joined(part, chain - 1)).collect();
            let is_null = |part: &&Map<String, Value>| part.get("type") == Some(&json!("null"));
            let is_only = alternatives.iter().filter(|part| !is_null(part)).count() == 1;
            let mut kinds: Vec<String> = Vec::new();
            for part in alternatives {
                let part = Value::Object(part);
                kinds.extend(self::kinds(&part).into_iter().map(str::to_owned));
                if let Value::Object(part) = part {
                    join(&mut joined, part, is_only);
                }
            }
            if !kinds.is_empty() && !own.contains_key("type") {
                kinds.dedup();
                joined.insert("type".to_owned(), kinds.into());
            }
        }
        joined
    }
}

/// Adds the keywords of a part that a place does not have, and its properties; only these and those of lists where `all` is false.
fn join(place: &mut Map<String, Value>, part: Map<String, Value>, all: bool) {
    for (keyword, value) in part {
        match (place.get_mut(&keyword), value) {
            (Some(Value::Object(known)), Value::Object(more)) if keyword == "properties" => {
                for (name, property) in more {
                    known.entry(name).or_insert(property);
                }
            }
            (None, value) if all || matches!(keyword.as_str(), "properties" | "items") => {
                place.insert(keyword, value);
            }
            _ => {}
        }
    }
}

/// What a reference within a schema points to.
fn referred<'s>(root: &'s Value, target: &str) -> Option<&'s Value> {
    let pointer = target.strip_prefix('#')?;
    let pointer: Cow<'_, str> = percent_decode_str(pointer).decode_utf8().ok()?;
    root.pointer(&pointer)
}

/// The properties of the objects of a schema.
pub(super) fn properties(schema: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let named = schema.get("properties").and_then(Value::as_object);
    named
        .into_iter()
        .flatten()
        .map(|(name, property)| (name.as_str(), property))
}

/// The types a [`resolved_schema`] schema allows.
pub(super) fn kinds(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(one)) => vec![one.as_str()],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Whether a place holds a list whose entries have properties.
pub(super) fn is_list_of_objects(schema: &Value) -> bool {
    let inner = schema.get("items").unwrap_or(&Value::Null);
    properties(inner).next().is_some()
}

/// Whether a schema names properties of its object, or of the entries of its list: rules fill it by these.
pub fn names_properties(schema: &Value) -> bool {
    let schema = resolved_schema(schema);
    properties(&schema).next().is_some() || is_list_of_objects(&schema)
}
