//! Periods of an instruction that are seen from the present day: "this week", "am nächsten Wochenende", "jutro", "the next 3 games".

use std::ops::Range;

use jiff::ToSpan as _;
use jiff::civil::Date;
use locale::dates::{self, DateHints, DatePrecision};
use page::Page;
use tools::rows::condition::{Operator, RowCondition};
use tools::rows::periods::{Period, PeriodLength};

use super::numerals;

/// What takes place on a day of its own.
const EVENTS: &str = r"(?:games?|match(?:es)?|fixtures?|events?|tours?|concerts?|gigs?|shows?|dates?|departures?|trains?|bus(?:es)?|flights?|meetings?|sessions?|courses?|class(?:es)?|races?|screenings?|appointments?|talks?|performances?|trips?|lectures?|exhibitions?|workshops?|hearings?|spiele?n?|partien|termine?n?|veranstaltungen|konzerte?n?|abfahrten|züge?n?|flüge?n?|kurse?n?|rennen|führungen|vorstellungen|vorträge?n?|ausstellungen|mecz\p{Latin}*|spotka\p{Latin}+|wydarze\p{Latin}+|koncert\p{Latin}*|odjazd\p{Latin}*|zaję\p{Latin}+|wyciecz\p{Latin}+|wystaw\p{Latin}*|termin\p{Latin}*)";
/// What makes a period the beginning or the end of the days that are asked for, or keeps it out of them.
const BOUNDS: &str = r"(?:(?P<from>from|since|(?:starting|beginning)\s+from|ab(?:\s+dem)?|seit|od)|(?P<until>until|till|by|up\s+to|through|bis(?:\s+(?:zum|zur))?|do)|(?P<less>before|earlier\s+than|vor|przed)|(?P<more>after|later\s+than|nach|po))\s+(?:the\s+)?";

