//! The day that numbers and month names name.

use jiff::civil::Date;

use super::reader::DateReader;
use super::spans;
use super::types::{DateOrder, DatePrecision, ParsedDate};
use super::words::{DateItem, ItemKind, TimeUnit, WordMeaning, language};

/// How far from the month's name its day and year may stand, in items.
const REACH: usize = 5;

/// Cuts numbers that are written together: `2016020417:10` and `2016年6月2911:30`.
pub(super) fn split_glued(items: Vec<DateItem>) -> Vec<DateItem> {
    let needs_cut = |at: usize| {
        let item = items.get(at)?;
        let colon = items.get(at + 1)?.is_mark(':');
        let digits = item.token.digits();
        let wide = digits == 10 || (digits == 12 && items.len() == 1);
        let after_month = at
            .checked_sub(1)
            .and_then(|before| items.get(before))
            .is_some_and(is_month_mark);
        (colon && (wide || (after_month && (3..=4).contains(&digits)))).then(|| digits.saturating_sub(2))
    };
    if !(0..items.len()).any(|at| needs_cut(at).is_some()) {
        return items;
    }
    let mut out = Vec::with_capacity(items.len() + 1);
    for (at, item) in items.iter().enumerate() {
        let Some(head) = needs_cut(at) else {
            out.push(*item);
            continue;
        };
        let (mut first, mut second) = (*item, *item);
        first.token.end = item.token.start + head;
        first.token.value = item.token.value / 100;
        second.token.start = first.token.end;
        second.token.value = item.token.value % 100;
        second.token.glued = true;
        out.extend([first, second]);
    }
    out
}

fn is_month_mark(item: &DateItem) -> bool {
    // 月 and 월 have three bytes; the table does not hold them on their own.
    item.token.end - item.token.start == 3 && matches!(item.kind, ItemKind::Unknown | ItemKind::Known(_))
}

/// A day that is named in full, or with only its year left out.
pub(super) fn full(reader: &mut DateReader) -> Option<ParsedDate> {
    east_asian(reader)
        .or_else(|| vietnamese(reader))
        .or_else(|| with_month_name(reader))
        .or_else(|| triple(reader))
        .or_else(|| compact(reader))
}

/// Month and year, a month alone, or day and month as two numbers: each only if it is all the text says.
pub(super) fn partial(reader: &mut DateReader) -> Option<ParsedDate> {
    for at in 0..reader.items.len() {
        let Some(name) = reader.month(at) else { continue };
        // A day that the month does not have ("31 February") is no date, and does not name the month as a whole.
        if day_and_year(reader, at).is_some() {
            return None;
        }
        let cut = |place: usize| short_year(reader, place).filter(|_| is_cut_year(reader, place));
        let year = (at.saturating_sub(2)..at + 4)
            .find_map(|at| full_year(reader, at))
            .or_else(|| (at + 1..at + 4).find_map(cut));
        if let Some(year) = year {
            if is_beside_no_day(reader, at) {
                return None;
            }
            return month_of(year, name);
        }
        if reader.unknown_words() == 0 && !reader.has_numbers() {
            return month_of(reader.now.year(), name);
        }
    }
    if reader.unknown_words() > 0 {
        return None;
    }
    pair(reader)
}

/// Whether a number that no month has as a day stands where the day of the month at `at` would: "32 May 2025", "May 32, 2025".
/// Behind a word the number counts something else ("Issue 45 May 2025").
fn is_beside_no_day(reader: &DateReader, at: usize) -> bool {
    let is_no_day = |place: usize| {
        let value = reader.number(place).filter(|_| reader.digits(place) <= 2);
        value.is_some_and(|value| !(1..=31).contains(&value))
    };
    let before = match at.checked_sub(1) {
        Some(point) if reader.is_mark(point, '.') => point.checked_sub(1),
        before => before,
    };
    let opens = |place: usize| {
        let head = reader.items.get(..place).into_iter().flatten();
        let is_weekday = |item: &DateItem| {
            item.senses()
                .iter()
                .any(|sense| sense.meaning.weekday().is_some())
        };
        head.into_iter()
            .all(|item| is_weekday(item) || item.is_mark(',') || item.is_mark('.'))
    };
    let is_before = before.is_some_and(|place| is_no_day(place) && opens(place));
    is_before || (is_no_day(at + 1) && (at + 2..at + 4).any(|place| full_year(reader, place).is_some()))
}

