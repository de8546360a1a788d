//! Comparison of items by their fields, and of lists by the keys of their entries.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use wire::monitors::{ContentChange, FieldChange, RecordChange};

use super::confirmation::is_noise;
use super::contents::{Comparison, Volatility};
use super::noise;

/// Most fields and entries of each kind in a change.
const MAX_TOLD: usize = 50;
/// Longest text in a change, in characters.
const MAX_TEXT: usize = 1_000;
/// A field that has changed in so many checks in a row is noise until a check finds it unchanged. Numbers never are.
const VOLATILE: u32 = 3;
/// Fields that name an entry, the best first.
const KEYS: [&str; 4] = ["url", "name", "title", "text"];

/// A value without noise.
fn clean(value: &Value) -> Value {
    match value {
        Value::String(text) => noise::without(text).into(),
        Value::Array(list) => list.iter().map(clean).collect(),
        Value::Object(map) => Value::Object(
            map.iter()
                .map(|(name, value)| (name.clone(), clean(value)))
                .collect(),
        ),
        other => other.clone(),
    }
}

/// A value as it is told.
fn shortened(value: &Value) -> Value {
    match value {
        Value::String(text) => locale::truncate_chars(text, MAX_TEXT).to_owned().into(),
        other => other.clone(),
    }
}

/// The fields that differ.
fn differing(before: &Map<String, Value>, after: &Map<String, Value>) -> Vec<FieldChange> {
    let gone = before.keys().filter(|name| !after.contains_key(*name));
    let names = after.keys().chain(gone);
    let changed = names.filter_map(|name| {
        let (old, new) = (before.get(name), after.get(name));
        let differs = old.map(clean) != new.map(clean);
        differs.then(|| FieldChange {
            field: name.clone(),
            before: old.map(shortened),
            after: new.map(shortened),
        })
    });
    changed.collect()
}

/// Whether a second reading has what a field is said to have changed to.
fn is_confirmed(
    change: &FieldChange,
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    again: &Map<String, Value>,
) -> bool {
    let of = |item: &Map<String, Value>| item.get(&change.field).map(clean);
    let (old, new, again) = (of(before), of(after), of(again));
    match (&old, &new, &again) {
        (Some(Value::String(old)), Some(Value::String(new)), Some(Value::String(again))) if new != again => {
            !is_noise(old, new, Some(again))
        }
        _ => new == again,
    }
}

/// Compares two items.
pub(super) fn compare_items(
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    again: &[&Map<String, Value>],
    volatility: &Volatility,
) -> Comparison {
    let mut fields = differing(before, after);
    fields.retain(|change| {
        again
            .iter()
            .all(|again| is_confirmed(change, before, after, again))
    });
    let counted: Volatility = fields
        .iter()
        .filter(|change| !change.after.as_ref().is_some_and(Value::is_number))
        .map(|change| {
            let times = volatility.get(&change.field).copied().unwrap_or(0);
            (change.field.clone(), times.saturating_add(1))
        })
        .collect();
    fields.retain(|change| counted.get(&change.field).is_none_or(|times| *times <= VOLATILE));
    fields.truncate(MAX_TOLD);
    Comparison {
        change: (!fields.is_empty()).then_some(ContentChange::Item { fields }),
        volatility: counted,
    }
}

/// What names an entry.
fn key_of(record: &Map<String, Value>, key: Option<&str>) -> String {
    let named = key.into_iter().chain(KEYS).find_map(|name| record.get(name));
    match named.map(clean) {
        Some(Value::String(text)) => text,
        Some(other) => other.to_string(),
        None => clean(&Value::Object(record.clone())).to_string(),
    }
}

/// The entries by their keys; of several with one key, each has its number.
fn by_key<'a>(
    records: &'a [Map<String, Value>],
    key: Option<&str>,
) -> BTreeMap<(String, usize), &'a Map<String, Value>> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let named = records.iter().map(|record| {
        let name = key_of(record, key);
        let count = counts.entry(name.clone()).or_default();
        *count += 1;
        ((name, *count), record)
    });
    named.collect()
}

