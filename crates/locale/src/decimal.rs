//! Exact decimal strings compared by value.

use std::cmp::Ordering;

/// Compares two decimal strings (`-12.50`) by value, of any length and without rounding.
///
/// Both have to consist of digits with at most one `.` and a `-` at most in front.
///
/// ```
/// use std::cmp::Ordering;
///
/// assert_eq!(locale::decimal::compare("10", "9.99"), Ordering::Greater);
/// assert_eq!(locale::decimal::compare("007.50", "7.5"), Ordering::Equal);
/// assert_eq!(locale::decimal::compare("-2", "1"), Ordering::Less);
/// ```
pub fn compare(left: &str, right: &str) -> Ordering {
    let (left, right) = (Decimal::new(left), Decimal::new(right));
    match (left.negative, right.negative) {
        (false, false) => left.compare_magnitude(&right),
        (true, true) => right.compare_magnitude(&left),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    }
}

/// A decimal string without superfluous zeros.
struct Decimal<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
}

impl<'a> Decimal<'a> {
    fn new(text: &'a str) -> Decimal<'a> {
        let digits = text.strip_prefix('-');
        let (whole, fraction) = digits
            .unwrap_or(text)
            .split_once('.')
            .unwrap_or((digits.unwrap_or(text), ""));
        let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
        Decimal {
            negative: digits.is_some() && !(whole.is_empty() && fraction.is_empty()),
            whole,
            fraction,
        }
    }

    fn compare_magnitude(&self, other: &Decimal<'_>) -> Ordering {
        let by_length = self.whole.len().cmp(&other.whole.len());
        by_length.then_with(|| (self.whole, self.fraction).cmp(&(other.whole, other.fraction)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        /// Decimal strings are ordered as the integers they are made of.
        #[test]
        fn the_order_is_that_of_the_values(left in -1_000_000i64..1_000_000, right in -1_000_000i64..1_000_000, zeros in 0usize..3) {
            let written = |value: i64, padding: &str| {
                let sign = if value < 0 { "-" } else { "" };
                format!("{sign}{padding}{}.{:03}{padding}", value.abs() / 1000, value.abs() % 1000)
            };
            let padding = "0".repeat(zeros);
            proptest::prop_assert_eq!(compare(&written(left, &padding), &written(right, "")), left.cmp(&right));
        }
    }
}
