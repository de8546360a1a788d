//! Fields that a monitor names and that nothing it watches has.

use std::collections::BTreeSet;

use extract::fields::PageType;
use serde_json::{Map, Value};
use wire::monitors::Condition;

use super::contents::WatchedContent;

/// Most fields that a message names.
const MAX_NAMED: usize = 20;

/// Why a content cannot be watched by the field that tells its entries apart, or under these conditions: nothing in it has the field.
/// A field that items of some kind have may be filled later, and is none such.
pub fn unknown_field(
    content: &WatchedContent,
    key: Option<&str>,
    conditions: &[Condition],
) -> Option<String> {
    let (records, what) = match content {
        WatchedContent::Item(item) => (std::slice::from_ref(item), "the item has"),
        WatchedContent::Records(records) => (records.as_slice(), "the entries have"),
        WatchedContent::Text(_) | WatchedContent::Page(_) => return None,
    };
    if records.is_empty() {
        return None;
    }
    let is_absent = |field: &str| {
        !records
            .iter()
            .any(|record: &Map<String, Value>| record.contains_key(field))
    };
    let absent_key = key
        .filter(|_| matches!(content, WatchedContent::Records(_)))
        .filter(|key| is_absent(key))
        .map(|key| ("key", key));
    let absent_field = || {
        let mut fields = conditions.iter().map(|condition| condition.field.as_str());
        let absent = fields.find(|field| is_absent(field) && !is_of_items(field));
        absent.map(|field| ("conditions", field))
    };
    let (place, field) = absent_key.or_else(absent_field)?;
    let known: BTreeSet<&str> = records.iter().flat_map(Map::keys).map(String::as_str).collect();
    let known: Vec<&str> = known.into_iter().take(MAX_NAMED).collect();
    Some(format!(
        "{place}: nothing has the field \"{field}\"; {what} {}",
        known.join(", ")
    ))
}

/// Whether items of some kind have a field.
fn is_of_items(field: &str) -> bool {
    let of_type = |kind: &PageType| kind.required().contains(&field) || kind.usual().contains(&field);
    PageType::ALL.iter().any(of_type)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wire::monitors::ConditionOperator;

    use super::*;

    #[test]
    fn a_field_that_nothing_has_is_named_with_those_that_there_are() {
        let record = json!({"url": "https://a.example/1", "title": "Lamp"});
        let records = WatchedContent::Records(vec![record.as_object().unwrap().clone()]);
        let condition = |field: &str| Condition {
            field: field.to_owned(),
            operator: ConditionOperator::Changed,
            value: None,
        };
        let told = unknown_field(&records, Some("nosuch"), &[]).unwrap();
        assert_eq!(
            told,
            "key: nothing has the field \"nosuch\"; the entries have title, url"
        );
        assert!(unknown_field(&records, None, &[condition("prize")]).is_some());
        // A price may be there another day.
        assert_eq!(
            unknown_field(&records, Some("title"), &[condition("price")]),
            None
        );
        assert_eq!(
            unknown_field(&WatchedContent::Records(Vec::new()), Some("nosuch"), &[]),
            None
        );
    }
}
