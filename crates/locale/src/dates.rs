//! Dates in the spellings of the world: ISO 8601, mail dates, written dates in some 60 languages, numeric dates in any
//! order, week dates (`2024-W05-2`), and relative ones ("3 days ago", "gestern", "in 2 weeks", "next Friday").
//!
//! ```
//! use jiff::civil::date;
//! use locale::dates::{DateHints, parse};
//!
//! let now = date(2020, 6, 17).at(12, 0, 0, 0);
//! let read = |text| parse(text, now, &DateHints::default()).map(|moment| moment.to_string());
//! assert_eq!(read("5 février 2019").as_deref(), Some("2019-02-05T00:00:00"));
//! assert_eq!(read("yesterday at 14:30").as_deref(), Some("2020-06-16T14:30:00"));
//! assert_eq!(read("Contact us"), None);
//! ```

mod calendar;
mod clock;
mod distance;
mod iso;
mod reader;
mod relative;
mod spans;
#[cfg(test)]
mod tests;
mod tokens;
mod types;
mod words;

use jiff::civil::DateTime;

use reader::DateReader;
use tokens::DateTokens;
pub use types::{DateHints, DateOrder, DatePrecision, ParsedDate};

/// Longest text in bytes that is read when it holds neither a digit nor a letter beyond ASCII.
const MAX_PLAIN_BYTES: usize = 64;

/// Reads a short text as a date; relative dates and dates without a year are seen from `now`. Of a span ("5–7 March 2025") the
/// first day is read; a machine date with a day, time or zone that does not exist (`2025-03-05T25:00`) is none.
///
/// Words it does not know are skipped as long as a day is named in full; a weekday alone, a time alone or a month alone
/// count only when nothing else is said.
pub fn parse(text: &str, now: DateTime, hints: &DateHints) -> Option<ParsedDate> {
    let text = text.trim();
    if let Some(moment) = iso::parse(text) {
        return Some(moment);
    }
    if iso::is_impossible(text) {
        return None;
    }
    let is_plain = !text.bytes().any(|byte| byte.is_ascii_digit() || byte >= 0x80);
    if is_plain && text.len() > MAX_PLAIN_BYTES {
        return None;
    }
    let tokens = DateTokens::of(text);
    let mut items = calendar::split_glued(words::items(&tokens));
    let reader = &mut DateReader {
        tokens: &tokens,
        language: words::best_language(&items, hints.language.and_then(words::language)),
        items: &mut items,
        now,
        hints,
    };
    let clock = clock::take(reader);
    let mut moment = calendar::full(reader)
        .or_else(|| distance::take(reader))
        .or_else(|| relative::take(reader))
        .or_else(|| calendar::partial(reader))
        .or_else(|| relative::weekday(reader))
        // "2021 years ago" is no day that is written down.
        .filter(|moment| moment.date.year() >= 1)?;
    if let Some(clock) = clock.or_else(|| clock::take_late(reader)) {
        if clock.is_end_of_day {
            moment.date = moment.date.tomorrow().ok()?;
        }
        moment.time = Some(clock.time);
        moment.offset = clock.offset;
    }
    Some(moment)
}
