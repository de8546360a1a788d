//! Numbers and days beside the words for what they are.

use std::ops::Range;

use super::{CURRENCY_BEHIND, LONGEST_LABEL, LONGEST_UNIT, Measure, MeasureKind};
use crate::rows::days::date_of;
use crate::rows::numbers::{amount, numbers, scale, starts_with};
use crate::words::concepts::are_same;
use crate::words::label_names::is_of_places_left;
use crate::words::word_forms::tokens;

/// How words begin by which something ends.
const ENDS: [&str; 11] = [
    "end", "finish", "clos", "shut", "schlie", "vorbei", "zamyk", "kończ", "koniec", "upływ", "mija",
];
/// Whole words that say so: "is over", "machen zu".
const ENDED: [&str; 2] = ["over", "zu"];
/// How words begin by which something begins.
const BEGINS: [&str; 4] = ["start", "begin", "rozpocz", "zaczyn"];
/// What a day is called before it, without accents.
const DATES: [&str; 8] = [
    "date", "datum", "data", "termin", "when", "wann", "kiedy", "dzien",
];
/// What stands between the two days of a span.
const SPANS: [&str; 10] = [
    "-", "–", "—", "to", "until", "till", "through", "bis", "bis zum", "do",
];

/// What a journey without a break has none of.
#[rustfmt::skip]
const CHANGES: [&str; 18] = [
    "change", "changes", "stop", "stops", "stopover", "stopovers", "transfer", "transfers", "layover", "layovers", "umstieg", "umstiege",
    "umstiegen", "zwischenstopp", "zwischenstopps", "przesiadka", "przesiadki", "przesiadek",
];

locale::patterns! {
    /// What stands between a part and the whole that it is of.
    static OF_WHOLE = r"(?i)^\s*(?:out\s+of|of|von|z|ze|spośród)\s*$";
    /// What is said of a journey without a break.
    static DIRECT = r"(?i)\b(?:(?P<not>no|not|non|book|booked|buy|order|pay|kein\p{L}*|nicht|nie|brak)\s+)?(?:direct|non-?stop|direkt(?:verbindung|flug|zug)?|umsteigefrei|bezpośredni\p{L}*)\b(?P<of>\s+(?:with|from|by|to|access|sea|sunlight|debit|contact|message|booking|beim?|mit|am|an|u|do)\b)?";
}

impl Measure {
    /// Whether it is how many places, seats or tickets are left.
    fn counts_rest(&self) -> bool {
        self.phrases
            .first()
            .is_some_and(|phrase| is_of_places_left(&phrase.join(" ")))
    }

    /// The day behind one of the phrases, or else right before it.
    pub(super) fn named_day(&self, text: &str) -> Option<f64> {
        let found = self.days_in(text);
        let named_before = |at: &usize| {
            let start = at.checked_sub(1).and_then(|before| found.get(before));
            let before = tokens(text.get(start.map_or(0, |it| it.0.end)..found.get(*at)?.0.start)?);
            let near = before.get(before.len().saturating_sub(LONGEST_LABEL)..)?;
            let ends = |phrase: &Vec<String>| {
                (0..near.len()).any(|at| starts_with(near.get(at..).unwrap_or_default(), phrase))
            };
            self.phrases.iter().any(ends).then_some(())
        };
        let named_behind = |at: &usize| {
            let end = found.get(at + 1).map_or(text.len(), |next| next.0.start);
            let behind = tokens(text.get(found.get(*at)?.0.end..end)?);
            self.phrases
                .iter()
                .any(|phrase| starts_with(&behind, phrase))
                .then_some(())
        };
        let mut places = 0..found.len();
        let before = places.clone().find(|at| named_before(at).is_some());
        let named = before.or_else(|| places.find(|at| named_behind(at).is_some()));
        match named {
            Some(named) => found.get(named).map(|(_, day)| *day),
            None => self.only_day(text, &found),
        }
    }

    /// The only day of a text that calls it no more than a date, where it is asked on which day something begins: what takes one day
    /// need not say so.
    fn only_day(&self, text: &str, days: &[(Range<usize>, f64)]) -> Option<f64> {
        let [(place, day)] = days else { return None };
        let mut words = self.phrases.iter().flatten();
        let is_of_beginning = words.any(|word| BEGINS.iter().any(|begin| word.starts_with(begin)));
        let before = tokens(text.get(..place.start)?);
        let is_date = before.last().is_some_and(|word| DATES.contains(&word.as_str()));
        (is_of_beginning && is_date).then_some(*day)
    }

    /// The day as that of the end, where a word such as "closing" says so: of "13 June – 20 September" the second one.
    pub(super) fn ending(self, label: &str) -> Measure {
        let is_end = ENDS.iter().any(|end| label.starts_with(end)) || ENDED.contains(&label);
        if is_end { self.at_end() } else { self }
    }

    /// The day on which what a row tells ends: what runs from one day to another is within a month where it ends after its first
    /// day and begins before its last.
    pub(crate) fn at_end(self) -> Measure {
        match self.kind {
            MeasureKind::Day => Measure {
                kind: MeasureKind::LastDay,
                ..self
            },
            _ => self,
        }
    }

    /// The day on which what a row tells begins.
    pub(crate) fn at_beginning(self) -> Measure {
        match self.kind {
            MeasureKind::LastDay => Measure {
                kind: MeasureKind::Day,
                ..self
            },
            _ => self,
        }
    }

