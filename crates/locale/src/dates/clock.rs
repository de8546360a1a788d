//! The time of day in a date text, with its zone.

use jiff::civil::Time;
use jiff::tz::Offset;

use super::iso::offset;
use super::reader::DateReader;
use super::tokens::fold;
use super::words::{ItemKind, WordMeaning};

/// A time of day with its zone.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClockTime {
    pub(super) time: Time,
    pub(super) offset: Option<Offset>,
    /// Whether midnight is written as the end of the day before: 24:00.
    pub(super) is_end_of_day: bool,
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

/// Finds the first time written with a colon, with words for hour and minute, or with am or pm, else noon, and takes its items.
pub(super) fn take(reader: &mut DateReader) -> Option<ClockTime> {
    let timed = (0..reader.items.len()).find_map(|at| {
        let hour = reader
            .number(at)
            .filter(|hour| *hour <= 24 && reader.digits(at) <= 2)?;
        read_at(reader, at, hour).filter(FoundTime::exists)
    });
    let found = timed.or_else(|| noon(reader))?;
    Some(finish(reader, found))
}

/// Words that may stand before noon, and between noon and a day: "à midi", "noon on 5 May".
const BESIDE_NOON: [&str; 15] = [
    "at", "on", "à", "le", "um", "am", "w", "o", "dnia", "al", "el", "alle", "a", "ao", "v",
];

/// `noon`, `12 noon`. The word stands apart from other words than those of the date, as the names of places hold it, too: "Canal du
/// Midi", "Południe Warszawy" (the south of Warsaw).
fn noon(reader: &DateReader) -> Option<FoundTime> {
    let is_of_date = |at: usize| match reader.item(at).map(|item| item.kind) {
        Some(ItemKind::Unknown | ItemKind::Known(_)) => {
            let word = reader.text(at);
            // Days cut to two letters are words of other languages, too: "du" is Sunday in Romanian.
            (word.len() > 2 && reader.means_anywhere(at, Some).is_some())
                || BESIDE_NOON.iter().any(|beside| fold(beside) == word)
                || ZONES.iter().any(|(zone, _)| *zone == word)
        }
        _ => true,
    };
    let at = (0..reader.items.len()).find(|at| {
        reader
            .means_anywhere(*at, |meaning| (meaning == WordMeaning::Noon).then_some(()))
            .is_some()
            && at.checked_sub(1).is_none_or(is_of_date)
            && is_of_date(at + 1)
    })?;
    let twelve = at
        .checked_sub(1)
        .filter(|before| reader.number(*before) == Some(12));
    Some(FoundTime::at(twelve.unwrap_or(at), 12).until(at + 1))
}

/// Finds a time written with points (`14.30`, `14.30.59`); only sure once the date has taken its numbers.
pub(super) fn take_late(reader: &mut DateReader) -> Option<ClockTime> {
    let found = (0..reader.items.len()).find_map(|at| {
        let hour = reader
            .number(at)
            .filter(|hour| *hour < 24 && reader.digits(at) <= 2)?;
        let minute = pointed_minute(reader, at)?;
        let found = FoundTime::at(at, hour).minute(minute, at + 3);
        let second = reader
            .number(at + 4)
            .filter(|_| reader.is_glued_mark(at + 3, '.'));
        match second {
            None => Some(found),
            Some(second) => (second < 60 && reader.digits(at + 4) == 2).then(|| found.second(second, at + 5)),
        }
    })?;
    Some(finish(reader, found))
}

/// A time that was found in the items `start..end`; am, pm and zone are looked for around them.
#[derive(Debug, Clone, Copy)]
struct FoundTime {
    hour: u64,
    minute: u64,
    second: u64,
    nanos: i32,
    start: usize,
    end: usize,
}

impl FoundTime {
    /// A full hour of one item.
    fn at(start: usize, hour: u64) -> FoundTime {
        FoundTime {
            hour,
            minute: 0,
            second: 0,
            nanos: 0,
            start,
            end: start + 1,
        }
    }

    /// Whether a day has the time: of the hour 24 the first moment.
    fn exists(&self) -> bool {
        self.hour < 24 || (self.minute == 0 && self.second == 0)
    }

    fn until(self, end: usize) -> FoundTime {
        FoundTime { end, ..self }
    }

    fn minute(self, minute: u64, end: usize) -> FoundTime {
        FoundTime { minute, end, ..self }
    }

    fn second(self, second: u64, end: usize) -> FoundTime {
        FoundTime { second, end, ..self }
    }
}