/// A month as a whole.
fn month_of(year: i16, month: i8) -> Option<ParsedDate> {
    let first = Date::new(year, month, 1).ok()?;
    Some(ParsedDate {
        precision: DatePrecision::Month,
        ..ParsedDate::day(first)
    })
}

/// `2016年3月20日`, `3月20日`, `2014년 3월 5일`, with Japanese eras and the Republic's years.
fn east_asian(reader: &mut DateReader) -> Option<ParsedDate> {
    let at = (0..reader.items.len()).find(|at| {
        matches!(reader.text(at + 1), "月" | "월") && reader.number(*at).is_some_and(|n| n <= 12)
    })?;
    let month = i8::try_from(reader.number(at)?).ok()?;
    let day = reader
        .number(at + 2)
        .filter(|day| (1..=31).contains(day))
        .and_then(|day| i8::try_from(day).ok());
    let place = at
        .checked_sub(2)
        .filter(|year| matches!(reader.text(year + 1), "年" | "년"));
    let year = place.and_then(|place| era_year(reader, place));
    if year.is_none() && place.is_some_and(|place| reader.number(place).is_some()) {
        // Of another year than any that is written so, this is not the day that comes next.
        return None;
    }
    let start = if year.is_some() { at - 2 } else { at };
    let moment = match (year, day) {
        (Some(year), Some(day)) => ParsedDate::day(Date::new(year, month, day).ok()?),
        (None, Some(day)) => ParsedDate::near(without_year(reader, month, day)?),
        (Some(year), None) => month_of(year, month)?,
        (None, None) => return None,
    };
    reader.take(start..at + 4);
    Some(moment)
}

/// A year before 年: of our count, or of the era named before it.
fn era_year(reader: &DateReader, at: usize) -> Option<i16> {
    let year = reader.number(at).and_then(|year| i16::try_from(year).ok())?;
    let before = |back: usize| at.checked_sub(back).map_or("", |at| reader.text(at));
    let era: i16 = match (before(2), before(1)) {
        ("令", "和") => 2018,
        ("平", "成") => 1988,
        ("昭", "和") => 1925,
        ("民", "國" | "国") => 1911,
        _ => 0,
    };
    match (era, reader.digits(at)) {
        (0, 4) => (1000..2600).contains(&year).then_some(year),
        (0, 2) => Some(century(year)),
        (0, _) => None,
        (era, _) => era.checked_add(year),
    }
}

/// `ngày 5 tháng 3 năm 2018`, `5 tháng 3, 2018`.
fn vietnamese(reader: &mut DateReader) -> Option<ParsedDate> {
    if reader.language != language("vi") {
        return None;
    }
    let at = (1..reader.items.len()).find(|at| {
        reader.is(*at, WordMeaning::Unit(TimeUnit::Month))
            && reader
                .number(at + 1)
                .is_some_and(|month| (1..=12).contains(&month))
    })?;
    let month = i8::try_from(reader.number(at + 1)?).ok()?;
    let day = i8::try_from(reader.number(at - 1).filter(|day| (1..=31).contains(day))?).ok()?;
    let year = (at + 2..at + 5).find_map(|at| full_year(reader, at));
    let moment = match year {
        Some(year) => ParsedDate::day(Date::new(year, month, day).ok()?),
        None => ParsedDate::near(without_year(reader, month, day)?),
    };
    reader.take(at - 1..at + 2);
    Some(moment)
}

