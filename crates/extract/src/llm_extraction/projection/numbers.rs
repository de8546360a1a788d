//! Numbers that texts are, and their units.

use std::collections::BTreeMap;

use jiff::SignedDuration;
use jiff::civil::date;
use locale::dates::{self, DateHints};
use locale::number::{self, NumberStyle};
use locale::{price, units};
use page::Page;
use serde_json::Value;

use crate::normalize;
use crate::rules::rows::{TimeUnit, time_unit};

/// Most letters beside a number that are its unit: "610 g", "12 reviews".
const UNIT: usize = 10;
/// The same in a field, which is known to hold a quantity: "84 m² Wohnfläche".
const UNIT_OF_FIELD: usize = 30;

/// Reads the numbers that a page writes, in the style of its language.
pub(super) struct NumberReader {
    style: NumberStyle,
}

impl NumberReader {
    /// The reader for the language that the page declares.
    pub(super) fn of(page: &Page) -> Self {
        let html = page.dom().by_tag("html").next();
        let declared = html.and_then(|html| html.attr("lang")).unwrap_or_default();
        let decimal = locale::decimal_separator(&declared.trim().replace('_', "-"));
        Self {
            style: NumberStyle {
                decimal,
                ..NumberStyle::default()
            },
        }
    }

    /// The number that a text is, with its unit or currency; none where it holds several, says more, or is no number though it has
    /// digits: a day, a version, a number behind letters that name something ("HRA 84512"). The mark of a note in square brackets
    /// behind it is no number ("1,233\[3\]"), and a scale that belongs to it counts: "2.1k" are 2,100, "1,2 Mio." are 1,200,000. A
    /// duration in ISO 8601 is its minutes.
    pub(super) fn only_number(&self, text: &str) -> Option<Value> {
        self.number(text, UNIT)
    }

    /// [`only_number`](Self::only_number) of a text that a field holds, behind which more may stand.
    pub(super) fn number_of_field(&self, text: &str) -> Option<Value> {
        self.number(text, UNIT_OF_FIELD)
    }

    /// The minutes of a length of time: 90 of "90 min", "1 h 30 min" and "1.5 hours", without a remark behind it in
    /// brackets. A number without a unit is one of minutes, and one of longer units, such as months, is itself.
    pub(super) fn minutes_of_field(&self, text: &str) -> Option<Value> {
        if text.trim().starts_with('P') {
            return self.number_of_field(text);
        }
        // "1h30min"
        let apart = GLUED.replace_all(without_note(text), "$letter $digit");
        match spelled_minutes(&apart) {
            Some(minutes) => normalize::from_decimal(&minutes.to_string()),
            None if TIME_PART.is_match(&apart) => None,
            None => self.number_of_field(text),
        }
    }

    fn number(&self, text: &str, most_letters: usize) -> Option<Value> {
        if text.trim().starts_with("PT") {
            return minutes(text.trim()).map(Value::from);
        }
        let text = without_note(text);
        let number = SingleNumber::of(text)?;
        if number.letters() > most_letters || (number.power == 0 && is_day(text)) {
            return None;
        }
        let amount = number::parse(number.signed, self.style)?;
        let (is_negative, amount) = match amount.strip_prefix('-') {
            Some(amount) => (true, amount),
            None => (false, amount.as_str()),
        };
        let value = normalize::from_decimal(&locale::decimal::scale(amount, number.power)?)?;
        match is_negative {
            true => Some(Value::from(-value.as_f64()?)),
            false => Some(value),
        }
    }
}

/// The minutes of a duration of ISO 8601 in hours and minutes: 70 for `PT1H10M`.
fn minutes(duration: &str) -> Option<i64> {
    let seconds = duration.parse::<SignedDuration>().ok()?.as_secs();
    (seconds > 0 && seconds % 60 == 0).then_some(seconds / 60)
}

locale::patterns! {
    /// A number of hours, minutes or seconds.
    static TIME_PART = r"(?ix) (?P<number>\d+(?:[.,]\d+)?) \s* (?:
        (?P<hours>h|hrs?|hours?|std|stdn?|stunden?|godz|godzin[ay]?|heures?|horas?|ora|ore|uur|uren|tim|timmar?|timme)
        |(?P<minutes>m|mins?|mn|minutes?|minuten?|minut[ay]?|minutos?|minut[oi]|minuten|′|')
        |(?P<seconds>s|secs?|seconds?|sek|sekunden?|sekund[ay]?|secondes?|segundos?|second[oi])
        ) (?:\b|\.|$)";
    /// A digit right behind a letter.
    static GLUED = r"(?P<letter>\p{L})(?P<digit>\d)";
    /// What may stand between two parts of a length of time.
    static BETWEEN_PARTS = r"(?i)^[\s.,:~+≈]*(?:and|und|et|y|e|i|en|och|ca|circa|about|approx|approximately|around|etwa|rund|environ|około|total)?[\s.,:]*$";
}

