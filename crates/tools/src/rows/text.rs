//! What the texts of the rows of a list state of a measure: `78 m²`, `Baujahr 2019`, `(128)`, `14 Mar 2026`.
//!
//! The fields of a row are what its reader recognised. What an instruction asks for beyond that (rooms, mileage, pages)
//! stands in the text of the row: as a number beside the word or its unit, on the side on which most rows of the list
//! have one.

mod beside;
mod event_day;
mod other_measures;
mod shown;
#[cfg(test)]
mod tests;

use std::ops::Range;

use jiff::civil::DateTime;
use locale::dates::{self, DateHints, DatePrecision};
use serde_json::Value;

use self::other_measures::{DISTANCE_IN_UNITS, LENGTHS, OTHER_MEASURES};
use crate::rows::ages::{self, GREATEST_AGE, LEAST_AGE};
use crate::rows::amounts::{duration, rating};
use crate::rows::clock::{TIME_OF_DAY, are_of_two, clock, clocks, names_time, written};
use crate::rows::days::{DAY, DAY_OF_MONTH, SHORT_DAY, date_of, day, days, has_month_of_year, undated, year};
use crate::rows::distance;
use crate::rows::measure_name::{DISTANCE, DURATION, MeasureName, Measured};
use crate::rows::numbers::amount;
use crate::rows::paid::{self, PRICE_OF};
use crate::rows::row_texts::RowTexts;
use crate::rows::units::{self, Unit};
use crate::words::concepts::{self, alternatives};
use crate::words::label_names::{is_of_places_left, label_phrases};
use crate::words::word_forms::tokens;

/// Longest word that may stand between a number and what it counts: `78 m² Wohnfläche`.
const LONGEST_UNIT: usize = 4;
/// Most words between what a day is of and the day, and most words of a label before a colon.
const LONGEST_LABEL: usize = 4;

locale::patterns! {
    /// A count in brackets, as stands behind stars.
    static ENCLOSED = r"[(\[]\s*(\d[\d .,\u{a0}\u{202f}]*)\s*[)\]]";
    static CURRENCY_BEHIND = r"(?i)^\s*(?:[$€£]|(?:zł|pln|eur|usd|gbp)\b)";
}

/// The name of the measure that is a number of years, and no year of the calendar.
pub const NUMBER_OF_YEARS: &str = "number of years";
/// Words for years that are counted.
const YEARS: [&str; 10] = [
    "years", "year", "yrs", "yr", "jahre", "jahr", "jahren", "lata", "lat", "rok",
];

/// What kind of number a measure is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum MeasureKind {
    /// A number before (`3 rooms`) or behind (`rooms: 3`) one of the phrases.
    /// Before it, with a word between the two or without one.
    Beside { is_before: bool, skips: bool },
    /// A year of the calendar.
    Year,
    /// A day, in days since 1970.
    Day,
    /// The second of two days from one of which to the other something lasts, or the only day.
    LastDay,
    /// The day beside one of the phrases, where an entry has several.
    NamedDay,
    /// A time of day, of which each row may state two.
    Clock { is_first_of_two: bool },
    /// A number of stars or points.
    Rating,
    /// The number that begins the value of a label of the list.
    Labelled,
    /// The price that is for one of the phrases, which stand before it or behind it.
    Paid { is_before: bool },
    /// The least or, with `false`, the greatest age that something is for.
    Age { is_least: bool },
    /// An amount in a unit, beside one of the phrases or the first.
    InUnit { unit: Unit, is_named: bool },
    /// How far away something is, in units of so many metres.
    Distance { metres: f64 },
    /// A number in brackets.
    Enclosed,
    /// Hours and minutes, in units of so many minutes.
    Duration { minutes: f64 },
}

/// A number that the texts of rows state.
#[derive(Debug, Clone)]
pub(crate) struct Measure {
    phrases: Vec<Vec<String>>,
    kind: MeasureKind,
    now: DateTime,
    /// The year of most days that the rows state.
    year: Option<i16>,
    /// Whether the rows leave out the years of their days.
    is_yearless: bool,
    /// Whether most rows state a day: a year in the name of another one is that of something else.
    are_dated: bool,
}

