//! Which day does a date text name? ISO, mail and written dates in some 60 languages, numeric dates in any order,
//! and relative ones ("3 days ago", "gestern").

mod calendar;
mod clock;
mod iso;
mod relative;
mod tokens;
mod words;

use std::fmt;

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::Offset;

use tokens::Tokens;
use words::{Item, Language, Meaning};

/// Which part stands first in a numeric date that could be read either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// 3/4 is the third of April: most of the world.
    DayFirst,
    /// 3/4 is the fourth of March: the United States.
    MonthFirst,
}

/// What is known about a text beside the text itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hints<'a> {
    /// The language as a BCP 47 code, such as `pt-BR`; decides between languages that share a word.
    pub language: Option<&'a str>,
    /// The order of numeric dates; without it, `en-US` and a clock with am or pm mean month first.
    pub order: Option<Order>,
    /// A date without a year is the latest such day that isn't after `now`, as fits publication dates; otherwise
    /// it lies in the year of `now`.
    pub past: bool,
}

/// How much of the date the text names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precision {
    /// Month and year; the day is set to 1.
    Month,
    /// The day as seen from now: without a year, or by its distance.
    Near,
    /// The day.
    Day,
}

/// A moment as a text names it, in the text's own local time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The day.
    pub date: Date,
    /// The time of day, if the text names one.
    pub time: Option<Time>,
    /// The distance from UTC, if the text names one.
    pub offset: Option<Offset>,
    /// What of the date the text names.
    pub precision: Precision,
}

impl Moment {
    fn day(date: Date) -> Moment {
        Moment {
            date,
            time: None,
            offset: None,
            precision: Precision::Day,
        }
    }

    /// A day as seen from now.
    fn near(date: Date) -> Moment {
        Moment {
            precision: Precision::Near,
            ..Moment::day(date)
        }
    }
}

/// ISO 8601 to the second; midnight when the text names no time.
impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.time.unwrap_or(Time::midnight());
        write!(
            f,
            "{}T{:02}:{:02}:{:02}",
            self.date,
            time.hour(),
            time.minute(),
            time.second()
        )?;
        if time.subsec_nanosecond() > 0 {
            write!(f, ".{:06}", time.subsec_nanosecond() / 1000)?;
        }
        match self.offset {
            Some(Offset::UTC) => f.write_str("Z"),
            Some(offset) => {
                let minutes = offset.seconds() / 60;
                let sign = if minutes < 0 { '-' } else { '+' };
                write!(f, "{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
            }
            None => Ok(()),
        }
    }
}

/// Reads a short text as a date. Words it does not know are skipped as long as a day is named in full; a weekday
/// alone, a time alone or a month alone count only when nothing else is said.
pub fn parse(text: &str, now: DateTime, hints: &Hints) -> Option<Moment> {
    let text = text.trim();
    if let Some(moment) = iso::parse(text) {
        return Some(moment);
    }
    if !text.bytes().any(|byte| byte.is_ascii_digit() || byte >= 0x80) && text.len() > 64 {
        return None;
    }
    let tokens = Tokens::of(text);
    let mut items = calendar::split_glued(words::items(&tokens));
    let language = words::best_language(&items, hints.language.and_then(words::language));
    let reading = &mut Reading {
        tokens: &tokens,
        items: &mut items,
        language,
        now,
        hints,
    };
    let clock = clock::take(reading);
    let mut moment = calendar::full(reading)
        .or_else(|| relative::take(reading))
        .or_else(|| calendar::partial(reading))
        .or_else(|| relative::weekday(reading))?;
    if let Some(clock) = clock.or_else(|| clock::take_late(reading)) {
        moment.time = Some(clock.time);
        moment.offset = clock.offset;
    }
    Some(moment)
}

/// A text while it is read: the readers take items one after the other.
struct Reading<'a> {
    tokens: &'a Tokens,
    items: &'a mut Vec<Item>,
    language: Option<Language>,
    now: DateTime,
    hints: &'a Hints<'a>,
}

impl Reading<'_> {
    fn item(&self, at: usize) -> Option<&Item> {
        self.items.get(at)
    }

    fn text(&self, at: usize) -> &str {
        self.items.get(at).map_or("", |item| self.tokens.str(&item.token))
    }

    fn number(&self, at: usize) -> Option<u64> {
        self.items.get(at).and_then(Item::number)
    }

    fn digits(&self, at: usize) -> usize {
        self.items.get(at).map_or(0, |item| item.token.digits())
    }

    fn take(&mut self, range: std::ops::Range<usize>) {
        for item in self.items.get_mut(range).into_iter().flatten() {
            item.used = true;
        }
    }

    /// What an item means in the language of the text.
    fn means<T>(&self, at: usize, wanted: impl Fn(Meaning) -> Option<T>) -> Option<T> {
        let item = self.items.get(at).filter(|item| !item.used)?;
        let senses = item
            .senses()
            .iter()
            .filter(|sense| Some(sense.language) == self.language);
        senses.map(|sense| sense.meaning).find_map(wanted)
    }

    /// What an item means in the language of the text, or in any other when it means nothing in that one: months
    /// and weekdays are often left in another language than the text around them.
    fn means_anywhere<T>(&self, at: usize, wanted: impl Fn(Meaning) -> Option<T>) -> Option<T> {
        if let Some(found) = self.means(at, &wanted) {
            return Some(found);
        }
        let item = self.items.get(at).filter(|item| !item.used)?;
        let long = item.token.end - item.token.start > 2;
        let foreign = item
            .senses()
            .iter()
            .all(|sense| Some(sense.language) != self.language);
        (long && foreign)
            .then(|| item.senses().iter().map(|sense| sense.meaning).find_map(wanted))
            .flatten()
    }

    fn month(&self, at: usize) -> Option<i8> {
        self.means_anywhere(at, |it| {
            if let Meaning::Month(month) = it {
                Some(month)
            } else {
                None
            }
        })
    }

    /// How many words the table does not know; with some, a vague reading may be an accident.
    fn unknown(&self) -> usize {
        self.items
            .iter()
            .filter(|item| matches!(item.what, words::What::Unknown))
            .count()
    }
}

#[cfg(test)]
mod tests;