/// The whole minutes that a text says in numbers of hours and minutes; none where it says anything else that has a number, or holds
/// another length of time.
fn spelled_minutes(text: &str) -> Option<u64> {
    let mut seconds = 0.0;
    let mut last = 0.0;
    let mut end = None;
    for part in TIME_PART.captures_iter(text) {
        let whole = part.get(0)?;
        let between = text.get(end.unwrap_or_default()..whole.start())?;
        // "Total: 45 min", "over 2 hours"
        let is_begin = || end.is_none() && !between.contains(char::is_numeric) && is_opening(between);
        if !BETWEEN_PARTS.is_match(between) && !is_begin() {
            return None;
        }
        last = SECONDS.iter().find(|(unit, _)| part.name(unit).is_some())?.1;
        let number: f64 = part.name("number")?.as_str().replace(',', ".").parse().ok()?;
        seconds += number * last;
        end = Some(whole.end());
    }
    let rest = text.get(end?..)?;
    // "2h30"
    let minutes: Option<f64> = rest.trim().parse().ok().filter(|_| last == AN_HOUR);
    if minutes.is_none() && rest.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let minutes = seconds / A_MINUTE + minutes.unwrap_or_default();
    let is_whole = minutes.fract() == 0.0 && (0.0..MOST_MINUTES).contains(&minutes);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole and in range by the condition before it"
    )]
    is_whole.then_some(minutes as u64)
}

const A_MINUTE: f64 = 60.0;
const AN_HOUR: f64 = 3_600.0;
/// The seconds of each unit of a length of time.
const SECONDS: [(&str, f64); 3] = [("hours", AN_HOUR), ("minutes", A_MINUTE), ("seconds", 1.0)];
/// The minutes of some hundred years.
const MOST_MINUTES: f64 = 1e8;

/// Whether a text is a day or tells how long ago something was: "5 May", "2 weeks ago".
fn is_day(text: &str) -> bool {
    // Any moment does: only whether there is a day counts.
    let now = date(2020, 6, 17).at(12, 0, 0, 0);
    let is_read = |text: &str| dates::parse(text, now, &DateHints::default()).is_some();
    let mut words = text
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| word.chars().count() > 2);
    // "1.5 l" reads as a day, and names no month.
    words.any(|word| AGO.contains(&word.to_lowercase().as_str()) || is_read(&format!("1 {word} 2020")))
        && is_read(text)
}

/// Words for how long ago something was.
const AGO: [&str; 5] = ["ago", "vor", "her", "temu", "hace"];

/// A text with one number in it.
struct SingleNumber<'t> {
    /// What stands before its digits.
    before: &'t str,
    /// The text up to the end of its digits, with the sign before them.
    signed: &'t str,
    /// What stands behind its digits and the word that scales it.
    behind: &'t str,
    /// The power of ten that it is scaled by.
    power: i32,
}

impl<'t> SingleNumber<'t> {
    /// None where a text has no number or several, or digits that are no number.
    fn of(text: &'t str) -> Option<Self> {
        let start = text.find(|c: char| c.is_ascii_digit())?;
        let end = text.rfind(|c: char| c.is_ascii_digit())? + 1;
        let (before, digits, behind) = (text.get(..start)?, text.get(start..end)?, text.get(end..)?);
        // "3½" is more than its digit says; "m²" is a unit.
        let is_other_digit = |c: char| c.is_numeric() && !c.is_ascii_digit() && !matches!(c, '²' | '³');
        if !is_grouped(digits) || !is_opening(before) || text.contains(is_other_digit) {
            return None;
        }
        let (power, behind) = scale(behind, before);
        Some(Self {
            before,
            signed: text.get(..end)?,
            behind,
            power,
        })
    }

    fn letters(&self) -> usize {
        let of = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count();
        of(self.before) + of(self.behind)
    }
}

