//! Conditions over fields: whether a change is what the owner waits for.

use locale::price::{self, PriceHints};
use serde_json::{Map, Value};
use wire::monitors::{Condition, ConditionOperator, ContentChange};

use super::contents::{PageText, WatchedContent};

/// The field that stands for the main text.
const TEXT: &str = "text";

/// Whether all conditions hold after a change: in the item, in the text, or in one entry that is new or has changed.
pub fn hold(conditions: &[Condition], content: &WatchedContent, change: &ContentChange) -> bool {
    if conditions.is_empty() {
        return true;
    }
    match (content, change) {
        (WatchedContent::Item(item), ContentChange::Item { fields }) => {
            let changed = |field: &str| fields.iter().any(|change| change.field == field);
            all(conditions, item, changed)
        }
        (
            WatchedContent::Text(blocks) | WatchedContent::Page(PageText { blocks, .. }),
            ContentChange::Text { .. } | ContentChange::Research { .. },
        ) => {
            let text = Map::from_iter([(TEXT.to_owned(), Value::from(blocks.join("\n")))]);
            all(conditions, &text, |field| field == TEXT)
        }
        (WatchedContent::Records(records), ContentChange::Records { added, changed, .. }) => {
            let is_new = added
                .iter()
                .filter_map(Value::as_object)
                .any(|record| all(conditions, record, |_| true));
            is_new
                || changed.iter().any(|change| {
                    let names = |field: &str| change.fields.iter().any(|it| it.field == field);
                    let is_it = |record: &&Map<String, Value>| {
                        change
                            .fields
                            .iter()
                            .all(|it| same(record.get(&it.field), it.after.as_ref()))
                    };
                    let mut candidates = records.iter().filter(is_it);
                    candidates.any(|record| all(conditions, record, names))
                })
        }
        _ => false,
    }
}

/// Whether a value is the one that a change tells, which may be shortened.
fn same(value: Option<&Value>, told: Option<&Value>) -> bool {
    match (value.and_then(Value::as_str), told.and_then(Value::as_str)) {
        (Some(value), Some(told)) => value.starts_with(told),
        _ => value == told,
    }
}

fn all(conditions: &[Condition], of: &Map<String, Value>, changed: impl Fn(&str) -> bool) -> bool {
    conditions.iter().all(|condition| match condition.operator {
        ConditionOperator::Changed => changed(&condition.field),
        operator => {
            let (value, wanted) = (of.get(&condition.field), condition.value.as_ref());
            value
                .zip(wanted)
                .is_some_and(|(value, wanted)| compare(operator, value, wanted))
        }
    })
}

fn compare(operator: ConditionOperator, value: &Value, wanted: &Value) -> bool {
    let numbers = number(value).zip(number(wanted));
    match operator {
        ConditionOperator::Below => numbers.is_some_and(|(value, wanted)| value < wanted),
        ConditionOperator::Above => numbers.is_some_and(|(value, wanted)| value > wanted),
        ConditionOperator::Equals => match wanted {
            Value::Number(_) => numbers.is_some_and(|(value, wanted)| (value - wanted).abs() < f64::EPSILON),
            _ => folded(value) == folded(wanted),
        },
        ConditionOperator::Contains => folded(value).contains(&folded(wanted)),
        ConditionOperator::Changed => false,
    }
}

/// A number, or the amount of a price in a text.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => price::parse(text, &PriceHints::default())?.amount.parse().ok(),
        _ => None,
    }
}

fn folded(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    locale::fold_case(locale::collapse_whitespace(&text).trim())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{Volatility, compare};
    use super::*;

    fn holds(conditions: Value, before: Value, after: Value) -> bool {
        let content = |value: Value| -> WatchedContent { serde_json::from_value(value).unwrap() };
        let conditions: Vec<Condition> = serde_json::from_value(conditions).unwrap();
        let (before, after) = (content(before), content(after));
        let change = compare(&before, &after, &[], None, &Volatility::new())
            .change
            .unwrap();
        hold(&conditions, &after, &change)
    }

    #[test]
    fn a_condition_is_over_the_item_the_text_or_an_entry_that_has_changed() {
        let item = |price: Value| json!({"item": {"title": "K2", "price": price, "availability": "InStock"}});
        let below = json!([{"field": "price", "operator": "below", "value": 100}]);
        assert!(holds(below.clone(), item(json!(120)), item(json!(99.5))));
        assert!(!holds(below.clone(), item(json!(120)), item(json!(100))));
        assert!(holds(
            below.clone(),
            item(json!("€ 1.299,00")),
            item(json!("€ 99,00"))
        ));
        let both = json!([{"field": "price", "operator": "changed"},
                          {"field": "availability", "operator": "equals", "value": "instock"}]);
        assert!(holds(both, item(json!(1)), item(json!(2))));
        let missing = json!([{"field": "rating", "operator": "above", "value": 1}]);
        assert!(!holds(missing, item(json!(1)), item(json!(2))));
        let contains = json!([{"field": "text", "operator": "contains", "value": "SOLD out"}]);
        assert!(holds(
            contains.clone(),
            json!({"text": ["In stock"]}),
            json!({"text": ["Sold  out"]})
        ));
        assert!(!holds(
            contains,
            json!({"text": ["In stock"]}),
            json!({"text": ["Still here"]})
        ));
        // The cheap entry was there before; the one that has changed is dear.
        let rows = |price: i32| json!({"records": [{"url": "a", "price": 5}, {"url": "b", "price": price}]});
        assert!(!holds(below.clone(), rows(300), rows(200)));
        assert!(holds(below, rows(300), rows(50)));
    }
}
