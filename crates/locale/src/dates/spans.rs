//! Spans of days: "5–7 March 2025", "05.–07.03.2025", "28 Dec – 3 Jan 2026". The first day is the one that a text names.

use jiff::civil::Date;

use super::reader::DateReader;
use super::words::ItemKind;

/// Words between the first and the last day, in the languages of many pages.
const JOINERS: [&str; 21] = [
    "to", "until", "till", "and", "bis", "und", "et", "au", "a", "al", "y", "e", "i", "do", "до", "и", "og",
    "och", "en", "tot", "til",
];
/// Endings of ordinal numbers: "5th", "1er".
const ORDINAL_ENDINGS: [&str; 5] = ["st", "nd", "rd", "th", "er"];
/// Longest list of days that is followed back to its first one.
const MAX_DAYS: usize = 31;
/// Most items from the first month of a span to the last one: a day with its mark, a year, a weekday, the word between.
const MAX_BETWEEN: usize = 8;

/// The first day of the span or list whose last day, `day`, stands at `at`, with its place. `None` when nothing is joined.
pub(super) fn first_day(reader: &DateReader, at: usize, day: i8) -> Option<(usize, i8)> {
    let mut first = (at, day);
    for _ in 0..MAX_DAYS {
        let is_list = first.0 != at;
        match day_before(reader, first, is_list) {
            Some(earlier) => first = earlier,
            None => break,
        }
    }
    (first.0 != at).then_some(first)
}

/// The smaller day that is joined to the one behind it; in a list that has begun, a comma joins too ("5, 6 and 7 March").
fn day_before(reader: &DateReader, (at, day): (usize, i8), is_list: bool) -> Option<(usize, i8)> {
    let (joint, has_weekday) = joint_before(reader, at)?;
    let is_dash = reader.is_mark(joint, '-');
    // "5/6 March"
    let is_slash = reader.is_glued_mark(joint, '/') && reader.is_glued(at);
    let is_joined = is_slash || joins(reader, joint) || (is_list && reader.is_mark(joint, ','));
    let before = joint.checked_sub(1).filter(|_| is_joined)?;
    let is_ordinal = reader.is_glued(before) && ORDINAL_ENDINGS.contains(&reader.text(before));
    let is_pointed = is_ordinal || reader.is_mark(before, '.');
    let place = if is_pointed {
        before.checked_sub(1)?
    } else {
        before
    };
    let value = reader.number(place).filter(|_| reader.digits(place) <= 2)?;
    let earlier = i8::try_from(value)
        .ok()
        .filter(|earlier| (1..day).contains(earlier))?;
    // "Episode 12 - 14 March": a dash between blanks parts titles, too.
    let is_apart = is_dash && !is_pointed && !reader.is_glued(joint);
    let may_be_title = is_apart || is_slash;
    let is_of_other = is_part_of_more(reader, place) || (may_be_title && follows_word(reader, place));
    // "Week 2 – Sunday 15 March" begins on no day.
    let fits = !has_weekday || weekday_before(reader, place).is_some();
    (!is_of_other && fits).then_some((place, earlier))
}

/// The first item of what joins the day at `at` to the one before it, and whether the weekday of the last day stands between: "13 bis
/// Sonntag, 15.", "13 t/m 15".
fn joint_before(reader: &DateReader, at: usize) -> Option<(usize, bool)> {
    let last = at.checked_sub(1)?;
    let first_of = |last: usize| {
        let first = last.checked_sub(2).filter(|first| is_through(reader, *first));
        first.unwrap_or(last)
    };
    let joint = first_of(last);
    if joins(reader, joint) {
        return Some((joint, false));
    }
    let before = weekday_before(reader, at).and_then(|weekday| weekday.checked_sub(1));
    let before = before.map(first_of).filter(|joint| joins(reader, *joint));
    Some(before.map_or((joint, false), |joint| (joint, true)))
}

/// The weekday right before an item, behind which a comma or a point may stand.
fn weekday_before(reader: &DateReader, at: usize) -> Option<usize> {
    let last = at.checked_sub(1)?;
    let is_mark = reader.is_mark(last, ',') || reader.is_mark(last, '.');
    let place = last.checked_sub(usize::from(is_mark))?;
    let mut senses = reader.item(place)?.senses().iter();
    senses
        .any(|sense| sense.meaning.weekday().is_some())
        .then_some(place)
}