/// A month's name with a day, and mostly a year, before or after it.
fn with_month_name(reader: &mut DateReader) -> Option<ParsedDate> {
    (0..reader.items.len()).find_map(|at| beside_month(reader, at, reader.month(at)?))
}

fn beside_month(reader: &mut DateReader, at: usize, month: i8) -> Option<ParsedDate> {
    let (day_at, day, year) = day_and_year(reader, at)?;
    // The year of the last day is that of the first one, too: "Dec 30 - Jan 2, 2026".
    let of_last = || {
        let (_, _, year) = day_and_year(reader, spans::last_month(reader, at)?)?;
        year.filter(|(place, _)| reader.digits(*place) == 4)
    };
    let year = year.or_else(of_last);
    let (first_at, day) = spans::first_day(reader, day_at, day)
        .filter(|_| day_at < at)
        .unwrap_or((day_at, day));
    let moment = match year {
        Some((year_at, year)) => {
            let years_before = i16::from(spans::begins_in_year_before(reader, at, year_at));
            ParsedDate::day(Date::new(year - years_before, month, day).ok()?)
        }
        None => ParsedDate::near(without_year(reader, month, day)?),
    };
    let year_at = year.map(|(year_at, _)| year_at);
    for used in [Some(at), year_at].into_iter().flatten() {
        reader.take(used..used + 1);
    }
    reader.take(first_at..day_at + 1);
    Some(moment)
}

/// A year and the item that names it.
type PlacedYear = (usize, i16);

/// The day and perhaps the year that belong to the month at `at`, each with its place.
fn day_and_year(reader: &DateReader, at: usize) -> Option<(usize, i8, Option<PlacedYear>)> {
    let is_unused = |at: &usize| reader.item(*at).is_some_and(|item| !item.used);
    let is_number = |at: &usize| reader.number(*at).is_some();
    let before = (0..at).rev().filter(is_unused).take(REACH).filter(is_number);
    let before: Vec<usize> = before.collect();
    let after = (at + 1..reader.items.len()).filter(is_unused).take(REACH);
    let after: Vec<usize> = after.filter(is_number).collect();
    let day = |at: Option<&usize>| {
        let at = *at?;
        let value = reader.number(at)?;
        let is_day = (1..=31).contains(&value) && reader.digits(at) <= 2 && !is_cut_year(reader, at);
        Some((at, i8::try_from(value).ok().filter(|_| is_day)?))
    };
    let year = |at: Option<&usize>| at.and_then(|at| Some((*at, full_year(reader, *at)?)));
    // A number of another month is no year of this one: "20 June – 27 September".
    let is_of_other = |place: usize| {
        let between = at.min(place) + 1..at.max(place);
        opens_month(reader, place, at) || between.into_iter().any(|between| reader.month(between).is_some())
    };
    let short = |place: Option<&usize>| {
        let place = *place?;
        Some((place, short_year(reader, place).filter(|_| !is_of_other(place))?))
    };
    let left = day(before.first()).filter(|(day, _)| is_close(reader, *day, at));
    // Names are months, too: "April May, 5 February 2024", "Mai Nguyen, 05.02.2024", "Dec Murphy, 5 hours ago".
    let is_of_more = |place: usize| {
        let names_month = (at + 1..place).any(|between| reader.month(between).is_some());
        let is_next = opens_month(reader, place, at) && (left.is_some() || opens_whole(reader, place));
        names_month || is_next || opens_numbers(reader, place) || is_counted(reader, place)
    };
    let right_after = day(after.first()).filter(|(day, _)| is_close(reader, at, *day) && !is_of_more(*day));

    if let Some((day_at, day)) = right_after {
        // March 5, 2019, also when another number stands before; 2015-Apr-12
        if let Some(year) = year(after.get(1)).or_else(|| year(before.first())) {
            return Some((day_at, day, Some(year)));
        }
    }
    if let Some((day_at, day)) = left {
        // 5 March 2019, 5 March, 2 Dec 95
        let year = year(after.first())
            .or_else(|| year(after.get(1)))
            .or_else(|| short(after.first()))
            .or_else(|| year(before.get(1)));
        return Some((day_at, day, year));
    }
    // March 5; March 5, 14; Wed Aug 05 12:00:00 2015
    let (day_at, day) = right_after?;
    let year = year(after.get(2))
        .or_else(|| short(after.get(1)))
        .or_else(|| short(before.first()));
    Some((day_at, day, year))
}

