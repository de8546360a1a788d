//! Texts that can be read in two ways: amounts with one separator before three digits or with cents behind a blank, and dates such
//! as 3/4/2025.

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

/// The other amount that a number can mean: with one separator before three digits, `1.234` is 1234, or 1 and 234 thousandths,
/// and `19 99 €` is 19.99, or 99 behind another number. None where the number can mean one thing only.
pub(super) fn other_amount(text: &str, price: &ParsedPrice<'_>) -> Option<String> {
    beside_sign(text, price).or_else(|| in_other_separator(price))
}

/// The amount beside the currency, where cents behind a blank were read with it.
fn beside_sign(text: &str, price: &ParsedPrice<'_>) -> Option<String> {
    let (whole, cents) = price.raw.trim().rsplit_once(char::is_whitespace)?;
    let is_bare = whole.chars().all(|c| c.is_numeric() || c.is_whitespace());
    let is_pair = is_bare && cents.len() == 2 && price.amount.strip_suffix(cents)?.ends_with('.');
    let is_opened_by_number = text.trim_start().starts_with(price.raw);
    is_pair.then(|| match is_opened_by_number {
        true => cents.to_owned(),
        false => whole.split_whitespace().collect(),
    })
}

fn in_other_separator(price: &ParsedPrice<'_>) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use locale::price::{self, PriceHints};

    use super::*;

    #[test]
    fn cents_behind_a_blank_may_be_an_amount_of_their_own() {
        let other = |text: &str| {
            let price = price::parse(text, &PriceHints::default())?;
            other_amount(text, &price)
        };
        assert_eq!(other("19 99 €").as_deref(), Some("99"));
        assert_eq!(other("$1 299 99").as_deref(), Some("1299"));
        assert_eq!(other("1.234 €").as_deref(), Some("1.234"));
        for text in ["19,99 €", "1 299,00 zł", "5 Euro 50", "19⁹⁹ €"] {
            assert_eq!(other(text), None, "{text}");
        }
    }
}
