//! Numbers of a column whose thousands are set apart by points, as many languages write them: "189.000" of a German page.

use locale::number::{self, NumberStyle};
use page::Page;
use serde_json::Value;

use crate::rows::numbers::scale;
use crate::words::word_forms::tokens;

/// Fewest numbers of a column by which their thousands are known on a page without a language.
const FEWEST: usize = 3;

locale::patterns! {
    /// A number with a point before each three digits, and nothing but signs around.
    static GROUPED = r"^[^\p{L}\d]*[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?(?:[^\d.,].*)?$";
    /// A number with a point.
    static POINTED = r"\d\.\d";
    /// Two groups of thousands, or one before a fraction.
    static SURELY_GROUPED = r"\d\.\d{3}(?:\.\d{3}|,\d)";
}

/// The code of the language of a page, as the page gives it.
pub(crate) fn language(page: &Page) -> Option<String> {
    let html = page.dom().by_tag("html").next()?;
    html.attr("lang").map(str::to_lowercase)
}

/// Whether the points in the numbers of a column stand between thousands: each has three digits behind it, and the page's language
/// writes no points before fractions, or the numbers can be nothing else.
pub(crate) fn has_grouped_numbers(rows: &[Value], field: &str, language: Option<&str>) -> bool {
    let texts = || rows.iter().filter_map(|row| row.get(field)?.as_str());
    let pointed: Vec<&str> = texts().filter(|text| POINTED.is_match(text)).collect();
    let all_grouped = !pointed.is_empty() && pointed.iter().all(|text| GROUPED.is_match(text.trim()));
    let is_sure = || pointed.iter().any(|text| SURELY_GROUPED.is_match(text));
    all_grouped
        && match language.and_then(locale::decimal_separator) {
            Some(separator) => separator == ',' || is_sure(),
            None => (pointed.len() >= FEWEST && differ_in_length(&pointed)) || is_sure(),
        }
}

/// Whether the digits before the first points are not as many in each number: "3.875" and "3.912" may be averages.
fn differ_in_length(pointed: &[&str]) -> bool {
    let digits = |text: &&str| {
        let whole = text.split('.').next().unwrap_or_default();
        whole.bytes().filter(u8::is_ascii_digit).count()
    };
    let mut lengths = pointed.iter().map(digits);
    let first = lengths.next();
    lengths.any(|length| Some(length) != first)
}

/// The number of a cell of a column with grouped numbers.
pub(crate) fn grouped_number(value: &Value) -> Option<f64> {
    let style = NumberStyle {
        decimal: Some(','),
        group: Some('.'),
        ..NumberStyle::default()
    };
    let text = value.as_str()?;
    let amount: f64 = number::parse(text, style)?.parse().ok()?;
    // "18 Tsd." beside "9.874"
    let behind = text.trim_start_matches(|c: char| !c.is_alphabetic());
    Some(amount * scale(&tokens(behind)).unwrap_or(1.0))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn thousands_may_be_said_in_a_word() {
        let read = |text: &str| grouped_number(&json!(text));
        assert_eq!(read("18 Tsd."), Some(18_000.0));
        assert_eq!(read("9.874 Aufrufe"), Some(9_874.0));
    }

    #[test]
    fn points_before_three_digits_are_of_thousands_where_the_language_says_so() {
        let rows =
            |values: &[&str]| -> Vec<Value> { values.iter().map(|value| json!({"km": value})).collect() };
        let cars = rows(&["84.500", "189.000", "9.800 km", "-"]);
        assert!(has_grouped_numbers(&cars, "km", Some("de-AT")) && has_grouped_numbers(&cars, "km", None));
        assert!(
            !has_grouped_numbers(&cars, "km", Some("en")) && !has_grouped_numbers(&cars, "price", Some("de"))
        );
        assert!(!has_grouped_numbers(&rows(&["84.500", "1.25"]), "km", Some("de")));
        assert!(!has_grouped_numbers(
            &rows(&["0.325", "0.401", "0.288"]),
            "km",
            None
        ));
        assert!(has_grouped_numbers(
            &rows(&["1.234.567", "9.100"]),
            "km",
            Some("en")
        ));
        assert_eq!(grouped_number(&json!("12.990")), Some(12_990.0));
        assert_eq!(grouped_number(&json!("1.299,50 €")), Some(1299.5));
        assert_eq!(grouped_number(&json!("on request")), None);
    }
}
