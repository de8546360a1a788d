//! Which day is "3 days ago", "gestern" or "Friday"?

use jiff::civil::DateTime;
use jiff::{Span, ToSpan};

use super::words::{Meaning, Unit};
use super::{Moment, Reading};

/// The longest time ago that is believed, in each unit.
const MOST: u64 = 100_000;

/// Amounts of time with a word for "ago", or a word such as "yesterday".
pub(super) fn take(reading: &mut Reading) -> Option<Moment> {
    amount(reading).or_else(|| near(reading))
}

fn amount(reading: &mut Reading) -> Option<Moment> {
    let is_ago = |at: &usize| {
        reading
            .means(*at, |it| (it == Meaning::Ago).then_some(()))
            .is_some()
    };
    let ago = (0..reading.items.len()).find(is_ago)?;
    let mut span = Span::new();
    let mut fine = false;
    let mut taken = Vec::new();
    for at in 0..reading.items.len() {
        let one = reading.means(at, |it| (it == Meaning::One).then_some(1));
        let Some(count) = reading.number(at).or(one).filter(|count| *count <= MOST) else {
            continue;
        };
        let gap = usize::from(
            reading
                .item(at + 1)
                .is_some_and(|it| it.is_mark('.') || it.is_mark('+')),
        );
        let unit = |it| {
            if let Meaning::Unit(unit) = it {
                Some(unit)
            } else {
                None
            }
        };
        let Some(unit) = reading.means(at + 1 + gap, unit) else {
            continue;
        };
        span = add(span, unit, i64::try_from(count).ok()?)?;
        fine |= matches!(unit, Unit::Second | Unit::Minute | Unit::Hour);
        taken.push(at);
    }
    let first = *taken.first()?;
    // "before" and "for" stand in many sentences: the amount must be next to the word.
    if first.abs_diff(ago) > 2 * taken.len() + 3 {
        return None;
    }
    let then = reading.now.checked_sub(span).ok()?;
    for at in taken {
        reading.take(at..at + 2);
    }
    Some(moment(then, fine))
}

fn add(span: Span, unit: Unit, count: i64) -> Option<Span> {
    match unit {
        Unit::Second => span.try_seconds(span.get_seconds() + count),
        Unit::Minute => span.try_minutes(span.get_minutes() + count),
        Unit::Hour => span.try_hours(i64::from(span.get_hours()) + count),
        Unit::Day => span.try_days(i64::from(span.get_days()) + count),
        Unit::Week => span.try_weeks(i64::from(span.get_weeks()) + count),
        Unit::Month => span.try_months(i64::from(span.get_months()) + count),
        Unit::Year => span.try_years(i64::from(span.get_years()) + count),
    }
    .ok()
}

/// The minute, not what the reader's clock says beyond it: "an hour ago" is told no finer.
fn moment(then: DateTime, fine: bool) -> Moment {
    let time = then.time();
    let minute = time.with().second(0).subsec_nanosecond(0).build();
    Moment {
        time: fine.then(|| minute.unwrap_or(time)),
        ..Moment::near(then.date())
    }
}

/// Yesterday, today, now.
fn near(reading: &mut Reading) -> Option<Moment> {
    let wanted = |it| match it {
        Meaning::Near(days) => Some(Some(days)),
        Meaning::Now => Some(None),
        _ => None,
    };
    let (at, days) = (0..reading.items.len()).find_map(|at| Some((at, reading.means(at, wanted)?)))?;
    // "today" stands in many sentences; a date has little else beside it.
    if reading.unknown() > 2 || reading.items.iter().any(|item| item.number().is_some()) {
        return None;
    }
    reading.take(at..at + 1);
    match days {
        Some(days) => Some(Moment::near(
            reading.now.date().checked_add(i64::from(days).days()).ok()?,
        )),
        None => Some(moment(reading.now, true)),
    }
}

/// A weekday alone is the last one before today.
pub(super) fn weekday(reading: &mut Reading) -> Option<Moment> {
    if reading.unknown() > 0 || reading.items.iter().any(|item| item.number().is_some()) {
        return None;
    }
    let wanted = |it| {
        if let Meaning::Weekday(day) = it {
            Some(day)
        } else {
            None
        }
    };
    let (at, day) = (0..reading.items.len()).find_map(|at| Some((at, reading.means(at, wanted)?)))?;
    let today = reading.now.date();
    let back = (today.weekday().to_monday_zero_offset() - day).rem_euclid(7);
    let back = if back == 0 { 7 } else { back };
    reading.take(at..at + 1);
    Some(Moment::near(today.checked_sub(i64::from(back).days()).ok()?))
}
