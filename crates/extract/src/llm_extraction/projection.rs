//! Projection of an item onto a JSON schema, without a model.

use serde_json::{Map, Number, Value};

use crate::fields::{PageType, canonical};
use crate::item::Item;
use crate::normalize;

/// The item in the shape of a schema, by the names of its properties: an object, or a list where the schema is one. What
/// the item does not hold is `null` where the schema allows it, and left out elsewhere.
pub fn project(item: &Item, schema: &Value) -> Value {
    if kinds(schema).contains(&"array") {
        return entries(item, schema);
    }
    let mut out = Map::new();
    for (name, property) in properties(schema) {
        let field = canonical(name, item.page_type);
        let value = match field.as_str() {
            "url" => Some(Value::String(item.url.clone())),
            "page_type" => Some(Value::String(item.page_type.name().to_owned())),
            _ => item.get(&field).or_else(|| item.get(name)).cloned(),
        };
        let list = || {
            let of_objects = properties(property.get("items").unwrap_or(&Value::Null))
                .next()
                .is_some();
            (of_objects && !item.items.is_empty()).then(|| entries(item, property))
        };
        keep(
            &mut out,
            name,
            value.and_then(|value| shaped(value, property)).or_else(list),
            property,
        );
    }
    Value::Object(out)
}

fn entries(item: &Item, schema: &Value) -> Value {
    let inner = schema.get("items").unwrap_or(&Value::Null);
    let rows = item.items.iter().map(|record| {
        let mut row = Map::new();
        for (name, property) in properties(inner) {
            let field = canonical(name, PageType::Other);
            let value = record.get(name).or_else(|| record.get(&field)).cloned();
            keep(
                &mut row,
                name,
                value.and_then(|value| shaped(value, property)),
                property,
            );
        }
        Value::Object(row)
    });
    Value::Array(rows.collect())
}

fn keep(out: &mut Map<String, Value>, name: &str, value: Option<Value>, property: &Value) {
    match value {
        Some(value) => {
            out.insert(name.to_owned(), value);
        }
        None if kinds(property).contains(&"null") => {
            out.insert(name.to_owned(), Value::Null);
        }
        None => {}
    }
}

fn properties(schema: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let named = schema.get("properties").and_then(Value::as_object);
    named
        .into_iter()
        .flatten()
        .map(|(name, property)| (name.as_str(), property))
}

/// The types a schema allows; those of its alternatives count.
fn kinds(schema: &Value) -> Vec<&str> {
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

/// A value in one of the types that its place allows; none when it cannot be had in any.
fn shaped(value: Value, schema: &Value) -> Option<Value> {
    let kinds = kinds(schema);
    let may = |kind: &str| kinds.is_empty() || kinds.contains(&kind);
    match value {
        Value::String(text) if may("string") => Some(Value::String(text)),
        Value::String(text) if may("number") || may("integer") => {
            let number = normalize::value("price", text.into(), true)?;
            shaped(number, schema)
        }
        Value::Number(number) if may("number") => Some(Value::Number(number)),
        Value::Number(number) if may("integer") => {
            let whole = number
                .as_f64()
                .filter(|number| number.fract() == 0.0 && number.abs() < 9e15)?;
            #[expect(
                clippy::cast_possible_truncation,
                reason = "whole and in range by the filter before it"
            )]
            Some(Value::Number(Number::from(whole as i64)))
        }
        Value::Number(number) if may("string") => Some(Value::String(number.to_string())),
        Value::Array(list) if may("array") => Some(Value::Array(list)),
        Value::Array(list) if may("string") => {
            let texts: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
            (!texts.is_empty()).then(|| Value::String(texts.join(", ")))
        }
        Value::String(_) | Value::Number(_) if may("array") => Some(Value::Array(vec![value])),
        Value::Object(map) if may("object") => Some(Value::Object(map)),
        Value::Bool(truth) if may("boolean") => Some(Value::Bool(truth)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provenance::FieldSource;
    use serde_json::json;

    #[test]
    fn an_item_fills_a_schema_by_the_names_of_its_properties() {
        let mut item = Item::new("https://a.example/", PageType::Product);
        item.put("title", "Lamp", FieldSource::Url);
        item.put("price", "12,50 €", FieldSource::Url);
        item.items = vec![json!({"title": "One", "price": "5"}).as_object().unwrap().clone()];
        let schema = json!({"type": "object", "properties": {
            "Product Name": {"type": "string"}, "cost": {"type": "string"}, "price": {"type": ["number", "null"]},
            "rating": {"type": ["number", "null"]}, "brand": {"type": "string"}, "url": {"type": "string"},
            "rows": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "integer"}}}},
        }});
        assert_eq!(
            project(&item, &schema),
            json!({"Product Name": "Lamp", "cost": "12.5", "price": 12.5, "rating": null, "url": "https://a.example/",
                "rows": [{"name": "One", "price": 5}]})
        );
        let list = json!({"type": "array", "items": {"properties": {"title": {}}}});
        assert_eq!(project(&item, &list), json!([{"title": "One"}]));
    }
}