/// Whether the Dutch "t/m" stands at an item: up to and with the day behind it.
fn is_through(reader: &DateReader, at: usize) -> bool {
    reader.text(at) == "t" && reader.is_glued_mark(at + 1, '/') && reader.text(at + 2) == "m"
}

/// Whether a number goes on with what stands before it: a time, a decimal, a date, a name ("B5").
fn is_part_of_more(reader: &DateReader, place: usize) -> bool {
    let Some(before) = place.checked_sub(1) else {
        return false;
    };
    let kind = reader.item(before).map(|item| item.kind);
    let is_open = matches!(
        kind,
        Some(
            ItemKind::Unknown
                | ItemKind::Known(_)
                | ItemKind::Number
                | ItemKind::Mark(':' | '.' | '/' | '-' | '\'')
        )
    );
    is_open && reader.is_glued(place)
}

fn follows_word(reader: &DateReader, place: usize) -> bool {
    place
        .checked_sub(1)
        .and_then(|before| reader.item(before))
        .is_some_and(|item| matches!(item.kind, ItemKind::Unknown))
}

/// Whether the month at `at` is of the year before the year at `year_at`: of a span that ends in an earlier month of the calendar,
/// "28 Dec – 3 Jan 2026".
pub(super) fn begins_in_year_before(reader: &DateReader, at: usize, year_at: usize) -> bool {
    let last = last_month(reader, at).filter(|last| *last < year_at);
    let months = reader.month(at).zip(last.and_then(|last| reader.month(last)));
    months.is_some_and(|(first, last)| last < first)
}

/// Where the month of the last day stands in a span whose first day is of the month at `at`: "Jan" of "Dec 30 - Jan 2".
pub(super) fn last_month(reader: &DateReader, at: usize) -> Option<usize> {
    let last = (at + 1..=at + MAX_BETWEEN).find(|place| reader.month(*place).is_some())?;
    (at + 1..last).any(|place| joins(reader, place)).then_some(last)
}

/// Whether a dash, a sign or a word for "to" or "and" stands at an item.
fn joins(reader: &DateReader, place: usize) -> bool {
    reader.is_mark(place, '-')
        || reader.is_mark(place, '&')
        || JOINERS.contains(&reader.text(place))
        || is_through(reader, place)
}

/// The first day of a span of numbers whose last day, `last`, begins at `at`: "05.–07.03.2025", "28.02.–02.03.2025", with the
/// place of its first number.
pub(super) fn first_of_numbers(reader: &DateReader, at: usize, last: Date) -> Option<(usize, Date)> {
    let (joint, _) = joint_before(reader, at)?;
    let is_dash = reader.is_mark(joint, '-');
    if !is_dash && !JOINERS.contains(&reader.text(joint)) && !is_through(reader, joint) {
        return None;
    }
    let number = |back: usize| {
        let place = joint.checked_sub(back)?;
        let value = reader.number(place).filter(|_| reader.digits(place) <= 2)?;
        Some((place, i8::try_from(value).ok()?))
    };
    let is_point = |back: usize| {
        joint
            .checked_sub(back)
            .is_some_and(|place| reader.is_mark(place, '.'))
    };
    // "5-7.3.2025" has no point behind the first day.
    let is_bare = reader.is_glued(joint) && reader.is_glued(at);
    let (place, day, month) = match (is_point(1), is_point(3)) {
        (true, true) => {
            let ((place, day), (_, month)) = (number(4)?, number(2)?);
            (place, day, month)
        }
        (true, false) => number(2).map(|(place, day)| (place, day, last.month()))?,
        (false, _) => number(1)
            .filter(|_| is_bare)
            .map(|(place, day)| (place, day, last.month()))?,
    };
    // "28.12.–3.1.2026" begins in the year before.
    let years_before = i16::from(month > last.month());
    let first = Date::new(last.year() - years_before, month, day).ok()?;
    (first < last && !is_part_of_more(reader, place)).then_some((place, first))
}