locale::patterns! {
    /// A week, a weekend, a month, a day, or so many days.
    static PERIOD = format!(r"(?ix)\b(?:{BOUNDS})?(?:(?:in|within|during|over|on|for|am|an|im|innerhalb|w|we|na|z)\s+)*(?:(?:the\s+course\s+of|ciągu|den|der|dem|das|die|the)\s+)*(?:
        (?P<both>this|diese[rnsm]?|tym)\s+(?:and|or|und|oder|i|lub)\s+(?:the\s+)?(?:next|nächste[rnsm]?|przyszłym|następnym)\s+(?P<of_both>week|month|woche|monat|tygodniu|miesiącu)
        |(?P<this>this|diese[rnsm]?|ten|tym|tego|bieżące(?:go|mu)|obecnego)\s+(?P<of_this>week(?:end)?|month|woche|wochenende|monat|weekend|tygodni[ua]|miesiąc[ua])
        |(?P<next>next|coming|nächste[rnsm]?|kommende[rnsm]?|przyszłego|przyszły[m]?|następnego|następny[m]?|nadchodzący[m]?|najbliższy[m]?)\s+(?P<of_next>week(?:end)?|month|woche|wochenende|monat|weekend|tygodni[ua]|miesiąc[ua])
        |(?:next|coming|nächsten|kommenden|najbliższych|następnych)\s+(?P<n>\d{{1,3}}|\p{{Latin}}{{3,12}})\s+(?P<unit>days?|weeks?|tagen?|tage|wochen|dni(?:ach|a)?|tygodni\p{{Latin}}*)
        |(?P<tomorrow>tomorrow|jutr[oa])|(?P<after>day\s+after\s+tomorrow|übermorgen|pojutrze)
        )\b(?P<possessive>['’]s\b)?(?:\s+(?P<on>on|onwards?|an)\b)?");
    /// "Tomorrow" in German, which may be the morning.
    static MORGEN = format!(r"(?i)(?:^|[^\p{{L}}])(?P<word>(?:{BOUNDS})?morgen)(?:$|[^\p{{L}}])");
    /// Behind what the German word is the morning.
    static OF_MORNING = r"(?i)\b(?:am|jeden|guten|an|heute|gestern|vom|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\s+$";
    /// The first so many entries from the present day on.
    static NEXT = format!(r"(?i)\b(?:next|coming|nächsten?|kommenden?|najbliższe|najbliższych|następne|następnych)\s+(?P<n>\d{{1,2}}|\p{{Latin}}{{3,8}})\s+(?P<noun>{EVENTS})\b");
    /// The one that is next.
    static NEXT_ONE = format!(r"(?i)\b(?:the|my|our|die|der|das|den)\s+(?:next|nächste[rs]?|najbliższ[ya]|następn[ya])\s+(?P<noun>{EVENTS})\b|\b(?:najbliższ[ya]|następn[ya])\s+(?P<pl>{EVENTS})\b");
    /// What is still to come.
    static UPCOMING = format!(r"(?i)\b(?P<word>upcoming|forthcoming|anstehende[nrm]?|bevorstehende[nrm]?|nadchodząc\p{{Latin}}+)\s+(?:\p{{Latin}}+\s+)?{EVENTS}\b");
    /// What is over.
    static PAST = r"(?i)\b(?:past|previous|vergangene[nrm]?|frühere[nrm]?|minion\p{L}+|przeszł\p{L}+)\b";
    /// The day of which a page says that it is the present one. Of what a page says to be of a day, only one with its weekday is: "Stand:
    /// 1.02.2024" in a footer is that of the terms.
    static OWN_DAY = r"(?ix)\b(?:(?:today(?:\s+is)?|heute(?:\s+ist)?|dziś(?:\s+jest)?|dzisiaj(?:\s+jest)?)\s*[:,]?\s*(?:(?:the|dem|den|der)\s+)?(?:\p{Latin}{2,12}\.?,?\s+)?
        |(?:stand|as\s+of|stan\s+na(?:\s+dzień)?|(?:last\s+)?updated(?:\s+on)?|(?:zuletzt\s+)?aktualisiert(?:\s+am)?|(?:ostatnia\s+)?aktualizacja|zaktualizowano)\s*[:,]?\s*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela)\.?,?\s+)
        (?P<day>\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?\p{Latin}{3,}\s+\d{4}|\p{Latin}{3,}\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4})\b";
    /// A day with its weekday and nothing else, as newspapers have it below their name.
    static MASTHEAD = r"(?ix)^\s*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela)\.?,?\s+(?:den\s+)?
        (?P<day>\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?\p{Latin}{3,}\s+\d{4}|\p{Latin}{3,}\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4})\s*$";
}

/// Weeks of which days are counted at most.
const MOST_WEEKS: usize = 53;

/// What an instruction asks for by the present day.
#[derive(Debug, PartialEq)]
pub(super) struct AskedPeriod {
    /// Where the text says so.
    pub(super) place: Range<usize>,
    /// The days from which and up to which entries are.
    pub(super) days: Vec<RowCondition>,
    /// The number of entries, where the first of them are asked for.
    pub(super) count: Option<usize>,
}

/// The first period that a text names. Its days are those of the calendar where the page says which day it is, and are seen from the
/// day of the run elsewhere.
pub(super) fn period(text: &str, own_day: Option<Date>) -> Option<AskedPeriod> {
    named(text, own_day).or_else(|| morgen(text, own_day))
}