/// Whether the number at `place` stands right before the name of another month than the one at `month`.
fn opens_month(reader: &DateReader, place: usize, month: usize) -> bool {
    let next = if reader.is_mark(place + 1, '.') {
        place + 2
    } else {
        place + 1
    };
    next != month && reader.month(next).is_some()
}

/// Whether a year, or nothing, stands behind the month that follows the number at `place`: "5 February 2024", not "5 may be".
fn opens_whole(reader: &DateReader, place: usize) -> bool {
    let Some(month) = (place + 1..place + 3).find(|at| reader.month(*at).is_some()) else {
        return false;
    };
    let has_year = (month + 1..month + 4).any(|at| full_year(reader, at).is_some());
    has_year || reader.item(month + 1).is_none()
}

/// Whether the number at `place` is the first of a day, a month and a year in numbers.
fn opens_numbers(reader: &DateReader, place: usize) -> bool {
    let (first, second) = (joined(reader, place), joined(reader, place + 2));
    let marks = first
        .zip(second)
        .map(|((_, _, mark), (_, _, other))| (mark, other));
    marks.is_some_and(|(mark, other)| mark == other) && reader.digits(place + 2) <= 2
}

/// Whether the number at `place` counts hours, days or the like: "5 hours ago".
fn is_counted(reader: &DateReader, place: usize) -> bool {
    let Some(unit) = reader.item(place + 1).filter(|item| !item.used) else {
        return false;
    };
    let is_long = unit.token.end - unit.token.start > 3;
    is_long && unit.senses().iter().any(|sense| sense.meaning.unit().is_some())
}

/// Whether only small words and marks stand between two items: `28. u studenom`, `12 de junio`, `25শে মার্চ`.
fn is_close(reader: &DateReader, left: usize, right: usize) -> bool {
    let between = || reader.items.get(left + 1..right).into_iter().flatten();
    between().count() <= 3
        && between().all(|item| item.used || item.token.end - item.token.start <= 9)
        && !between().any(|item| item.number().is_some() || (item.is_mark(':') && !item.used))
}

/// A year of four digits; Thai years count from the Buddha.
fn full_year(reader: &DateReader, at: usize) -> Option<i16> {
    let value = reader.number(at).filter(|_| reader.digits(at) == 4)?;
    let value = i16::try_from(value).ok()?;
    match value {
        1000..=2399 => Some(value),
        2400..=2699 => Some(value - 543),
        _ => None,
    }
}

/// A year of two digits, which must not be the start of something else.
fn short_year(reader: &DateReader, at: usize) -> Option<i16> {
    let value = reader.number(at).filter(|_| reader.digits(at) == 2)?;
    let next = reader.item(at + 1);
    let counted = next.is_some_and(|next| matches!(next.kind, ItemKind::Unknown) && !next.used);
    let year_word = matches!(reader.text(at + 1), "г" | "год" | "года" | "р");
    if counted && !year_word && !is_behind_apostrophe(reader, at) {
        return None;
    }
    i16::try_from(value).map(century).ok()
}

fn is_behind_apostrophe(reader: &DateReader, at: usize) -> bool {
    at.checked_sub(1)
        .is_some_and(|before| reader.is_mark(before, '\''))
}

