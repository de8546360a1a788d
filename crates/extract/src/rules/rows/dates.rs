//! Dates of entries.

use jiff::civil::{Date, DateTime};
use locale::dates::{self, DateHints, DateOrder, DatePrecision, ParsedDate};

/// Longest text that states a date, in bytes.
const LONGEST: usize = 60;

locale::patterns! {
    /// A heading that is a day: "Thursday 20 November Today", "20.11.2025", "November 20".
    static HEADING = r"(?ix)^\s*(?:(?P<word>\p{L}{2,})\.?,?\s+(?:(?:the|den|der)\s+)?)?(?:
        \d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}(?:[./](?:\d{4}|\d{2})?)?
        |\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:of\s+|de\s+)?\p{L}{3,}\.?(?:,?\s+(?:de\s+)?\d{4})?|\p{L}{3,}\.?\s+\d{1,2}(?:st|nd|rd|th)?(?:,?\s+\d{4})?
        )(?P<behind>\s*[(–-]?\s*(?:today|tomorrow|heute|morgen|dziś|dzisiaj|jutro)\)?)?\s*$";
    /// Who did something on a day, behind a number of it.
    static BYLINE = r"(?i)\d\s*(?P<by>\s(?:von|by|przez|par|por)\s+\p{L}[\p{L}\d_.-]*\s*$)";
    /// The number of a post office before the name of a place: "37138 Verona", "00-950 Warszawa".
    static POSTCODE = r"(?:^|\s)(?:[A-Z]{1,2}-)?(?:\d{5}|\d{2}-\d{3}|\d{4}-\d{3})\s+\p{Lu}";
    /// A day, a month and a year in figures, in any order.
    static IN_FIGURES = r"\b\d{1,4}(?:\.\s?|[/-])\d{1,2}(?:\.\s?|[/-])\d{2,4}\b";
    /// The same with the year last: its first two numbers are the day and the month. Those of a time before it are neither.
    static YEAR_LAST = r"\b(\d{1,2})(?:\.\s?|[/-])(\d{1,2})(?:\.\s?|[/-])(?:\d{4}|\d{2})\b";
}

/// In which order the entries of a list write day and month in numbers: as those of them do that can be read in one way alone.
/// `None` where none can, or where they disagree.
pub(super) fn order<'t>(texts: impl Iterator<Item = &'t str>) -> Option<DateOrder> {
    let mut orders = texts.filter_map(|text| {
        let numbers = YEAR_LAST.captures(text)?;
        match (numbers[1].parse::<u32>().ok()?, numbers[2].parse::<u32>().ok()?) {
            (13..=31, 1..=12) => Some(DateOrder::DayFirst),
            (1..=12, 13..=31) => Some(DateOrder::MonthFirst),
            _ => None,
        }
    });
    let order = orders.next()?;
    orders.all(|other| other == order).then_some(order)
}

/// A date as a field of a row: in ISO 8601 where one day is said in full, else as written; `None` where the text states no date.
/// `order` is that of the list.
pub(super) fn typed(text: &str, order: Option<DateOrder>) -> Option<String> {
    let text = once(text.trim());
    let text = without_byline(text);
    let read = |order| {
        let hints = DateHints {
            order,
            ..DateHints::default()
        };
        dates::parse(text, now(), &hints)
    };
    let date = read(order).filter(|_| text.len() <= LONGEST)?;
    // Streets and squares are called by days, too: "Piazza XXV Aprile 3, 37138 Verona".
    let has_year = || numbers(text).any(|number| number.len() == 4) || IN_FIGURES.is_match(text);
    if date.time.is_none() && POSTCODE.is_match(text) && !has_year() {
        return None;
    }
    let is_same = |order| read(Some(order)).is_some_and(|other| other.date == date.date);
    let is_clear = date.precision == DatePrecision::Day
        && (order.is_some() || (is_same(DateOrder::DayFirst) && is_same(DateOrder::MonthFirst)))
        && is_all_that_is_said(text, &date);
    Some(if is_clear { iso(&date) } else { text.to_owned() })
}

/// A day without the name behind it: "Heute, 14:12" of "Heute, 14:12 von jan_k". Who wrote then is no part of the day.
pub fn without_byline(day: &str) -> &str {
    let name = BYLINE.captures(day).and_then(|found| found.name("by"));
    name.and_then(|name| day.get(..name.start())).unwrap_or(day)
}

/// The day that a heading above entries states and nothing else: "Saturday 22 November". A weekday alone is none, as it says neither
/// which one nor whether it comes again.
pub(super) fn of_heading(heading: &str, order: Option<DateOrder>) -> Option<String> {
    let found = HEADING.captures(heading)?;
    let is_weekday = |word: &str| dates::parse(word, now(), &DateHints::default()).is_some();
    let is_led = found.name("word").is_none_or(|word| is_weekday(word.as_str()));
    let day = heading.get(..found.name("behind").map_or(heading.len(), |word| word.start()))?;
    typed(day, order).filter(|_| is_led)
}

/// The day of a date that is written in any way; `None` where its year is not said.
pub(super) fn day(text: &str) -> Option<Date> {
    let has_year = numbers(text).any(|number| number.len() == 4);
    let read = dates::parse(text, now(), &DateHints::default())?;
    (has_year && read.precision == DatePrecision::Day).then_some(read.date)
}

/// A text without its last words, where they are those before them: a day for those who see the page and one for those who hear it.
fn once(text: &str) -> &str {
    let words: Vec<&str> = text.split(' ').collect();
    let twice = (2..=words.len() / 2).rev().find(|count| {
        let (rest, last) = words.split_at(words.len() - count);
        rest.ends_with(last)
    });
    let last: usize = twice.map_or(0, |count| {
        words.iter().rev().take(count).map(|word| word.len() + 1).sum()
    });
    text.get(..text.len() - last).unwrap_or(text)
}