/// The entries from the present day on that a text asks for: "the next 3 games", "upcoming events".
pub(super) fn upcoming(text: &str, own_day: Option<Date>) -> Option<AskedPeriod> {
    let from_today = |place, count| AskedPeriod {
        place,
        days: vec![bound(Operator::AtLeast, day_ahead(0, own_day))],
        count,
    };
    let next = NEXT.captures_iter(text).find_map(|found| {
        let count = numerals::whole_number(found.name("n")?.as_str()).filter(|count| *count > 0)?;
        let place = found.get(0)?.start()..found.name("noun")?.start();
        Some(from_today(place, Some(count)))
    });
    // "The next concerts" may be any number of them.
    let is_one = |noun: &str| !noun.to_lowercase().ends_with('s') && !noun.to_lowercase().ends_with("en");
    let one = || {
        NEXT_ONE.captures_iter(text).find_map(|found| {
            let noun = found.name("noun").or_else(|| found.name("pl"))?;
            let count = is_one(noun.as_str()).then_some(1)?;
            Some(from_today(found.get(0)?.start()..noun.start(), Some(count)))
        })
    };
    next.or_else(one).or_else(|| {
        let found = UPCOMING.captures(text).filter(|_| !PAST.is_match(text))?;
        Some(from_today(found.name("word")?.range(), None))
    })
}

/// The day that a page calls the present one, or says that it is of, or that stands alone at its head; `None` where it names none, or
/// several.
pub(super) fn own_day(page: &Page) -> Option<Date> {
    let root = page.dom().root();
    let text = locale::collapse_whitespace(&root.text());
    only(OWN_DAY.captures_iter(&text).filter_map(day_named)).or_else(|| {
        // Behind the heading a day is that of what is listed.
        let end = page.dom().by_tag("h1").next()?.id();
        let leaves = root
            .descendants()
            .take_while(|node| node.id() < end)
            .filter(|node| node.is_element() && !node.children().any(|child| child.is_element()))
            .map(|node| node.text());
        only(leaves.filter_map(|text| day_named(MASTHEAD.captures(&text)?)))
    })
}

/// Whether a condition is about a day as it is seen from the present one.
pub(super) fn is_seen_from_now(condition: &RowCondition) -> bool {
    days_before(condition).is_some()
}

/// Lets a condition about such a day be about the day of the calendar, as it is seen from that of a page.
pub(super) fn on_calendar(condition: &mut RowCondition, own_day: Date) {
    if let Some(day) = days_before(condition).and_then(|days| own_day.checked_sub(days.days()).ok()) {
        condition.value = day.to_string().into();
    }
}

/// How many days before the present one the day of a condition is.
fn days_before(condition: &RowCondition) -> Option<i64> {
    match condition.value.as_str()? {
        "today" => Some(0),
        "yesterday" => Some(1),
        value => value.strip_suffix(" days ago")?.parse().ok(),
    }
}

/// The day of a text that names it, where it names a whole one.
fn day_named(found: regex::Captures<'_>) -> Option<Date> {
    let now = jiff::civil::date(2000, 1, 1).at(0, 0, 0, 0);
    let day = dates::parse(found.name("day")?.as_str(), now, &DateHints::default())?;
    (day.precision == DatePrecision::Day).then_some(day.date)
}

/// The one day of several that are the same.
fn only(mut days: impl Iterator<Item = Date>) -> Option<Date> {
    let first = days.next()?;
    days.all(|other| other == first).then_some(first)
}

fn named(text: &str, own_day: Option<Date>) -> Option<AskedPeriod> {
    PERIOD.captures_iter(text).find_map(|found| {
        let has = |name: &str| found.name(name).is_some();
        let length = |name: &str| {
            let word = found.name(name)?.as_str().to_lowercase();
            Some(match word.as_str() {
                "weekend" | "wochenende" => PeriodLength::Weekend,
                word if word.starts_with('m') => PeriodLength::Month,
                _ => PeriodLength::Week,
            })
        };
        let (first, last) = if let Some(length) = length("of_both") {
            let of = |is_next| of_period(Period { length, is_next }, own_day);
            (of(false).0, of(true).1)
        } else if let Some(length) = length("of_this").or_else(|| length("of_next")) {
            let is_next = has("of_next");
            of_period(Period { length, is_next }, own_day)
        } else if let (Some(count), Some(unit)) = (found.name("n"), found.name("unit")) {
            let unit = unit.as_str().to_lowercase();
            let is_of_weeks = unit.starts_with('w') || unit.starts_with("tyg");
            let count = numerals::whole_number(count.as_str())?;
            let count = if is_of_weeks {
                count.min(MOST_WEEKS) * 7
            } else {
                count
            };
            (day_ahead(0, own_day), day_ahead(count, own_day))
        } else {
            let day = day_ahead(if has("after") { 2 } else { 1 }, own_day);
            (day.clone(), day)
        };
        Some(AskedPeriod {
            place: found.get(0)?.range(),
            days: bounded(&found, first, last),
            count: None,
        })
    })
}

