//! Numbers in text: values, units, scale, rounding.

use super::measures::Measure;
use super::number_words::spelled_number;
use crate::research::text::{is_stop, stem, words};

/// A number as it stands in a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NumberMention {
    /// As written.
    pub(crate) text: String,
    /// What it may mean: `1.234` is read in two ways.
    values: Vec<f64>,
    /// What it is counted in: `million` is 1e6.
    scale: f64,
    /// Digits behind the point.
    decimals: i32,
    /// Digits that say something.
    digits: usize,
    percent: bool,
    currency: Option<char>,
    /// What is counted, as a stem: the word that follows.
    pub(crate) unit: Option<String>,
    /// The unit that it is in, where it is a known one; of money, by the sign of the currency.
    pub(crate) measure: Option<Measure>,
    /// Whether it stands behind a word with a capital that begins no sentence, as in the name "Atmos 65".
    is_in_name: bool,
    /// Said to be rounded: `about`, `nearly`.
    hedged: bool,
    /// The other end, where it is one of a range: `7` of "5-7".
    other_end: Option<f64>,
    /// Said to be a bound: "up to 7".
    is_bound: bool,
    is_negative: bool,
    /// Joined to its unit before what it describes: "a 3-second start".
    is_attribute: bool,
    /// In degrees.
    is_temperature: bool,
}

locale::patterns! {
    /// What stands between the ends of a range.
    static BETWEEN = r"(?i)^\s?(?:[-–—]|to|bis|do)\s?$";
    /// What makes one end of a range a statement of its own: "up to 7".
    static BOUND = r"(?i)\b(?:up to|at most|at least|as many as|as much as|no more than|maximum(?: of)?|minimum(?: of)?|between|bis zu|mindestens|höchstens|do|co najmniej|nawet)\s*$";
    /// A minus before a number; behind a number it is the sign of a range, and behind a letter that of a name.
    static MINUS = r"(?i)(?:(?:^|[^\p{L}\p{N}\s°%€$£])\s*|(?:^|[^\p{N}\s°%€$£])\s+)[-–−]$|\b(?:minus|moins)\s$";
    /// What says behind a number that it is below zero.
    static BELOW_ZERO = r"(?i)^\s?(?:°\s?[CF]?|degrees?(?:\s+(?:celsius|fahrenheit))?|grad)?\s*(?:below\s+(?:zero|freezing)|unter\s+null)\b";
    /// Degrees behind a number.
    static DEGREES = r"(?i)^[\s-]?(?:°|(?:degrees?|grad|stopni|stopnie|celsius|fahrenheit)\b)";
}

const HEDGES: [&str; 13] = [
    "about",
    "around",
    "nearly",
    "roughly",
    "almost",
    "approximately",
    "some",
    "circa",
    "ca",
    "over",
    "etwa",
    "około",
    "environ",
];

/// The numbers of a text, in order. Digits inside a name (`RTX4090`) are no number; `one` is a pronoun more often than
/// a number.
pub(crate) fn numbers(text: &str) -> Vec<NumberMention> {
    let mut found: Vec<NumberMention> = Vec::new();
    let mut places: Vec<std::ops::Range<usize>> = Vec::new();
    let signs: Vec<char> = text.chars().collect();
    let at = |index: usize| signs.get(index).copied();
    let mut index = 0;
    while let Some(sign) = at(index) {
        let before = index.checked_sub(1).and_then(at);
        if sign.is_ascii_digit() && !before.is_some_and(char::is_alphabetic) {
            let end = digits_end(&signs, index);
            found.extend(number(&signs, index, end));
            places.resize(found.len(), index..end);
            index = end;
        } else if sign.is_alphabetic() && !before.is_some_and(char::is_alphanumeric) {
            let end = (index..)
                .find(|it| !at(*it).is_some_and(char::is_alphanumeric))
                .unwrap_or(index + 1);
            let spelled = spelled(&signs, index);
            let end = spelled.as_ref().map_or(end, |(_, end)| *end);
            found.extend(spelled.map(|(number, _)| number));
            places.resize(found.len(), index..end);
            index = end;
        } else {
            index += 1;
        }
    }
    join_ranges(&mut found, &places, &signs);
    found
}

