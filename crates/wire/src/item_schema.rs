//! The schema of the schemas that requests carry, for the documents that tell clients what is taken.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::strict::{HOLD_LIST, HOLD_NAMED, HOLD_ONE, SCHEMA_TYPES};

/// Stands for a JSON Schema in a request. Only its own schema is used: requests hold such a schema as a [`Value`].
///
/// The keywords are those of [draft 2020-12](https://json-schema.org/draft/2020-12) that hold other schemas, and a few
/// others. Keywords are described at the first level, and conditions of their schemas for a few more: generators of requests
/// cannot negate a schema that refers to itself.
pub(crate) enum ItemSchema {}

/// How many levels of `if`, `then` and `else` are described.
const CONDITION_LEVELS: usize = 4;

/// A schema of schemas that describes conditions alone, this many levels deep.
fn conditional(levels: usize) -> Value {
    let mut schema = json!({"type": ["object", "boolean"]});
    if levels > 0 {
        let inner = conditional(levels - 1);
        schema["properties"] = json!({"if": inner, "then": inner, "else": inner});
    }
    schema
}

/// Stands for a schema within an [`ItemSchema`].
enum InnerItemSchema {}

impl JsonSchema for ItemSchema {
    fn schema_name() -> Cow<'static, str> {
        "ItemSchema".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = keywords(&generator.subschema_for::<InnerItemSchema>().to_value());
        schema.insert(
            "description".to_owned(),
            "A JSON Schema (draft 2020-12). References stay within it: they begin with `#`.".into(),
        );
        Schema::from(schema)
    }
}

impl JsonSchema for InnerItemSchema {
    fn schema_name() -> Cow<'static, str> {
        "InnerItemSchema".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Schema::try_from(conditional(CONDITION_LEVELS)).unwrap_or_default()
    }
}

/// A schema of schemas, whose own schemas are described by `schema`.
fn keywords(schema: &Value) -> Map<String, Value> {
    let list = json!({"type": "array", "minItems": 1, "items": schema});
    let mut keywords = Map::new();
    // Generators of requests take a property that is called `not` for the keyword of this schema itself.
    for keyword in HOLD_ONE.iter().filter(|it| **it != "not") {
        keywords.insert((*keyword).to_owned(), schema.clone());
    }
    for keyword in HOLD_LIST {
        keywords.insert((*keyword).to_owned(), list.clone());
    }
    // The names of `patternProperties` are patterns, of which no schema says whether they are well formed.
    for keyword in HOLD_NAMED.iter().filter(|it| **it != "patternProperties") {
        keywords.insert(
            (*keyword).to_owned(),
            json!({"type": "object", "additionalProperties": schema}),
        );
    }
    let types = json!({"enum": SCHEMA_TYPES});
    keywords.insert(
        "type".to_owned(),
        json!({"anyOf": [types, {"type": "array", "minItems": 1, "uniqueItems": true, "items": types}]}),
    );
    keywords.insert(
        "required".to_owned(),
        json!({"type": "array", "uniqueItems": true, "items": {"type": "string"}}),
    );
    keywords.insert("enum".to_owned(), json!({"type": "array"}));
    for keyword in ["title", "description", "format"] {
        keywords.insert(keyword.to_owned(), json!({"type": "string"}));
    }
    let mut whole = Map::new();
    whole.insert("type".to_owned(), json!(["object", "boolean"]));
    whole.insert("properties".to_owned(), Value::Object(keywords));
    whole
}
