//! FieldAnswer: what the answer of a model says about fields, in whatever form it comes.
//!
//! A model that is held to the schema gives `{"price": {"quote", "value"}}`. Others answer flat (`{"price": "$5"}`), as a
//! list of `{"name", "value"}`, within `fields` or `data`, or as a list of one object: all of it is understood.

use serde_json::{Map, Value};

use crate::fields::{PageType, fold};

/// A value that the model gives for a field.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct StatedValue {
    /// The field as the model calls it.
    pub(super) name: String,
    /// The value as it gives it.
    pub(super) value: Value,
    /// The words of the page that it gives for it.
    pub(super) quote: Option<String>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct FieldAnswer {
    /// Values, in the order given.
    pub(super) stated: Vec<StatedValue>,
    /// Fields of which it says that the page does not have them.
    pub(super) unavailable: Vec<String>,
    /// Entries of a list.
    pub(super) items: Vec<Map<String, Value>>,
    /// What it takes the page for.
    pub(super) page_type: Option<PageType>,
}

/// Objects in which the fields may lie one level deeper.
const WRAPPERS: &[&str] = &[
    "fields", "data", "item", "result", "answer", "product", "job", "article",
];
/// Lists of facts.
const FACTS: &[&str] = &["more", "fields", "facts"];

/// Reads an answer.
pub(super) fn read(value: &Value) -> FieldAnswer {
    let mut answer = FieldAnswer::default();
    match value {
        Value::Object(map) => of_object(map, &mut answer),
        Value::Array(list) => of_list(list, &mut answer),
        _ => {}
    }
    answer
}

fn of_list(list: &[Value], answer: &mut FieldAnswer) {
    let objects: Vec<&Map<String, Value>> = list.iter().filter_map(Value::as_object).collect();
    if objects.iter().all(|object| is_fact(object)) {
        answer.stated.extend(objects.into_iter().filter_map(fact));
    } else if let Some((first, rest)) = objects.split_first() {
        of_object(first, answer);
        if !rest.is_empty() {
            answer
                .items
                .extend(objects.iter().map(|object| (*object).clone()));
        }
    }
}

fn is_fact(map: &Map<String, Value>) -> bool {
    map.contains_key("value") && (map.contains_key("name") || map.contains_key("field"))
}

fn fact(map: &Map<String, Value>) -> Option<StatedValue> {
    let name = map.get("name").or_else(|| map.get("field"))?.as_str()?;
    Some(StatedValue {
        name: name.to_owned(),
        value: map.get("value")?.clone(),
        quote: quote(map),
    })
}

fn quote(map: &Map<String, Value>) -> Option<String> {
    let quote = map.get("quote").or_else(|| map.get("evidence"))?.as_str()?;
    Some(quote.to_owned()).filter(|quote| !quote.trim().is_empty())
}

fn of_object(map: &Map<String, Value>, answer: &mut FieldAnswer) {
    let quotes = map.get("quotes").and_then(Value::as_object);
    let mut maps = vec![(map, quotes)];
    let mut depth = 0;
    while let Some((map, quotes)) = maps.pop() {
        depth += 1;
        for (key, value) in map {
            let folded = fold(key);
            match (folded.as_str(), value) {
                (_, Value::Null) => {}
                ("unavailable" | "not_available", Value::Array(names)) => {
                    answer
                        .unavailable
                        .extend(names.iter().filter_map(Value::as_str).map(str::to_owned));
                }
                ("page_type", Value::String(name)) => answer.page_type = name.parse().ok(),
                ("items", Value::Array(list)) => {
                    answer
                        .items
                        .extend(list.iter().filter_map(Value::as_object).cloned());
                }
                ("quotes" | "reasoning" | "confidence" | "notes", _) => {}
                (name, Value::Array(list)) if FACTS.contains(&name) => {
                    answer
                        .stated
                        .extend(list.iter().filter_map(Value::as_object).filter_map(fact));
                }
                (name, Value::Object(inner))
                    if WRAPPERS.contains(&name) && depth < 3 && !inner.contains_key("value") =>
                {
                    maps.push((inner, inner.get("quotes").and_then(Value::as_object).or(quotes)));
                }
                (name, Value::Object(inner)) if FACTS.contains(&name) => maps.push((inner, quotes)),
                (_, Value::Object(inner)) if inner.contains_key("value") => answer.stated.push(StatedValue {
                    name: key.clone(),
                    value: inner.get("value").cloned().unwrap_or_default(),
                    quote: quote(inner),
                }),
                _ => answer.stated.push(StatedValue {
                    name: key.clone(),
                    value: value.clone(),
                    quote: quotes
                        .and_then(|quotes| quotes.get(key)?.as_str())
                        .map(str::to_owned),
                }),
            }
        }
        if depth > 8 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn stated(name: &str, value: Value, quote: Option<&str>) -> StatedValue {
        StatedValue {
            name: name.into(),
            value,
            quote: quote.map(str::to_owned),
        }
    }

    #[test]
    fn an_answer_means_the_same_in_every_form() {
        for form in [
            json!({"title": "L'Isle", "price": "$5"}),
            json!([{"title": "L'Isle", "price": "$5"}]),
            json!({"fields": {"title": "L'Isle", "price": "$5"}}),
            json!({"title": {"value": "L'Isle"}, "price": {"value": "$5", "quote": ""}}),
            json!([{"name": "title", "value": "L'Isle"}, {"field": "price", "value": "$5"}]),
            json!({"more": [{"name": "title", "value": "L'Isle"}, {"name": "price", "value": "$5"}], "unavailable": []}),
        ] {
            let want = [
                stated("title", json!("L'Isle"), None),
                stated("price", json!("$5"), None),
            ];
            assert_eq!(read(&form).stated, want, "{form}");
        }
    }

    #[test]
    fn quotes_lie_beside_values_or_apart() {
        for form in [
            json!({"price": {"value": "5", "quote": "only $5"}}),
            json!({"price": "5", "quotes": {"price": "only $5"}}),
        ] {
            assert_eq!(read(&form).stated, [stated("price", json!("5"), Some("only $5"))]);
        }
    }

    #[test]
    fn what_is_not_there_is_told_by_name() {
        let answer = read(
            &json!({"page_type": "job", "author": null, "unavailable": ["author"], "items": [{"a": 1}, 2]}),
        );
        assert_eq!(
            (answer.stated.len(), answer.unavailable),
            (0, vec!["author".to_owned()])
        );
        assert_eq!((answer.page_type, answer.items.len()), (Some(PageType::Job), 1));
    }
}
