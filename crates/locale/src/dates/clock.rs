//! What time of day, and in which zone?

use jiff::civil::Time;
use jiff::tz::Offset;

use super::Reading;
use super::iso::offset;
use super::words::{Meaning, What};

/// A time of day with its zone.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    pub(super) time: Time,
    pub(super) offset: Option<Offset>,
}

/// Zone abbreviations with one usual meaning, in minutes from UTC.
const ZONES: [(&str, i32); 24] = [
    ("z", 0),
    ("utc", 0),
    ("gmt", 0),
    ("est", -300),
    ("edt", -240),
    ("cst", -360),
    ("cdt", -300),
    ("mst", -420),
    ("mdt", -360),
    ("pst", -480),
    ("pdt", -420),
    ("akst", -540),
    ("hst", -600),
    ("wet", 0),
    ("cet", 60),
    ("cest", 120),
    ("eet", 120),
    ("eest", 180),
    ("msk", 180),
    ("ist", 330),
    ("jst", 540),
    ("kst", 540),
    ("aest", 600),
    ("aedt", 660),
];

/// Finds the first time written with a colon, with words for hour and minute, or with am or pm, and takes its items.
pub(super) fn take(reading: &mut Reading) -> Option<Clock> {
    let found = (0..reading.items.len()).find_map(|at| {
        reading
            .number(at)
            .filter(|hour| *hour <= 24 && reading.digits(at) <= 2)
            .and_then(|hour| read_at(reading, at, hour))
    })?;
    Some(finish(reading, found))
}

/// Finds a time written with points (`14.30`, `14.30.59`); only sure once the date has taken its numbers.
pub(super) fn take_late(reading: &mut Reading) -> Option<Clock> {
    let found = (0..reading.items.len()).find_map(|at| {
        let hour = reading
            .number(at)
            .filter(|hour| *hour < 24 && reading.digits(at) <= 2)?;
        let minute = pointed_minute(reading, at)?;
        let found = Found {
            hour,
            minute,
            ..Found::at(at, at + 3)
        };
        let more = reading
            .item(at + 3)
            .is_some_and(|it| it.token.glued && it.is_mark('.'));
        match reading.number(at + 4).filter(|_| more) {
            None => Some(found),
            Some(second) => (second < 60 && reading.digits(at + 4) == 2).then_some(Found {
                second,
                end: at + 5,
                ..found
            }),
        }
    })?;
    Some(finish(reading, found))
}

/// A time whose am, pm and zone are still to be looked for around `start..end`.
#[derive(Debug, Clone, Copy)]
struct Found {
    hour: u64,
    minute: u64,
    second: u64,
    nanos: i32,
    start: usize,
    end: usize,
}

impl Found {
    fn at(start: usize, end: usize) -> Found {
        Found {
            hour: 0,
            minute: 0,
            second: 0,
            nanos: 0,
            start,
            end,
        }
    }
}

