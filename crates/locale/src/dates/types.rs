//! What is known about a date text, and what is read from it.

use std::fmt;

use jiff::civil::{Date, Time};
use jiff::tz::Offset;

/// Which part stands first in a numeric date that could be read either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateOrder {
    /// 3/4 is the third of April: most of the world.
    DayFirst,
    /// 3/4 is the fourth of March: the United States.
    MonthFirst,
}

/// What is known about a text beside the text itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct DateHints<'a> {
    /// The language as a BCP 47 code, such as `pt-BR`; decides between languages that share a word.
    pub language: Option<&'a str>,
    /// The order of numeric dates; without it, `en-US` and a clock with am or pm mean month first.
    pub order: Option<DateOrder>,
    /// Whether a date without a year is the latest such day that is not after `now`, as fits publication dates; otherwise
    /// it lies in the year of `now`.
    pub past: bool,
}

/// How much of the date the text names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DatePrecision {
    /// Month and year; the day is set to 1.
    Month,
    /// The day as seen from now: without a year, or by its distance.
    Near,
    /// The day.
    Day,
}

/// A moment as a text names it, in the text's own local time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParsedDate {
    /// The day.
    pub date: Date,
    /// The time of day, if the text names one.
    pub time: Option<Time>,
    /// The distance from UTC, if the text names one.
    pub offset: Option<Offset>,
    /// How much of the date the text names.
    pub precision: DatePrecision,
}

impl ParsedDate {
    pub(super) fn day(date: Date) -> ParsedDate {
        ParsedDate {
            date,
            time: None,
            offset: None,
            precision: DatePrecision::Day,
        }
    }

    /// A day as seen from now.
    pub(super) fn near(date: Date) -> ParsedDate {
        ParsedDate {
            precision: DatePrecision::Near,
            ..ParsedDate::day(date)
        }
    }
}

/// ISO 8601 to the second; midnight when the text names no time.
impl fmt::Display for ParsedDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.time.unwrap_or_default();
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
