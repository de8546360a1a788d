//! Numbers in the spellings of the world, as exact decimal strings.
//!
//! ```
//! use locale::number::{NumberStyle, parse};
//!
//! assert_eq!(parse("1.299,00", NumberStyle::default()).as_deref(), Some("1299.00"));
//! assert_eq!(parse("₹ 1,23,456.5", NumberStyle::default()).as_deref(), Some("123456.5"));
//! assert_eq!(parse("−3,5 °C", NumberStyle::default()).as_deref(), Some("-3.5"));
//! assert_eq!(parse("1.2.3", NumberStyle::default()), None);
//! ```

// Finding (`scan`) and interpreting (`amount`) are apart: what a separator means may depend on the currency beside the
// number, which is known only after both were found.

use std::borrow::Cow;

use smallvec::SmallVec;

/// More digits than this before the fraction are an identifier, not an amount.
const MAX_WHOLE_DIGITS: usize = 18;
/// More digits than this behind the point are no amount; programs that print binary fractions in full need 20 to 30.
const MAX_FRACTION_DIGITS: usize = 40;
/// No text that is a price holds more numbers than this; the rest is not read.
const MAX_NUMBERS: usize = 32;

/// One run of digits and the separator in front of it (`'\0'` before the first).
#[derive(Debug, Clone, Copy, PartialEq)]
struct DigitGroup {
    separator: char,
    start: usize,
    end: usize,
    digits: usize,
}

/// A number as it is written: where it stands and how its digits are grouped.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WrittenNumber {
    /// Byte offset of its first digit (or of a leading decimal point).
    pub(crate) start: usize,
    /// Byte offset behind its last digit.
    pub(crate) end: usize,
    groups: SmallVec<[DigitGroup; 4]>,
}

/// What is known about the spelling of a number beside its text.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct NumberStyle {
    /// The decimal separator, when it is known.
    pub decimal: Option<char>,
    /// The separator of digit groups, when it is known.
    pub group: Option<char>,
    /// The separators behind which three digits are a fraction (`1.250` is one and a quarter), as with dinars and rials.
    pub thousandth_separators: &'static str,
}

impl NumberStyle {
    /// The separators in their plain form, as [`separator`] gives them.
    fn plain(self) -> NumberStyle {
        let plain = |sign: Option<char>| sign.map(|sign| separator(sign).unwrap_or(sign));
        NumberStyle {
            decimal: plain(self.decimal),
            group: plain(self.group),
            ..self
        }
    }

    /// The plain form of a character that parts the digits of one number in this style.
    fn separator(&self, c: char) -> Option<char> {
        let is_named = |sign: Option<char>| sign == Some(c) && !c.is_alphanumeric();
        separator(c).or_else(|| (is_named(self.decimal) || is_named(self.group)).then_some(c))
    }
}

/// Where the fraction of a number begins.
enum Fraction {
    Absent,
    /// The index of its digit group.
    Group(usize),
}

/// Reads the first number of `text` as an exact decimal string: `-` when a minus sign touches it, digits, and `.` before
/// the fraction. `None` when there is none, or when its digits are a date, a version or an identifier.
pub fn parse(text: &str, style: NumberStyle) -> Option<String> {
    let written = scan(text, style).into_iter().next()?;
    let amount = amount(text, &written, style)?;
    let sign = char_before(text, written.start).filter(|c| is_minus(*c));
    let negative = sign.is_some_and(|minus| {
        let before = char_before(text, written.start - minus.len_utf8());
        before.is_none_or(|c| !c.is_alphanumeric())
    });
    Some(if negative { format!("-{amount}") } else { amount })
}

/// A minus sign, also as a hyphen.
pub(crate) fn is_minus(c: char) -> bool {
    matches!(c, '-' | '\u{2212}')
}

/// Whether a text has a [`digit`] of any script.
pub(crate) fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
        || !text.is_ascii() && text.chars().any(|c| digit(c).is_some())
}

/// The digits nought of the scripts of many pages: Arabic, Persian, Devanagari, Bengali, Gurmukhi, Gujarati, Oriya, Tamil, Telugu,
/// Kannada, Thai, Burmese, Khmer and full width.
const NOUGHTS: [u32; 14] = [
    0x660, 0x6F0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xE50, 0x1040, 0x17E0, 0xFF10,
];

/// Value of a decimal digit of any script of [`NOUGHTS`] or of ASCII.
pub(crate) fn digit(c: char) -> Option<u8> {
    if c.is_ascii() {
        return c.is_ascii_digit().then(|| c as u8 - b'0');
    }
    let code = u32::from(c);
    let nought = NOUGHTS
        .iter()
        .find(|nought| (**nought..**nought + 10).contains(&code))?;
    u8::try_from(code - nought).ok()
}