/// Tells the two ends of each range ("5-7 titles", "two to three months") of one another. Three numbers in a row are a date.
fn join_ranges(found: &mut [NumberMention], places: &[std::ops::Range<usize>], signs: &[char]) {
    let is_joined = |at: usize| {
        let (one, other) = (places.get(at)?, places.get(at + 1)?);
        let between: String = signs.get(one.end..other.start)?.iter().collect();
        Some(BETWEEN.is_match(&between))
    };
    let joined: Vec<bool> = (0..found.len()).map(|at| is_joined(at) == Some(true)).collect();
    let has = |at: Option<usize>| at.is_some_and(|at| joined.get(at) == Some(&true));
    for at in (0..joined.len()).filter(|at| has(Some(*at)) && !has(at.checked_sub(1)) && !has(Some(at + 1))) {
        if let Some([one, other]) = found.get_mut(at..=at + 1) {
            (one.other_end, other.other_end) = (other.values.first().copied(), one.values.first().copied());
        }
    }
}

/// Where the digits that begin here end, with the points and spaces that group them.
fn digits_end(signs: &[char], start: usize) -> usize {
    let at = |index: usize| signs.get(index).copied();
    let digit = |index: usize| at(index).is_some_and(|it| it.is_ascii_digit());
    let mut end = start;
    let mut group = 0;
    loop {
        while digit(end) {
            end += 1;
            group += 1;
        }
        let goes_on = match at(end) {
            Some('.' | ',' | '\'' | '’') => digit(end + 1),
            // A space groups only whole threes.
            Some(' ' | '\u{a0}' | '\u{202f}' | '\u{2009}') => {
                group <= 3 && (1..=3).all(|it| digit(end + it)) && !digit(end + 4)
            }
            _ => false,
        };
        if !goes_on {
            return end;
        }
        end += 1;
        group = 0;
    }
}

fn number(signs: &[char], start: usize, end: usize) -> Option<NumberMention> {
    let text: String = signs.get(start..end)?.iter().collect();
    let bare: String = text
        .chars()
        .filter(|character| character.is_ascii_digit() || matches!(character, '.' | ','))
        .collect();
    let readings = readings(&bare);
    let (scale, percent) = tail(signs, end);
    let before = signs
        .get(..start)?
        .iter()
        .rev()
        .find(|sign| !sign.is_whitespace())
        .copied();
    let after = signs
        .get(end..)?
        .iter()
        .find(|sign| !sign.is_whitespace())
        .copied();
    let is_currency = |character: &char| locale::price::is_sign(*character);
    let decimals = readings.first().map_or(0, |reading| reading.1);
    let currency = before.filter(is_currency).or(after.filter(is_currency));
    let unit = unit(signs, end);
    Some(NumberMention {
        values: readings
            .iter()
            .filter_map(|reading| reading.0.parse::<f64>().ok())
            .map(|it| it * scale)
            .collect(),
        scale,
        decimals,
        digits: bare
            .chars()
            .filter(char::is_ascii_digit)
            .collect::<String>()
            .trim_start_matches('0')
            .len(),
        percent,
        currency,
        measure: currency
            .and_then(Measure::of_sign)
            .or_else(|| Measure::named(unit.as_deref()?)),
        unit,
        is_in_name: is_in_name(signs, start),
        hedged: hedged(signs, start),
        other_end: None,
        is_bound: is_bound(signs, start),
        is_attribute: signs.get(end) == Some(&'-'),
        is_negative: is_negative(signs, start, end),
        is_temperature: is_temperature(signs, end),
        text,
    })
}