impl Measure {
    /// The measure that rows call by a name, or of which the name tells the unit behind `in`; `None` where no row states one.
    pub(crate) fn find(name: &str, rows: &[Value], texts: &RowTexts, now: DateTime) -> Option<Measure> {
        let MeasureName { measured, units } = MeasureName::parse(name);
        let name = match measured {
            Measured::DayOf(event) => return Measure::day_of(event, rows, texts, now),
            Measured::Named(name) => name,
        };
        if let Some(label) = name.strip_prefix(PRICE_OF).and_then(paid::label) {
            let is_before = paid::is_before(rows.iter().map(|row| texts.of(row)));
            let paid = Measure::of(vec![label.to_vec()], MeasureKind::Paid { is_before }, now);
            return paid.is_told(rows, texts).then_some(paid);
        }
        if name == TIME_OF_DAY {
            let is_first_of_two = are_of_two(rows.iter().map(|row| texts.of(row)));
            let clock = Measure::of(Vec::new(), MeasureKind::Clock { is_first_of_two }, now);
            let is_told = rows.iter().any(|row| !clock.times(row, texts).is_empty());
            return is_told.then_some(clock);
        }
        if name == NUMBER_OF_YEARS {
            let beside = MeasureKind::Beside {
                is_before: true,
                skips: false,
            };
            let years = Measure::of(YEARS.map(tokens).to_vec(), beside, now);
            let ages = Measure::of(Vec::new(), MeasureKind::Age { is_least: true }, now);
            return [years, ages]
                .into_iter()
                .find(|measure| measure.is_told(rows, texts));
        }
        if name == LEAST_AGE || name == GREATEST_AGE {
            let is_least = name == LEAST_AGE;
            let ages = Measure::of(Vec::new(), MeasureKind::Age { is_least }, now);
            return ages.is_told(rows, texts).then_some(ages);
        }
        let first = units.first().filter(|_| name == DISTANCE);
        if let Some(metres) = first.and_then(|unit| distance::metres(unit)) {
            let distance = Measure::of(Vec::new(), MeasureKind::Distance { metres }, now);
            // Of several units most rows tell the first.
            if distance.is_told_by_most(rows, texts) || (units.len() == 1 && distance.is_told(rows, texts)) {
                return Some(distance);
            }
        }
        let unit = match units.as_slice() {
            [] => Unit::called(name),
            [unit] => Unit::called(unit),
            [..] => None,
        };
        if let Some(unit) = unit {
            let of = |is_named| {
                Measure::of(
                    alternatives(&name.replace('_', " ")),
                    MeasureKind::InUnit { unit, is_named },
                    now,
                )
            };
            let mut measures = [of(true), of(false)].into_iter();
            if let Some(told) = measures.find(|measure| measure.is_told(rows, texts)) {
                return Some(told);
            }
        }
        // Of several names the first that most rows tell: "play area" of some parks is not the size of all.
        let mut first = None;
        for name in units.into_iter().chain([name]) {
            let Some(found) = Measure::called(name, rows, texts, now) else {
                continue;
            };
            if found.is_told_by_most(rows, texts) {
                first = Some(found);
                break;
            }
            first = first.or(Some(found));
        }
        Some(first?.with_year(rows, texts))
    }

    /// The measure that a column shows: of a word that names no field, only a number that rows call by the word itself. "Hard" is
    /// no number of a "difficulty", whatever number stands beside it.
    pub(crate) fn of_column(name: &str, rows: &[Value], texts: &RowTexts, now: DateTime) -> Option<Measure> {
        if names_time(name) {
            return Measure::find(TIME_OF_DAY, rows, texts, now);
        }
        if name == DISTANCE {
            return Measure::find(DISTANCE_IN_UNITS, rows, texts, now);
        }
        let measure_name = MeasureName::parse(name);
        let is_measure =
            measure_name.event().is_some() || !measure_name.units.is_empty() || name.starts_with(PRICE_OF);
        if is_measure || concepts::field(name).is_some() {
            return Measure::find(name, rows, texts, now);
        }
        let called = label_phrases(name).iter().cloned();
        let phrases: Vec<_> = std::iter::once(tokens(&name.replace('_', " ")))
            .chain(called)
            .collect();
        let beside = |is_before| MeasureKind::Beside {
            is_before,
            skips: false,
        };
        let kinds = [MeasureKind::Labelled, beside(false), beside(true)];
        let mut measures = kinds
            .into_iter()
            .map(|kind| Measure::of(phrases.clone(), kind, now));
        let number = measures.find(|measure| measure.is_told_by_most(rows, texts));
        // "Return by 12.03.2026" is a day.
        let day = || Measure::of(phrases.clone(), MeasureKind::NamedDay, now);
        number.or_else(|| Some(day().with_year(rows, texts)).filter(|day| day.is_told(rows, texts)))
    }

