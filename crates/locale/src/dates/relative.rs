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
    let mut counts: Vec<UnitCount> = Vec::new();
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
        let end = at + gap + 2;
        counts.push(UnitCount { at, end, count, unit });
    }
    // "3 days ago, 5 years experience": of the amounts the one beside the word, "1 year, 2 months" being one.
    let amount = counts
        .chunk_by(|one, next| is_joined(reader, one.end..next.at))
        .min_by_key(|counts| distance(reader, counts, ago))?;
    let first = amount.first()?.at;
    // "before" and "for" stand in many sentences: the amount must be next to the word.
    if first.abs_diff(ago) > 2 * amount.len() + 3 {
        return None;
    }
    let mut span = Span::new();
    for part in amount {
        span = add(span, part.unit, i64::try_from(part.count).ok()?)?;
    }
    let is_of_day =
        |part: &UnitCount| matches!(part.unit, TimeUnit::Second | TimeUnit::Minute | TimeUnit::Hour);
    let names_time = amount.iter().any(is_of_day);
    let then = reader.now.checked_sub(span).ok()?;
    for part in amount {
        reader.take(part.at..part.at + 2);
    }
    Some(moment(then, names_time))
}

/// A count of units of time.
struct UnitCount {
    /// The item of the number.
    at: usize,
    /// Behind the item of the unit.
    end: usize,
    count: u64,
    unit: TimeUnit,
}

/// Words between the parts of an amount of time, in the languages of many pages.
const JOINERS: [&str; 10] = ["and", "und", "et", "y", "e", "i", "a", "и", "en", "og"];

/// Whether nothing but marks and a word for "and" stands between two counts.
fn is_joined(reader: &DateReader, between: std::ops::Range<usize>) -> bool {
    let is_joint =
        |at: usize| reader.is_mark(at, ',') || reader.is_mark(at, '.') || JOINERS.contains(&reader.text(at));
    between.into_iter().all(is_joint)
}

/// Words for "ago" that lead to their amount.
const LEADING: [&str; 7] = ["vor", "hace", "ha", "y", "for", "pred", "przed"];
/// How many items nearer an amount before such a word would have to be.
const AGAINST_ORDER: usize = 4;

/// How far an amount of time is from the word for "ago", in items; more on the side where the word has none.
fn distance(reader: &DateReader, amount: &[UnitCount], ago: usize) -> usize {
    let leads = LEADING.contains(&reader.text(ago));
    let ends = amount.first().zip(amount.last());
    ends.map_or(usize::MAX, |(first, last)| match ago < first.at {
        true => first.at - ago,
        false => ago.saturating_sub(last.end) + if leads { AGAINST_ORDER } else { 0 },
    })
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