fn read_at(reader: &DateReader, at: usize, hour: u64) -> Option<FoundTime> {
    if reader.is_glued_mark(at + 1, ':') && reader.is_glued(at + 2) {
        return with_colons(reader, at, hour);
    }
    let unit = reader.text(at + 1);
    let is_latin_unit = matches!(unit, "h" | "u");
    if matches!(unit, "時" | "时" | "點" | "点" | "시") || (is_latin_unit && !is_amount(reader, at)) {
        let is_other_word = unit == "u" && !reader.is_glued(at + 1);
        // "24 h" is how long something is open.
        let is_whole_day = is_latin_unit && hour == 24 && reader.number(at + 2).is_none();
        return (!is_other_word && !is_whole_day).then(|| with_units(reader, at, hour));
    }
    with_words(reader, at, hour)
}

/// `14:40`, `14:40:59`, `14:40:59.123`
fn with_colons(reader: &DateReader, at: usize, hour: u64) -> Option<FoundTime> {
    let two_digits = |at: usize| reader.number(at).filter(|n| *n < 60 && reader.digits(at) == 2);
    let mut found = FoundTime::at(at, hour).minute(two_digits(at + 2)?, at + 3);
    if let Some(second) = two_digits(at + 4).filter(|_| reader.is_glued_mark(at + 3, ':')) {
        found = found.second(second, at + 5);
        let has_point = reader.is_glued_mark(at + 5, '.') || reader.is_glued_mark(at + 5, ',');
        let has_fraction = reader.is_glued(at + 6)
            && reader.number(at + 6).is_some()
            && (3..=9).contains(&reader.digits(at + 6));
        if has_point && has_fraction {
            found.nanos = nanos(reader.text(at + 6));
            found.end = at + 7;
        }
    }
    Some(found)
}

/// `14h40`, `14 h`, `14u40`, `21時40分`
fn with_units(reader: &DateReader, at: usize, hour: u64) -> FoundTime {
    let found = FoundTime::at(at, hour).until(at + 2);
    let minute = reader
        .number(at + 2)
        .filter(|n| *n < 60 && reader.digits(at + 2) <= 2);
    let Some(minute) = minute else { return found };
    let found = found.minute(minute, at + 3);
    let found = match reader.text(at + 3) {
        "分" | "분" | "min" | "m" => found.until(at + 4),
        _ => found,
    };
    let second = reader.number(at + 4).filter(|n| *n < 60);
    match second.filter(|_| matches!(reader.text(at + 5), "秒" | "초")) {
        Some(second) => found.second(second, at + 6),
        None => found,
    }
}

/// `12.16 pm`, `18.37 Uhr`, `kl. 14.30`, `3 pm`, `14 Uhr`
fn with_words(reader: &DateReader, at: usize, hour: u64) -> Option<FoundTime> {
    let is_clock_word = |at: usize| reader.is(at, WordMeaning::Clock);
    let follows_clock_word = at.checked_sub(1).is_some_and(|before| {
        let behind_point = || before.checked_sub(1).is_some_and(is_clock_word);
        is_clock_word(before) || (reader.is_mark(before, '.') && behind_point())
    });
    let found = FoundTime::at(at, hour);
    if let Some(minute) = pointed_minute(reader, at)
        && (follows_clock_word
            || is_clock_word(at + 3)
            || day_half(reader, at + 3).is_some()
            || is_end_of_clock(reader, at + 3))
    {
        return Some(found.minute(minute, at + 3));
    }
    if let Some(span) = hours_joined(reader, at, hour) {
        return Some(span);
    }
    if day_half(reader, at + 1).is_some() && hour <= 12 && !is_date_part(reader, at) {
        return Some(found);
    }
    (is_clock_word(at + 1) && reader.text(at + 1) == "uhr").then(|| found.until(at + 2))
}

/// Whether a dash or a word for "to" at an item leads to the end of a span with points and a word for the clock: `–20.00 Uhr`.
fn is_end_of_clock(reader: &DateReader, at: usize) -> bool {
    let is_joint = reader.is_mark(at, '-') || reader.text(at) == "bis";
    let is_hour = reader.number(at + 1).is_some_and(|hour| hour <= 24);
    is_joint && is_hour && pointed_minute(reader, at + 1).is_some() && reader.text(at + 4) == "uhr"
}