    /// The same, with the year of most days that the rows state: "before 15 April" is of that year.
    fn with_year(self, rows: &[Value], texts: &RowTexts) -> Measure {
        if !matches!(
            self.kind,
            MeasureKind::Day | MeasureKind::LastDay | MeasureKind::NamedDay
        ) {
            return self;
        }
        let mut years: Vec<i16> = rows
            .iter()
            .filter_map(|row| Some(date_of(self.value(row, texts)?)?.year()))
            .collect();
        years.sort_unstable();
        let most = years
            .chunk_by(|one, other| one == other)
            .max_by_key(|same| same.len());
        let year = most.and_then(|same| same.first()).copied();
        Measure { year, ..self }
    }

    /// The numbers that rows have beside a word.
    pub(crate) fn counted(word: &str, rows: &[Value], texts: &RowTexts) -> Vec<f64> {
        let measure = Measure::called(word, rows, texts, DateTime::MIN);
        let beside = measure.filter(|measure| matches!(measure.kind, MeasureKind::Beside { .. }));
        let number = |row: &Value| beside.as_ref()?.value(row, texts);
        rows.iter().filter_map(number).collect()
    }

    /// What else most rows may be long, large or thick by: what is "longest" may be so by its length or by its duration.
    pub(crate) fn other(name: &str, rows: &[Value], texts: &RowTexts, now: DateTime) -> Option<Measure> {
        let (_, others) = OTHER_MEASURES.iter().find(|(of, _)| name.starts_with(of))?;
        let mut measures = others
            .iter()
            .filter_map(|name| Measure::find(name, rows, texts, now));
        measures.find(|measure| measure.is_told_by_most(rows, texts))
    }

    /// Whether at least half of the rows state it.
    pub(crate) fn is_told_by_most(&self, rows: &[Value], texts: &RowTexts) -> bool {
        let told = rows.iter().filter(|row| self.value(row, texts).is_some());
        told.count() * 2 >= rows.len()
    }

    /// The day by which rows are put in order: their year, where few of them tell a day and nearly all a year. What is longest
    /// is so by its length where few rows tell a duration, and so on for [`OTHER_MEASURES`].
    pub(crate) fn for_order(name: &str, rows: &[Value], texts: &RowTexts, now: DateTime) -> Option<Measure> {
        let found = Measure::find(name, rows, texts, now);
        let is_told = |measure: &Measure| measure.is_told_by_most(rows, texts);
        // Days beside "Lifeguards" are no duration of what has a length.
        let length = LENGTHS.map(tokens).to_vec();
        let is_duration = MeasureName::parse(name).is_amount_of(DURATION);
        let has_length = is_duration && is_told(&Measure::of(length, MeasureKind::Labelled, now));
        if has_length && let Some(length) = Measure::find("length in m", rows, texts, now).filter(is_told) {
            return Some(length);
        }
        if !found.as_ref().is_some_and(is_told)
            && let Some(other) = Measure::other(name, rows, texts, now)
        {
            return Some(other);
        }
        // "By departure, earliest first", of a timetable without days.
        if name == "date"
            && !found.as_ref().is_some_and(is_told)
            && let Some(clock) = Measure::find(TIME_OF_DAY, rows, texts, now).filter(is_told)
        {
            return Some(clock);
        }
        let measure = found?;
        let has_day = |row: &&Value| {
            let field = row.get("date").and_then(Value::as_str);
            field.is_some_and(|text| measure.day(text).is_some())
        };
        if measure.kind != MeasureKind::Day || rows.iter().filter(has_day).count() * 2 >= rows.len() {
            return Some(measure);
        }
        let told = |has: &dyn Fn(&str) -> bool| rows.iter().filter(|row| has(texts.of(row))).count();
        let days = told(&|text| {
            DAY.find_iter(text)
                .any(|found| day(found.as_str(), now).is_some())
        });
        let years = told(&|text| year(text).is_some());
        // "05/2022"
        let has_months = told(&has_month_of_year) * 2 >= rows.len();
        let by_year = days * 2 < rows.len() && years * 10 >= rows.len() * 9 && !has_months;
        Some(match by_year {
            true => Measure {
                kind: MeasureKind::Year,
                ..measure
            },
            false => measure,
        })
    }

    fn of(phrases: Vec<Vec<String>>, kind: MeasureKind, now: DateTime) -> Measure {
        Measure {
            phrases,
            kind,
            now,
            year: None,
            is_yearless: false,
            are_dated: false,
        }
    }

