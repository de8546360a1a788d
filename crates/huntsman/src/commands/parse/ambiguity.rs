//! Texts that can be read in two ways: amounts with one separator before three digits, and dates such as 3/4/2025.

use jiff::civil::DateTime;
use locale::dates::{self, DateHints, DateOrder};
use locale::price::ParsedPrice;

/// Whether a text has the form of a language tag.
pub(super) fn is_language(tag: &str) -> bool {
    let mut parts = tag.split('-');
    let language = parts.next().unwrap_or_default();
    (2..=8).contains(&language.len())
        && language.bytes().all(|byte| byte.is_ascii_alphabetic())
        && parts.all(|part| {
            (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
}

/// The other amount that a number with one separator before three digits can mean: `1.234` is 1234, or 1 and 234
/// thousandths. None where the number can mean one thing only.
pub(super) fn other_amount(price: &ParsedPrice<'_>) -> Option<String> {
    let number = price.raw.trim();
    let at = number.find(['.', ','])?;
    let (whole, rest) = number.split_at(at);
    let thousandths = rest.get(1..)?;
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // A group of digits never begins with a nought.
    let is_open = is_digits(whole) && !whole.starts_with('0') && whole.len() <= 3;
    if !is_open || !is_digits(thousandths) || thousandths.len() != 3 {
        return None;
    }
    let (joined, apart) = (format!("{whole}{thousandths}"), format!("{whole}.{thousandths}"));
    Some(if price.amount == joined { apart } else { joined })
}

/// The other day that a numeric date can mean, with the month where `read` has the day.
pub(super) fn other_date(text: &str, now: DateTime, read: &str) -> Option<String> {
    let in_order = |order| {
        let hints = DateHints {
            order: Some(order),
            ..DateHints::default()
        };
        dates::parse(text, now, &hints).map(|moment| moment.to_string())
    };
    let (day, month) = (in_order(DateOrder::DayFirst)?, in_order(DateOrder::MonthFirst)?);
    let other = if day == read { month } else { day };
    (other != read).then_some(other)
}