/// Whether an apostrophe stands for the century of a number: "Dec '24". One that is a quotation mark has a second one.
fn is_cut_year(reader: &DateReader, at: usize) -> bool {
    let closes = || (at + 1..reader.items.len()).any(|place| reader.is_mark(place, '\''));
    is_behind_apostrophe(reader, at) && reader.is_glued(at) && reader.digits(at) == 2 && !closes()
}

/// POSIX's rule: 69 to 99 belong to the last century.
fn century(year: i16) -> i16 {
    match year {
        0..=68 => 2000 + year,
        69..=99 => 1900 + year,
        _ => year,
    }
}

/// The day in the year of `now`, or the latest one not after tomorrow if the past is asked for.
fn without_year(reader: &DateReader, month: i8, day: i8) -> Option<Date> {
    let today = reader.now.date();
    let date = Date::new(today.year(), month, day).ok();
    let late = date.is_none_or(|date| date > today.tomorrow().unwrap_or(today));
    if reader.hints.past && late {
        return Date::new(today.year() - 1, month, day).ok();
    }
    date
}

/// Three numbers with one mark between them.
fn triple(reader: &mut DateReader) -> Option<ParsedDate> {
    for at in 0..reader.items.len() {
        let is_parted = is_parted(reader, at);
        let pair = |at| {
            if is_parted {
                parted(reader, at)
            } else {
                joined(reader, at)
            }
        };
        let (Some((first, second, mark)), Some((_, third, second_mark))) = (pair(at), pair(at + 2)) else {
            continue;
        };
        if mark != second_mark || beside_more(reader, at, mark) {
            continue;
        }
        if let Some(date) = ordered(reader, [(at, first), (at + 2, second), (at + 4, third)], mark) {
            let span = spans::first_of_numbers(reader, at, date).filter(|_| mark == '.');
            let (first_at, date) = span.unwrap_or((at, date));
            reader.take(first_at..at + 5);
            return Some(ParsedDate::day(date));
        }
    }
    None
}

/// Whether three numbers stand apart, as in `26 | 01 | 2022`, with a whole year at the end.
fn is_parted(reader: &DateReader, at: usize) -> bool {
    let is_apart = |at: usize| reader.item(at).is_some_and(|item| !item.token.glued);
    (at + 1..at + 5).all(is_apart) && reader.digits(at + 4) == 4
}

/// Two numbers and the mark between them, with white space around it.
fn parted(reader: &DateReader, at: usize) -> Option<(u64, u64, char)> {
    let (left, right) = (reader.number(at)?, reader.number(at + 2)?);
    match reader.item(at + 1)?.kind {
        ItemKind::Mark(mark @ ('.' | '/' | '-' | '|' | '·')) => Some((left, right, mark)),
        _ => None,
    }
}

/// Two numbers and the mark between them, in `5.3`, `5/3`, `5-3`, `27. 05`.
fn joined(reader: &DateReader, at: usize) -> Option<(u64, u64, char)> {
    let left = reader.number(at)?;
    let right = reader.number(at + 2)?;
    let mark = match reader.item(at + 1)?.kind {
        ItemKind::Mark(mark @ ('.' | '/' | '-')) => mark,
        _ => return None,
    };
    let tight = reader.item(at + 1)?.token.glued && reader.item(at + 2)?.token.glued;
    (tight || mark != '-').then_some((left, right, mark))
}

/// Whether the numbers are part of something longer, such as an address or a version.
fn beside_more(reader: &DateReader, at: usize, mark: char) -> bool {
    let is_part = |mark_at: usize, number_at: usize| {
        let is_joint =
            reader.is_glued_mark(mark_at, mark) && reader.item(mark_at).is_some_and(|item| !item.used);
        is_joint && reader.number(number_at).is_some() && reader.is_glued(number_at)
    };
    let before = at
        .checked_sub(2)
        .is_some_and(|number_at| is_part(at - 1, number_at));
    before || is_part(at + 5, at + 6)
}

