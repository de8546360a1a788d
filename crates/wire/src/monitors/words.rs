//! Conditions in words that are conditions over fields: "price below 100", "price below 100 €", "the title contains kettle", "sku changes".

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

/// Currencies with a sign or a word of their own, and their codes. `$` and `kr` are those of several.
const CURRENCIES: [(&str, &str); 10] = [
    ("€", "EUR"),
    ("euro", "EUR"),
    ("euros", "EUR"),
    ("£", "GBP"),
    ("zł", "PLN"),
    ("₽", "RUB"),
    ("₹", "INR"),
    ("₩", "KRW"),
    ("₺", "TRY"),
    ("₴", "UAH"),
];

/// The conditions over fields that these words are, where they are such for certain; none elsewhere. A price with a currency is a
/// condition over the price and one over the currency, which an item states as its code.
pub(super) fn conditions(words: &str, part: WatchedPart) -> Vec<Condition> {
    if let Some(condition) = condition(words, part) {
        return vec![condition];
    }
    let Some((words, code)) = without_currency(words).filter(|_| part == WatchedPart::Item) else {
        return Vec::new();
    };
    let of_price = condition(&words, part).filter(|condition| {
        let has_amount = condition.value.as_ref().is_some_and(Value::is_number);
        condition.field == "price" && has_amount
    });
    let of_currency = Condition {
        field: "currency".to_owned(),
        operator: ConditionOperator::Equals,
        value: Some(Value::from(code)),
    };
    of_price.map_or_else(Vec::new, |of_price| vec![of_price, of_currency])
}

/// Words without the currency beside the number that they end with, and its code: "price below 100 €", "price below EUR 100".
fn without_currency(words: &str) -> Option<(String, String)> {
    let words = words.trim().trim_end_matches(['.', '!']);
    let code = |written: &str| {
        let lower = written.to_lowercase();
        let is_code = written.len() == 3 && written.bytes().all(|byte| byte.is_ascii_uppercase());
        let named = CURRENCIES.iter().find(|(name, _)| *name == lower);
        named
            .map(|(_, code)| (*code).to_owned())
            .or_else(|| is_code.then(|| written.to_owned()))
    };
    let is_digit = |c: char| c.is_ascii_digit();
    let last = words.rfind(is_digit)? + 1;
    let first = words.rfind(char::is_whitespace).filter(|at| *at < last);
    if last < words.len() {
        let (head, currency) = words.split_at_checked(last)?;
        return Some((head.to_owned(), code(currency.trim())?));
    }
    // "below € 100" and "below €100"
    let amount_at = words.get(first? + 1..)?.find(is_digit)? + first? + 1;
    let (head, amount) = words.split_at_checked(amount_at)?;
    let head = head.trim_end();
    let currency_at = head.rfind(char::is_whitespace)?;
    let (head, currency) = head.split_at_checked(currency_at)?;
    Some((format!("{head} {amount}"), code(currency.trim())?))
}

/// The condition over a field that these words are, where they are one for certain.
fn condition(words: &str, part: WatchedPart) -> Option<Condition> {
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

/// Quotation marks that open a text, each with the one that closes it.
const QUOTES: [(char, char); 6] = [
    ('"', '"'),
    ('\'', '\''),
    ('“', '”'),
    ('„', '“'),
    ('«', '»'),
    ('‘', '’'),
];

/// The text that the value of a condition means: what is in quotes, else the words as they stand. None where a quotation mark
/// opens and the same kind does not close, or stands within as well: `"red" or "blue"` are two texts.
pub fn condition_text(value: &str) -> Option<&str> {
    let value = value.trim();
    let first = value.chars().next()?;
    let Some((_, close)) = QUOTES.iter().find(|(open, _)| *open == first) else {
        return Some(value);
    };
    let inner = value
        .strip_prefix(first)
        .and_then(|inner| inner.strip_suffix(*close))
        .filter(|inner| !inner.contains([first, *close]) && !inner.trim().is_empty());
    // An apostrophe may begin a word.
    let is_word = first == '\'' && value.len() > 1 && !value.contains(char::is_whitespace);
    inner.or(is_word.then_some(value))
}

/// What is in quotes, or one word: of more words it is not certain that they are meant as they stand.
fn text(value: &str) -> Option<Value> {
    let text = condition_text(value)?;
    let is_quoted = text.len() < value.len();
    (is_quoted || !text.contains(char::is_whitespace)).then(|| Value::from(text))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_price_with_a_currency_is_two_conditions_over_an_item() {
        let below = |code: &str| json!([{"field": "price", "operator": "below", "value": 100}, {"field": "currency", "operator": "equals", "value": code}]);
        let read = |words: &str, part| serde_json::to_value(conditions(words, part)).unwrap();
        for (words, code) in [
            ("price drops below 100 €", "EUR"),
            ("price below 100€.", "EUR"),
            ("the price is below €100", "EUR"),
            ("price below GBP 100", "GBP"),
            ("price below 100 zł", "PLN"),
            ("price below 100 EUR", "EUR"),
        ] {
            assert_eq!(read(words, WatchedPart::Item), below(code), "{words}");
        }
        for words in [
            "price below 100 $",
            "price below 1.500 €",
            "price below 100 € or 50",
            "rating above 4 EUR",
            "price contains 5 €",
        ] {
            assert_eq!(read(words, WatchedPart::Item), json!([]), "{words}");
        }
        // Entries state their prices with the currency.
        assert_eq!(read("price below 100 €", WatchedPart::Records), json!([]));
    }

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
            (
                "title contains “Red kettle”",
                json!({"field": "title", "operator": "contains", "value": "Red kettle"}),
            ),
            (
                "title contains \"the cat's kettle\"",
                json!({"field": "title", "operator": "contains", "value": "the cat's kettle"}),
            ),
            (
                "title contains 5\"",
                json!({"field": "title", "operator": "contains", "value": "5\""}),
            ),
        ] {
            assert_eq!(read(words, WatchedPart::Item), rule, "{words}");
        }
        for words in [
            // 1500 where a point groups thousands.
            "price below 1.500",
            "price equals 1.500",
            "price below 1,500",
            "price below the average",
            "title contains red kettle",
            "title contains \"red\" or \"blue\"",
            "title contains \"red kettle'",
            "title contains \"\"",
            "title contains \"red",
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
