//! Comparison of items by their fields, and of lists by the keys of their entries.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use wire::monitors::{ContentChange, FieldChange, RecordChange};

use super::confirmation::is_noise;
use super::contents::{ChangedValues, Comparison, Volatility};
use super::entry_keys::EntryKeys;
use super::noise;
use super::results::is_about_reading;

/// Most fields and entries of each kind in a change.
const MAX_TOLD: usize = 50;
/// Longest text in a change, in characters.
const MAX_TEXT: usize = 1_000;
/// A field that has changed in so many checks in a row is noise until a check finds it unchanged. Numbers never are.
const VOLATILE: u32 = 3;

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
        let differs = old.map(noise::cleaned) != new.map(noise::cleaned);
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
    let of = |item: &Map<String, Value>| item.get(&change.field).map(noise::cleaned);
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
    // Contents of earlier versions have what the item says about its reading.
    fields.retain(|change| !is_about_reading(&change.field));
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
    let changed = (!fields.is_empty()).then(|| changed_values(after, &fields));
    fields.truncate(MAX_TOLD);
    Comparison {
        change: changed.as_ref().map(|_| ContentChange::Item { fields }),
        changed: changed.into_iter().collect(),
        volatility: counted,
    }
}

/// An item or an entry, as it is now, with the fields that have changed.
fn changed_values(after: &Map<String, Value>, fields: &[FieldChange]) -> ChangedValues {
    ChangedValues {
        values: after.clone(),
        fields: Some(fields.iter().map(|change| change.field.clone()).collect()),
    }
}

/// The entries by their keys; of several with one key, each has its number.
fn by_key<'a>(
    records: &'a [Map<String, Value>],
    keys: &EntryKeys<'_>,
) -> BTreeMap<(String, usize), &'a Map<String, Value>> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let named = records.iter().map(|record| {
        let name = keys.of(record);
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
) -> Comparison {
    let keys = EntryKeys::new(before, after, again, key);
    let (old, new) = (by_key(before, &keys), by_key(after, &keys));
    let again: Vec<_> = again.iter().map(|again| by_key(again, &keys)).collect();
    // An entry that only one of two readings has is not new, nor gone.
    let is_kept = |name: &(String, usize), is_there: bool| {
        again.iter().all(|again| again.contains_key(name) == is_there)
    };
    let only = |these: &BTreeMap<_, &Map<String, Value>>, others: &BTreeMap<_, _>, is_there: bool| {
        let alone = these
            .iter()
            .filter(|(key, _)| !others.contains_key(*key) && is_kept(key, is_there));
        alone.map(|(_, record)| (*record).clone()).collect::<Vec<_>>()
    };
    let (added, removed) = (only(&new, &old, true), only(&old, &new, false));
    let changed = new.iter().filter_map(|(name, record)| {
        let former = old.get(name)?;
        let mut fields = differing(former, record);
        for again in again.iter().filter_map(|again| again.get(name)) {
            fields.retain(|change| is_confirmed(change, former, record, again));
        }
        (!fields.is_empty()).then(|| {
            let values = changed_values(record, &fields);
            let key = locale::truncate_chars(&name.0, MAX_TEXT).to_owned();
            (RecordChange { key, fields }, values)
        })
    });
    let (mut changed, changed_entries): (Vec<RecordChange>, Vec<ChangedValues>) = changed.unzip();
    changed.truncate(MAX_TOLD);
    let is_same = added.is_empty() && removed.is_empty() && changed.is_empty();
    let change = (!is_same).then(|| ContentChange::Records {
        added: reported(&added),
        removed: reported(&removed),
        changed,
    });
    let new_entries = added
        .into_iter()
        .map(|values| ChangedValues { values, fields: None });
    Comparison {
        change,
        changed: new_entries.chain(changed_entries).collect(),
        volatility: Volatility::new(),
    }
}

/// Entries as a change reports them.
fn reported(records: &[Map<String, Value>]) -> Vec<Value> {
    let whole = |record: &Map<String, Value>| {
        let fields = record.iter();
        Value::Object(
            fields
                .map(|(name, value)| (name.clone(), shortened(value)))
                .collect(),
        )
    };
    records.iter().take(MAX_TOLD).map(whole).collect()
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
    fn how_an_item_was_read_is_no_part_of_what_it_says() {
        let before = map(
            json!({"title": "Hours", "coverage": 0.22, "confidence": {"page_type": 0.25}, "missing": []}),
        );
        let after = map(json!({"title": "Hours", "confidence": {"page_type": 0.09}, "notes": ["no price"]}));
        assert_eq!(
            compare_items(&before, &after, &[], &Volatility::new()).change,
            None
        );
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
        let change = serde_json::to_value(compare_records(&before, &after, &[], None).change).unwrap();
        assert_eq!(change["added"][0]["url"], "https://a.example/4");
        assert_eq!(change["removed"][0]["url"], "https://a.example/3");
        assert_eq!(
            change["changed"],
            json!([{"key": "https://a.example/2",
                    "fields": [{"field": "price", "before": "6 EUR", "after": "6.50 EUR"}]}])
        );
        assert_eq!(change["added"].as_array().unwrap().len(), 1);
        let turned: Vec<_> = before.iter().rev().cloned().collect();
        assert_eq!(compare_records(&before, &turned, &[], Some("url")).change, None);
    }

    #[test]
    fn entries_whose_names_are_random_or_in_a_parameter_are_told_apart() {
        let entry = |url: &str, title: &str| map(json!({"url": url, "title": title}));
        for at in [
            "https://tube.example/watch?v=",
            "https://shop.example/p/550e8400e29b41d4a716",
            "https://news.example/article?ref=",
            "https://board.example/#/job/",
        ] {
            let url = |id: &str| format!("{at}{id}");
            let before = [entry(&url("a1"), "One"), entry(&url("b2"), "Two")];
            let after = [
                entry(&url("c3"), "Three"),
                entry(&url("a1"), "One"),
                entry(&url("b2"), "Two"),
            ];
            let change =
                serde_json::to_value(compare_records(&before, &after, &[&after], None).change).unwrap();
            let expected = json!({"part": "records", "added": [{"url": url("c3"), "title": "Three"}], "removed": [], "changed": []});
            assert_eq!(change, expected, "{at}");
            // One of the same fields takes the place of another.
            let after = [entry(&url("a1"), "One"), entry(&url("d4"), "Two")];
            let change = serde_json::to_value(compare_records(&before, &after, &[], None).change).unwrap();
            assert_eq!(change["added"][0]["url"], url("d4"), "{at}");
            assert_eq!(change["removed"][0]["url"], url("b2"), "{at}");
        }
    }

    #[test]
    fn entries_whose_addresses_are_others_in_each_reading_are_paired_in_their_order() {
        let list = |visit: &str| {
            let entry = |number: usize| {
                map(
                    json!({"url": format!("https://ads.example/go?hash={visit}{number}"), "title": format!("Ad {number}")}),
                )
            };
            [entry(1), entry(2)]
        };
        let (before, after, again) = (list("a"), list("b"), list("c"));
        assert_eq!(compare_records(&before, &after, &[&again], None).change, None);
    }
}
