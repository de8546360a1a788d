//! Cents that stand apart from their whole units: "35€99", "5 Euro 50", "19⁹⁹ €", "19 99 €", "12 zł 99 gr".

use std::cmp::Ordering;

use crate::decimal::{compare, scale};
use crate::number::{self, NumberStyle, WrittenNumber, char_at};
use crate::sections;

use super::currency::CurrencyMatch;
use super::labels::{self, WORDS};
use super::types::PriceHints;

/// Cents of an amount, and where they end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cents {
    /// The hundredths as two digits.
    pub(super) digits: String,
    /// Byte offset behind them, and behind the word for them.
    pub(super) end: usize,
}

/// Whether a number has a fraction of its own, or is no amount.
pub(super) fn has_fraction(text: &str, written: &WrittenNumber) -> bool {
    number::amount(text, written, NumberStyle::default()).is_none_or(|amount| amount.contains('.'))
}

/// A text behind an amount without the mark for no cents: ",-", ",--".
pub(super) fn without_no_cents(text: &str) -> &str {
    let cents = text
        .strip_prefix([',', '.'])
        .filter(|rest| rest.starts_with(['-', '–', '—']));
    cents.map_or(text, |rest| rest.trim_start_matches(['-', '–', '—']))
}

/// Two small raised digits right behind a whole number ("19⁹⁹ €"). One raised digit marks a footnote.
pub(super) fn raised(text: &str, written: &WrittenNumber) -> Option<Cents> {
    let rest = text.get(written.end..)?;
    let mut digits = String::new();
    let mut end = written.end;
    for c in rest.chars() {
        let Some(value) = raised_digit(c) else { break };
        digits.push(value);
        end += c.len_utf8();
    }
    let closes = char_at(text, end).is_none_or(|c| !c.is_alphanumeric());
    (digits.len() == 2 && closes && !has_fraction(text, written)).then_some(Cents { digits, end })
}

fn raised_digit(c: char) -> Option<char> {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let value = RAISED.iter().position(|raised| *raised == c)?;
    char::from_digit(u32::try_from(value).ok()?, 10)
}

/// The cents of Nordic notation, two digits behind a colon: "12:50 kr", "kr 12:50". Beside any other currency such numbers are a time.
pub(super) fn behind_colon(
    text: &str,
    written: &WrittenNumber,
    currencies: &[CurrencyMatch],
) -> Option<Cents> {
    let rest = text.get(written.end..)?.strip_prefix(':')?;
    let count = rest.bytes().take_while(u8::is_ascii_digit).count();
    let end = written.end + 1 + count;
    let goes_on = char_at(text, end).is_some_and(|c| matches!(c, ':' | '.' | ',') || c.is_alphanumeric());
    if count != 2 || goes_on || has_fraction(text, written) {
        return None;
    }
    let is_blank = |from: usize, to: usize| text.get(from..to).is_some_and(|gap| gap.trim().is_empty());
    let opens_number = |sign: &CurrencyMatch| {
        let behind = text.get(sign.end..).unwrap_or_default().trim_start();
        behind.starts_with(|c: char| number::digit(c).is_some())
    };
    let is_beside = |sign: &CurrencyMatch| {
        matches!(sign.iso, "SEK" | "NOK" | "DKK")
            && (is_blank(sign.end, written.start) || (is_blank(end, sign.start) && !opens_number(sign)))
    };
    currencies.iter().any(is_beside).then(|| Cents {
        digits: rest.get(..2).unwrap_or_default().to_owned(),
        end,
    })
}

/// Whether a number is the minutes of a time: "12:50". A currency behind it may be that of the next amount.
pub(super) fn is_minute(text: &str, written: &WrittenNumber) -> bool {
    let head = text.get(..written.start).unwrap_or_default();
    let hour = head.strip_suffix(':').unwrap_or_default();
    let hour_digits = hour.bytes().rev().take_while(u8::is_ascii_digit).count();
    let tens = char_at(text, written.start).and_then(number::digit);
    written.is_plain()
        && written.digits() == 2
        && (1..=2).contains(&hour_digits)
        && tens.is_some_and(|tens| tens < 6)
}

/// Sign and code of an amount that is written in cents with a sign for them: dollars share it as they share their own sign.
pub(super) const DOLLAR: (&str, &str) = ("$", "USD");

/// Whether the sign behind an amount that ends at byte `end` is that of cents: "99¢". Before a number it is that of colóns and
/// cedis, and an amount in thousands is none of cents.
pub(super) fn is_in_coins(text: &str, amount: &str, sign: CurrencyMatch, end: usize) -> bool {
    let is_sign = matches!(sign.text(text), Some("¢" | "￠"));
    is_sign && sign.start >= end && compare(amount, "1000") == Ordering::Less
}

/// A blank within a line: what stands on a line of its own is another amount.
fn is_blank(c: char) -> bool {
    c.is_whitespace() && !matches!(c, '\u{2028}' | '\u{2029}')
}

