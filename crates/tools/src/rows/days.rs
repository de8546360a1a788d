//! Days and years that the texts of rows state, in days since 1970.

use jiff::civil::{Date, DateTime};
use locale::dates::{self, DateHints};

use crate::rows::numbers::numbers;
use crate::rows::periods;

locale::patterns! {
    /// A day or a time as it is seen from the present one.
    static SEEN_FROM_NOW = r"(?i)\b\d+\s+(?:minutes?|hours?|days?)\s+ago\b|\bvor\s+\d+\s+(?:minuten?|stunden?|tag(?:en)?)\b|\b\d+\s+(?:minut\p{L}*|godzin\p{L}*|dni)\s+temu\b|\b(?:today|yesterday|heute|gestern|dzisiaj|dziś|wczoraj)\b";
    /// What can be had at once.
    static NOW = r"(?i)\b(?:(?:available|free|vacant)\s+(?:now|immediately|at once)|immediately\s+available|ab\s+sofort|sofort\s+(?:frei|verfügbar|beziehbar)|od\s+zaraz|dostępn\p{L}+\s+(?:od\s+)?(?:zaraz|natychmiast|teraz))\b";
    /// A day, as lists write them, and ages of entries.
    pub(crate) static DAY = r"(?i)\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}(?:st|nd|rd|th|\.)?\s+[a-zà-ɏ]{3,}\.?,?\s+\d{4}|[a-zà-ɏ]{3,}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}|[a-zà-ɏ]{3,}\s+\d{4}|\d+\s+(?:minutes?|hours?|days?|weeks?|months?)\s+ago|vor\s+\d+\s+[a-zà-ɏ]+|\d+\s+[a-zà-ɏ]+\s+temu|\b(?:today|yesterday|heute|gestern|dzisiaj|dziś|wczoraj)\b";
    /// A day of a month without its year, within a text.
    pub(crate) static SHORT_DAY = r"(?i)\b\d{1,2}(?:st|nd|rd|th|\.)?\s+\p{L}{3,}|\b\p{L}{3,}\.?\s+\d{1,2}(?:st|nd|rd|th)?\b|\b\d{1,2}\.\d{1,2}\.";
    /// A day of a month whose year is not said.
    pub(crate) static DAY_OF_MONTH = r"(?i)^\s*(?:\d{1,2}(?:st|nd|rd|th|\.)?\s+\p{L}{3,}\.?|\p{L}{3,}\.?\s+\d{1,2}(?:st|nd|rd|th)?)\s*$";
    /// What stands before the year in which something was made.
    static MADE_IN = r"(?i)(?:\b(?:built|build|erbaut|baujahr|erscheinungsjahr|jahr|year|gegründet|gründungsjahr|founded|established|est\.|since|seit|od|rok(?:u)?(?:\s+budowy|\s+założenia)?|zbudowan\p{L}*|wybudowan\p{L}*|założon\p{L}*|erschienen|printed|published)(?:\s+(?:in|w))?\s*:?\s*)$";
    /// What stands before or behind an amount of money, and behind a length or weight.
    static MONEY_BEFORE = r"(?i)(?:[$€£]|usd|eur|gbp|pln)\s*$";
    static UNIT_BEHIND = r"(?i)^\s*(?:[$€£%]|(?:zł|pln|eur|usd|gbp|km|mi|m|cm|mm|kg|g|w|gb|mb|tb|hz|ccm|cm3|u/min|obr|rpm)\b)";
}

/// The oldest year in which something was made; what is older is a number of something else.
const OLDEST: i16 = 1000;
/// The first day of the count of days.
const EPOCH: Date = jiff::civil::date(1970, 1, 1);

/// A year that a text states, and its first day in days since 1970: one that stands alone, before that of a day ("25.03.2025").
pub(crate) fn year(text: &str) -> Option<(f64, f64)> {
    let alone = |before: &str| {
        let mut last = before.chars().rev();
        let joint = last.next();
        !(joint.is_some_and(|c| matches!(c, '.' | '/' | '-'))
            && last.next().is_some_and(|c| c.is_ascii_digit()))
    };
    year_where(text, alone).or_else(|| year_where(text, |_| true))
}