/// Whether digits and marks are one number: "1,234.5", "1 234", "12,34,567". Days ("09.11.2026"), versions ("3.4.1"), numbers of
/// telephones ("08061 4455") and codes ("01067") are none.
fn is_grouped(digits: &str) -> bool {
    let plain = |c: char| match c {
        '\u{a0}' | '\u{202f}' => ' ',
        '’' => '\'',
        other => other,
    };
    let marks: Vec<char> = digits
        .chars()
        .filter(|c| !c.is_ascii_digit())
        .map(plain)
        .collect();
    let groups: Vec<&str> = digits.split(|c: char| !c.is_ascii_digit()).collect();
    let (Some(first), Some(last), Some(mark)) = (groups.first(), groups.last(), marks.last()) else {
        return !(digits.len() > 2 && digits.starts_with('0'));
    };
    if !marks.iter().all(|c| matches!(*c, '.' | ',' | '\'' | ' ')) {
        return false;
    }
    let is_fraction = matches!(*mark, '.' | ',') && marks.iter().filter(|other| *other == mark).count() == 1;
    let end = if is_fraction {
        groups.len() - 1
    } else {
        groups.len()
    };
    let grouped = groups.get(..end).unwrap_or_default();
    let by = marks.get(..end - 1).unwrap_or_default();
    let [_, middle @ ..] = grouped else { return false };
    if middle.is_empty() {
        // "0.5", but no "01.5"; where the mark groups, the language of the page knows.
        return !last.is_empty() && (first.len() == 1 || !first.starts_with('0'));
    }
    // In India groups of two stand before the last one.
    let is_indian = by.iter().all(|c| *c == ',') && middle.iter().rev().skip(1).all(|group| group.len() == 2);
    let are_thousands = middle.iter().all(|group| group.len() == 3);
    by.windows(2).all(|pair| matches!(pair, [a, b] if a == b))
        && !first.starts_with('0')
        && (1..=3).contains(&first.len())
        && middle.last().is_some_and(|group| group.len() == 3)
        && (are_thousands || is_indian)
        && !last.is_empty()
}

/// Words before a number that leave it what it is, folded.
#[rustfmt::skip]
const OPENINGS: &[&str] = &[
    "about", "approx", "approximately", "around", "ca", "circa", "roughly", "etwa", "rund", "ungefahr", "environ", "env", "około", "okolo", "ok",
    "aprox", "from", "ab", "od", "des", "desde", "da", "a", "partir", "de", "vanaf", "fran", "min", "max", "up", "to", "bis", "do", "over", "uber", "ponad",
    "since", "seit", "est", "only", "nur", "just", "now", "total", "no", "nr", "number", "serves", "makes", "fur", "pour", "para", "per", "x", "at",
    "least", "most", "each", "more", "than", "mehr", "als", "wiecej", "niz", "ø", "us", "au",
    "nz", "hk",
];

/// Whether what stands before digits leaves them a number: signs, a currency, "about". Other letters make them part of a name, and so do
/// two capitals right before them: "AR1042".
fn is_opening(before: &str) -> bool {
    let last = before
        .split(|c: char| !c.is_alphabetic())
        .next_back()
        .unwrap_or_default();
    if last.chars().count() == 2 && last.chars().all(char::is_uppercase) {
        return false;
    }
    let (is_apart, is_listed) = (before.ends_with(char::is_whitespace), before.contains(','));
    before.split_whitespace().all(|word| {
        let word = word.trim_end_matches(['-', '−', '+', '~']);
        let plain = word.trim_matches(|c: char| !c.is_alphabetic());
        let is_currency = || {
            // A single letter is the sign of a currency hardly ever, but for rands.
            let is_name = word.chars().count() == 1 && plain == word && word != "R";
            let is_of_currency = |text: &str| price::iso(text, None).is_some();
            !is_name && (is_of_currency(word) || is_of_currency(word.trim_end_matches(['.', ':'])))
        };
        let is_known = || OPENINGS.contains(&locale::fold_diacritics(plain).as_str());
        // "Level 3", "Kaltmiete 500 €": a word apart that is no code.
        let is_word =
            || is_apart && plain.chars().count() > 3 && plain.chars().any(char::is_lowercase) && !is_listed;
        plain.is_empty() || is_known() || is_currency() || is_word()
    })
}

/// The power of ten that what stands behind a number scales it by, and the rest. A letter or two do so right behind the digits ("2.1k",
/// "1.4M") or behind a currency ("£3.2m"): "5 m" is a length, "30 mn" are minutes.
fn scale<'t>(behind: &'t str, before: &str) -> (i32, &'t str) {
    let none = (0, behind);
    let word_at = behind.len() - behind.trim_start().len();
    let is_apart = word_at > 0;
    let rest = behind.get(word_at..).unwrap_or_default();
    let length = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
    let (word, rest) = rest.split_at(length);
    let is_priced =
        before.contains(price::is_sign) || before.contains(char::is_alphabetic) && is_money(before);
    let power = match (word, word.chars().count()) {
        ("m", _) if is_priced && !is_apart => Some(6),
        (_, 0) => None,
        ("bn", _) => Some(9),
        ("k" | "K" | "M", _) if !is_apart || rest.starts_with(price::is_sign) => units::power_of_ten(word),
        ("B", _) if !is_apart && !rest.contains(char::is_alphabetic) => Some(9),
        (_, 1 | 2) if !is_priced => None,
        (_, 1) if is_apart => None,
        _ => units::power_of_ten(word),
    };
    power.map_or(none, |power| (power, rest.strip_prefix('.').unwrap_or(rest)))
}