/// A text with the digits of all scripts written in ASCII, for looks at a text that is read later.
///
/// ```
/// assert_eq!(locale::number::ascii_digits("٥ مارس ٢٠٢٥"), "5 مارس 2025");
/// assert_eq!(locale::number::ascii_digits("5 March 2025"), "5 March 2025");
/// ```
pub fn ascii_digits(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.chars().any(|c| !c.is_ascii() && digit(c).is_some()) {
        return Cow::Borrowed(text);
    }
    let folded = text
        .chars()
        .map(|c| digit(c).map_or(c, |value| char::from(b'0' + value)));
    Cow::Owned(folded.collect())
}

/// The character that starts at byte `at`.
pub(crate) fn char_at(text: &str, at: usize) -> Option<char> {
    match text.as_bytes().get(at) {
        Some(byte) if byte.is_ascii() => Some(*byte as char),
        Some(_) => text.get(at..).and_then(|rest| rest.chars().next()),
        None => None,
    }
}

/// The character that ends at byte `at`.
pub(crate) fn char_before(text: &str, at: usize) -> Option<char> {
    text.get(..at).and_then(|head| head.chars().next_back())
}

/// A separator in its plain form: all blanks are `' '`, all apostrophes `'\''`, full-width and Arabic marks `.` or `,`.
fn separator(c: char) -> Option<char> {
    match c {
        '.' | '\u{066B}' | '\u{FF0E}' | '\u{3002}' => Some('.'),
        ',' | '\u{066C}' | '\u{FF0C}' | '\u{060C}' | '\u{2E41}' => Some(','),
        '\'' | '`' | '\u{2019}' | '\u{02BC}' | '\u{00B4}' => Some('\''),
        ' ' | '\u{00A0}' | '\u{202F}' | '\u{2009}' | '\u{2007}' | '\u{2002}' | '\u{2005}' | '\u{2006}'
        | '\u{200A}' | '\t' | '\n' => Some(' '),
        _ => None,
    }
}

/// End and count of the digits that start at `at`.
fn digits_at(text: &str, at: usize) -> (usize, usize) {
    let (mut end, mut count) = (at, 0);
    while let Some(c) = char_at(text, end) {
        if digit(c).is_none() {
            break;
        }
        end += c.len_utf8();
        count += 1;
    }
    (end, count)
}

/// Finds the numbers of `text` in order. Separators that `style` names hold a number together, too.
pub(crate) fn scan(text: &str, style: NumberStyle) -> SmallVec<[WrittenNumber; 4]> {
    let style = style.plain();
    let mut found = SmallVec::new();
    let mut at = 0;
    while let Some(c) = char_at(text, at) {
        let next = at + c.len_utf8();
        // A point behind a letter ends an abbreviation ("Rs.500").
        let point = matches!(c, '.' | ',')
            && char_at(text, next).is_some_and(|c| digit(c).is_some())
            && !char_before(text, at).is_some_and(char::is_alphabetic);
        let opens = digit(c).is_some() || point;
        if !opens {
            at = next;
            continue;
        }
        let written = written_at(text, at, &style);
        at = written.end.max(next);
        found.push(written);
        if found.len() == MAX_NUMBERS {
            break;
        }
    }
    found
}

/// Reads the number that starts at `start`: a digit, or a point with a digit behind it.
fn written_at(text: &str, start: usize, style: &NumberStyle) -> WrittenNumber {
    let mut groups = SmallVec::new();
    // "M-212 150.00": the first digits belong to a name.
    let before = char_before(text, start);
    let tagged = before.is_some_and(char::is_alphabetic)
        || (before == Some('-') && char_before(text, start - 1).is_some_and(char::is_alphanumeric));
    let (mut end, digits) = digits_at(text, start);
    groups.push(DigitGroup {
        separator: '\0',
        start,
        end,
        digits,
    });
    while let Some(c) = char_at(text, end) {
        let Some(separator) = style.separator(c) else {
            break;
        };
        let after = end + c.len_utf8();
        let (mut from, (mut to, mut digits)) = (after, digits_at(text, after));
        if separator == ' ' && cents_at(text, after) {
            // "1,299 .00": the typesetting moved the cents away.
            let mark = char_at(text, after).unwrap_or('.');
            (to, digits) = digits_at(text, after + 1);
            groups.push(DigitGroup {
                separator: mark,
                start: after + 1,
                end: to,
                digits,
            });
            end = to;
            break;
        } else if separator == ' ' {
            // Blanks group thousands only, and never after another kind of separator.
            let before = groups.last().map_or(0, |g: &DigitGroup| g.digits);
            let spaced = groups.iter().skip(1).all(|g: &DigitGroup| g.separator == ' ');
            // A hard space holds the parts of one number together.
            let is_tag = tagged && !is_hard_space(c);
            let is_decimal = style.decimal == Some(' ') && digits == 2;
            if !is_decimal && (digits != 3 || is_tag || !spaced || before > 3 || before == 0) {
                break;
            }
        } else if digits == 0 {
            // "36. 24": the blank belongs to the typesetting when cents and nothing else follow.
            if groups.len() != 1 || !matches!(char_at(text, after), Some(' ' | '\u{00A0}')) {
                break;
            }
            from = after + char_at(text, after).map_or(0, char::len_utf8);
            (to, digits) = digits_at(text, from);
            let closes = char_at(text, to).is_none_or(|c| !c.is_alphanumeric() && is_no_separator(c));
            let is_cents = digits == 2 && closes;
            // "1, 299.00": the digits behind the blank go on with a fraction of their own.
            let is_group = digits == 3 && char_at(text, to) != Some(c) && cents_at(text, to);
            if !is_cents && !is_group {
                break;
            }
        }
        groups.push(DigitGroup {
            separator,
            start: from,
            end: to,
            digits,
        });
        end = to;
    }
    WrittenNumber { start, end, groups }
}