/// Day, month and year among three numbers.
fn ordered(reader: &DateReader, parts: [(usize, u64); 3], mark: char) -> Option<Date> {
    let [(first_at, first), (second_at, second), (third_at, third)] = parts;
    let is_small = |at: usize| reader.digits(at) <= 2;
    let date = |year: i16, month: u64, day: u64| {
        Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
    };
    if reader.digits(first_at) == 4 && is_small(second_at) && is_small(third_at) {
        // A year stands first in the order of ISO 8601 only: "2025-13-01" is no date.
        return date(full_year(reader, first_at)?, second, third);
    }
    if !is_small(first_at) || !is_small(second_at) {
        return None;
    }
    let year = match reader.digits(third_at) {
        4 => full_year(reader, third_at)?,
        2 if first > 31 => return date(century(i16::try_from(first).ok()?), second, third),
        2 => century(i16::try_from(third).ok()?),
        _ => return None,
    };
    let month_first = match (first > 12, second > 12) {
        (true, _) => false,
        (false, true) => true,
        (false, false) => is_month_first(reader, mark),
    };
    let (month, day) = if month_first {
        (first, second)
    } else {
        (second, first)
    };
    date(year, month, day)
}

/// Dates with points are day first everywhere; others follow the hints.
fn is_month_first(reader: &DateReader, mark: char) -> bool {
    if mark == '.' {
        return false;
    }
    if let Some(order) = reader.hints.order {
        return order == DateOrder::MonthFirst;
    }
    // "am" is a German preposition, too: half of a day is named behind a time.
    let is_behind_number = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| reader.item(before));
        before.is_some_and(|item| matches!(item.kind, ItemKind::Number))
    };
    let names_half = |at: usize| matches!(reader.text(at), "am" | "pm") && is_behind_number(at);
    match reader.hints.language {
        Some(code) if code.eq_ignore_ascii_case("en-US") => true,
        Some(code) if !code.eq_ignore_ascii_case("en") => false,
        _ => (0..reader.items.len()).any(names_half),
    }
}

/// `20140305`, with or without a time behind it.
fn compact(reader: &mut DateReader) -> Option<ParsedDate> {
    let at = (0..reader.items.len()).find(|at| reader.number(*at).is_some() && reader.digits(*at) == 8)?;
    let value = reader.number(at)?;
    let part = |divisor: u64, modulus: u64| i16::try_from(value / divisor % modulus).ok();
    let year = part(10_000, 10_000).filter(|year| (1900..2200).contains(year))?;
    let narrow = |value: i16| i8::try_from(value).ok();
    let date = Date::new(year, narrow(part(100, 100)?)?, narrow(part(1, 100)?)?).ok()?;
    reader.take(at..at + 1);
    Some(ParsedDate::day(date))
}

/// `25.12.`, `25/12`: a day and a month, when the text says nothing else. A share (`12.5%`) or an amount is none.
fn pair(reader: &mut DateReader) -> Option<ParsedDate> {
    let is_amount = |at: usize| {
        ['%', '‰', '$', '€', '£', '×']
            .into_iter()
            .any(|mark| reader.is_mark(at, mark))
    };
    if (0..reader.items.len()).any(is_amount) {
        return None;
    }
    let numbers: Vec<usize> = (0..reader.items.len())
        .filter(|at| reader.number(*at).is_some())
        .collect();
    let [at, _] = numbers.as_slice() else { return None };
    let (first, second, mark) = joined(reader, *at).filter(|(_, _, mark)| *mark != '-')?;
    let month_first = second > 12 || (first <= 12 && is_month_first(reader, mark));
    let (month, day) = if month_first {
        (first, second)
    } else {
        (second, first)
    };
    let date = without_year(reader, i8::try_from(month).ok()?, i8::try_from(day).ok()?)?;
    reader.take(*at..*at + 3);
    Some(ParsedDate::near(date))
}