/// What a group of digits with points and commas may mean, best guess first, with its digits behind the point.
fn readings(bare: &str) -> Vec<(String, i32)> {
    let point = |at: usize| {
        let (whole, rest) = bare.split_at(at);
        let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
        let rest: String = rest.chars().filter(char::is_ascii_digit).collect();
        let decimals = i32::try_from(rest.len()).unwrap_or(0);
        (format!("{whole}.{rest}"), decimals)
    };
    let whole = || (bare.chars().filter(char::is_ascii_digit).collect::<String>(), 0);
    let (dots, commas) = (bare.matches('.').count(), bare.matches(',').count());
    let groups = |sign: char| {
        let mut parts = bare.split(sign);
        let first = parts
            .next()
            .is_some_and(|part| (1..=3).contains(&part.len()) && part != "0");
        first && parts.all(|part| part.len() == 3)
    };
    match (dots, commas) {
        (0, 0) => vec![whole()],
        (1, 0) => {
            let decimal = bare.find('.').map(point);
            let grouped = groups('.').then(whole);
            decimal.into_iter().chain(grouped).collect()
        }
        (0, 1) => {
            let decimal = bare.find(',').map(point);
            if groups(',') {
                std::iter::once(whole()).chain(decimal).collect()
            } else {
                decimal.into_iter().collect()
            }
        }
        (0, _) | (_, 0) => vec![whole()],
        // The last of the two signs is the point.
        _ => bare.rfind(['.', ',']).map(point).into_iter().collect(),
    }
}

/// The scale and the percent sign that follow a number.
fn tail(signs: &[char], end: usize) -> (f64, bool) {
    let rest: String = signs.get(end..).unwrap_or_default().iter().take(24).collect();
    let attached: String = rest
        .chars()
        .take_while(|character| character.is_alphabetic())
        .collect();
    let apart = rest.trim_start_matches([' ', '\u{a0}', '\u{202f}', '-']);
    if apart.starts_with(['%', '％']) {
        return (1.0, true);
    }
    let word: String = apart
        .chars()
        .take_while(|character| character.is_alphabetic())
        .collect();
    let scale = match word.to_lowercase().as_str() {
        "hundred" | "hundreds" | "hundert" => {
            // "Two hundred thousand".
            let rest: Vec<char> = apart.chars().skip(word.chars().count()).collect();
            1e2 * tail(&rest, 0).0
        }
        "thousand" | "tausend" | "tys" | "mille" => 1e3,
        "million" | "millions" | "mln" | "mio" | "millionen" | "mn" => 1e6,
        "billion" | "billions" | "bn" | "mld" | "mrd" | "milliard" | "milliards" | "milliarden" => 1e9,
        "trillion" | "trillions" | "tn" => 1e12,
        "percent" | "per" | "pct" | "prozent" | "procent" | "proc" => {
            let percent = word != "per" || apart.starts_with("per cent");
            return (1.0, percent);
        }
        _ => match attached.as_str() {
            "k" | "K" => 1e3,
            "M" | "m" if attached.len() == 1 && attached == "M" => 1e6,
            "B" => 1e9,
            _ => 1.0,
        },
    };
    (scale, false)
}

/// The word that follows a number and says what is counted.
fn unit(signs: &[char], end: usize) -> Option<String> {
    let rest: String = signs.get(end..)?.iter().take(48).collect();
    let rest = rest
        .split(['.', ',', ';', '(', '|', '\n'])
        .next()
        .unwrap_or_default();
    let word = words(rest)
        .into_iter()
        .filter(|word| !is_stop(word))
        .take(2)
        .find(|word| tail_of(word) == 1.0)?;
    word.chars().all(char::is_alphabetic).then(|| stem(&word))
}

/// The scale that a word stands for.
fn tail_of(word: &str) -> f64 {
    tail(&word.chars().collect::<Vec<_>>(), 0).0
}

fn hedged(signs: &[char], start: usize) -> bool {
    let before: String = signs
        .get(start.saturating_sub(24)..start)
        .unwrap_or_default()
        .iter()
        .collect();
    let mut words = before.split_whitespace().rev().map(|word| word.to_lowercase());
    words.any(|word| HEDGES.contains(&word.trim_matches(|sign: char| !sign.is_alphanumeric())))
}

/// A number in words, and where it ends.
fn spelled(signs: &[char], start: usize) -> Option<(NumberMention, usize)> {
    let number = spelled_number(signs, start)?;
    let end = number.end;
    let (counted, percent) = tail(signs, end);
    let unit = unit(signs, end);
    let mention = NumberMention {
        text: signs.get(start..end)?.iter().collect::<String>().to_lowercase(),
        values: vec![number.value * counted],
        scale: number.scale * counted,
        decimals: 0,
        digits: (number.value / number.scale).to_string().len(),
        percent,
        currency: None,
        measure: unit.as_deref().and_then(Measure::named),
        unit,
        is_in_name: false,
        hedged: hedged(signs, start),
        other_end: None,
        is_bound: is_bound(signs, start),
        is_attribute: signs.get(end) == Some(&'-'),
        is_negative: is_negative(signs, start, end),
        is_temperature: is_temperature(signs, end),
    };
    Some((mention, end))
}