/// Whether a point or comma and exactly two digits stand at `at`.
fn cents_at(text: &str, at: usize) -> bool {
    let (end, digits) = digits_at(text, at + 1);
    matches!(char_at(text, at), Some('.' | ','))
        && digits == 2
        && char_at(text, end).is_none_or(|c| digit(c).is_none() && is_no_separator(c))
}

fn is_hard_space(c: char) -> bool {
    matches!(c, '\u{00A0}' | '\u{202F}' | '\u{2007}')
}

fn is_no_separator(c: char) -> bool {
    !matches!(c, '.' | ',' | '%')
}

impl WrittenNumber {
    /// All of its digits in one run: no separators at all.
    pub(crate) fn is_plain(&self) -> bool {
        self.groups.len() == 1
    }

    /// The two numbers that this one is where a blank stands behind its separator ("12, 50"), if they are two.
    pub(crate) fn parted_at_blank(&self, text: &str) -> Option<[WrittenNumber; 2]> {
        let (last, groups) = self.groups.split_last()?;
        let before = groups.last()?;
        let gap = text.get(before.end..last.start)?;
        let is_parted = matches!(last.separator, '.' | ',') && gap.ends_with(char::is_whitespace);
        let first = WrittenNumber {
            start: self.start,
            end: before.end,
            groups: SmallVec::from_slice(groups),
        };
        let second = WrittenNumber {
            start: last.start,
            end: last.end,
            groups: smallvec::smallvec![DigitGroup {
                separator: '\0',
                ..*last
            }],
        };
        is_parted.then_some([first, second])
    }

    /// Count of digits.
    pub(crate) fn digits(&self) -> usize {
        self.groups.iter().map(|g| g.digits).sum()
    }

    /// Whether it starts with a superfluous zero, as days, months and codes do ("09").
    pub(crate) fn is_padded(&self, text: &str) -> bool {
        let first = self.groups.first();
        first.is_some_and(|g| g.digits > 1 && char_at(text, g.start).and_then(digit) == Some(0))
    }

    /// Whether the decimal separator of `style` cannot be that of the number: it stands before another separator, or the other one
    /// groups no thousands ("12,5" where a point is expected).
    fn contradicts(&self, style: NumberStyle) -> bool {
        let Some(decimal) = style.plain().decimal else {
            return false;
        };
        let place = self.groups.iter().position(|group| group.separator == decimal);
        let is_other =
            |group: &DigitGroup| group.separator != decimal && matches!(group.separator, '.' | ',');
        let others = || self.groups.iter().filter(|group| is_other(group));
        let is_before_other = place.is_some_and(|at| at + 1 < self.groups.len()) && others().count() > 0;
        let is_fraction = place.is_none() && others().next_back().is_some_and(|group| group.digits < 3);
        is_before_other || is_fraction
    }