    /// The days that a text states, in its order.
    fn days_in(&self, text: &str) -> Vec<(Range<usize>, f64)> {
        let pattern = if self.is_yearless { &SHORT_DAY } else { &DAY };
        let found = pattern.find_iter(text);
        found
            .filter_map(|found| Some((found.range(), self.day(found.as_str())?)))
            .collect()
    }

    /// Whether most rows state several days with words between them, each of another thing: "Published 3 May, closing 9 June".
    fn is_of_several(&self, rows: &[Value], texts: &RowTexts) -> bool {
        let is_several = |row: &&Value| {
            let text = texts.of(row).split('\n').next().unwrap_or_default();
            let days = self.days_in(text);
            days.windows(2).any(|pair| match pair {
                [one, other] => {
                    let between = text.get(one.0.end..other.0.start).unwrap_or_default();
                    between.chars().filter(|c| c.is_alphabetic()).count() > LONGEST_UNIT
                }
                _ => false,
            })
        };
        rows.iter().filter(is_several).count() * 2 > rows.len()
    }

    /// The day that a text names; of this year where the rows name none.
    fn day(&self, text: &str) -> Option<f64> {
        if !self.is_yearless {
            return day(text, self.now);
        }
        let text = text.trim().trim_end_matches('.');
        let joint = if text.contains('.') { "." } else { " " };
        let whole = format!("{text}{joint}{}", self.now.year());
        let read = dates::parse(&whole, self.now, &DateHints::default())?;
        (read.precision == DatePrecision::Day)
            .then(|| days(read.date))
            .flatten()
    }

    /// Whether some row states it.
    fn is_told(&self, rows: &[Value], texts: &RowTexts) -> bool {
        rows.iter().any(|row| self.value(row, texts).is_some())
    }

    fn called(name: &str, rows: &[Value], texts: &RowTexts, now: DateTime) -> Option<Measure> {
        let phrases = match is_of_places_left(name) {
            true => label_phrases(name).to_vec(),
            false => alternatives(&name.replace('_', " ")),
        };
        let means = |word: &str| {
            phrases
                .iter()
                .any(|phrase| phrase.len() == 1 && phrase.first().is_some_and(|it| it == word))
        };
        // Of sides on which as many rows have a number, the nearest.
        let mut kinds = vec![
            MeasureKind::Beside {
                is_before: true,
                skips: false,
            },
            MeasureKind::Beside {
                is_before: false,
                skips: false,
            },
            MeasureKind::Beside {
                is_before: true,
                skips: true,
            },
        ];
        if means("year") {
            kinds = vec![MeasureKind::Year];
        } else if means("date") {
            return Measure::dates(phrases, rows, texts, now);
        } else if means("duration") || means("minutes") || means("hours") {
            let minutes = if means("hours") { 60.0 } else { 1.0 };
            kinds = vec![MeasureKind::Duration { minutes }];
        } else if means("rating") {
            kinds = vec![MeasureKind::Rating];
        } else if means("reviews") {
            kinds.push(MeasureKind::Enclosed);
        }
        // A label of the list says more than the words around a number.
        let labelled = Measure::of(phrases.clone(), MeasureKind::Labelled, now);
        if kinds
            .iter()
            .any(|kind| matches!(kind, MeasureKind::Beside { .. }))
            && labelled.is_told_by_most(rows, texts)
        {
            return Some(labelled);
        }
        let measures = kinds
            .into_iter()
            .map(|kind| Measure::of(phrases.clone(), kind, now));
        let stated = |measure: &Measure| {
            rows.iter()
                .filter(|row| measure.value(row, texts).is_some())
                .count()
        };
        let mut best: Option<(usize, Measure)> = None;
        for measure in measures {
            let count = stated(&measure);
            if count > best.as_ref().map_or(0, |(most, _)| *most) {
                best = Some((count, measure));
            }
        }
        best.map(|(_, measure)| measure)
    }

    /// The days of rows: without their year where more rows leave the year out.
    fn dates(phrases: Vec<Vec<String>>, rows: &[Value], texts: &RowTexts, now: DateTime) -> Option<Measure> {
        let whole = Measure::of(phrases, MeasureKind::Day, now);
        let yearless = Measure {
            is_yearless: true,
            ..whole.clone()
        };
        let told = |measure: &Measure| {
            let is_told = |row: &&Value| {
                let field = row.get("date").and_then(Value::as_str);
                !measure.days_in(texts.of(row)).is_empty()
                    || field.is_some_and(|text| measure.day(text).is_some())
            };
            rows.iter().filter(is_told).count()
        };
        let (told_yearless, told_whole) = (told(&yearless), told(&whole));
        let measure = if told_yearless > told_whole {
            yearless
        } else {
            whole
        };
        let are_dated = told_yearless.max(told_whole) * 2 > rows.len();
        let measure = Measure { are_dated, ..measure };
        measure.is_told(rows, texts).then_some(measure)
    }

