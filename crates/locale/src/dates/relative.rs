//! Relative dates: "3 days ago", "gestern", "Friday".

use jiff::civil::DateTime;
use jiff::{Span, ToSpan};

use super::reader::DateReader;
use super::types::ParsedDate;
use super::words::{TimeUnit, WordMeaning};

/// Most units of time that are believed.
const MAX_COUNT: u64 = 100_000;

/// Amounts of time with a word for "ago", or a word such as "yesterday".
pub(super) fn take(reader: &mut DateReader) -> Option<ParsedDate> {
    amount(reader).or_else(|| near(reader))
}

fn amount(reader: &mut DateReader) -> Option<ParsedDate> {
    let ago = (0..reader.items.len()).find(|at| reader.is(*at, WordMeaning::Ago))?;
    let mut span = Span::new();
    let mut names_time = false;
    let mut counts = Vec::new();
    for at in 0..reader.items.len() {
        let one = reader.is(at, WordMeaning::One).then_some(1);
        let Some(count) = reader.number(at).or(one).filter(|count| *count <= MAX_COUNT) else {
            continue;
        };
        let gap = usize::from(reader.is_mark(at + 1, '.') || reader.is_mark(at + 1, '+'));
        let Some(unit) = reader.means(at + 1 + gap, WordMeaning::unit) else {
            continue;
        };
        // "1.5 hours ago", "half a year ago", "9 days ago • 1.14M": the numbers are those of no date either.
        if is_fraction(reader, at) {
            reader.take(at.saturating_sub(2)..at + 2);
            continue;
        }
        span = add(span, unit, i64::try_from(count).ok()?)?;
        names_time |= matches!(unit, TimeUnit::Second | TimeUnit::Minute | TimeUnit::Hour);
        counts.push(at);
    }
    let first = *counts.first()?;
    // "before" and "for" stand in many sentences: the amount must be next to the word.
    if first.abs_diff(ago) > 2 * counts.len() + 3 {
        return None;
    }
    let then = reader.now.checked_sub(span).ok()?;
    for at in counts {
        reader.take(at..at + 2);
    }
    Some(moment(then, names_time))
}

/// Whether a count is the fraction of a number, or one that is halved.
fn is_fraction(reader: &DateReader, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else {
        return false;
    };
    let is_point = reader.is_glued_mark(before, '.') || reader.is_glued_mark(before, ',');
    let is_decimal = is_point && reader.is_glued(at) && before > 0 && reader.number(before - 1).is_some();
    is_decimal || reader.text(before) == "half"
}

pub(super) fn add(span: Span, unit: TimeUnit, count: i64) -> Option<Span> {
    match unit {
        TimeUnit::Second => span.try_seconds(span.get_seconds() + count),
        TimeUnit::Minute => span.try_minutes(span.get_minutes() + count),
        TimeUnit::Hour => span.try_hours(i64::from(span.get_hours()) + count),
        TimeUnit::Day => span.try_days(i64::from(span.get_days()) + count),
        TimeUnit::Week => span.try_weeks(i64::from(span.get_weeks()) + count),
        TimeUnit::Month => span.try_months(i64::from(span.get_months()) + count),
        TimeUnit::Year => span.try_years(i64::from(span.get_years()) + count),
    }
    .ok()
}

/// The minute without its seconds: "an hour ago" is no more precise than that.
pub(super) fn moment(then: DateTime, with_time: bool) -> ParsedDate {
    let time = then.time();
    let minute = time.with().second(0).subsec_nanosecond(0).build();
    ParsedDate {
        time: with_time.then(|| minute.unwrap_or(time)),
        ..ParsedDate::near(then.date())
    }
}

/// Yesterday, today, now.
fn near(reader: &mut DateReader) -> Option<ParsedDate> {
    let is_near = |meaning: &WordMeaning| matches!(meaning, WordMeaning::Near(_) | WordMeaning::Now);
    let (at, meaning) = find(reader, |meaning| Some(meaning).filter(is_near))?;
    // "today" stands in many sentences; a date has little else beside it. "Buy now" and "Shop now" are no dates at all.
    let most = if matches!(meaning, WordMeaning::Now) { 0 } else { 2 };
    if reader.unknown_words() > most || reader.has_numbers() {
        return None;
    }
    reader.take(at..at + 1);
    match meaning {
        WordMeaning::Near(days) => {
            let date = reader.now.date().checked_add(i64::from(days).days());
            Some(ParsedDate::near(date.ok()?))
        }
        _ => Some(moment(reader.now, true)),
    }
}

/// A weekday alone is the last one before today.
pub(super) fn weekday(reader: &mut DateReader) -> Option<ParsedDate> {
    if reader.unknown_words() > 0 || reader.has_numbers() {
        return None;
    }
    let (at, day) = find(reader, WordMeaning::weekday)?;
    let today = reader.now.date();
    let back = (today.weekday().to_monday_zero_offset() - day).rem_euclid(7);
    let back = if back == 0 { 7 } else { back };
    reader.take(at..at + 1);
    Some(ParsedDate::near(today.checked_sub(i64::from(back).days()).ok()?))
}

/// The first item with a meaning of this kind.
fn find<T>(reader: &DateReader, select: impl Fn(WordMeaning) -> Option<T>) -> Option<(usize, T)> {
    (0..reader.items.len()).find_map(|at| Some((at, reader.means(at, &select)?)))
}
