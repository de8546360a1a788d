//! What scales a number: a word or a letter ("2.5 lakh", "1,2 mln", "£1m"), an exponent ("1e3").

use crate::number::{char_at, char_before, digit};
use crate::units::{power_of_ten, power_of_ten_of_money};

use super::currency::CurrencyMatch;

/// Longest power of ten of an amount in scientific notation: amounts of money are below 10 to the 15th.
const MAX_EXPONENT: i32 = 15;

/// What scales a number, and where it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale {
    /// Power of ten.
    pub(super) power: i32,
    /// Byte offset behind the word.
    pub(super) end: usize,
}

/// What scales the number that stands at `start..end` of `text`.
///
/// Single letters and short words ("5M", "2 Cr") count beside a currency or when nothing else is written: elsewhere they are
/// units, sizes or names. A small `m` ("£1m") counts behind a currency only: elsewhere it means metres.
pub(super) fn scale_after(
    text: &str,
    start: usize,
    end: usize,
    currencies: &CurrenciesBeside<'_>,
) -> Option<Scale> {
    exponent_after(text, start, end).or_else(|| word_after(text, start, end, currencies))
}

/// The currencies around a number that a short word may scale.
pub(super) struct CurrenciesBeside<'c> {
    /// Whether a currency opens the number, or the range whose upper end the number is.
    pub(super) is_before: bool,
    /// All currencies of the text.
    pub(super) all: &'c [CurrencyMatch],
}

impl CurrenciesBeside<'_> {
    /// Whether a sign of English prices that names no country stands before the number at byte `start`.
    fn is_english_before(&self, text: &str, start: usize) -> bool {
        let last = self.all.iter().rev().find(|currency| currency.end <= start);
        last.is_some_and(|currency| matches!(currency.text(text), Some("$" | "£")))
    }

    /// Whether a certain currency stands at byte `at` or behind one blank there, and opens no further number: "120k€", "50k EUR".
    fn is_behind(&self, text: &str, at: usize) -> bool {
        let gap = char_at(text, at)
            .filter(|c| c.is_whitespace())
            .map_or(0, char::len_utf8);
        self.touches(text, at) || self.touches(text, at + gap)
    }

    /// Whether a certain currency stands at byte `at`, and opens no further number.
    fn touches(&self, text: &str, at: usize) -> bool {
        self.all.iter().any(|currency| {
            let opens_number = char_at(text, currency.end).is_some_and(|c| digit(c).is_some());
            currency.is_certain() && currency.start == at && !opens_number
        })
    }
}

fn exponent_after(text: &str, start: usize, end: usize) -> Option<Scale> {
    let rest = text.get(end..)?.strip_prefix(['e', 'E'])?;
    let digits = rest.trim_start_matches(['+', '-']);
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    let behind = digits.get(count..)?.chars().next();
    let is_tagged = char_before(text, start).is_some_and(char::is_alphanumeric);
    if !(1..=2).contains(&count) || rest.len() - digits.len() > 1 || is_tagged {
        return None;
    }
    if behind.is_some_and(|c| c.is_alphanumeric() || c == '.' || c == '-') {
        return None;
    }
    let power: i32 = rest.get(..rest.len() - digits.len() + count)?.parse().ok()?;
    (power.abs() <= MAX_EXPONENT).then_some(Scale {
        power,
        end: end + 1 + rest.len() - digits.len() + count,
    })
}