/// Two digits behind the sign, when nothing else can be meant ("35€99"). Behind a blank they count only where they end the text
/// ("35€ 99", and not "45€ 12 (reviews)"), behind a sign of letters only where the text says nothing else ("5 Euro 50"), and behind a
/// code never: "5 EUR 50" may be five pieces for 50 euros.
pub(super) fn behind_sign(
    text: &str,
    written: &WrittenNumber,
    sign: CurrencyMatch,
    currencies: &[CurrencyMatch],
    hints: &PriceHints<'_>,
) -> Option<Cents> {
    let symbol = sign.text(text)?;
    let is_word = symbol.chars().any(char::is_alphabetic);
    if has_fraction(text, written) || (is_word && !is_name_alone(text, written, sign)) {
        return None;
    }
    let is_separator = hints
        .decimal_separator
        .is_some_and(|separator| symbol.chars().eq([separator]));
    let rest = text.get(sign.end..)?;
    let start = if symbol == "€" || is_word || is_separator {
        rest.trim_start_matches(is_blank)
    } else {
        rest
    };
    let is_apart = start.len() < rest.len();
    let count = start.bytes().take_while(u8::is_ascii_digit).count();
    let tail = start.get(count..)?.trim_start();
    let closes = tail
        .chars()
        .next()
        .is_none_or(|c| !is_word && !is_apart && !c.is_alphanumeric() && !matches!(c, '.' | ',' | '%' | '/'));
    let end = text.len() - start.len() + count;
    let own_sign = |sign: &CurrencyMatch| sign.start >= end && tail.len() + sign.start == text.len();
    if count != 2 || !closes || currencies.iter().any(own_sign) {
        return None;
    }
    Some(Cents {
        digits: start.get(..2)?.to_owned(),
        end,
    })
}

/// Whether a sign behind a number belongs to the next one: it touches that one and stands apart from this one, as in "Guitar 2 £198",
/// "Black/White 1. $245.00" and "Sleeps 2 €90". A comma parts two amounts: "13, €70".
pub(super) fn opens_next_number(text: &str, written: &WrittenNumber, sign: CurrencyMatch) -> bool {
    let part = |range| text.get(range).unwrap_or_default();
    let (gap, behind) = (part(written.end..sign.start), part(sign.end..text.len()));
    // "35 €99" and "Prix : 25 €99" are one price each; one digit behind words is a number of something else.
    let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
    let rest = behind.get(digits..).unwrap_or_default();
    let is_pair = digits == 2 && !rest.starts_with(['.', ',']);
    let is_other_number = || {
        let head = part(0..written.start).trim_end();
        written.digits() == 1
            && part(written.start..written.end) != "0"
            && head.ends_with(char::is_alphabetic)
    };
    let has_own_sign = rest.trim_start().starts_with('€');
    let is_parted = gap.starts_with([',', '.'])
        || match sign.text(text) {
            Some("$" | "£") => true,
            Some("€") => !has_own_sign && (!is_pair || is_other_number()),
            _ => false,
        };
    is_parted && gap.ends_with(char::is_whitespace) && behind.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether the name of a currency, and no code, initial or unit, stands behind a number that opens the text.
fn is_name_alone(text: &str, written: &WrittenNumber, sign: CurrencyMatch) -> bool {
    let opens = text
        .get(..written.start)
        .is_some_and(|head| head.trim().is_empty());
    let is_name = sign.text(text).is_some_and(|name| {
        name.chars().count() > 1 && !name.eq_ignore_ascii_case(sign.iso) && !labels::is_unit_too(name)
    });
    opens && is_name
}

/// Two digits behind a blank, where a text is nothing but whole units, cents and one currency: "19 99 €", "$1 299 99". The
/// typesetting that raises the cents is lost in a text.
pub(super) fn behind_blank(
    text: &str,
    written: &[WrittenNumber],
    currencies: &[CurrencyMatch],
) -> Option<Cents> {
    let ([whole, cents], [sign]) = (written, currencies) else {
        return None;
    };
    let is_sign = sign.is_certain() && (sign.end <= whole.start || sign.start >= cents.end);
    let mut gap = text.get(whole.end..cents.start)?.chars();
    let is_parted = gap.next().is_some_and(is_blank) && gap.next().is_none();
    let is_pair = cents.is_plain() && cents.digits() == 2 && !whole.is_padded(text);
    let begin = whole.start.min(sign.start);
    let is_bare = [
        text.get(..begin),
        text.get(sign.end..whole.start),
        text.get(cents.end..sign.start.max(cents.end)),
        text.get(sign.end.max(cents.end)..),
    ];
    let is_bare = is_bare.into_iter().flatten().all(|part| part.trim().is_empty());
    if !is_sign || !is_parted || !is_pair || !is_bare || has_fraction(text, whole) {
        return None;
    }
    let digits = text.get(cents.start..cents.end)?;
    Some(Cents {
        digits: digits
            .chars()
            .filter_map(number::digit)
            .map(|value| char::from(b'0' + value))
            .collect(),
        end: cents.end,
    })
}

/// Small coins behind whole units and their sign, which end at byte `at`: "12 zł 99 gr".
pub(super) fn in_small_coins(text: &str, at: usize, iso: &str) -> Option<Cents> {
    let rest = text.get(at..)?;
    let digits_at = rest.trim_start();
    let (value, behind) = small_number(digits_at)?;
    let word_at = behind.trim_start();
    let word = word_at_start(word_at);
    let names_coins = |line: &str| {
        let mut words = line.split(' ');
        words.next() == Some(iso) && words.any(|name| name == word.to_lowercase())
    };
    let is_coin = sections::lines(WORDS).any(|(section, line)| section == "small coins" && names_coins(line));
    is_coin.then(|| Cents {
        digits: value,
        end: text.len() - word_at.len() + word.len(),
    })
}

/// The amount of a text that is nothing but small coins ("50p", "50 groszy", "80 Cent"), in whole units, and the currency where the
/// name of the coins is that of one.
pub(super) fn small_coins_alone(text: &str) -> Option<(String, Option<&'static str>)> {
    let (count, behind) = number_at_start(text.trim())?;
    let word = behind.trim_start();
    let is_apart = word.len() != behind.len();
    let letters = word.chars().count();
    // A single letter behind a blank is a word of its own.
    if word.is_empty() || word != word_at_start(word) || (letters == 1 && (is_apart || word != "p")) {
        return None;
    }
    // "720p" is the height of a picture, and "100 ct" a hundred pieces.
    let is_pair = count.len() <= 2 && !count.contains('.');
    if letters <= 2 && !is_pair {
        return None;
    }
    let lower = word.to_lowercase();
    let has_word = |names: &str| names.split(' ').any(|name| name == lower);
    let iso = sections::lines(WORDS).find_map(|(section, line)| match section {
        "small coins alone" => {
            let (iso, names) = line.split_once(' ')?;
            has_word(names).then_some(Some(iso))
        }
        "small coins of many" => has_word(line).then_some(None),
        _ => None,
    })?;
    Some((scale(&count, -2)?, iso))
}

/// The number of at most four digits, perhaps with a fraction, that a text begins with, and what stands behind.
fn number_at_start(text: &str) -> Option<(String, &str)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let (whole, behind) = text
        .split_at_checked(digits(text))
        .filter(|(whole, _)| (1..=4).contains(&whole.len()))?;
    let fraction = behind.strip_prefix(['.', ',']).unwrap_or_default();
    // Three digits may be thousands.
    match digits(fraction) {
        count @ 1..=2 => {
            let (fraction, behind) = fraction.split_at_checked(count)?;
            Some((format!("{whole}.{fraction}"), behind))
        }
        _ => Some((whole.to_owned(), behind)),
    }
}

