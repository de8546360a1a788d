//! Distances ahead and steps from now: "in 2 weeks", "za 3 dni", "next Friday", "letzten Montag".

use jiff::ToSpan;
use jiff::civil::Date;

use super::reader::DateReader;
use super::relative;
use super::tokens::fold;
use super::types::ParsedDate;
use super::words::{TimeUnit, WordMeaning};

/// Words before an amount of time that lies ahead, in the languages of many pages.
const AHEAD: [&str; 15] = [
    "in",
    "za",
    "dans",
    "dentro",
    "en",
    "tra",
    "fra",
    "em",
    "daqui",
    "over",
    "om",
    "o",
    "через",
    "peste",
    "après",
];
/// Words for the coming one.
const NEXT: [&str; 34] = [
    "next",
    "coming",
    "nächsten",
    "nächster",
    "nächste",
    "nächstes",
    "nächstem",
    "kommenden",
    "kommende",
    "prochain",
    "prochaine",
    "próximo",
    "próxima",
    "prossimo",
    "prossima",
    "volgende",
    "przyszły",
    "przyszła",
    "przyszłym",
    "następny",
    "następna",
    "následující",
    "příští",
    "nästa",
    "næste",
    "neste",
    "следующий",
    "следующая",
    "следующую",
    "следующее",
    "наступний",
    "наступна",
    "viene",
    "gelecek",
];
/// Words for the one that has passed.
const LAST: [&str; 31] = [
    "last",
    "past",
    "letzten",
    "letzter",
    "letzte",
    "letztes",
    "vergangenen",
    "dernier",
    "dernière",
    "passé",
    "passée",
    "pasado",
    "pasada",
    "passado",
    "passada",
    "scorso",
    "scorsa",
    "vorige",
    "afgelopen",
    "zeszły",
    "zeszła",
    "zeszłym",
    "ubiegły",
    "ostatni",
    "minulý",
    "förra",
    "sidste",
    "forrige",
    "прошлый",
    "прошлая",
    "минулий",
];
/// Small words that may stand in such a date: articles and prepositions.
const FILLERS: [&str; 13] = [
    "w", "we", "am", "on", "de", "que", "el", "la", "le", "v", "ve", "в", "у",
];
/// A text with more words and marks says something else, too.
const MAX_ITEMS: usize = 6;
/// Most units of time that are believed.
const MAX_COUNT: u64 = 10_000;

/// Reads a text that says nothing but such a distance. A weekday named with "next" is the first one after today. `None`
/// when only past dates are asked for and the day lies ahead.
pub(super) fn take(reader: &mut DateReader) -> Option<ParsedDate> {
    if reader.items.len() > MAX_ITEMS {
        return None;
    }
    let words: Vec<usize> = (0..reader.items.len())
        .filter(|at| reader.item(*at).is_some_and(|item| !item.used) && !reader.is_mark(*at, '.'))
        .filter(|at| *at == 0 || !is_one_of(reader, *at, &FILLERS))
        .collect();
    let moment = match *words.as_slice() {
        [ahead, count, unit] if is_one_of(reader, ahead, &AHEAD) => distance(reader, count, unit),
        [first, second] | [_, first, second] if !is_filler_missing(reader, &words) => {
            step(reader, first, second).or_else(|| step(reader, second, first))
        }
        _ => None,
    }?;
    if reader.hints.past && moment.date > reader.now.date() {
        return None;
    }
    for at in words {
        reader.take(at..at + 1);
    }
    Some(moment)
}

/// Whether an item is one of the words, accents aside.
fn is_one_of(reader: &DateReader, at: usize, words: &[&str]) -> bool {
    let text = reader.text(at);
    !text.is_empty() && words.iter().any(|word| text == *word || text == fold(word))
}

/// Whether three words are left and the first is none that may stand before a step.
fn is_filler_missing(reader: &DateReader, words: &[usize]) -> bool {
    words.len() == 3 && !words.first().is_some_and(|at| is_one_of(reader, *at, &FILLERS))
}

/// The unit of time that an item names in any language.
fn unit(reader: &DateReader, at: usize) -> Option<TimeUnit> {
    let senses = || reader.item(at).into_iter().flat_map(|item| item.senses());
    reader
        .means(at, WordMeaning::unit)
        .or_else(|| senses().find_map(|sense| sense.meaning.unit()))
}

/// An amount of time from now.
fn distance(reader: &DateReader, count: usize, unit_at: usize) -> Option<ParsedDate> {
    let is_one = || {
        let mut senses = reader.item(count).into_iter().flat_map(|item| item.senses());
        senses.any(|sense| sense.meaning == WordMeaning::One)
    };
    let amount = reader.number(count).or_else(|| is_one().then_some(1));
    let amount = amount.filter(|amount| *amount <= MAX_COUNT)?;
    let unit = unit(reader, unit_at)?;
    let span = relative::add(jiff::Span::new(), unit, i64::try_from(amount).ok()?)?;
    let then = reader.now.checked_add(span).ok()?;
    let names_time = matches!(unit, TimeUnit::Second | TimeUnit::Minute | TimeUnit::Hour);
    Some(relative::moment(then, names_time))
}

/// The next or last weekday, week, month or year.
fn step(reader: &DateReader, word: usize, what: usize) -> Option<ParsedDate> {
    let ahead = is_one_of(reader, word, &NEXT);
    if !ahead && !is_one_of(reader, word, &LAST) {
        return None;
    }
    let today = reader.now.date();
    if let Some(day) = reader.means_anywhere(what, WordMeaning::weekday) {
        return weekday(today, day, ahead).map(ParsedDate::near);
    }
    let span = relative::add(jiff::Span::new(), unit(reader, what)?, if ahead { 1 } else { -1 })?;
    Some(ParsedDate::near(reader.now.checked_add(span).ok()?.date()))
}

/// The first such weekday (0 for Monday) after today, or the last one before.
fn weekday(today: Date, day: i8, ahead: bool) -> Option<Date> {
    let distance = (day - today.weekday().to_monday_zero_offset()).rem_euclid(7);
    let distance = match (ahead, distance) {
        (true, 0) => 7,
        (true, distance) => distance,
        (false, distance) => distance - 7,
    };
    today.checked_add(i64::from(distance).days()).ok()
}