/// Whether what stands before a number ends with a currency.
fn is_money(before: &str) -> bool {
    before
        .split_whitespace()
        .last()
        .is_some_and(|word| price::iso(word, None).is_some())
}

/// A text without the mark of a note in square brackets behind it, and without a remark in round ones: "2020 (70 reg)".
fn without_note(text: &str) -> &str {
    let text = text.trim();
    if let Some((before, mark)) = behind_bracket(text, '[', ']') {
        return match !mark.is_empty() && mark.chars().count() <= LONGEST_MARK {
            true => before,
            false => text,
        };
    }
    behind_bracket(text, '(', ')').map_or(text, |(before, _)| before)
}

/// What stands before the bracket that ends a text, and what stands in it.
fn behind_bracket(text: &str, open: char, close: char) -> Option<(&str, &str)> {
    let (before, within) = text.strip_suffix(close)?.rsplit_once(open)?;
    let before = before.trim_end();
    (!before.is_empty()).then_some((before, within))
}

/// Longest mark of a note, in characters.
const LONGEST_MARK: usize = 3;

/// What the numbers of a text count.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unit {
    /// The letters behind the number, in small letters: `kg` of "1 kg".
    Letters(String),
    /// An amount for each of a unit of time: "14,50 €/Std.".
    PerTime(TimeUnit),
    /// An amount for no unit of time, among others that are.
    Whole,
}

impl Unit {
    /// Whether a text has this unit, or none that could be another.
    pub(super) fn is_of(&self, text: &str) -> bool {
        match (self, unit(text)) {
            (Self::Letters(_) | Self::Whole, None) => true,
            (Self::PerTime(_), None) => false,
            (own, Some(unit)) => *own == unit,
        }
    }
}

/// The unit of the number of a text. None where there are no letters or no number.
fn unit(text: &str) -> Option<Unit> {
    if let Some(time) = time_unit(text) {
        return Some(Unit::PerTime(time));
    }
    let text = without_note(text);
    if SingleNumber::of(text).is_some_and(|number| number.power != 0) {
        return None;
    }
    let behind = text.trim_start_matches(|c: char| !c.is_alphabetic());
    let starts_with_number = text.trim().starts_with(|c: char| c.is_ascii_digit());
    let is_unit = !behind.is_empty()
        && behind.chars().count() <= UNIT
        && behind.chars().all(|c| c.is_alphabetic() || c == '.');
    (starts_with_number && is_unit).then(|| Unit::Letters(behind.trim_end_matches('.').to_lowercase()))
}

