//! Conditions in words that are conditions over fields: "price below 100", "the title contains kettle", "sku changes".

use serde_json::Value;

use super::conditions::{Condition, ConditionOperator, WatchedPart};

/// Fields of items and entries that a condition in words may name; of a text there is only `text`.
const FIELDS: [&str; 16] = [
    "price",
    "currency",
    "availability",
    "title",
    "name",
    "url",
    "rating",
    "review_count",
    "brand",
    "sku",
    "author",
    "date_published",
    "company",
    "location",
    "job_title",
    "description",
];
/// Words that say nothing between a field and what is asked of it.
const FILLERS: [&str; 12] = [
    "is", "are", "has", "have", "falls", "drops", "goes", "rises", "becomes", "gets", "now", "to",
];
const OPERATORS: [(&[&str], ConditionOperator); 5] = [
    (
        &["below", "under", "less than", "lower than", "cheaper than"],
        ConditionOperator::Below,
    ),
    (
        &["above", "over", "more than", "greater than", "higher than"],
        ConditionOperator::Above,
    ),
    (&["equals", "equal to", "exactly"], ConditionOperator::Equals),
    (
        &["contains", "contain", "includes", "mentions", "mention"],
        ConditionOperator::Contains,
    ),
    (&["changes", "changed", "change"], ConditionOperator::Changed),
];

/// The condition over a field that these words are, where they are one for certain.
pub(super) fn condition(words: &str, part: WatchedPart) -> Option<Condition> {
    let words = words.trim().trim_end_matches(['.', '!']);
    let lower = words.to_lowercase();
    // Places in the text are the same only where no letter changes its length.
    if lower.len() != words.len() {
        return None;
    }
    let mut rest = lower.as_str();
    for start in ["when ", "if ", "the "] {
        rest = rest.strip_prefix(start).unwrap_or(rest);
    }
    let (field, mut rest) = rest.split_once(char::is_whitespace)?;
    let is_known = match part {
        WatchedPart::Text => field == "text",
        WatchedPart::Item | WatchedPart::Records => FIELDS.contains(&field),
    };
    if !is_known {
        return None;
    }
    while let Some((_, after)) = rest
        .split_once(char::is_whitespace)
        .filter(|(word, _)| FILLERS.contains(word))
    {
        rest = after.trim_start();
    }
    let (operator, rest) = OPERATORS.iter().find_map(|(spellings, operator)| {
        let after = spellings.iter().find_map(|it| rest.strip_prefix(it))?;
        let ends = after.is_empty() || after.starts_with(char::is_whitespace);
        ends.then_some((*operator, after))
    })?;
    let value = words.get(words.len() - rest.len()..)?.trim();
    let value = match operator {
        ConditionOperator::Changed => value.is_empty().then_some(None),
        ConditionOperator::Below | ConditionOperator::Above => number(value).map(Some),
        ConditionOperator::Equals => match number(value) {
            Some(number) => Some(Some(number)),
            None if is_ambiguous_number(value) => None,
            None => text(value).map(Some),
        },
        ConditionOperator::Contains => text(value).map(Some),
    }?;
    Some(Condition {
        field: field.to_owned(),
        operator,
        value,
    })
}

/// A number alone. One with a unit may need to be converted, which is no work for a rule.
fn number(text: &str) -> Option<Value> {
    plain_number(text).map(Value::Number)
}

/// The number that a text is, where it has one reading: `1.500` is 1500 where a point groups thousands.
pub fn plain_number(text: &str) -> Option<serde_json::Number> {
    match is_ambiguous_number(text) {
        true => None,
        false => serde_json::from_str(text).ok(),
    }
}

/// Whether a text is a number with two readings: one to three digits, no zero before them, and three behind a point or a comma.
pub fn is_ambiguous_number(text: &str) -> bool {
    let bare = text.strip_prefix('-').unwrap_or(text);
    let Some((whole, rest)) = bare.split_once(['.', ',']) else {
        return false;
    };
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    is_digits(whole)
        && is_digits(rest)
        && (1..=3).contains(&whole.len())
        && !whole.starts_with('0')
        && rest.len() == 3
}

/// What is in quotes, or one word: of more words it is not certain that they are meant as they stand.
fn text(value: &str) -> Option<Value> {
    let quoted = value
        .strip_prefix(['"', '\''])
        .and_then(|inner| inner.strip_suffix(['"', '\'']));
    let is_word = !value.is_empty() && !value.contains(char::is_whitespace);
    let text = quoted.or(is_word.then_some(value))?;
    (!text.trim().is_empty()).then(|| Value::from(text))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn words_are_a_rule_only_where_that_is_certain() {
        let read = |words: &str, part| serde_json::to_value(condition(words, part)).unwrap();
        for (words, rule) in [
            (
                "price below 100",
                json!({"field": "price", "operator": "below", "value": 100}),
            ),
            (
                "When the price drops below 99.5.",
                json!({"field": "price", "operator": "below", "value": 99.5}),
            ),
            (
                "the title contains \"Red kettle\"",
                json!({"field": "title", "operator": "contains", "value": "Red kettle"}),
            ),
            (
                "availability is exactly OutOfStock",
                json!({"field": "availability", "operator": "equals", "value": "OutOfStock"}),
            ),
            (
                "price below 0.125",
                json!({"field": "price", "operator": "below", "value": 0.125}),
            ),
            ("sku changes", json!({"field": "sku", "operator": "changed"})),
        ] {
            assert_eq!(read(words, WatchedPart::Item), rule, "{words}");
        }
        for words in [
            "price below 100 EUR",
            // 1500 where a point groups thousands.
            "price below 1.500",
            "price equals 1.500",
            "price below 1,500",
            "price below the average",
            "title contains red kettle",
            "the mood is above 3",
            "price changes by more than a tenth",
            "price belowish 3",
            "İ price below 3",
            "",
        ] {
            assert_eq!(read(words, WatchedPart::Item), Value::Null, "{words}");
        }
        assert_eq!(read("price below 100", WatchedPart::Text), Value::Null);
        let text = json!({"field": "text", "operator": "contains", "value": "strike"});
        assert_eq!(read("the text mentions strike", WatchedPart::Text), text);
    }
}