fn word_after(text: &str, start: usize, end: usize, currencies: &CurrenciesBeside<'_>) -> Option<Scale> {
    let rest = text.get(end..)?;
    let word_start = end
        + rest
            .chars()
            .next()
            .filter(|c| c.is_whitespace())
            .map_or(0, char::len_utf8);
    let rest = text.get(word_start..)?;
    let first = rest.chars().next().filter(|c| c.is_alphabetic())?;
    // Scripts without blanks write the unit of money right behind ("3万円").
    if is_of_east_asia(first) {
        let power = power_of_ten(rest.get(..first.len_utf8())?)?;
        return Some(Scale {
            power,
            end: word_start + first.len_utf8(),
        });
    }
    let length = rest
        .find(|c: char| !c.is_alphabetic() && !matches!(c, '\u{093C}' | '\u{0300}'..='\u{036F}'))
        .unwrap_or(rest.len());
    let word = rest.get(..length)?;
    let mut word_end = word_start + length;
    let is_alone = text.get(..start)?.trim().is_empty() && text.get(word_end..)?.trim().is_empty();
    let is_short = word.chars().count() == 1 || word.eq_ignore_ascii_case("cr");
    let is_before = currencies.is_before;
    let power = match word {
        _ if is_short && !is_before && !is_alone && !currencies.is_behind(text, word_end) => None,
        "Cr" | "cr" | "CR" => is_before.then_some(7),
        "K" if is_before && text.get(word_end..)?.trim().is_empty() => Some(3),
        // A blank before a single letter makes it a word of its own, unless a currency touches the letter ("1,2 M€").
        _ if is_short && word_start != end && !currencies.touches(text, word_end) => None,
        "m" => is_before.then_some(6),
        "B" => is_before.then_some(9),
        // "$5 mil" is a thousand in one language, and a million in another.
        "mil" if currencies.is_english_before(text, start) => None,
        _ => power_of_ten(word).or_else(|| {
            let is_of_money = is_before || currencies.is_behind(text, word_end);
            // "£12 bin liners", "£450 bi-fold door": words of English.
            let is_other = currencies.is_english_before(text, start)
                || matches!(char_at(text, word_end), Some('-' | '‑'));
            power_of_ten_of_money(word).filter(|_| is_of_money && (!is_other || word == "MM"))
        }),
    }?;
    if char_at(text, word_end).is_some_and(char::is_alphanumeric) {
        return None;
    }
    // "US$ 3 mil millones": thousands of millions.
    let further = text
        .get(word_end..)?
        .strip_prefix(' ')
        .filter(|_| word == "mil" || word == "mille");
    let second = further.and_then(|rest| rest.split(|c: char| !c.is_alphabetic()).next());
    if let Some(millions) = second.filter(|second| power_of_ten(second) == Some(6)) {
        return Some(Scale {
            power: power + 6,
            end: word_end + 1 + millions.len(),
        });
    }
    // The point of an abbreviation ("20 tys. zł").
    if char_at(text, word_end) == Some('.') && !is_short {
        word_end += 1;
    }
    Some(Scale { power, end: word_end })
}

/// The smaller part of an amount that stands at `text[at..]` behind its larger one, which was scaled by ten to the `power`, and where it
/// ends: 4,800 of "4万4800円" and "4万4,800円", 20 million of "1億2000万円".
pub(super) fn smaller_part(text: &str, at: usize, power: i32) -> Option<(u64, usize)> {
    // "1억 5000만원": before another unit a blank may stand.
    let has_blank = char_before(text, at).is_some_and(is_of_east_asia) && char_at(text, at) == Some(' ');
    let at = at + usize::from(has_blank);
    let digits = grouped_digits(text.get(at..)?)?;
    let most = usize::try_from(power).ok()?;
    let mut value: u64 = 0;
    let mut count = 0;
    for digit in digits.bytes().filter(u8::is_ascii_digit) {
        value = value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
        count += 1;
    }
    if count > most {
        return None;
    }
    let end = at + digits.len();
    let unit = char_at(text, end).filter(|c| is_of_east_asia(*c));
    let scaled = unit.and_then(|unit| Some((unit.len_utf8(), power_of_ten(unit.encode_utf8(&mut [0; 4]))?)));
    match scaled {
        Some((length, smaller)) if smaller < power => {
            let value = value.checked_mul(10_u64.checked_pow(u32::try_from(smaller).ok()?)?)?;
            let further = smaller_part(text, end + length, smaller);
            let (rest, end) = further.unwrap_or((0, end + length));
            Some((value.checked_add(rest)?, end))
        }
        _ => (!has_blank).then_some((value, end)),
    }
}

/// The digits that a text begins with, with commas between groups of three of them ("2,800"). `None` without digits.
fn grouped_digits(text: &str) -> Option<&str> {
    let digits_at = |at: usize| {
        let rest = text.get(at..).unwrap_or_default();
        rest.bytes().take_while(u8::is_ascii_digit).count()
    };
    let mut end = digits_at(0);
    if (1..=3).contains(&end) {
        while text.get(end..).is_some_and(|rest| rest.starts_with(',')) && digits_at(end + 1) == 3 {
            end += 4;
        }
    }
    text.get(..end).filter(|digits| !digits.is_empty())
}

/// Whether a character is of a script that writes units of numbers without blanks.
fn is_of_east_asia(c: char) -> bool {
    u32::from(c) >= 0x3000
}
