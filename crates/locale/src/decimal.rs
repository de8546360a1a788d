//! Exact decimal strings compared by value.

use std::cmp::Ordering;

/// Most digits of a scaled amount: no amount of money needs more.
const MAX_SCALED_DIGITS: usize = 40;

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

/// Multiplies a decimal string without a sign by a power of ten, by moving its point. `None` when the result would have
/// more than 40 digits.
///
/// ```
/// assert_eq!(locale::decimal::scale("2.5", 5).as_deref(), Some("250000"));
/// assert_eq!(locale::decimal::scale("1.2345", 3).as_deref(), Some("1234.5"));
/// assert_eq!(locale::decimal::scale("12", -3).as_deref(), Some("0.012"));
/// ```
pub fn scale(amount: &str, power: i32) -> Option<String> {
    let (whole, fraction) = amount.split_once('.').unwrap_or((amount, ""));
    let point = i64::try_from(whole.len()).ok()? + i64::from(power);
    let mut digits = format!("{whole}{fraction}");
    if point <= 0 {
        digits.insert_str(
            0,
            &"0".repeat(
                usize::try_from(1 - point)
                    .ok()
                    .filter(|zeros| *zeros <= MAX_SCALED_DIGITS)?,
            ),
        );
    }
    let point = usize::try_from(point.max(1)).ok()?;
    let missing = point.saturating_sub(digits.len());
    if digits.len() + missing > MAX_SCALED_DIGITS {
        return None;
    }
    digits.push_str(&"0".repeat(missing));
    let (whole, fraction) = digits.split_at_checked(point)?;
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(if fraction.is_empty() {
        whole.to_owned()
    } else {
        format!("{whole}.{fraction}")
    })
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
