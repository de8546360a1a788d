//! Conditions over fields: whether a change is what the owner waits for.

use locale::price::{self, PriceHints};
use serde_json::Value;
use wire::monitors::{Condition, ConditionOperator};

use super::contents::ChangedValues;

/// Whether all conditions hold after a change: in the item, in the text, or in one entry that is new or has changed.
pub fn hold(conditions: &[Condition], changed: &[ChangedValues]) -> bool {
    conditions.is_empty() || changed.iter().any(|changed| all(conditions, changed))
}

fn all(conditions: &[Condition], changed: &ChangedValues) -> bool {
    conditions.iter().all(|condition| match condition.operator {
        ConditionOperator::Changed => changed.has_changed(&condition.field),
        operator => {
            let (value, wanted) = (changed.values.get(&condition.field), condition.value.as_ref());
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

    use super::super::{Volatility, WatchedContent, compare};
    use super::*;

    fn holds(conditions: Value, before: Value, after: Value) -> bool {
        let content = |value: Value| -> WatchedContent { serde_json::from_value(value).unwrap() };
        let conditions: Vec<Condition> = serde_json::from_value(conditions).unwrap();
        let (before, after) = (content(before), content(after));
        let compared = compare(&before, &after, &[], None, &Volatility::new());
        assert!(compared.change.is_some());
        hold(&conditions, &compared.changed)
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

    #[test]
    fn an_entry_is_judged_by_its_own_values_alone() {
        let conditions = json!([{"field": "price", "operator": "changed"},
                                {"field": "title", "operator": "equals", "value": "Lamp"}]);
        let rows = |vase: &str| json!({"records": [{"url": "a", "title": "Vase", "price": vase}, {"url": "b", "title": "Lamp", "price": "€100"}]});
        assert!(!holds(conditions.clone(), rows("€12"), rows("€10")));
        // A field that is gone from one entry is none of another that never had it.
        let rows = |size: Value| {
            let mut vase = json!({"url": "a", "title": "Vase"});
            if !size.is_null() {
                vase["price"] = size;
            }
            json!({"records": [vase, {"url": "b", "title": "Lamp"}]})
        };
        assert!(!holds(conditions, rows(json!("€12")), rows(Value::Null)));
    }

    #[test]
    fn every_entry_that_is_new_is_judged_and_texts_are_judged_whole() {
        let below = json!([{"field": "price", "operator": "below", "value": 100}]);
        let rows = |count: usize| {
            let row = |number| json!({"url": format!("/{number:03}"), "price": if number == 55 { 50 } else { 200 }});
            json!({"records": (0..count).map(row).collect::<Vec<_>>()})
        };
        assert!(holds(below.clone(), rows(1), rows(60)));
        assert!(!holds(below, rows(1), rows(50)));
        let contains = json!([{"field": "text", "operator": "contains", "value": "the end"}]);
        let row = |text: String| json!({"records": [{"url": "a", "text": text}]});
        let long = format!("{}the end", "word ".repeat(400));
        assert!(holds(contains, row("short".to_owned()), row(long)));
    }
}