/// The first year of a text of which what stands before it fits.
fn year_where(text: &str, fits: impl Fn(&str) -> bool) -> Option<(f64, f64)> {
    numbers(text)
        .filter(|found| text.get(..found.start()).is_some_and(&fits))
        .find_map(|found| {
            let number: i16 = found
                .as_str()
                .parse()
                .ok()
                .filter(|_| found.as_str().len() == 4)?;
            let is_money = MONEY_BEFORE.is_match(text.get(..found.start())?)
                || UNIT_BEHIND.is_match(text.get(found.end()..)?);
            let is_old =
                || number >= OLDEST && MADE_IN.is_match(text.get(..found.start()).unwrap_or_default());
            let first = Date::new(number, 1, 1)
                .ok()
                .filter(|_| number <= 2100 && !is_money && (number >= 1900 || is_old()))?;
            let month = month_before(text.get(..found.start())?);
            let first = month
                .and_then(|month| Date::new(number, month, 1).ok())
                .unwrap_or(first);
            Some((f64::from(number), days(first)?))
        })
}

/// The day of what can be had at once, before every other: no day of the calendar.
const AT_ONCE: f64 = -5_000_000.0;

/// The day of a text that states none: the first of its year, or of what can be had now.
pub(crate) fn undated(text: &str, is_yearless: bool) -> Option<f64> {
    let of_year = || Some(year(text)?.1).filter(|_| !is_yearless);
    of_year().or_else(|| NOW.is_match(text).then_some(AT_ONCE))
}

/// The month in figures that ends a text before a year: `05/`.
fn month_before(before: &str) -> Option<i8> {
    let before = before.strip_suffix(['/', '.'])?;
    let start = before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let is_of_day = before.get(..start)?.ends_with(['/', '.', '-']);
    let month: i8 = before.get(start..)?.parse().ok()?;
    ((1..=12).contains(&month) && !is_of_day).then_some(month)
}

/// Whether a text states a year with its month in figures: `05/2022`.
pub(crate) fn has_month_of_year(text: &str) -> bool {
    year(text).is_some_and(|(_, day)| date_of(day).is_some_and(|date| date.month() > 1))
}

pub(crate) fn days(date: Date) -> Option<f64> {
    Some(f64::from(EPOCH.until(date).ok()?.get_days()))
}

/// The day of a number of days since 1970.
pub(crate) fn date_of(days: f64) -> Option<Date> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "days of a calendar of four digits"
    )]
    let days = jiff::Span::new().try_days(days as i64).ok()?;
    EPOCH.checked_add(days).ok()
}

/// The time of day that a text names beside its day, in minutes since midnight.
pub(crate) fn time_of_day(text: &str, now: DateTime) -> Option<f64> {
    let time = dates::parse(text, now, &DateHints::default())?.time?;
    Some(f64::from(i32::from(time.hour()) * 60 + i32::from(time.minute())) + f64::from(time.second()) / 60.0)
}

/// The present day of rows that have a day of the calendar beside "yesterday" and the like, where at least two of them, and most, tell
/// the same one, which is not to come. A page that was saved some time ago speaks of the days around its own.
pub(crate) fn present_of<'r>(
    rows: impl Iterator<Item = (Option<&'r str>, &'r str)>,
    now: DateTime,
) -> Option<Date> {
    let seen = |(field, text): (Option<&str>, &str)| {
        let date: Date = field?.get(..10)?.parse().ok()?;
        let mut said = SEEN_FROM_NOW.find_iter(text);
        let (Some(said), None) = (said.next(), said.next()) else {
            return None;
        };
        let before = days(now.date())? - day(said.as_str(), now)?;
        date_of(days(date)? + before)
    };
    let mut present: Vec<Date> = rows.filter_map(seen).collect();
    present.sort_unstable();
    // "Book today" beside a day to come is no word of the day of the page.
    present.retain(|day| *day <= now.date());
    let most = present
        .chunk_by(|one, other| one == other)
        .max_by_key(|same| same.len())?;
    (most.len() >= 2 && most.len() * 2 > present.len()).then(|| most.first().copied())?
}

pub(crate) fn day(text: &str, now: DateTime) -> Option<f64> {
    if let Some(day) = periods::day(text, now.date()) {
        return days(day);
    }
    days(dates::parse(text, now, &DateHints::default())?.date)
}