/// The unit of most texts; none where no text has one.
pub(super) fn common_unit<'t>(texts: impl Iterator<Item = &'t str>) -> Option<Unit> {
    let units: Vec<Option<Unit>> = texts
        .filter(|text| !normalize::is_placeholder(text))
        .map(unit)
        .collect();
    let are_rates = units
        .iter()
        .flatten()
        .any(|unit| matches!(unit, Unit::PerTime(_)));
    let mut counts: BTreeMap<Unit, usize> = BTreeMap::new();
    for unit in units {
        let unit = unit.or_else(|| are_rates.then_some(Unit::Whole));
        if let Some(unit) = unit {
            *counts.entry(unit).or_default() += 1;
        }
    }
    counts
        .into_iter()
        .max_by_key(|(_, count)| *count)
        .map(|(unit, _)| unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_no_part_of_a_number_and_scales_are() {
        let page = Page::new("<html lang=en><body><p>a</p>", None);
        let read = |text: &str| {
            let number = NumberReader::of(&page).only_number(text);
            number.and_then(|value| value.as_f64())
        };
        for (text, want) in [
            ("1,233[3]", Some(1233.0)),
            ("1.5M", Some(1_500_000.0)),
            ("2.1k", Some(2100.0)),
            ("1.2345k", Some(1234.5)),
            ("0.5k", Some(500.0)),
            ("5 m", Some(5.0)),
            ("1 [about 2]", None),
            ("2.4 million", Some(2_400_000.0)),
            ("12 thousand", Some(12_000.0)),
            ("£3.2m", Some(3_200_000.0)),
            ("£3.2 million", Some(3_200_000.0)),
            ("3.4 Mrd. €", Some(3_400_000_000.0)),
            ("1.2 Mio.", Some(1_200_000.0)),
            ("-5 °C", Some(-5.0)),
            ("−12 m", Some(-12.0)),
            ("1.4M views", Some(1_400_000.0)),
            ("1.2 M€", Some(1_200_000.0)),
            ("30 mn", Some(30.0)),
            ("PT1H10M", Some(70.0)),
            ("PT2M5S", None),
        ] {
            assert_eq!(read(text), want, "{text}");
        }
    }

    #[test]
    fn a_length_of_time_is_its_minutes_however_it_is_written() {
        let page = Page::new("<html lang=en><body><p>a</p>", None);
        let read = |text: &str| NumberReader::of(&page).minutes_of_field(text);
        for (text, want) in [
            ("PT2H", 120),
            ("2 h", 120),
            ("90 min", 90),
            ("90", 90),
            ("1 h 57 min", 117),
            ("1 hour and 5 minutes", 65),
            ("2h30", 150),
            ("1h30min", 90),
            ("1,5 Std.", 90),
            ("ca. 45 Min.", 45),
            ("1 godz. 20 min", 80),
            ("2h 13m", 133),
            ("1h 52m (112 min)", 112),
            ("90 min (1 h 30 min)", 90),
            ("Total: 45 min", 45),
            ("Duration 45 min", 45),
            ("over 2 hours", 120),
            ("120 seconds", 2),
            ("12 months", 12),
        ] {
            assert_eq!(read(text), Some(Value::from(want)), "{text}");
        }
        for text in [
            "1-2 h",
            "2 h, chilling 30 min",
            "20 s",
            "1 day 2 h",
            "3 servings in 2 h",
            "1½ hours",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_read_as_the_language_and_country_of_the_page_write_them() {
        let read = |lang: &str, text: &str| {
            let page = Page::new(format!("<html lang={lang}><body><p>a</p>"), None);
            NumberReader::of(&page)
                .only_number(text)
                .and_then(|value| value.as_f64())
        };
        for (lang, text, want) in [
            ("de", "12.345 kg", 12345.0),
            ("de-CH", "12.345 kg", 12.345),
            ("es_MX", "12.345 kg", 12.345),
            ("sl", "12,345 kg", 12.345),
            ("en", "12.345 kg", 12.345),
            ("en", "1,234 kg", 1234.0),
        ] {
            assert_eq!(read(lang, text), Some(want), "{lang} {text}");
        }
    }

    #[test]
    fn digits_of_other_things_are_no_number() {
        let page = Page::new("<html lang=en><body><p>a</p>", None);
        let read = |text: &str| NumberReader::of(&page).number_of_field(text);
        for text in [
            "3.4.1",
            "2.10.4",
            "09.11.2026",
            "5 May",
            "2 weeks ago",
            "+49 851 509-3310",
            "08061 4455",
            "B 2.14",
            "Byker Craft Centre, Room 3",
            "FO-22817",
            "AR1042",
            "HRA 84512",
            "AB12 CDE",
            "3½",
            "2 lb 4 oz",
            "1 h 57 min",
            "01067",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        for (text, want) in [
            ("610 g", 610.0),
            ("610g", 610.0),
            ("41,200 miles", 41_200.0),
            ("1,234.5", 1234.5),
            ("1 234", 1234.0),
            ("12,34,567", 1_234_567.0),
            ("1'234.50", 1234.5),
            ("60,000+", 60_000.0),
            ("#1,204", 1204.0),
            ("about 12,000", 12_000.0),
            ("ca. 30", 30.0),
            ("£12.50", 12.5),
            ("EUR 12.50", 12.5),
            ("US$5", 5.0),
            ("Rs. 500", 500.0),
            ("zł 20", 20.0),
            ("25%", 25.0),
            ("48.0 m²", 48.0),
            ("84 m² Wohnfläche", 84.0),
            ("Serves 4", 4.0),
            ("Level 3", 3.0),
            ("Kaltmiete 500 €", 500.0),
            ("US $5", 5.0),
            ("1.5 l", 1.5),
            ("2.5 years", 2.5),
            ("0.5 l", 0.5),
            ("5 min", 5.0),
            ("2 h", 2.0),
            ("6 kg", 6.0),
            ("3rd", 3.0),
            ("1998", 1998.0),
        ] {
            assert_eq!(read(text).and_then(|value| value.as_f64()), Some(want), "{text}");
        }
    }
}