/// Whether a number is below zero: it stands behind a minus, or is said to be.
fn is_negative(signs: &[char], start: usize, end: usize) -> bool {
    let before: String = signs
        .get(start.saturating_sub(8)..start)
        .unwrap_or_default()
        .iter()
        .collect();
    let behind: String = signs.get(end..).unwrap_or_default().iter().take(48).collect();
    MINUS.is_match(&before) || BELOW_ZERO.is_match(&behind)
}

/// Whether a number is in degrees.
fn is_temperature(signs: &[char], end: usize) -> bool {
    let behind: String = signs.get(end..).unwrap_or_default().iter().take(24).collect();
    DEGREES.is_match(&behind)
}

/// Most characters before a number in which a name is looked for.
const BEFORE: usize = 48;

/// Whether the word right before a number begins with a capital and is not the first of the text.
fn is_in_name(signs: &[char], start: usize) -> bool {
    let before = signs.get(start.saturating_sub(BEFORE)..start).unwrap_or_default();
    let before: String = before.iter().collect();
    let mut words = before.split(' ').rev().filter(|word| !word.is_empty());
    let is_name = words.next().is_some_and(|word| {
        before.ends_with(' ') && word.starts_with(char::is_uppercase) && word.ends_with(char::is_alphabetic)
    });
    is_name
        && words
            .next()
            .is_some_and(|word| !word.ends_with(['.', '!', '?', ':']))
}

/// Whether a number is said to be an upper or lower bound.
fn is_bound(signs: &[char], start: usize) -> bool {
    let before = signs.get(start.saturating_sub(16)..start).unwrap_or_default();
    BOUND.is_match(&before.iter().collect::<String>())
}

