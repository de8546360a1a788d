//! Which day of the calendar do numbers and month names name?

use jiff::civil::Date;

use super::words::{Item, Meaning, Unit, What, language};
use super::{Moment, Order, Precision, Reading};

/// How far from the month's name its day and year may stand, in items.
const REACH: usize = 5;

/// Cuts numbers that are written together: `2016020417:10` and `2016年6月2911:30`.
pub(super) fn split_glued(items: Vec<Item>) -> Vec<Item> {
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

fn is_month_mark(item: &Item) -> bool {
    // 月 and 월 are not in the table of words on their own; both are three bytes of an unknown or known word.
    item.token.end - item.token.start == 3 && matches!(item.what, What::Unknown | What::Known(_))
}

/// A day that is named in full, or with only its year left out.
pub(super) fn full(reading: &mut Reading) -> Option<Moment> {
    east_asian(reading)
        .or_else(|| vietnamese(reading))
        .or_else(|| with_month_name(reading))
        .or_else(|| triple(reading))
        .or_else(|| compact(reading))
}

/// Month and year, a month alone, or day and month as two numbers: each only if it is all the text says.
pub(super) fn partial(reading: &mut Reading) -> Option<Moment> {
    let month = |moment: Date| Moment {
        precision: Precision::Month,
        ..Moment::day(moment)
    };
    for at in 0..reading.items.len() {
        let Some(name) = reading.month(at) else { continue };
        let year = (at.saturating_sub(2)..at + 4).find_map(|at| full_year(reading, at));
        if let Some(year) = year {
            return Date::new(year, name, 1).ok().map(month);
        }
        if reading.unknown() == 0 && !reading.items.iter().any(|item| item.number().is_some()) {
            return Date::new(reading.now.year(), name, 1).ok().map(month);
        }
    }
    if reading.unknown() > 0 {
        return None;
    }
    pair(reading)
}

/// `2016年3月20日`, `3月20日`, `2014년 3월 5일`, with Japanese eras and the Republic's years.
fn east_asian(reading: &mut Reading) -> Option<Moment> {
    let at = (0..reading.items.len()).find(|at| {
        matches!(reading.text(at + 1), "月" | "월") && reading.number(*at).is_some_and(|n| n <= 12)
    })?;
    let month = i8::try_from(reading.number(at)?).ok()?;
    let day = reading
        .number(at + 2)
        .filter(|day| (1..=31).contains(day))
        .and_then(|day| i8::try_from(day).ok());
    let year = at
        .checked_sub(2)
        .filter(|year| matches!(reading.text(year + 1), "年" | "년"))
        .and_then(|year| era_year(reading, year));
    let start = if year.is_some() { at - 2 } else { at };
    let date = match (year, day) {
        (Some(year), Some(day)) => Moment::day(Date::new(year, month, day).ok()?),
        (None, Some(day)) => Moment::near(without_year(reading, month, day)?),
        (Some(year), None) => Moment {
            precision: Precision::Month,
            ..Moment::day(Date::new(year, month, 1).ok()?)
        },
        (None, None) => return None,
    };
    reading.take(start..at + 4);
    Some(date)
}

/// A year before 年: of our count, or of the era named before it.
fn era_year(reading: &Reading, at: usize) -> Option<i16> {
    let year = reading.number(at).and_then(|year| i16::try_from(year).ok())?;
    let before = |back: usize| at.checked_sub(back).map_or("", |at| reading.text(at));
    let era = match (before(2), before(1)) {
        ("令", "和") => 2018,
        ("平", "成") => 1988,
        ("昭", "和") => 1925,
        ("民", "國" | "国") => 1911,
        _ => 0,
    };
    match (era, reading.digits(at)) {
        (0, 4) => (1000..2600).contains(&year).then_some(year),
        (0, 2) => Some(century(year)),
        (0, _) => None,
        (era, _) => Some(era + year),
    }
}

/// `ngày 5 tháng 3 năm 2018`, `5 tháng 3, 2018`.
fn vietnamese(reading: &mut Reading) -> Option<Moment> {
    if reading.language != language("vi") {
        return None;
    }
    let unit = |at: usize, wanted: Unit| {
        reading
            .means(at, |it| (it == Meaning::Unit(wanted)).then_some(()))
            .is_some()
    };
    let at = (1..reading.items.len()).find(|at| {
        unit(*at, Unit::Month)
            && reading
                .number(at + 1)
                .is_some_and(|month| (1..=12).contains(&month))
    })?;
    let month = i8::try_from(reading.number(at + 1)?).ok()?;
    let day = i8::try_from(reading.number(at - 1).filter(|day| (1..=31).contains(day))?).ok()?;
    let year = (at + 2..at + 5).find_map(|at| full_year(reading, at));
    let moment = match year {
        Some(year) => Moment::day(Date::new(year, month, day).ok()?),
        None => Moment::near(without_year(reading, month, day)?),
    };
    reading.take(at - 1..at + 2);
    Some(moment)
}

/// A month's name with a day, and mostly a year, before or after it.
fn with_month_name(reading: &mut Reading) -> Option<Moment> {
    (0..reading.items.len()).find_map(|at| around(reading, at, reading.month(at)?))
}

fn around(reading: &mut Reading, at: usize, month: i8) -> Option<Moment> {
    let is_free = |at: &usize| reading.item(*at).is_some_and(|item| !item.used);
    let is_number = |at: &usize| reading.number(*at).is_some();
    let before: Vec<usize> = (0..at)
        .rev()
        .filter(is_free)
        .take(REACH)
        .filter(is_number)
        .collect();
    let after: Vec<usize> = (at + 1..reading.items.len())
        .filter(is_free)
        .take(REACH)
        .filter(is_number)
        .collect();
    let day = |at: Option<&usize>| {
        let at = *at?;
        let value = reading
            .number(at)
            .filter(|n| (1..=31).contains(n) && reading.digits(at) <= 2)?;
        Some((at, i8::try_from(value).ok()?))
    };
    let year = |at: Option<&usize>| at.and_then(|at| Some((*at, full_year(reading, *at)?)));
    let right_after = day(after.first()).filter(|(found, _)| close(reading, at, *found));
    let left = day(before.first()).filter(|(found, _)| close(reading, *found, at));
    let short = |at: Option<&usize>| at.and_then(|at| Some((*at, short_year(reading, *at)?)));

    let (day_at, day, year) = if let (Some((day_at, day)), Some(year)) = (right_after, year(after.get(1))) {
        // March 5, 2019: also when another number stands before.
        (day_at, day, Some(year))
    } else if let (Some((day_at, day)), Some(year)) = (right_after, year(before.first())) {
        // 2015-Apr-12
        (day_at, day, Some(year))
    } else if let Some((day_at, day)) = left {
        // 5 March 2019, 5 March, 2 Dec 95
        let year = year(after.first())
            .or_else(|| year(after.get(1)))
            .or_else(|| short(after.first()))
            .or_else(|| year(before.get(1)));
        (day_at, day, year)
    } else {
        // March 5; March 5, 14; Wed Aug 05 12:00:00 2015
        let (day_at, day) = right_after?;
        let year = year(after.get(2))
            .or_else(|| short(after.get(1)))
            .or_else(|| short(before.first()));
        (day_at, day, year)
    };
    let moment = match year {
        Some((_, year)) => Moment::day(Date::new(year, month, day).ok()?),
        None => Moment::near(without_year(reading, month, day)?),
    };
    reading.take(at..at + 1);
    reading.take(day_at..day_at + 1);
    if let Some((year_at, _)) = year {
        reading.take(year_at..year_at + 1);
    }
    Some(moment)
}

/// True when only small words and marks stand between two items: `28. u studenom`, `12 de junio`, `25শে মার্চ`.
fn close(reading: &Reading, left: usize, right: usize) -> bool {
    let between = || reading.items.get(left + 1..right).into_iter().flatten();
    between().count() <= 3
        && between().all(|item| item.used || item.token.end - item.token.start <= 9)
        && !between().any(|item| item.number().is_some() || (item.is_mark(':') && !item.used))
}

/// A year of four digits; Thai years count from the Buddha.
fn full_year(reading: &Reading, at: usize) -> Option<i16> {
    let value = reading.number(at).filter(|_| reading.digits(at) == 4)?;
    let value = i16::try_from(value).ok()?;
    match value {
        1000..=2399 => Some(value),
        2400..=2699 => Some(value - 543),
        _ => None,
    }
}

/// A year of two digits, which must not be the start of something else.
fn short_year(reading: &Reading, at: usize) -> Option<i16> {
    let value = reading.number(at).filter(|_| reading.digits(at) == 2)?;
    let next = reading.item(at + 1);
    let counted = next.is_some_and(|next| matches!(next.what, What::Unknown) && !next.used);
    let year_word = matches!(reading.text(at + 1), "г" | "год" | "года" | "р");
    let apostrophe = at
        .checked_sub(1)
        .and_then(|at| reading.item(at))
        .is_some_and(|it| it.is_mark('\''));
    (!counted || year_word || apostrophe)
        .then(|| i16::try_from(value).map(century).ok())
        .flatten()
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
fn without_year(reading: &Reading, month: i8, day: i8) -> Option<Date> {
    let today = reading.now.date();
    let date = Date::new(today.year(), month, day).ok();
    let late = date.is_none_or(|date| date > today.tomorrow().unwrap_or(today));
    if reading.hints.past && late {
        return Date::new(today.year() - 1, month, day).ok();
    }
    date
}

/// Three numbers with one mark between them.
fn triple(reading: &mut Reading) -> Option<Moment> {
    for at in 0..reading.items.len() {
        let Some((first, second, mark)) = joined(reading, at) else {
            continue;
        };
        let Some((_, third, second_mark)) = joined(reading, at + 2) else {
            continue;
        };
        if mark != second_mark || beside_more(reading, at, mark) {
            continue;
        }
        if let Some(date) = ordered(reading, [(at, first), (at + 2, second), (at + 4, third)], mark) {
            reading.take(at..at + 5);
            return Some(Moment::day(date));
        }
    }
    None
}

/// Two numbers and the mark between them, in `5.3`, `5/3`, `5-3`, `27. 05`.
fn joined(reading: &Reading, at: usize) -> Option<(u64, u64, char)> {
    let left = reading.number(at)?;
    let right = reading.number(at + 2)?;
    let mark = match reading.item(at + 1)?.what {
        What::Mark(mark @ ('.' | '/' | '-')) => mark,
        _ => return None,
    };
    let tight = reading.item(at + 1)?.token.glued && reading.item(at + 2)?.token.glued;
    (tight || mark != '-').then_some((left, right, mark))
}

/// True when the numbers are part of something longer, such as an address or a version.
fn beside_more(reading: &Reading, at: usize, mark: char) -> bool {
    let part = |mark_at: Option<usize>, number_at: Option<usize>| {
        mark_at
            .and_then(|at| reading.item(at))
            .is_some_and(|it| it.is_mark(mark) && it.token.glued && !it.used)
            && number_at.is_some_and(|at| {
                reading.number(at).is_some() && reading.item(at).is_some_and(|it| it.token.glued)
            })
    };
    part(at.checked_sub(1), at.checked_sub(2)) || part(Some(at + 5), Some(at + 6))
}

/// Day, month and year among three numbers.
fn ordered(reading: &Reading, parts: [(usize, u64); 3], mark: char) -> Option<Date> {
    let [(first_at, first), (second_at, second), (third_at, third)] = parts;
    let small = |at: usize| reading.digits(at) <= 2;
    let narrow = |value: u64| i8::try_from(value).ok();
    if reading.digits(first_at) == 4 && small(second_at) && small(third_at) {
        let year = full_year(reading, first_at)?;
        let (month, day) = if second > 12 {
            (third, second)
        } else {
            (second, third)
        };
        return Date::new(year, narrow(month)?, narrow(day)?).ok();
    }
    if !small(first_at) || !small(second_at) {
        return None;
    }
    let year = match reading.digits(third_at) {
        4 => full_year(reading, third_at)?,
        2 if first > 31 => {
            return Date::new(
                century(i16::try_from(first).ok()?),
                narrow(second)?,
                narrow(third)?,
            )
            .ok();
        }
        2 => century(i16::try_from(third).ok()?),
        _ => return None,
    };
    let month_first = match (first > 12, second > 12) {
        (true, _) => false,
        (false, true) => true,
        (false, false) => is_month_first(reading, mark),
    };
    let (month, day) = if month_first {
        (first, second)
    } else {
        (second, first)
    };
    Date::new(year, narrow(month)?, narrow(day)?).ok()
}

/// Dates with points are day first everywhere; others follow the hints.
fn is_month_first(reading: &Reading, mark: char) -> bool {
    if mark == '.' {
        return false;
    }
    if let Some(order) = reading.hints.order {
        return order == Order::MonthFirst;
    }
    let american = reading
        .hints
        .language
        .is_some_and(|code| code.eq_ignore_ascii_case("en-US"));
    american || (0..reading.items.len()).any(|at| matches!(reading.text(at), "am" | "pm"))
}

/// `20140305`, with or without a time behind it.
fn compact(reading: &mut Reading) -> Option<Moment> {
    let at = (0..reading.items.len()).find(|at| reading.number(*at).is_some() && reading.digits(*at) == 8)?;
    let value = reading.number(at)?;
    let part = |divisor: u64, modulus: u64| i16::try_from(value / divisor % modulus).ok();
    let year = part(10_000, 10_000).filter(|year| (1900..2200).contains(year))?;
    let narrow = |value: i16| i8::try_from(value).ok();
    let date = Date::new(year, narrow(part(100, 100)?)?, narrow(part(1, 100)?)?).ok()?;
    reading.take(at..at + 1);
    Some(Moment::day(date))
}

/// `25.12.`, `25/12`: a day and a month, when the text says nothing else.
fn pair(reading: &mut Reading) -> Option<Moment> {
    let numbers: Vec<usize> = (0..reading.items.len())
        .filter(|at| reading.number(*at).is_some())
        .collect();
    let [at, _] = numbers.as_slice() else { return None };
    let (first, second, mark) = joined(reading, *at).filter(|(_, _, mark)| *mark != '-')?;
    let month_first = second > 12 || (first <= 12 && is_month_first(reading, mark));
    let (month, day) = if month_first {
        (first, second)
    } else {
        (second, first)
    };
    let date = without_year(reading, i8::try_from(month).ok()?, i8::try_from(day).ok()?)?;
    reading.take(*at..*at + 3);
    Some(Moment::near(date))
}