/// The first hour of `10-12 Uhr`, `10 bis 12 Uhr`, `3-5 pm`.
fn hours_joined(reader: &DateReader, at: usize, hour: u64) -> Option<FoundTime> {
    let is_tight = reader.is_glued_mark(at + 1, '-') && reader.is_glued(at + 2);
    let is_joined = reader.is_mark(at + 1, '-') || reader.text(at + 1) == "bis";
    let last = reader
        .number(at + 2)
        .filter(|last| is_joined && *last <= 24 && reader.digits(at + 2) <= 2)?;
    if is_date_part(reader, at) {
        return None;
    }
    let found = FoundTime::at(at, hour);
    if hour < last && reader.is(at + 3, WordMeaning::Clock) && reader.text(at + 3) == "uhr" {
        return Some(found.until(at + 4));
    }
    // "May 5-7 pm" is a day and a time.
    let is_day = at
        .checked_sub(1)
        .is_some_and(|before| reader.month(before).is_some());
    let half = day_half(reader, at + 3).filter(|_| is_tight && !is_day && hour <= 12 && last <= 12)?;
    let mut found = found.until(at + 4);
    apply_half(&mut found, half_of_first(half, hour, last));
    Some(found)
}

/// The half of the day of the first hour of a span whose last hour has one: "4–6 pm", "11–1 pm".
fn half_of_first(half: DayHalf, first: u64, last: u64) -> DayHalf {
    match first % 12 <= last % 12 {
        true => half,
        false => half.other(),
    }
}

/// The minute in `14.30`, when the number at `at` starts one.
fn pointed_minute(reader: &DateReader, at: usize) -> Option<u64> {
    let minute = reader
        .number(at + 2)
        .filter(|n| *n < 60 && reader.digits(at + 2) == 2)?;
    let is_inside = at.checked_sub(1).is_some_and(|before| {
        let is_open = reader
            .item(before)
            .is_some_and(|item| item.is_mark('.') && !item.used);
        is_open && reader.is_glued(at)
    });
    (reader.is_glued_mark(at + 1, '.') && reader.is_glued(at + 2) && !is_inside).then_some(minute)
}

/// Whether the number is the last part of a date such as `5.3.11`.
fn is_date_part(reader: &DateReader, at: usize) -> bool {
    let is_separator = |at: usize| ['.', '/', '-'].iter().any(|mark| reader.is_mark(at, *mark));
    at.checked_sub(1).is_some_and(is_separator) && reader.is_glued(at)
}

/// Whether the number is an amount of time and not a time of day: `3 h ago`, `2 h 5 min ago`.
fn is_amount(reader: &DateReader, at: usize) -> bool {
    let is_ago = |at: usize| reader.is(at, WordMeaning::Ago);
    (at + 2..at + 5).any(is_ago) || at.checked_sub(1).is_some_and(is_ago)
}

/// The half of the day that a word beside a time names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DayHalf {
    Am,
    Pm,
}

impl DayHalf {
    fn other(self) -> DayHalf {
        match self {
            DayHalf::Am => DayHalf::Pm,
            DayHalf::Pm => DayHalf::Am,
        }
    }
}

/// Am or pm. Next to a number only: `am` is also a German preposition.
fn day_half(reader: &DateReader, at: usize) -> Option<DayHalf> {
    let item = reader.item(at).filter(|item| !item.used)?;
    let select = |meaning| match meaning {
        WordMeaning::Am => Some(DayHalf::Am),
        WordMeaning::Pm => Some(DayHalf::Pm),
        _ => None,
    };
    if matches!(reader.text(at), "am" | "pm") {
        return item.senses().iter().map(|sense| sense.meaning).find_map(select);
    }
    reader.means_anywhere(at, select)
}

fn finish(reader: &mut DateReader, mut found: FoundTime) -> ClockTime {
    let after = found.end + usize::from(reader.is_mark(found.end, ','));
    if let Some(half) = day_half(reader, after) {
        apply_half(&mut found, half);
        found.end = after + 1;
    } else if let Some(end) = end_of_span(reader, &found)
        && let Some(half) = day_half(reader, end.place)
    {
        let half = half_of_first(half, found.hour, end.hour);
        apply_half(&mut found, half);
    } else if let Some(before) = found.start.checked_sub(1)
        && let Some(half) = day_half(reader, before)
    {
        apply_half(&mut found, half);
        found.start = before;
    }
    let offset = zone(reader, &mut found);
    reader.take(found.start..found.end);
    let narrow = |value: u64| i8::try_from(value).unwrap_or(0);
    let hour = if found.hour == 24 { 0 } else { found.hour };
    let time = Time::new(
        narrow(hour),
        narrow(found.minute),
        narrow(found.second),
        found.nanos,
    );
    ClockTime {
        time: time.unwrap_or_default(),
        offset,
        is_end_of_day: found.hour == 24,
    }
}