    /// The second of two days with nothing between them but a dash or "to", else the day of the row's field, which has the year that
    /// the text may leave out, else the first day of the text.
    pub(super) fn last_day(&self, text: &str, of_field: Option<f64>) -> Option<f64> {
        let mut days = self.days_in(text);
        if days.is_empty() {
            let day = of_field.and_then(date_of);
            let yearless = Measure {
                is_yearless: true,
                now: day.map_or(self.now, |day| day.to_datetime(self.now.time())),
                ..self.clone()
            };
            days = yearless.days_in(text);
        }
        let is_span = |pair: &&[(Range<usize>, f64)]| {
            let [one, other] = pair else { return false };
            let between = text.get(one.0.end..other.0.start).unwrap_or_default();
            SPANS.contains(&between.trim().to_lowercase().as_str())
        };
        let span = days.windows(2).find(is_span).and_then(<[_]>::last);
        let first = days.first().map(|(_, day)| *day);
        let span = span.map(|(_, day)| *day);
        span.or(of_field).or(first)
    }

    /// The number of a line that the list labels: "Hałas: 69 dB".
    pub(super) fn labelled(&self, text: &str) -> Option<f64> {
        text.split('\n').skip(1).find_map(|line| {
            let (label, value) = line.split_once(':')?;
            let label = tokens(label);
            let is_named = self.phrases.iter().any(|phrase| are_same(phrase, &label));
            let number = numbers(value).next().filter(|_| is_named)?;
            let is_first = value.get(..number.start())?.trim().is_empty();
            let is_first = is_first && !is_of_day(value.get(number.end()..)?);
            is_first.then(|| amount(number.as_str())).flatten()
        })
    }

    /// 0 where a row says in a word that it has none of what is counted: a direct train has no changes.
    pub(super) fn none(&self, text: &str) -> Option<f64> {
        let counts_changes = self.phrases.iter().any(|phrase| match phrase.as_slice() {
            [word] => CHANGES.contains(&word.as_str()),
            _ => false,
        });
        let mut said = DIRECT.captures_iter(text);
        let mut is_direct = || said.any(|said| said.name("not").is_none() && said.name("of").is_none());
        (counts_changes && is_direct()).then_some(0.0)
    }

    pub(super) fn beside(&self, text: &str, is_before: bool, skips: bool) -> Option<f64> {
        let numbers: Vec<_> = numbers(text).collect();
        numbers.iter().enumerate().find_map(|(at, number)| {
            if is_of_day(text.get(number.end()..)?) {
                return None;
            }
            let named = match is_before {
                true => {
                    let end = numbers.get(at + 1).map_or(text.len(), |next| next.start());
                    // A line tells of one column of a table.
                    let behind = text.get(number.end()..end)?.split(['\n', '|', '·']).next()?;
                    // "4,6/5, opinii: 512" does not count five opinions.
                    if behind.trim_start().starts_with([',', ';']) {
                        return None;
                    }
                    // "11,41 €/m²" is no area.
                    if CURRENCY_BEHIND.is_match(behind) {
                        return None;
                    }
                    // `14" Hałas` are inches.
                    if !skips && behind.trim_start().starts_with(['"', '″', '”']) {
                        return None;
                    }
                    let words = tokens(behind);
                    let words = words
                        .get(usize::from(scale(&words).is_some())..)
                        .unwrap_or_default();
                    // "120 KM" is the power of an engine in Polish, and no distance.
                    let is_power = behind.trim_start().starts_with("KM");
                    // "20 km/h" are no kilometres.
                    let is_speed = words.starts_with(&["km".to_owned(), "h".to_owned()]);
                    let unit = skips
                        && words
                            .first()
                            .is_some_and(|word| word.chars().count() <= LONGEST_UNIT);
                    self.phrases.iter().any(|phrase| {
                        (starts_with(words, phrase) && ((!is_speed && !is_power) || phrase.len() > 1))
                            || (unit && starts_with(words.get(1..).unwrap_or_default(), phrase))
                    })
                }
                false => {
                    let start = at
                        .checked_sub(1)
                        .and_then(|before| numbers.get(before))
                        .map_or(0, |before| before.end());
                    let before = text.get(start..number.start())?.rsplit('\n').next()?;
                    let words = tokens(before);
                    // Of a label all words count: "minimum grade required: 4.3".
                    let is_label = is_label(before, &words);
                    self.phrases.iter().any(|phrase| {
                        let Some(last) = words.len().checked_sub(phrase.len()) else {
                            return false;
                        };
                        let first = if is_label { 0 } else { last };
                        (first..=last).any(|at| starts_with(words.get(at..).unwrap_or_default(), phrase))
                    })
                }
            };
            let behind = tokens(text.get(number.end()..)?.split('\n').next()?);
            // Of "14 of 80 places left" 14 are left.
            let part = at.checked_sub(1).and_then(|before| numbers.get(before));
            let is_part = |part: &&regex::Match<'_>| {
                let between = text.get(part.end()..number.start()).unwrap_or_default();
                is_before && self.counts_rest() && OF_WHOLE.is_match(between)
            };
            let number = part.filter(is_part).unwrap_or(number);
            named
                .then(|| Some(amount(number.as_str())? * scale(&behind).unwrap_or(1.0)))
                .flatten()
        })
    }
}

/// Whether what stands behind a number makes it the beginning of a day: ".2026" of "10.03.2026".
fn is_of_day(behind: &str) -> bool {
    let mut letters = behind.chars();
    letters.next().is_some_and(|c| matches!(c, '.' | '/'))
        && letters.next().is_some_and(|c| c.is_ascii_digit())
}

/// Whether a text before a number is a label, which a colon ends.
fn is_label(text: &str, words: &[String]) -> bool {
    text.trim_end().ends_with(':') && (1..=LONGEST_LABEL).contains(&words.len())
}