impl NumberMention {
    /// Whether a source that has `other` says this number: the same one, or one that this one is rounded from.
    pub(crate) fn is_stated_by(&self, other: &NumberMention) -> bool {
        if self.percent && !other.percent && other.scale > 1.0 {
            return false;
        }
        if let (Some(ours), Some(theirs)) = (self.currency, other.currency)
            && ours != theirs
        {
            return false;
        }
        // A share that has fallen is told without its minus as well.
        if self.is_negative != other.is_negative && (self.is_temperature || other.is_temperature) {
            return false;
        }
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0);
        // "7 titles" is not what "5-7 titles" says; "up to 7" is.
        let is_half = match (self.other_end, other.other_end) {
            (Some(ours), Some(theirs)) => !near(ours, theirs),
            (None, Some(_)) => !self.is_bound && !self.hedged,
            (_, None) => false,
        };
        if is_half {
            return false;
        }
        let pairs = || {
            self.values
                .iter()
                .flat_map(|ours| other.values.iter().map(move |theirs| (*ours, *theirs)))
        };
        if pairs().any(|(ours, theirs)| near(ours, theirs)) {
            return true;
        }
        let rounds = other.digits > self.digits && (self.digits >= 2 || self.hedged);
        let step = 10f64.powi(self.decimals);
        let rounded = |value: f64| (value / self.scale * step).round() / step * self.scale;
        if rounds && pairs().any(|(ours, theirs)| near(ours, rounded(theirs))) {
            return true;
        }
        self.hedged && pairs().any(|(ours, theirs)| (ours - theirs).abs() <= 0.04 * theirs.abs())
    }

    /// Whether `other` may be in the unit that this number is in. A number without a unit may, unless it is part of a name, or its line
    /// has another number in the unit, as `is_counted` says. An attribute in a unit of measure counts no things.
    pub(crate) fn may_share_unit(&self, other: &NumberMention, is_counted: bool) -> bool {
        let is_range = other.other_end.is_some();
        match (self.measure, other.measure) {
            (None, None) => true,
            // "3 bars" are not what "a 3-second heat-up" says.
            (None, Some(_)) => self.unit.is_none() || !other.is_attribute,
            (Some(own), Some(theirs)) => own == theirs,
            (Some(_), None) => !other.is_in_name && (is_range || !is_counted),
        }
    }

    /// Whether it is a percentage.
    pub(crate) fn is_percent(&self) -> bool {
        self.percent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> NumberMention {
        let found = numbers(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        found.into_iter().next().unwrap()
    }

    #[test]
    fn one_number_is_one_however_it_is_written() {
        for (claim, source) in [
            ("1,200 people", "1200 people"),
            ("1 200 osób", "1,200 people"),
            ("3.7 million", "3,669,491 inhabitants"),
            ("1.234.567 Einwohner", "1,234,567"),
            ("12,5 %", "12.5 percent"),
            ("three cats", "3 cats"),
            ("$5 billion", "US$5bn"),
            ("5 bn", "5000 million"),
            ("about 4,000", "3,950 metres"),
            ("about 5 %", "5.3 %"),
            ("1.5 m", "1.50 m"),
            ("€1.234", "1234 €"),
            ("twenty-five floors", "25 floors"),
            ("200 steps", "two hundred steps"),
            ("2 hundred thousand", "200,000"),
            ("-5 °C", "5 degrees below zero"),
            ("−5 °C", "minus 5 degrees"),
            ("5 %", "-5 %"),
            ("5 °C", "Lake-5 °C"),
        ] {
            assert!(only(claim).is_stated_by(&only(source)), "{claim} / {source}");
        }
    }

    #[test]
    fn another_number_is_another() {
        for (claim, source) in [
            ("42 %", "47 %"),
            ("42", "420"),
            ("1,200", "1,201"),
            ("5 million", "5 billion"),
            ("5", "5.3"),
            ("1998", "1989"),
            ("$5", "€5"),
            ("0.5", "5"),
            ("300", "304"),
            ("about 40", "47"),
            ("twenty-five", "20"),
            ("two hundred steps", "2 steps"),
            ("5 °C", "-5 °C"),
            ("It was -5", "5 °C"),
        ] {
            assert!(!only(claim).is_stated_by(&only(source)), "{claim} / {source}");
        }
    }

    #[test]
    fn one_end_of_a_range_is_not_the_range() {
        let stated = |claim: &str, source: &str| {
            let source = numbers(source);
            numbers(claim)
                .iter()
                .all(|number| source.iter().any(|other| number.is_stated_by(other)))
        };
        assert!(stated("5 to 7 titles", "5-7 titles") && stated("up to 7 titles", "5–7 titles"));
        assert!(!stated("7 titles", "five to seven titles") && !stated("6-7 titles", "5-7 titles"));
        assert!(stated("in 2019", "on 2019-05-12"));
    }

    #[test]
    fn a_number_in_another_unit_is_another() {
        let may = |claim: &str, source: &str| {
            let (claims, all) = (numbers(claim), numbers(source));
            let claim = claims.last().unwrap();
            let is_counted = all.iter().any(|number| number.measure == claim.measure);
            all.iter()
                .any(|other| claim.is_stated_by(other) && claim.may_share_unit(other, is_counted))
        };
        for (claim, source) in [
            ("65 pounds", "It carries 65 lb."),
            ("65 dollars", "It costs $65."),
            ("12 sacks", "Of all 12, four are damp."),
            ("65 kg", "Weight 65"),
            ("30 to 40 pounds", "30 – 40 pounds are fine."),
        ] {
            assert!(may(claim, source), "{claim:?} / {source}");
        }
        assert!(!may("65 pounds", "The Atmos 65L is a pack."));
        assert!(!may("3 bars", "Its 3-second heat-up time is fast."));
        assert!(!may("65 pounds", "They sell the Atmos 65."));
        assert!(!may("65 pounds", "Pack 65 carries 40 pounds."));
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in ["RTX4090 card", "no one came", "a b c", "H2O"] {
            assert_eq!(numbers(text), [], "{text}");
        }
        let all: Vec<String> = numbers("from 2019-05-12 to 3rd, 10km at 12:30")
            .into_iter()
            .map(|number| number.text)
            .collect();
        assert_eq!(all, ["2019", "05", "12", "3", "10", "12", "30"]);
    }
}