fn read_at(reading: &Reading, at: usize, hour: u64) -> Option<Found> {
    let base = Found {
        hour,
        ..Found::at(at, at + 1)
    };
    let two_digits = |at: usize| reading.number(at).filter(|n| *n < 60 && reading.digits(at) == 2);
    let glued = |at: usize| reading.item(at).is_some_and(|item| item.token.glued);
    // 14:40, 14:40:59, 14:40:59.123
    if reading
        .item(at + 1)
        .is_some_and(|it| it.is_mark(':') && it.token.glued)
        && glued(at + 2)
    {
        let minute = two_digits(at + 2)?;
        let mut found = Found {
            minute,
            end: at + 3,
            ..base
        };
        if reading
            .item(at + 3)
            .is_some_and(|it| it.is_mark(':') && it.token.glued)
            && let Some(second) = two_digits(at + 4)
        {
            found = Found {
                second,
                end: at + 5,
                ..found
            };
            let point = reading
                .item(at + 5)
                .is_some_and(|it| it.token.glued && (it.is_mark('.') || it.is_mark(',')));
            if point
                && glued(at + 6)
                && reading.number(at + 6).is_some()
                && (3..=9).contains(&reading.digits(at + 6))
            {
                found.nanos = nanos(reading.text(at + 6));
                found.end = at + 7;
            }
        }
        return Some(found);
    }
    // 14h40, 14 h, 14u40, 21時40分
    let mark = reading.text(at + 1);
    if matches!(mark, "時" | "时" | "點" | "点" | "시")
        || (matches!(mark, "h" | "u") && !is_amount(reading, at))
    {
        if mark == "u" && !glued(at + 1) {
            return None;
        }
        let mut found = Found { end: at + 2, ..base };
        if let Some(minute) = reading
            .number(at + 2)
            .filter(|n| *n < 60 && reading.digits(at + 2) <= 2)
        {
            found = Found {
                minute,
                end: at + 3,
                ..found
            };
            if matches!(reading.text(at + 3), "分" | "분" | "min" | "m") {
                found.end = at + 4;
            }
            if let Some(second) = reading.number(at + 4).filter(|n| *n < 60)
                && matches!(reading.text(at + 5), "秒" | "초")
            {
                found = Found {
                    second,
                    end: at + 6,
                    ..found
                };
            }
        }
        return Some(found);
    }
    let clock_word = |at: usize| {
        reading
            .means(at, |it| (it == Meaning::Clock).then_some(()))
            .is_some()
    };
    let before = at.checked_sub(1).is_some_and(|before| {
        let point = reading.item(before).is_some_and(|it| it.is_mark('.'));
        clock_word(before) || (point && before.checked_sub(1).is_some_and(clock_word))
    });
    // 12.16 pm, 18.37 Uhr, kl. 14.30
    if let Some(minute) = pointed_minute(reading, at)
        && (before || clock_word(at + 3) || half(reading, at + 3).is_some())
    {
        return Some(Found {
            minute,
            end: at + 3,
            ..base
        });
    }
    // 3 pm, 14 Uhr
    if half(reading, at + 1).is_some() && hour <= 12 && !is_date_part(reading, at) {
        return Some(base);
    }
    (clock_word(at + 1) && reading.text(at + 1) == "uhr").then_some(Found { end: at + 2, ..base })
}

/// The minute in `14.30`, when the number at `at` starts one.
fn pointed_minute(reading: &Reading, at: usize) -> Option<u64> {
    let point = reading
        .item(at + 1)
        .is_some_and(|it| it.is_mark('.') && it.token.glued);
    let glued = reading.item(at + 2).is_some_and(|it| it.token.glued);
    let minute = reading
        .number(at + 2)
        .filter(|n| *n < 60 && reading.digits(at + 2) == 2)?;
    let inside = at.checked_sub(1).is_some_and(|before| {
        reading.item(before).is_some_and(|it| it.is_mark('.') && !it.used)
            && reading.item(at).is_some_and(|it| it.token.glued)
    });
    (point && glued && !inside).then_some(minute)
}

/// True when the number is the last part of a date such as `5.3.11`.
fn is_date_part(reading: &Reading, at: usize) -> bool {
    let part = |at: Option<usize>| {
        at.and_then(|at| reading.item(at))
            .is_some_and(|it| it.is_mark('.') || it.is_mark('/') || it.is_mark('-'))
    };
    part(at.checked_sub(1)) && reading.item(at).is_some_and(|it| it.token.glued)
}

/// True for `3 h ago`: an amount of time, not a time of day.
fn is_amount(reading: &Reading, at: usize) -> bool {
    let ago = |at: usize| {
        reading
            .means(at, |it| (it == Meaning::Ago).then_some(()))
            .is_some()
    };
    ago(at + 2) || ago(at + 3) || at.checked_sub(1).is_some_and(ago)
}