/// Compares two lists.
pub(super) fn compare_records(
    before: &[Map<String, Value>],
    after: &[Map<String, Value>],
    again: &[&[Map<String, Value>]],
    key: Option<&str>,
) -> Option<ContentChange> {
    let (old, new) = (by_key(before, key), by_key(after, key));
    let again: Vec<_> = again.iter().map(|again| by_key(again, key)).collect();
    // An entry that only one of two readings has is not new, nor gone.
    let is_kept = |name: &(String, usize), is_there: bool| {
        again.iter().all(|again| again.contains_key(name) == is_there)
    };
    let whole = |record: &&Map<String, Value>| {
        Value::Object(
            record
                .iter()
                .map(|(name, value)| (name.clone(), shortened(value)))
                .collect(),
        )
    };
    let only =
        |these: &BTreeMap<_, &Map<String, Value>>, others: &BTreeMap<_, _>, is_there: bool| -> Vec<Value> {
            let alone = these
                .iter()
                .filter(|(key, _)| !others.contains_key(*key) && is_kept(key, is_there));
            alone.map(|(_, record)| whole(record)).take(MAX_TOLD).collect()
        };
    let (added, removed) = (only(&new, &old, true), only(&old, &new, false));
    let changed = new.iter().filter_map(|(name, record)| {
        let former = old.get(name)?;
        let mut fields = differing(former, record);
        for again in again.iter().filter_map(|again| again.get(name)) {
            fields.retain(|change| is_confirmed(change, former, record, again));
        }
        (!fields.is_empty()).then(|| RecordChange {
            key: locale::truncate_chars(&name.0, MAX_TEXT).to_owned(),
            fields,
        })
    });
    let changed: Vec<RecordChange> = changed.take(MAX_TOLD).collect();
    let is_same = added.is_empty() && removed.is_empty() && changed.is_empty();
    (!is_same).then_some(ContentChange::Records {
        added,
        removed,
        changed,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn fields_are_told_with_both_values_and_noise_is_not() {
        let before =
            map(json!({"title": "K2", "price": 49.9, "text": "Updated at 10:41. Good.", "sku": "a"}));
        let after =
            map(json!({"title": "K2", "price": 39.9, "text": "Updated at 11:00. Good.", "brand": "Nova"}));
        let change = compare_items(&before, &after, &[], &Volatility::new()).change;
        let expected = json!({"part": "item", "fields": [
            {"field": "price", "before": 49.9, "after": 39.9},
            {"field": "brand", "after": "Nova"},
            {"field": "sku", "before": "a"},
        ]});
        assert_eq!(serde_json::to_value(change).unwrap(), expected);
    }

    #[test]
    fn entries_are_told_apart_by_their_key_whatever_their_order() {
        let entry = |url: &str, price: &str| map(json!({"url": url, "price": price, "title": "Lamp"}));
        let before = [
            entry("https://a.example/1?sid=1", "5 EUR"),
            entry("https://a.example/2", "6 EUR"),
            entry("https://a.example/3", "7 EUR"),
        ];
        let after = [
            entry("https://a.example/4", "9 EUR"),
            entry("https://a.example/2", "6.50 EUR"),
            entry("https://a.example/1?sid=2", "5 EUR"),
        ];
        let change = serde_json::to_value(compare_records(&before, &after, &[], None)).unwrap();
        assert_eq!(change["added"][0]["url"], "https://a.example/4");
        assert_eq!(change["removed"][0]["url"], "https://a.example/3");
        assert_eq!(
            change["changed"],
            json!([{"key": "https://a.example/2",
                    "fields": [{"field": "price", "before": "6 EUR", "after": "6.50 EUR"}]}])
        );
        assert_eq!(change["added"].as_array().unwrap().len(), 1);
        let turned: Vec<_> = before.iter().rev().cloned().collect();
        assert_eq!(compare_records(&before, &turned, &[], Some("url")), None);
    }
}