fn morgen(text: &str, own_day: Option<Date>) -> Option<AskedPeriod> {
    MORGEN.captures_iter(text).find_map(|found| {
        let place = found.name("word")?.range();
        let before = text.get(..place.start)?;
        let day = || day_ahead(1, own_day);
        (!OF_MORNING.is_match(before)).then(|| AskedPeriod {
            place,
            days: bounded(&found, day(), day()),
            count: None,
        })
    })
}

/// The days of a period, or those from it on, up to it, before it or after it, as the word before it says.
fn bounded(found: &regex::Captures<'_>, first: String, last: String) -> Vec<RowCondition> {
    let has = |name: &str| found.name(name).is_some();
    match () {
        () if has("from") || has("on") => vec![bound(Operator::AtLeast, first)],
        () if has("until") => vec![bound(Operator::AtMost, last)],
        () if has("less") => vec![bound(Operator::Less, first)],
        () if has("more") => vec![bound(Operator::More, last)],
        () => vec![bound(Operator::AtLeast, first), bound(Operator::AtMost, last)],
    }
}

/// The first and the last day of a period: of the calendar, or as seen from the day of the run.
fn of_period(period: Period, own_day: Option<Date>) -> (String, String) {
    match own_day.and_then(|today| period.days(today)) {
        Some((first, last)) => (first.to_string(), last.to_string()),
        None => (period.first(), period.last()),
    }
}

/// The day so many days ahead: of the calendar, or as seen from the day of the run.
fn day_ahead(days: usize, own_day: Option<Date>) -> String {
    let ahead = i64::try_from(days).unwrap_or(i64::MAX);
    let of_calendar = own_day.and_then(|today| today.checked_add(ahead.days()).ok());
    match (of_calendar, days) {
        (Some(day), _) => day.to_string(),
        (None, 0) => "today".to_owned(),
        (None, 1) => "tomorrow".to_owned(),
        (None, days) => format!("in {days} days"),
    }
}

