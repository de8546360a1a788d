//! Machine-written dates: ISO 8601 and RFC 3339, read without a table.

use jiff::civil::{Date, ISOWeekDate, Time, Weekday};
use jiff::tz::Offset;

use super::types::ParsedDate;

/// Reads `2024-W05-2`, `2024-W05`, `2014-12-31`, `2014/12/31`, `20141231`, the last three with an optional `T` or space, time and zone. `None` for
/// anything else, also when something follows.
pub(super) fn parse(text: &str) -> Option<ParsedDate> {
    let mut rest = IsoCursor(text.as_bytes());
    let year = rest.digits(4)?;
    if let Some(day) = week_date(year, &rest) {
        return Some(day);
    }
    let mark = rest.one_of(b"-/");
    let month = rest.digits(2)?;
    if mark != rest.one_of(b"-/") {
        return None;
    }
    let day = rest.digits(2)?;
    let date = Date::new(
        i16::try_from(year).ok()?,
        i8::try_from(month).ok()?,
        i8::try_from(day).ok()?,
    )
    .ok()?;
    let mut moment = ParsedDate::day(date);
    // "0001-01-01T00:00:00Z" is the day of programs that know none.
    if !(1000..2600).contains(&year) {
        return None;
    }
    if rest.0.is_empty() {
        return Some(moment);
    }
    let is_spaced = rest.one_of(b"Tt ")? == b' ';
    let hour = rest.digits(2)?;
    let colon = rest.one_of(b":");
    let minute = rest.digits(2)?;
    let mut second = 0;
    let has_minutes_alone = rest.0.first() == Some(&b'-');
    if colon == rest.one_of(b":") && rest.0.first().is_some_and(u8::is_ascii_digit) {
        second = rest.digits(2)?.min(59);
    }
    let mut nanos = 0;
    if rest.one_of(b".,").is_some() {
        nanos = rest.fraction()?;
    }
    let narrow = |value: u32| i8::try_from(value).ok();
    // Of the hour 24 a day has the first moment alone.
    let next_day = hour == 24;
    if next_day && (minute, second, nanos) != (0, 0, 0) {
        return None;
    }
    let hour = if next_day { 0 } else { hour };
    moment.time = Some(Time::new(narrow(hour)?, narrow(minute)?, narrow(second)?, nanos).ok()?);
    if next_day {
        moment.date = date.tomorrow().ok()?;
    }
    // "2025-03-05 10:00-12:00" is a day with its opening hours.
    if is_spaced && has_minutes_alone && rest.0.contains(&b':') {
        return None;
    }
    let _ = rest.one_of(b" ");
    if !rest.0.is_empty() {
        let (sign, hours, minutes) = rest.zone()?;
        moment.offset = Some(offset(sign, hours, minutes)?);
    }
    rest.0.is_empty().then_some(moment)
}

/// Whether a text that [`parse`] refuses has the form of a machine date: a year, month and day, alone, or with a `T`, a time and
/// perhaps a zone, or with an hour or minute that does not exist. Some number of it is impossible then.
pub(super) fn is_impossible(text: &str) -> bool {
    has_form_of_date(text).unwrap_or(false)
}

fn has_form_of_date(text: &str) -> Option<bool> {
    let mut rest = IsoCursor(text.as_bytes());
    rest.digits(4)?;
    let mark = rest.one_of(b"-/")?;
    rest.digits(2)?;
    rest.one_of(&[mark])?;
    rest.digits(2)?;
    if rest.0.is_empty() {
        return Some(true);
    }
    let is_spaced = rest.one_of(b"Tt ")? == b' ';
    let hour = rest.digits(2)?;
    rest.one_of(b":")?;
    let minute = rest.digits(2)?;
    if hour > 24 || minute > 59 || (hour == 24 && minute > 0) {
        return Some(true);
    }
    if rest.one_of(b":").is_some() {
        rest.digits(2)?;
    }
    if rest.one_of(b".,").is_some() {
        rest.fraction()?;
    }
    if !rest.0.is_empty() {
        rest.zone()?;
    }
    // "2025-03-05 10:00-18:00" is a day with its opening hours.
    Some(rest.0.is_empty() && !is_spaced)
}

/// The rest of a week date: `-W05-2`, `W052`, or `-W05` for the week, of which Monday is given.
fn week_date(year: u32, rest: &IsoCursor<'_>) -> Option<ParsedDate> {
    let mut rest = IsoCursor(rest.0);
    let _ = rest.one_of(b"-");
    rest.one_of(b"Ww")?;
    let week = i8::try_from(rest.digits(2)?).ok()?;
    let _ = rest.one_of(b"-");
    let is_week = rest.0.is_empty();
    let day = if is_week {
        1
    } else {
        i8::try_from(rest.digits(1)?).ok()?
    };
    if !rest.0.is_empty() {
        return None;
    }
    let weekday = Weekday::from_monday_one_offset(day).ok()?;
    let date = ISOWeekDate::new(i16::try_from(year).ok()?, week, weekday)
        .ok()?
        .date();
    Some(if is_week {
        ParsedDate::near(date)
    } else {
        ParsedDate::day(date)
    })
}

/// The bytes that are still to be read.
struct IsoCursor<'a>(&'a [u8]);

impl IsoCursor<'_> {
    fn digits(&mut self, count: usize) -> Option<u32> {
        let (head, tail) = self.0.split_at_checked(count)?;
        let mut value = 0;
        for byte in head {
            value = value * 10 + char::from(*byte).to_digit(10)?;
        }
        self.0 = tail;
        Some(value)
    }

    fn one_of(&mut self, bytes: &[u8]) -> Option<u8> {
        let (first, tail) = self.0.split_first()?;
        bytes.contains(first).then(|| {
            self.0 = tail;
            *first
        })
    }

    /// Digits after the point as nanoseconds.
    fn fraction(&mut self) -> Option<i32> {
        let count = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, tail) = self.0.split_at_checked(count).filter(|_| count > 0)?;
        self.0 = tail;
        let mut nanos = 0;
        for at in 0..9 {
            let digit = digits.get(at).map_or(0, |byte| i32::from(byte - b'0'));
            nanos = nanos * 10 + digit;
        }
        Some(nanos)
    }

    /// The sign, hours and minutes of `Z`, `+02:00`, `+0200` or `+02`.
    fn zone(&mut self) -> Option<(i32, i32, i32)> {
        if self.one_of(b"Zz").is_some() {
            return Some((1, 0, 0));
        }
        let sign = if self.one_of(b"+-")? == b'-' { -1 } else { 1 };
        let hours = i32::try_from(self.digits(2)?).ok()?;
        let _ = self.one_of(b":");
        let minutes = if self.0.is_empty() {
            0
        } else {
            i32::try_from(self.digits(2)?).ok()?
        };
        Some((sign, hours, minutes))
    }
}

/// A distance from UTC; `None` when it is impossible.
pub(super) fn offset(sign: i32, hours: i32, minutes: i32) -> Option<Offset> {
    (hours <= 15 && minutes < 60)
        .then(|| Offset::from_seconds(sign * (hours * 3600 + minutes * 60)).ok())
        .flatten()
}