    /// Finds the group that holds the fraction; `None` when this is no amount (a date, a version, a serial number).
    fn fraction(&self, text: &str, style: NumberStyle) -> Option<Fraction> {
        let style = style.plain();
        let last = self.groups.last()?;
        let at = self.groups.len() - 1;
        if at == 0 {
            return Some(Fraction::Absent);
        }
        let lead = self.groups.first().map_or(0, |g| g.digits);
        let count = |separator: char| self.groups.iter().filter(|g| g.separator == separator).count();
        if let Some(decimal) = style.decimal {
            let place = self.groups.iter().rposition(|g| g.separator == decimal);
            let place = place.filter(|_| count(decimal) == 1);
            return Some(place.map_or(Fraction::Absent, Fraction::Group));
        }
        if style.group == Some(last.separator) || last.separator == ' ' {
            return Some(Fraction::Absent);
        }
        let same = count(last.separator);
        let others = at - same;
        // Where one mark is known to group digits, the other one opens the fraction.
        if matches!(style.group, Some('.' | ',')) && matches!(last.separator, '.' | ',') && same == 1 {
            return Some(Fraction::Group(at));
        }
        let decimal = match last.digits {
            1 | 2 => true,
            3 if last.separator == '\'' || same > 1 => false,
            3 if lead == 0 => others == 0,
            3 => {
                let zero = lead == 1 && self.groups.first().and_then(|g| char_at(text, g.start)) == Some('0');
                others > 0 || zero || lead > 3 || style.thousandth_separators.contains(last.separator)
            }
            _ if same == 1 => true,
            _ => return None,
        };
        Some(if decimal {
            Fraction::Group(at)
        } else {
            Fraction::Absent
        })
    }
}

/// The amount as an exact decimal string ("1299.00"), or nothing when the digits are no amount. A decimal separator that the
/// number contradicts (a point in "1.234,5") is not believed.
pub(crate) fn amount(text: &str, written: &WrittenNumber, style: NumberStyle) -> Option<String> {
    if written.contradicts(style) {
        let unknown = NumberStyle {
            decimal: None,
            group: None,
            ..style
        };
        return amount_in(text, written, unknown);
    }
    amount_in(text, written, style)
}

/// The amount in a style that is known to fit.
fn amount_in(text: &str, written: &WrittenNumber, style: NumberStyle) -> Option<String> {
    let fraction = match written.fraction(text, style)? {
        Fraction::Absent => None,
        Fraction::Group(at) => Some(at),
    };
    let whole = written.groups.get(..fraction.unwrap_or(written.groups.len()))?;
    let digits: usize = whole.iter().map(|group| group.digits).sum();
    let most = MAX_WHOLE_DIGITS
        + if fraction.is_some() {
            MAX_FRACTION_DIGITS
        } else {
            0
        };
    if digits > MAX_WHOLE_DIGITS || written.digits() > most {
        return None;
    }
    // Inner groups of a whole part have three digits, or two in India before a last one of three.
    let style_is_known = style.decimal.is_some() || style.group.is_some();
    for (index, group) in whole.iter().enumerate().skip(1) {
        let last = index + 1 == whole.len();
        let lead_only_point = whole.first().is_some_and(|g| g.digits == 0);
        let fits = group.digits == 3 || (!last && group.digits == 2) || (lead_only_point && index == 1);
        if !fits && !style_is_known {
            return None;
        }
    }
    let mut out = String::with_capacity(written.digits() + 2);
    for group in whole {
        push_digits(&mut out, text.get(group.start..group.end)?);
    }
    let zeros = out
        .bytes()
        .take_while(|b| *b == b'0')
        .count()
        .min(out.len().saturating_sub(1));
    out.drain(..zeros);
    if out.is_empty() {
        out.push('0');
    }
    if let Some(group) = fraction.and_then(|at| written.groups.get(at)) {
        out.push('.');
        push_digits(&mut out, text.get(group.start..group.end)?);
    }
    Some(out)
}

fn push_digits(out: &mut String, text: &str) {
    out.extend(text.chars().filter_map(digit).map(|d| (b'0' + d) as char));
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        /// A number is read back from each of the usual spellings.
        #[test]
        fn a_number_is_read_back_in_every_style(whole in 0u32..10_000_000, cents in 0u8..100, negative: bool) {
            let digits = whole.to_string();
            let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
            let sign = if negative { "-" } else { "" };
            for (group, point) in [(",", "."), (".", ","), (" ", ","), ("'", "."), ("", ".")] {
                let text = format!("about {sign}{}{point}{cents:02} m", groups.join(group));
                let expected = format!("{sign}{whole}.{cents:02}");
                proptest::prop_assert_eq!(parse(&text, NumberStyle::default()), Some(expected), "{}", text);
            }
        }

        /// Any text is read without a panic, and as a decimal string.
        #[test]
        fn a_number_is_always_decimal(text in "[ -~٠-٩０-９.,'’ \u{a0}\u{2212}-]{0,30}") {
            if let Some(number) = parse(&text, NumberStyle::default()) {
                let digits = number.strip_prefix('-').unwrap_or(&number);
                let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
                for part in [whole, fraction] {
                    proptest::prop_assert!(!part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
                }
            }
        }
    }
}