/// The runs of digits of a text.
pub(super) fn numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_digit())
        .filter(|run| !run.is_empty())
}

/// A day on which nothing in the texts of a page depends.
fn now() -> DateTime {
    jiff::civil::date(2000, 1, 1).at(12, 0, 0, 0)
}

/// Whether a text has no more numbers than the date and its time need: "3–5 July 2026" has.
fn is_all_that_is_said(text: &str, date: &ParsedDate) -> bool {
    let has_words = text.chars().filter(|c| c.is_alphabetic()).count() >= 3;
    // Of "posted on 04.05.2026" the word is no month.
    let has_month_name = has_words && !IN_FIGURES.is_match(text);
    let of_day = if has_month_name { 2 } else { 3 };
    let of_time = match (date.time, date.offset) {
        (None, _) => 0,
        (Some(_), None) => 3,
        (Some(_), Some(_)) => 6,
    };
    let count = numbers(text).count();
    count <= of_day + of_time && (count >= of_day || has_month_name)
}

/// ISO 8601, to the minute where a time is stated.
fn iso(date: &ParsedDate) -> String {
    let whole = date.to_string();
    let (day, rest) = whole.split_once('T').unwrap_or((&whole, ""));
    match date.time {
        None => day.to_owned(),
        Some(_) => {
            let zone = rest.get("00:00:00".len()..).unwrap_or_default();
            let zone = zone
                .strip_prefix(|c: char| c == '.')
                .map_or(zone, |zone| zone.trim_start_matches(|c: char| c.is_ascii_digit()));
            format!("{day}T{}{zone}", rest.get(.."00:00".len()).unwrap_or_default())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{order, typed};
    use locale::dates::DateOrder;

    #[test]
    fn a_day_said_in_full_is_iso_and_any_other_is_as_written() {
        for (text, wanted) in [
            ("13 Jan 2017", "2017-01-13"),
            ("Posted on January 13, 2017", "2017-01-13"),
            ("Published On 6 Mar 2026 6 Mar 2026", "2026-03-06"),
            ("Jan 13, 2017 5:57 PM", "2017-01-13T17:57"),
            ("13:32, 28 January 2017", "2017-01-28T13:32"),
            ("30/09/2015", "2015-09-30"),
            ("veröffentlicht am 27.04.2026", "2026-04-27"),
            ("Frist: 27.04.2026, 10:00 Uhr", "2026-04-27T10:00"),
            ("Kurs 24.04.2026 – 27.04.2026", "Kurs 24.04.2026 – 27.04.2026"),
            ("3.7.2026, 19.30 Uhr", "2026-07-03T19:30"),
            ("2026-03-04T17:32:10-05:00", "2026-03-04T17:32-05:00"),
            ("03/04/2026", "03/04/2026"),
            ("3–5 July 2026", "3–5 July 2026"),
            ("12 Mar – 4 Apr 2026", "12 Mar – 4 Apr 2026"),
            ("June 2014", "June 2014"),
            ("3 May", "3 May"),
            ("2 days ago", "2 days ago"),
            ("Heute, 14:12 von jan_k", "Heute, 14:12"),
            ("28 January 2017 by Ann", "2017-01-28"),
            ("5. 4. 2026, 37121 Verona", "5. 4. 2026, 37121 Verona"),
            ("01.05.2026 von 18:00", "2026-05-01T18:00"),
        ] {
            assert_eq!(typed(text, None).as_deref(), Some(wanted), "{text}");
        }
        for text in [
            "Read more",
            "Piazzale XXV Aprile 3 37138 Verona",
            "ul. 3 Maja 12, 00-950 Warszawa",
        ] {
            assert_eq!(typed(text, None), None, "{text}");
        }
    }

    #[test]
    fn a_heading_is_a_day_where_it_says_nothing_else() {
        for (heading, day) in [
            ("Thursday 20 November 2025 Today", Some("2025-11-20")),
            ("Freitag, 4. Dezember 2026", Some("2026-12-04")),
            ("Saturday 22 November", Some("Saturday 22 November")),
            ("20.11.2025", Some("2025-11-20")),
            ("Monday", None),
            ("Black Friday 28 November", None),
            ("Order by 20 December", None),
            ("From 12 March St", None),
            ("Offers 20 December", None),
        ] {
            assert_eq!(super::of_heading(heading, None).as_deref(), day, "{heading}");
        }
    }

    #[test]
    fn a_list_tells_the_order_of_its_numbers() {
        let texts = ["03/12/2003", "30/09/2015", "16/11/2011"];
        let days_first = order(texts.into_iter());
        assert_eq!(days_first, Some(DateOrder::DayFirst));
        assert_eq!(typed("03/12/2003", days_first).as_deref(), Some("2003-12-03"));
        assert_eq!(order(["30/09/2015", "11/16/2011"].into_iter()), None);
        assert_eq!(order(["03/04/2026", "5 May 2026"].into_iter()), None);
    }

    #[test]
    fn a_time_before_a_date_says_nothing_of_the_order_of_its_numbers() {
        for times in [["10:30", "09:45"], ["18:05", "19:15"]] {
            let texts = times.map(|time| format!("{time} 03/04/2026"));
            assert_eq!(order(texts.iter().map(String::as_str)), None);
        }
        assert_eq!(order(["12:30 28 January"].into_iter()), None);
        assert_eq!(
            order(["10:30, 28.01.2026"].into_iter()),
            Some(DateOrder::DayFirst)
        );
    }
}