/// The end of a span of time.
struct SpanEnd {
    hour: u64,
    /// The item behind it.
    place: usize,
}

/// The time that a dash joins to one that was found: "10:00–12:00". Behind seconds, or in a time of a machine (`T10:00`), such digits
/// are the distance of a zone from UTC.
fn end_of_span(reader: &DateReader, found: &FoundTime) -> Option<SpanEnd> {
    let is_machine = found
        .start
        .checked_sub(1)
        .is_some_and(|before| reader.text(before) == "t" && reader.is_glued(found.start));
    let has_minutes_alone = reader.is_mark(found.start + 1, ':') && !reader.is_mark(found.start + 3, ':');
    let at = found.end + 1;
    let is_dash = reader.is_mark(found.end, '-') && !is_machine && has_minutes_alone;
    let hour = reader
        .number(at)
        .filter(|hour| is_dash && *hour <= 24 && reader.digits(at) <= 2)?;
    let minute = reader
        .number(at + 2)
        .filter(|minute| *minute < 60 && reader.digits(at + 2) == 2);
    (minute.is_some() && reader.is_glued_mark(at + 1, ':')).then_some(SpanEnd { hour, place: at + 3 })
}

fn apply_half(found: &mut FoundTime, half: DayHalf) {
    match half {
        DayHalf::Pm if found.hour < 12 => found.hour += 12,
        DayHalf::Am if found.hour == 12 => found.hour = 0,
        DayHalf::Am | DayHalf::Pm => {}
    }
}

/// A zone right after the time: an abbreviation, a distance such as `+0200`, or both.
fn zone(reader: &DateReader, found: &mut FoundTime) -> Option<Offset> {
    // "10:00–12:00 CET": the zone stands behind the end.
    if let Some(end) = end_of_span(reader, found) {
        let behind = end.place + usize::from(day_half(reader, end.place).is_some());
        found.end = behind;
        return zone(reader, found);
    }
    let at = found.end + usize::from(reader.is_mark(found.end, '('));
    let named = named_zone(reader, at);
    let end = at + usize::from(named.is_some());
    let sign = match reader.item(end).map(|item| item.kind) {
        Some(ItemKind::Mark('+')) => 1,
        Some(ItemKind::Mark('-')) => -1,
        _ => {
            if named.is_some() {
                found.end = end;
            }
            return named;
        }
    };
    match numeric_zone(reader, end + 1, sign, named.is_some()) {
        Some((offset, end)) => {
            found.end = end;
            Some(offset)
        }
        None => named,
    }
}

/// The zone that an abbreviation stands for.
fn named_zone(reader: &DateReader, at: usize) -> Option<Offset> {
    let kind = reader.item(at)?.kind;
    if !matches!(kind, ItemKind::Unknown | ItemKind::Known(_)) {
        return None;
    }
    let name = reader.text(at);
    let (_, minutes) = ZONES.iter().find(|(abbreviation, _)| *abbreviation == name)?;
    Offset::from_seconds(minutes * 60).ok()
}

/// The distance from UTC whose digits begin at `at`, and the item behind it. Hours alone count only beside a named zone:
/// `14:30 -05` could be part of a date.
fn numeric_zone(reader: &DateReader, at: usize, sign: i32, has_name: bool) -> Option<(Offset, usize)> {
    let number = |at: usize| reader.number(at).and_then(|value| i32::try_from(value).ok());
    let value = number(at).filter(|_| reader.is_glued(at))?;
    match reader.digits(at) {
        4 => offset(sign, value / 100, value % 100).map(|offset| (offset, at + 1)),
        1 | 2 => match number(at + 2).filter(|_| reader.is_mark(at + 1, ':')) {
            Some(minutes) => offset(sign, value, minutes).map(|offset| (offset, at + 3)),
            None if has_name => offset(sign, value, 0).map(|offset| (offset, at + 1)),
            None => None,
        },
        _ => None,
    }
}

/// The digits behind the point of a second as nanoseconds.
fn nanos(digits: &str) -> i32 {
    let value: i32 = digits.parse().unwrap_or(0);
    let missing = u32::try_from(9usize.saturating_sub(digits.len())).unwrap_or(0);
    value.saturating_mul(10i32.saturating_pow(missing))
}
