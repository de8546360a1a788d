//! "Free" as a price: what costs nothing, where the rows of a list have prices and some of them are none.

use serde_json::Value;

use crate::values::{cell_text, number};

locale::patterns! {
    /// The words for what costs nothing, alone.
    static FREE = r"(?i)^\s*(?:free|free of charge|for free|kostenlos\p{L}*|kostenfrei\p{L}*|gratis|umsonst|darmow\p{L}+|za darmo|bezpłatn\p{L}+)\s*$";
}

/// Whether rows can be asked whether they are free: the word is one for what costs nothing, and of their prices some are nothing and
/// others an amount.
pub(super) fn is_of_price(word: &str, rows: &[Value]) -> bool {
    let has = |is_wanted: bool| rows.iter().any(|row| is_free(row) == Some(is_wanted));
    FREE.is_match(word) && has(true) && has(false)
}

/// The things that a phrase says to cost nothing: `events` of "free events".
pub(super) fn things(phrase: &str) -> Option<&str> {
    let (first, rest) = phrase.split_once(' ')?;
    (FREE.is_match(first) && !rest.contains(' ')).then_some(rest)
}

/// Whether a row costs nothing; `None` where it has no price.
pub(super) fn is_free(row: &Value) -> Option<bool> {
    let price = row.get("price")?;
    if FREE.is_match(&cell_text(price)) {
        return Some(true);
    }
    number(price).map(|amount| amount == 0.0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_has_a_free_trial_is_not_free() {
        let rows = [
            json!({"name": "Labels", "price": "$35/month", "details": ["14-day free trial"]}),
            json!({"name": "Notice", "price": "Free"}),
            json!({"name": "Bundle", "price": 0}),
            json!({"name": "Other"}),
        ];
        assert!(is_of_price("free", &rows) && is_of_price("kostenlose", &rows));
        assert!(!is_of_price("free trial", &rows) && !is_of_price("free", &rows[..1]));
        let free: Vec<Option<bool>> = rows.iter().map(is_free).collect();
        assert_eq!(free, [Some(false), Some(true), Some(true), None]);
    }
}
