//! Numbers that the values of a label are or list: "4 stars" where rows say "Stars: 4", "size 38" where they say "Sizes: 36, 37, 38".

use serde_json::Value;

use crate::values::fields;
use crate::words::field_names::may_call;
use crate::words::word_forms::tokens;

/// Fewest rows that have numbers behind a label.
const LEAST_ROWS: usize = 2;

/// The field of the rows and the number in it that a label and a number mean; none where the rows have no such field, or its values
/// say more than numbers.
pub(crate) fn field_of(phrase: &str, rows: &[Value]) -> Option<(String, String)> {
    let words = tokens(phrase);
    let [first, second] = words.as_slice() else {
        return None;
    };
    let (label, number) = match (is_number(first), is_number(second)) {
        (false, true) => (first, second),
        (true, false) => (second, first),
        _ => return None,
    };
    let lists = |row: &Value, field: &str| numbers(row, field).is_some_and(|numbers| numbers.len() > 1);
    let is_number_of = |row: &Value, field: &str| numbers(row, field).is_some();
    let is_listing = |field: &String| {
        rows.iter().filter(|row| lists(row, field)).count() >= LEAST_ROWS
            || rows.iter().filter(|row| is_number_of(row, field)).count() * 2
                >= rows.len().max(2 * LEAST_ROWS)
    };
    let mut found = fields(rows)
        .into_iter()
        .filter(|field| may_call(field, label) && is_listing(field));
    let field = found.next().filter(|_| found.next().is_none())?;
    Some((field, number.clone()))
}

/// Whether a row lists a number; `None` where the row does not have the field.
pub(crate) fn has(row: &Value, field: &str, number: &str) -> Option<bool> {
    Some(numbers(row, field)?.iter().any(|listed| listed == number))
}

/// The numbers of a value that has no words beside them.
fn numbers(row: &Value, field: &str) -> Option<Vec<String>> {
    let text = row.get(field)?.as_str()?;
    // "39.5" is one number, and no list.
    let is_parted = |pair: &[u8]| matches!(pair, [b'.' | b',', digit] if digit.is_ascii_digit());
    if text.as_bytes().windows(2).any(is_parted) {
        return None;
    }
    let words = tokens(text);
    (!words.is_empty() && words.iter().all(|word| is_number(word))).then_some(words)
}

/// Whether a word is a whole number in digits.
pub(crate) fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_number_and_a_label_mean_the_rows_with_that_value() {
        let rows = ["4", "3", "4", "14"].map(|stars| json!({"name": "Hotel", "sterne": stars}));
        let (field, number) = field_of("4 Sterne", &rows).unwrap();
        let having: Vec<bool> = rows
            .iter()
            .map(|row| has(row, &field, &number) == Some(true))
            .collect();
        assert_eq!(having, [true, false, true, false]);
        assert_eq!(field_of("4 rooms", &rows), None);
        let sizes = ["38.5", "39.5", "40.5", "41.5"].map(|size| json!({"name": "Shoe", "size": size}));
        assert_eq!(field_of("size 5", &sizes), None);
    }

    #[test]
    fn a_label_and_a_number_mean_one_of_those_that_rows_list() {
        let rows = [
            json!({"name": "Court 38", "rozmiary": "36, 37, 38"}),
            json!({"name": "Trail", "rozmiary": "39"}),
            json!({"name": "Clog", "rozmiary": "38, 39"}),
            json!({"name": "Insole"}),
        ];
        let found = Some(("rozmiary".to_owned(), "38".to_owned()));
        for phrase in ["rozmiarze 38", "size 38", "Größe 38", "rozmiary 38"] {
            assert_eq!(field_of(phrase, &rows), found, "{phrase}");
        }
        for phrase in ["colour 38", "38", "size", "size small", "size 38 wide"] {
            assert_eq!(field_of(phrase, &rows), None, "{phrase}");
        }
        let has = |row: &Value| has(row, "rozmiary", "38");
        assert_eq!(
            rows.each_ref().map(has),
            [Some(true), Some(false), Some(true), None]
        );
    }
}