fn bound(operator: Operator, day: String) -> RowCondition {
    RowCondition {
        field: "date".to_owned(),
        operator,
        value: day.into(),
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn said(asked: Option<AskedPeriod>) -> String {
        let Some(asked) = asked else { return String::new() };
        let days: Vec<String> = asked.days.iter().map(ToString::to_string).collect();
        let count = asked
            .count
            .map_or(String::new(), |count| format!(", {count} of them"));
        days.join(", ") + &count
    }

    #[test]
    fn a_day_alone_at_the_head_of_a_page_is_its_own() {
        let page = |html: &str| Page::new(html, "https://news.example/".parse().ok());
        let masthead = "<p>Thursday, 16 October 2025</p><h1>News</h1>";
        let day = own_day(&page(masthead)).unwrap();
        assert_eq!(day.to_string(), "2025-10-16");
        assert_eq!(
            own_day(&page("<p>Published on Thursday, 16 October 2025</p>")),
            None
        );
        let two = "<h2>Samstag, 18. Oktober 2025</h2><h2>Sonntag, 19. Oktober 2025</h2>";
        assert_eq!(own_day(&page(two)), None);
        let mut yesterday = bound(Operator::AtLeast, "yesterday".to_owned());
        on_calendar(&mut yesterday, day);
        assert_eq!(yesterday.to_string(), "date >= 2025-10-15");
    }

    #[test]
    fn periods_are_days_of_the_calendar_where_the_page_says_its_day() {
        let own_day = Some(date(2026, 5, 12));
        let read = |text: &str| said(period(text, own_day));
        for (text, wanted) in [
            ("guided tours next week", "date >= 2026-05-18, date <= 2026-05-24"),
            ("was läuft diese Woche?", "date >= 2026-05-11, date <= 2026-05-17"),
            ("am nächsten Wochenende", "date >= 2026-05-23, date <= 2026-05-24"),
            ("koncerty w ten weekend", "date >= 2026-05-16, date <= 2026-05-17"),
            ("w przyszłym miesiącu", "date >= 2026-06-01, date <= 2026-06-30"),
            (
                "within the next two weeks",
                "date >= 2026-05-12, date <= 2026-05-26",
            ),
            (
                "in den nächsten 10 Tagen",
                "date >= 2026-05-12, date <= 2026-05-22",
            ),
            ("who is free tomorrow", "date >= 2026-05-13, date <= 2026-05-13"),
            ("Termine übermorgen", "date >= 2026-05-14, date <= 2026-05-14"),
            ("Spiele morgen", "date >= 2026-05-13, date <= 2026-05-13"),
            ("Kurse am Morgen", ""),
            ("Kurse morgens", ""),
            ("delivered every week", ""),
            ("events from tomorrow", "date >= 2026-05-13"),
            ("Termine ab nächster Woche", "date >= 2026-05-18"),
            ("Wohnungen, frei ab morgen", "date >= 2026-05-13"),
            ("until next weekend", "date <= 2026-05-24"),
            ("before next week", "date < 2026-05-18"),
            ("after this week", "date > 2026-05-17"),
            ("this and next week", "date >= 2026-05-11, date <= 2026-05-24"),
            ("od przyszłego tygodnia", "date >= 2026-05-18"),
        ] {
            assert_eq!(read(text), wanted, "{text}");
        }
    }

    #[test]
    fn elsewhere_periods_are_seen_from_the_day_of_the_run() {
        assert_eq!(
            said(period("events this weekend", None)),
            "date >= first day of this weekend, date <= last day of this weekend"
        );
        assert_eq!(said(period("jutro", None)), "date >= tomorrow, date <= tomorrow");
    }

    #[test]
    fn the_next_entries_begin_with_the_present_day() {
        let read = |text: &str| said(upcoming(text, None));
        assert_eq!(read("our next three games"), "date >= today, 3 of them");
        assert_eq!(read("die nächsten 2 Spiele"), "date >= today, 2 of them");
        assert_eq!(read("upcoming concerts"), "date >= today");
        assert_eq!(read("the next 3 pages"), "");
        assert_eq!(read("next page"), "");
        assert_eq!(read("give me the next 10 articles"), "");
        assert_eq!(read("upcoming products"), "");
        assert_eq!(read("past and upcoming concerts"), "");
    }

    #[test]
    fn a_page_may_say_which_day_it_is() {
        let day = |text: &str| own_day(&Page::new(format!("<p>{text}</p>"), None));
        assert_eq!(
            day("Today, Tuesday 12 May 2026: open 10 am – 6 pm"),
            Some(date(2026, 5, 12))
        );
        assert_eq!(
            day("20 Treffer, Stand: Dienstag, 12. Mai 2026"),
            Some(date(2026, 5, 12))
        );
        assert_eq!(day("Dziś jest niedziela, 3.05.2026"), Some(date(2026, 5, 3)));
        assert_eq!(
            day("Last updated Tuesday 12 May 2026, 12:30"),
            Some(date(2026, 5, 12))
        );
        assert_eq!(day("Stand: 01.02.2024"), None);
        assert_eq!(day("Prices as of 1 March 2025"), None);
        assert_eq!(day("Open today 9:00–18:00"), None);
        assert_eq!(day("Today, 1 May 2026. Today, 2 May 2026"), None);
    }
}
