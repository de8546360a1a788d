//! Spans of days within a month: "5–7 March 2025", "05.–07.03.2025". The first day is the one that a text names.

use jiff::civil::Date;

use super::reader::DateReader;
use super::words::ItemKind;

/// Words between the first and the last day, in the languages of many pages.
const JOINERS: [&str; 21] = [
    "to", "until", "till", "and", "bis", "und", "et", "au", "a", "al", "y", "e", "i", "do", "до", "и", "og",
    "och", "en", "tot", "til",
];
/// Longest list of days that is followed back to its first one.
const MAX_DAYS: usize = 31;

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
    let joint = at.checked_sub(1)?;
    let is_dash = reader.is_mark(joint, '-');
    let is_joined = is_dash
        || reader.is_mark(joint, '&')
        || JOINERS.contains(&reader.text(joint))
        || (is_list && reader.is_mark(joint, ','));
    let before = joint.checked_sub(1).filter(|_| is_joined)?;
    let is_pointed = reader.is_mark(before, '.');
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
    let is_of_other = is_part_of_more(reader, place) || (is_apart && follows_word(reader, place));
    (!is_of_other).then_some((place, earlier))
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

/// The first day of a span of numbers whose last day, `last`, begins at `at`: "05.–07.03.2025", "28.02.–02.03.2025", with the
/// place of its first number.
pub(super) fn first_of_numbers(reader: &DateReader, at: usize, last: Date) -> Option<(usize, Date)> {
    let joint = at.checked_sub(1)?;
    if !reader.is_mark(joint, '-') && !JOINERS.contains(&reader.text(joint)) {
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
    let first = Date::new(last.year(), month, day).ok()?;
    (first < last && !is_part_of_more(reader, place)).then_some((place, first))
}