/// `Some(true)` for pm. Next to a number only: `am` is also a German preposition.
fn half(reading: &Reading, at: usize) -> Option<bool> {
    let item = reading.item(at).filter(|item| !item.used)?;
    let wanted = |meaning| match meaning {
        Meaning::Am => Some(false),
        Meaning::Pm => Some(true),
        _ => None,
    };
    if matches!(reading.text(at), "am" | "pm") {
        return item.senses().iter().map(|sense| sense.meaning).find_map(wanted);
    }
    reading.means_anywhere(at, wanted)
}

fn finish(reading: &mut Reading, mut found: Found) -> Clock {
    let after = if reading.item(found.end).is_some_and(|it| it.is_mark(',')) {
        found.end + 1
    } else {
        found.end
    };
    if let Some(pm) = half(reading, after) {
        apply_half(&mut found, pm);
        found.end = after + 1;
    } else if let Some(before) = found.start.checked_sub(1)
        && let Some(pm) = half(reading, before)
    {
        apply_half(&mut found, pm);
        found.start = before;
    }
    let offset = zone(reading, &mut found);
    reading.take(found.start..found.end);
    let narrow = |value: u64| i8::try_from(value).unwrap_or(0);
    let hour = if found.hour == 24 { 0 } else { found.hour };
    let time = Time::new(
        narrow(hour),
        narrow(found.minute),
        narrow(found.second),
        found.nanos,
    );
    Clock {
        time: time.unwrap_or(Time::midnight()),
        offset,
    }
}

fn apply_half(found: &mut Found, pm: bool) {
    if pm && found.hour < 12 {
        found.hour += 12;
    } else if !pm && found.hour == 12 {
        found.hour = 0;
    }
}

/// A zone right after the time: an abbreviation, a distance such as `+0200`, or both.
fn zone(reading: &Reading, found: &mut Found) -> Option<Offset> {
    let open = reading.item(found.end).is_some_and(|it| it.is_mark('('));
    let at = if open { found.end + 1 } else { found.end };
    let name = reading.text(at);
    let known = ZONES.iter().find(|(abbreviation, _)| *abbreviation == name);
    let is_word = reading
        .item(at)
        .is_some_and(|it| matches!(it.what, What::Unknown | What::Known(_)));
    let mut zone = None;
    let mut end = at;
    if let Some((_, minutes)) = known.filter(|_| is_word) {
        zone = Offset::from_seconds(minutes * 60).ok();
        end = at + 1;
    }
    let sign = match reading.item(end).map(|it| it.what) {
        Some(What::Mark('+')) => 1,
        Some(What::Mark('-')) => -1,
        _ => {
            if zone.is_some() {
                found.end = end;
            }
            return zone;
        }
    };
    let glued = reading.item(end + 1).is_some_and(|it| it.token.glued);
    let Some(value) = reading
        .number(end + 1)
        .filter(|_| glued)
        .and_then(|value| i32::try_from(value).ok())
    else {
        return zone;
    };
    let read = match reading.digits(end + 1) {
        4 => offset(sign, value / 100, value % 100).map(|it| (it, end + 2)),
        1 | 2 => {
            let colon = reading.item(end + 2).is_some_and(|it| it.is_mark(':'));
            match reading
                .number(end + 3)
                .filter(|_| colon)
                .and_then(|minutes| i32::try_from(minutes).ok())
            {
                Some(minutes) => offset(sign, value, minutes).map(|it| (it, end + 4)),
                // `14:30 -05` alone would be ambiguous with a date; a named zone makes it sure.
                None => zone.and_then(|_| offset(sign, value, 0)).map(|it| (it, end + 2)),
            }
        }
        _ => None,
    };
    match read {
        Some((offset, end)) => {
            found.end = end;
            Some(offset)
        }
        None => zone,
    }
}

fn nanos(digits: &str) -> i32 {
    let value: i32 = digits.parse().unwrap_or(0);
    let missing = u32::try_from(9usize.saturating_sub(digits.len())).unwrap_or(0);
    value.saturating_mul(10i32.saturating_pow(missing))
}