/// The number of one or two digits that a text begins with, as two digits, and what stands behind.
fn small_number(text: &str) -> Option<(String, &str)> {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, behind) = text
        .split_at_checked(count)
        .filter(|_| (1..=2).contains(&count))?;
    Some((format!("{digits:0>2}"), behind))
}

/// The word that a text begins with.
fn word_at_start(text: &str) -> &str {
    let length = text
        .find(|c: char| !c.is_alphabetic() && c != '¢')
        .unwrap_or(text.len());
    text.get(..length).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::{PriceHints, parse, read};

    fn check(cases: &[(&str, Option<&str>, Option<&str>)]) {
        for (text, amount, iso) in cases {
            let price = parse(text, &PriceHints::default());
            let found = price.as_ref().map(|price| (price.amount.as_str(), price.iso));
            assert_eq!(found, amount.map(|amount| (amount, *iso)), "{text}");
        }
    }

    #[test]
    fn amounts_in_cents_are_given_in_whole_units() {
        check(&[
            ("99¢", Some("0.99"), Some("USD")),
            ("Only 99 ¢ each", Some("0.99"), Some("USD")),
            ("50–99¢", Some("0.50"), Some("USD")),
            ("50 cents", Some("0.50"), None),
            ("80 Cent", Some("0.80"), None),
            ("29,5 Cent", Some("0.295"), None),
            ("250 cents", Some("2.50"), None),
            ("99 ct", Some("0.99"), None),
            // Colóns, pieces and a picture.
            ("¢15.000", Some("15000"), Some("XTS")),
            ("100 ct", Some("100"), None),
        ]);
        let price = read("99¢", &PriceHints::default());
        assert_eq!(price.currency, Some("$"));
        let hints = PriceHints {
            currency_hint: Some("€"),
            ..PriceHints::default()
        };
        assert_eq!(parse("80 Cent", &hints).and_then(|price| price.iso), Some("EUR"));
    }

    #[test]
    fn a_colon_parts_cents_beside_crowns_and_minutes_elsewhere() {
        check(&[
            ("12:50 kr", Some("12.50"), Some("SEK")),
            ("kr 199:90", Some("199.90"), Some("SEK")),
            ("12:50 €", None, None),
            ("12:50 kr 40", Some("40"), Some("SEK")),
            ("Pixel 9:999 €", Some("999"), Some("EUR")),
        ]);
        assert_eq!(read("129:-", &PriceHints::default()).currency, Some("SEK"));
    }
}