    /// What a row states.
    pub(crate) fn value(&self, row: &Value, texts: &RowTexts) -> Option<f64> {
        let text = texts.of(row);
        match self.kind {
            MeasureKind::Day => {
                let of_field = row
                    .get("date")
                    .and_then(Value::as_str)
                    .and_then(|text| self.day(text));
                let stated = of_field.or_else(|| self.days_in(text).first().map(|(_, day)| *day));
                let name = row.get("name").and_then(Value::as_str).filter(|_| self.are_dated);
                let unnamed = || name.map_or_else(|| text.to_owned(), |name| text.replacen(name, "", 1));
                stated.or_else(|| undated(&unnamed(), self.is_yearless))
            }
            MeasureKind::LastDay => {
                let of_field = row.get("date").and_then(Value::as_str);
                self.last_day(text, of_field.and_then(|text| self.day(text)))
            }
            MeasureKind::NamedDay => self.named_day(text),
            MeasureKind::Clock {
                is_first_of_two: true,
            } => clocks(text).first().copied(),
            MeasureKind::Clock {
                is_first_of_two: false,
            } => clock(text),
            MeasureKind::Rating => rating(text),
            MeasureKind::Labelled => self.labelled(text),
            MeasureKind::Paid { is_before } => paid::price(text, self.phrases.first()?, is_before),
            MeasureKind::Age { is_least } => {
                let (least, greatest) = ages::ages(text)?;
                Some(if is_least { least } else { greatest })
            }
            MeasureKind::InUnit { unit, is_named } => {
                let phrases = is_named.then_some(self.phrases.as_slice());
                units::amount_in(text, unit, phrases)
            }
            MeasureKind::Distance { metres } => Some(distance::away(text)? / metres),
            MeasureKind::Year => Some(year(text)?.0),
            MeasureKind::Duration { minutes } => Some(duration(text)? / minutes),
            MeasureKind::Enclosed => amount(ENCLOSED.captures(text)?.get(1)?.as_str().trim()),
            MeasureKind::Beside { is_before, skips } => {
                self.beside(text, is_before, skips).or_else(|| self.none(text))
            }
        }
    }

    /// What a value of an instruction is compared with.
    pub(crate) fn wanted(&self, value: &Value) -> Option<f64> {
        match self.kind {
            MeasureKind::Day | MeasureKind::LastDay | MeasureKind::NamedDay => {
                self.wanted_day(value.as_str()?)
            }
            MeasureKind::Beside { .. }
            | MeasureKind::Year
            | MeasureKind::Enclosed
            | MeasureKind::Duration { .. }
            | MeasureKind::Clock { .. }
            | MeasureKind::Rating
            | MeasureKind::Age { .. }
            | MeasureKind::Labelled
            | MeasureKind::Paid { .. }
            | MeasureKind::Distance { .. }
            | MeasureKind::InUnit { .. } => value.as_f64().or_else(|| amount(value.as_str()?)),
        }
    }

    /// A day of an instruction; of the year of the rows where the instruction names none.
    fn wanted_day(&self, text: &str) -> Option<f64> {
        let of_year = self.year.filter(|_| DAY_OF_MONTH.is_match(text));
        match of_year {
            Some(year) => day(&format!("{text} {year}"), self.now),
            None => day(text, self.now),
        }
    }

    /// Whether it is how long something takes.
    pub(crate) fn is_duration(&self) -> bool {
        matches!(self.kind, MeasureKind::Duration { .. })
    }

    /// Whether it is a time of day, of which a row may have several.
    pub(crate) fn has_times(&self) -> bool {
        matches!(self.kind, MeasureKind::Clock { .. })
    }

    /// All times of day that a row states.
    pub(crate) fn times(&self, row: &Value, texts: &RowTexts) -> Vec<f64> {
        let mut times = clocks(texts.of(row));
        if let MeasureKind::Clock {
            is_first_of_two: true,
        } = self.kind
        {
            times.truncate(1);
        }
        times
    }
}
