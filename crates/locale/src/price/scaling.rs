//! What continues a number: a word that scales it ("2.5 lakh", "1,2 mln", "1e3") and small coins ("12 zł 99 gr").

use crate::number::{char_at, char_before};
use crate::sections;
use crate::units::power_of_ten;

use super::labels::WORDS;

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

/// What scales the number that stands at `start..end` of `text`. `has_sign`: whether a currency stands before the number.
///
/// Single letters and short words ("5M", "2 Cr") count beside a currency sign or when nothing else is written: elsewhere
/// they are units, sizes or names.
pub(super) fn scale_after(text: &str, start: usize, end: usize, has_sign: bool) -> Option<Scale> {
    exponent_after(text, start, end).or_else(|| word_after(text, start, end, has_sign))
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

fn word_after(text: &str, start: usize, end: usize, has_sign: bool) -> Option<Scale> {
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
    let power = match word {
        _ if is_short && !has_sign && !is_alone => None,
        "Cr" | "cr" | "CR" => has_sign.then_some(7),
        // A blank before a single letter makes it a word of its own.
        _ if is_short && word_start != end => None,
        "B" => has_sign.then_some(9),
        _ => power_of_ten(word),
    }?;
    if char_at(text, word_end).is_some_and(char::is_alphanumeric) {
        return None;
    }
    // The point of an abbreviation ("20 tys. zł").
    if char_at(text, word_end) == Some('.') && !is_short {
        word_end += 1;
    }
    Some(Scale { power, end: word_end })
}

/// The smaller part of an amount that stands at `text[at..]` behind its larger one, which was scaled by ten to the `power`, and where it
/// ends: 4,800 of "4万4800円", 20 million of "1億2000万円".
pub(super) fn smaller_part(text: &str, at: usize, power: i32) -> Option<(u64, usize)> {
    // "1억 5000만원": before another unit a blank may stand.
    let has_blank = char_before(text, at).is_some_and(is_of_east_asia) && char_at(text, at) == Some(' ');
    let at = at + usize::from(has_blank);
    let rest = text.get(at..)?;
    let count = rest.bytes().take_while(u8::is_ascii_digit).count();
    let most = usize::try_from(power).ok()?;
    if !(1..=most).contains(&count) {
        return None;
    }
    let value: u64 = rest.get(..count)?.parse().ok()?;
    let end = at + count;
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

/// Whether a character is of a script that writes units of numbers without blanks.
fn is_of_east_asia(c: char) -> bool {
    u32::from(c) >= 0x3000
}

/// One or two digits and a word for small coins of the currency `iso` at the start of `text[at..]`: the hundredths as two
/// digits, and where the word ends.
pub(super) fn small_coins(text: &str, at: usize, iso: &str) -> Option<(String, usize)> {
    let rest = text.get(at..)?;
    let digits_at = rest.trim_start();
    let count = digits_at.bytes().take_while(u8::is_ascii_digit).count();
    let behind = digits_at.get(count..).filter(|_| (1..=2).contains(&count))?;
    let word_at = behind.trim_start();
    let length = word_at
        .find(|c: char| !c.is_alphabetic() && c != '¢')
        .unwrap_or(word_at.len());
    let word = word_at.get(..length)?.to_lowercase();
    let names_coins = |line: &str| {
        let mut words = line.split(' ');
        words.next() == Some(iso) && words.any(|name| name == word)
    };
    let is_coin = sections::lines(WORDS).any(|(section, line)| section == "small coins" && names_coins(line));
    let value: u8 = digits_at.get(..count)?.parse().ok()?;
    is_coin.then(|| (format!("{value:02}"), text.len() - word_at.len() + length))
}
