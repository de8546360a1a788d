//! Years, days and numbers of rooms of an instruction: "from 2021", "after 1 May 2026", "two bedrooms".

use std::ops::Range;

use jiff::ToSpan as _;
use jiff::civil::Date;
use locale::dates::{self, DateHints};
use serde_json::Value;
use tools::rows::condition::{Operator, RowCondition};
use tools::words::concepts::{self, MONTHS};

use super::amounts::number;
use super::day_spans;
use super::days_ago;
use super::numerals;
use super::vocabulary::TriggerVocabulary;

/// Years that instructions speak of.
const YEARS: std::ops::RangeInclusive<i16> = 1900..=2100;

locale::patterns! {
    /// A comparison with a year: `word` names the year, `r` is followed by another year.
    static YEAR = r"(?ix)\b(?:
        (?P<more>after|later\sthan|newer\sthan|younger\sthan|nach|jünger\sals|neuer\sals|później\sniż|nowsz[a-zà-ɏ]+\sniż|po)
        |(?P<from>from)
        |(?P<in>in(?:\sthe\syear)?|im\sjahr|w\sroku)
        |(?P<least>since|as\sof|seit|ab|od)
        |(?P<less>before|earlier\sthan|older\sthan|vor|älter\sals|sprzed|przed|starsz[a-zà-ɏ]+\sniż)
        |(?P<most>until|up\sto|bis|do)
        )\s+(?:(?:the|dem|der|das|in)\s+)?(?P<word>(?:model\s+)?years?|vintages?|baujahr|jahrgang|jahr|erscheinungsjahr|erstzulassung|ez|rok(?:u|iem)?|rocznik[a-zà-ɏ]*)?\s*(?P<n>(?:19|20)\d\d)\b
        (?P<behind>\s*(?:r\.|(?:roku|rokiem)(?:\s+(?:wzwyż|w\s+górę))?|wzwyż|upwards?|onwards?|on\b|and\s+(?:up|newer|later)|aufwärts|or\s+(?:newer|later)|oder\s+(?:neuer|jünger|später)|lub\s+(?:nowsz[a-zà-ɏ]+|później[a-zà-ɏ]*)))?";
    /// A year and those behind it, or before it.
    static YEAR_OR = r"(?ix)\b(?:(?:in|from|of|(?:with\s+)?(?:a\s+)?vintage|mit\s+jahrgang|im|in|aus|vom|w|z|od|the|dem|der)\s+)*(?:(?:the\s+)?year|jahre?|baujahr|roku?)?\s*(?P<n>(?:19|20)\d\d)\b(?:\s*r(?:oku|okiem|\.)?)?\s*(?:\+|
        (?P<least>(?:or|and)\s+(?:newer|later|younger|after|more\s+recent)|(?:oder|und)\s+(?:noch\s+)?(?:neuer|jünger|später|danach)|(?:lub|albo|i|bądź)\s+(?:nowsz[a-zà-ɏ]+|młodsz[a-zà-ɏ]+|później[a-zà-ɏ]*|po))\b
        |(?P<most>(?:or|and)\s+(?:older|earlier|before)|(?:oder|und)\s+(?:noch\s+)?(?:älter|früher|davor)|(?:lub|albo|i|bądź)\s+(?:starsz[a-zà-ɏ]+|wcześniej[a-zà-ɏ]*))\b)";
    /// A day or a month and those behind it, or before it.
    static DAY_OR = r"(?ix)\b(?:(?:on|from|in|am|ab|vom|im|od|dnia|w|until|till|bis(?:\s+zum)?|do)\s+)?(?:the\s+)?
        (?P<day>\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4}|\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?[a-zà-ɏ]{3,}\.?(?:,?\s+\d{4})?|[a-zà-ɏ]{3,}\s+\d{1,2}(?:st|nd|rd|th)?(?:,?\s+\d{4})?|[a-zà-ɏ]{3,}(?:\s+\d{4})?)(?:\s*r(?:oku|\.))?\s+
        (?:(?P<least>(?:or|and)\s+(?:later|longer|after|afterwards|newer|more\s+recent)|(?:oder|und)\s+(?:später|länger|danach|neuer)|(?:lub|albo|i|bądź)\s+(?:później[a-zà-ɏ]*|dłużej|po|nowsz[a-zà-ɏ]+))
        |(?P<most>(?:or|and)\s+(?:earlier|before|older)|(?:oder|und)\s+(?:früher|davor|älter)|(?:lub|albo|i|bądź)\s+(?:wcześniej[a-zà-ɏ]*|starsz[a-zà-ɏ]+)))\b";
    /// Things of which one asks for no older ones.
    static MADE = r"(?i)\b(?:cars?|vans?|trucks?|motor\w+|(?:e-?)?bikes?|bicycles?|boats?|campers?|caravans?|tractors?|models?|vehicles?|suvs?|estates?|laptops?|phones?|houses?|flats?|buildings?)\s+(?:made\s+|built\s+)?$";
    /// Two years.
    static YEARS_BETWEEN = r"(?i)\b(?:(?:between|from|zwischen|von|między|pomiędzy|od|(?:w|z)\s+lat(?:ach)?|(?:in|aus)\s+den\s+jahren|(?:in|of|from)?\s*the\s+years)\s+(?P<a>(?:19|20)\d\d)\s*(?:and|to|und|bis|a|i|do|-|–)|(?P<c>(?:19|20)\d\d)\s*(?:to|bis|do|-|–))\s*(?P<b>(?:19|20)\d\d)\b(?:\s*(?:r\.|roku|rokiem))?";
    /// What makes a number behind a comparison an amount of money.
    static MONEY = r"(?i)^\s*(?:[$€£]|zł|pln|eur|usd|gbp|dollar|dolar|pound|funt|złot)";
    /// A comparison with a day or a month.
    static DAY = r"(?ix)\b(?:(?P<more>after|later\sthan|nach(?:\sdem)?|po)|(?P<least>since|as\sof|starting|seit(?:\sdem)?|ab(?:\sdem)?)
        |(?P<less>before|earlier\sthan|vor(?:\sdem)?|przed)|(?P<most>until|by|(?:bis|spätestens(?:\s(?:am|bis|ab))?)(?:\s(?:zum|dem))?|najpóźniej(?:\s(?:do|od))?))\s+(?:the\s+)?
        (?P<day>\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4}|(?:\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?)?[a-zà-ɏ]{3,}\.?,?\s+\d{4}|[a-zà-ɏ]{3,}\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4})";
    /// A number of rooms within a word.
    static ROOMS = r"(?i)\b(?P<n>\d|one|two|three|four|jedno|dwu|trzy|cztero|ein|zwei|drei|vier)(?:[- ]room(?:ed)?|(?P<bed>[- ]bed(?:room)?(?:ed)?)|-?zimmer(?:-?(?:wohnung|apartment|whg))?(?:en|s)?|-pokojow[a-zà-ɏ]+|pokojow[a-zà-ɏ]+|zimmerige?)\b";
    /// A comparison with a day or a month of any year.
    static DAY_OF_YEAR = r"(?ix)\b(?:(?P<more>after|later\sthan|nach(?:\sdem)?|po)|(?P<least>since|from|starting|seit(?:\sdem)?|ab(?:\sdem)?|od)
        |(?P<less>before|earlier\sthan|vor(?:\sdem)?|przed)|(?P<most>until|till|by|no\slater\sthan|up\sto|bis(?:\s(?:zum|spätestens))?|spätestens(?:\s(?:am|bis|ab))?(?:\s(?:zum|dem))?|do|najpóźniej(?:\s(?:do|od))?))\s+(?:the\s+)?
        (?P<day>\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?[a-zà-ɏ]{3,}|[a-zà-ɏ]{3,}\s+\d{1,2}(?:st|nd|rd|th)?\b|[a-zà-ɏ]{3,})(?:,?\s+(?P<y>(?:19|20)\d\d)\b(?:\s*(?:r\.|roku\b))?)?(?:\s+(?:onwards?|wzwyż|an\b|on\b))?";
    /// A month, with its year or without.
    static IN_MONTH = r"(?i)\b(?:in|during|im|w|we|aus\s+dem)\s+(?P<m>[a-zà-ɏ]{3,})\b(?:\s+(?P<y>(?:19|20)\d\d)\b)?";
    /// Two months of one year that follow each other, or the months from one to another.
    static IN_MONTHS = r"(?i)\b(?:(?P<between>between|zwischen|między|pomiędzy)|in|during|from|im|von|w|we|od)\s+(?P<a>[a-zà-ɏ]{3,})\s*(?:(?P<list>or|and|oder|und|lub|albo|i|bądź)|to|till|until|through|bis|do|a|–|-)\s*(?:in\s+|im\s+|w\s+)?(?P<m>[a-zà-ɏ]{3,})\b(?:\s+(?P<y>(?:19|20)\d\d)\b)?";
    /// A number and a noun.
    static COUNTED = r"(?i)\b(?P<n>\d{1,2}|\p{Latin}+)\s+(?P<noun>\p{Latin}{3,})\b";
    /// The end of a month, up to which something is.
    static UNTIL_END = r"(?i)\b(?:(?:by|until|till|before|up to)\s+the\s+end\s+of|bis\s+(?:zum\s+)?ende|do\s+końca|przed\s+końcem|(?:no|not)\s+later\s+than(?:\s+in)?|(?:nicht\s+später\s+als|spätestens)\s+im|(?:nie\s+później\s+niż|najpóźniej)\s+w|in\s+the\s+course\s+of)\s+(?P<m>[a-zà-ɏ]{3,})\b(?:\s+(?P<y>(?:19|20)\d\d)\b)?";
    /// The word before or behind a comparison with a day: what it is the day of.
    static LABEL_BEFORE = r"(?i)([\p{L}-]{4,})\s+(?:(?:for|sich|się|noch|erst|schon|still|already|only|jeszcze|już|dopiero)\s+)?(?:(?:falls?|is|are|ends?|lies?|liegt|endet|ist|wypada|przypada|mija|upływa|jest|się)\s+)?$";
    /// What ends on the day: "are over before", and the verb whose last part stands behind the day: "machen vor dem 3. Mai zu".
    static IS_OVER = r"(?i)\b(?:is|are|be)\s+(over)\s+$";
    static END_DATE = r"(?i)\b(end|zakończenia|ende)\s*(?:dates?|datum)?(?:\s+(?:is|are|falls?|lies|jest|przypada|ist))?\s+$";
    static SHUTS = r"(?i)\bmach(?:t|en)\b";
    static SHUTS_BEHIND = r"(?i)^\s+(?:wieder\s+)?(zu)\b";
    /// A day of the week.
    static WEEKDAY = r"(?i)^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|poniedział\p{L}+|wtor\p{L}+|środ\p{L}+|czwart\p{L}+|piąt\p{L}+|sobot\p{L}+|niedziel\p{L}+)$";
    static LABEL_BEHIND = r"^\s+([\p{L}-]{4,})";
    /// Labels of days.
    static OF_DAY = r"(?i)^appl(?:y|ied)$|^bewerben$|^aplikować$|dat|day|\btag|frist|termin|deadline|clos|publi|veröff|start|begin|\bend|\bbis\b|until|posted|added|listed|updat|dodan|wystaw|ważn|valid|gültig|ablauf|expir|abfahrt|ankunft|depart|arriv|wyjazd|przyjazd|aktual|due|einstell|zaczyn|rozpocz";
    /// Words for what has a day.
    static NAMES_DAY = r"(?i)^(?:deadlines?|\p{L}*frist(?:en)?|termine?n?|\p{L}*termin|appointments?|clos(?:e|es|ing)|ends?|ending|endet|enden|starts?|starting|beginn\p{L}*|begins?|expires?|due|posted|published|veröffentlicht|eingestellt|dodan\p{L}+|opublikowan\p{L}+|kończ\p{L}+|zaczyna\p{L}*)$";
    /// Words for what has happened.
    static HAPPENED = r"(?i)(?:ed|[a-zà-ɏ]t|en|n[eya]|to|no|te)$";
    /// The present day, or the one before, as the day of what is listed: "articles from today", "posted yesterday", "today's news".
    static TODAY = r"(?i)\b(?:(?:(?P<since>since|seit|od)|(?P<more>after|later than|nach|później niż)|(?P<less>before|earlier than|vor|przed|wcześniej niż)|from|of|on|dated|(?:that (?:were|was) )?(?:posted|published|added|listed|written|reported|released)(?: on)?|c[ao]mes? out|happened|appeared|went up|(?:what['’]s|what is) new|von|vom|veröffentlicht|eingestellt|erschienen|passiert|reingekommen|hinzugekommen|dodan\p{L}+|opublikowan\p{L}+|(?P<kind>articles?|news|posts?|stories|events?|artikel|nachrichten|beiträge|artykuły|wpisy|wydarzenia)(?: z)?|z)\s+)(?P<day>today|yesterday|heute|gestern|dzisiaj|dziś|wczoraj)\b(?:['’]s)?|\b(?P<own>today|yesterday)['’]s\b|\b(?P<new>heute|gestern|dzisiaj|dziś|wczoraj)\s+(?:neu\s+)?(?:(?:rein|hinzu|dazu)gekommen|eingestellt|erschienen|veröffentlicht|dodan\p{L}+|opublikowan\p{L}+|pojawił\p{L}+(?:\s+się)?)\b";
    /// The present day and the one before, which are one time: "added yesterday or today".
    static TWO_DAYS = r"(?i)(?:\b(?:since|from|of|on|seit|von|vom|z|od)\s+)?\b(?:(?:today|heute|dzisiaj|dziś)\s+(?:or|and|oder|und|lub|albo|i|bądź)\s+(?:yesterday|gestern|wczoraj)|(?:yesterday|gestern|wczoraj)\s+(?:or|and|oder|und|lub|albo|i|bądź)\s+(?:today|heute|dzisiaj|dziś))\b(?:['’]s)?";
    /// What is so at present, behind a day.
    static AT_PRESENT = r"(?i)^\s+(?:available|open|verfügbar|lieferbar|geöffnet|offen|dostępn|otwart|czynn|noch|still|already)";
}

/// Takes the first comparison with a year or a day out of a text: where it stood, and what it means.
pub(super) fn time(text: &str) -> Option<(Range<usize>, Vec<RowCondition>)> {
    days_ago::days_ago(text)
        .map(|(range, day)| (range, vec![day]))
        .or_else(|| two_days(text))
        .or_else(|| today(text))
        .or_else(|| day_spans::of_month(text))
        .or_else(|| until_end(text))
        .or_else(|| day_or(text))
        .or_else(|| in_months(text))
        .or_else(|| in_month(text))
        .or_else(|| day(text))
        .or_else(|| day_of_year(text))
        .or_else(|| years(text))
        .or_else(|| year_or(text))
        .or_else(|| year(text))
}

fn condition(field: &str, operator: Operator, value: impl Into<Value>) -> RowCondition {
    RowCondition {
        field: field.to_owned(),
        operator,
        value: value.into(),
    }
}

fn years(text: &str) -> Option<(Range<usize>, Vec<RowCondition>)> {
    let found = YEARS_BETWEEN.captures(text)?;
    let whole = found.get(0)?;
    let number = |name: &str| found.name(name)?.as_str().parse::<i16>().ok();
    let (low, high) = (number("a").or_else(|| number("c"))?, number("b")?);
    let is_money = MONEY.is_match(text.get(whole.end()..)?);
    (low < high && !is_money).then(|| {
        (
            whole.range(),
            vec![
                condition("year", Operator::AtLeast, low),
                condition("year", Operator::AtMost, high),
            ],
        )
    })
}

fn year_or(text: &str) -> Option<(Range<usize>, Vec<RowCondition>)> {
    let found = YEAR_OR
        .captures_iter(text)
        .find(|found| !leads_to_time(text, found))?;
    let number: i16 = found.name("n")?.as_str().parse().ok()?;
    let operator = if found.name("most").is_some() {
        Operator::AtMost
    } else {
        Operator::AtLeast
    };
    Some((found.get(0)?.range(), vec![condition("year", operator, number)]))
}

fn year(text: &str) -> Option<(Range<usize>, Vec<RowCondition>)> {
    YEAR.captures_iter(text).find_map(|found| {
        let whole = found.get(0)?;
        let number: i16 = found
            .name("n")?
            .as_str()
            .parse()
            .ok()
            .filter(|year| YEARS.contains(year))?;
        let has = |name: &str| found.name(name).is_some();
        let is_money = MONEY.is_match(text.get(whole.end()..)?);
        // "up to 2000" is more likely an amount.
        let is_named = has("word") || has("behind");
        let is_clear = is_named
            || has("more")
            || has("less")
            || ((has("least") || has("from") || has("in")) && number % 100 != 0);
        let operator = match () {
            // "from 2024" is of that year, "from 2024 on" since then, as are "cars from 2024".
            () if has("in") => Operator::Equal,
            () if has("from") && !has("behind") && !is_of_make(text, whole.start()) => Operator::Equal,
            () if has("more") => Operator::More,
            () if has("less") => Operator::Less,
            () if has("most") => Operator::AtMost,
            () => Operator::AtLeast,
        };
        (is_clear && !is_money).then(|| (whole.range(), vec![condition("year", operator, number)]))
    })
}

/// Whether a number or a month follows what may be "or later", which then is a comparison with that one: "before 2000 or after 2020".
fn leads_to_time(text: &str, found: &regex::Captures<'_>) -> bool {
    let rest = found.get(0).and_then(|whole| text.get(whole.end()..));
    let mut words = rest.unwrap_or_default().split_whitespace();
    let next = words
        .find(|word| !["the", "dem", "den"].contains(word))
        .unwrap_or_default();
    next.starts_with(|c: char| c.is_ascii_digit()) || names_month(&concepts::with_english_months(next))
}

/// Whether what a year is said of, before it, is made in a year, and is the better the newer.
fn is_of_make(text: &str, end: usize) -> bool {
    text.get(..end).is_some_and(|before| MADE.is_match(before))
}

fn day(text: &str) -> Option<(Range<usize>, Vec<RowCondition>)> {
    // Every match has its year, so that the present day does not count.
    let now = jiff::civil::date(2026, 1, 1).at(0, 0, 0, 0);
    DAY.captures_iter(text).find_map(|found| {
        let written = found.name("day")?.as_str();
        let first = dates::parse(
            &concepts::with_english_months(written),
            now,
            &DateHints::default(),
        )?
        .date;
        let is_month = is_month(written);
        let next: Date = match is_month {
            true => first.first_of_month().checked_add(1.month()).ok()?,
            false => first.checked_add(1.day()).ok()?,
        };
        let has = |name: &str| found.name(name).is_some();
        let (operator, date) = match () {
            () if has("more") => (Operator::AtLeast, next),
            () if has("less") => (Operator::Less, first),
            () if has("most") => (Operator::Less, next),
            () => (Operator::AtLeast, first),
        };
        Some((
            found.get(0)?.range(),
            vec![condition("date", operator, date.to_string())],
        ))
    })
}

/// A comparison with a day or a month whose year is not said: that of the rows' own days counts.
fn day_of_year(text: &str) -> Option<(Range<usize>, Vec<RowCondition>)> {
    DAY_OF_YEAR.captures_iter(text).find_map(|found| {
        let written = found.name("day")?.as_str().replace(" of ", " ");
        let english = concepts::with_english_months(&written);
        if english == written.split_whitespace().collect::<Vec<_>>().join(" ") && !names_month(&english) {
            return None;
        }
        let has = |name: &str| found.name(name).is_some();
        let is_month = !english.chars().any(|c| c.is_ascii_digit());
        let operator = match () {
            // After a month whose last day is not said.
            () if has("more") && is_month => return None,
            () if has("more") => Operator::More,
            () if has("less") => Operator::Less,
            // Up to a month: its end, which is another reader's.
            () if has("most") && is_month => return None,
            () if has("most") => Operator::AtMost,
            () => Operator::AtLeast,
        };
        let year = year_behind(&found);
        let value = if is_month {
            format!("1 {english}{year}")
        } else {
            format!("{english}{year}")
        };
        Some((found.get(0)?.range(), vec![condition("date", operator, value)]))
    })
}

/// Whether a text whose months are in English names one.
fn names_month(text: &str) -> bool {
    text.split(|c: char| !c.is_alphabetic())
        .any(|word| MONTHS.contains(&word.to_lowercase().as_str()))
}

/// Whether a text is a month, with its year or without, and no day.
fn is_month(text: &str) -> bool {
    let second = text.split_whitespace().nth(1);
    text.starts_with(char::is_alphabetic) && second.is_none_or(|second| second.len() >= 4)
}

/// The year behind a month that a text names, with a blank before it; empty where none is said.
fn year_behind(found: &regex::Captures<'_>) -> String {
    found
        .name("y")
        .map_or(String::new(), |year| format!(" {}", year.as_str()))
}

/// A day or a month and what is behind it or before it: "10 March 2025 or later".
fn day_or(text: &str) -> Option<(Range<usize>, Vec<RowCondition>)> {
    let mut all = DAY_OR.captures_iter(text);
    all.find_map(|found| {
        // "After 5 December and before 10 December" names two days.
        if leads_to_time(text, &found) {
            return None;
        }
        let written = found.name("day")?.as_str();
        let english = concepts::with_english_months(&written.replace(" of ", " "));
        let has_month = names_month(&english);
        let has_numbers_only = !english.chars().any(char::is_alphabetic);
        if !has_month && !has_numbers_only {
            return None;
        }
        let is_month = is_month(&english);
        let is_least = found.name("least").is_some();
        let operator = match is_least {
            true => Operator::AtLeast,
            false => Operator::AtMost,
        };
        let value = match (is_month, is_least) {
            (false, _) => english,
            (true, true) => format!("1 {english}"),
            // The end of a month is another reader's.
            (true, false) => return None,
        };
        Some((found.get(0)?.range(), vec![condition("date", operator, value)]))
    })
}

/// The first day of a month that a text names, and the condition that a day is none behind it. Of the rows' own year where
/// none is said.
fn month(found: &regex::Captures<'_>) -> Option<(String, RowCondition)> {
    let english = concepts::with_english_months(found.name("m")?.as_str()).to_lowercase();
    names_month(&english).then_some(())?;
    let year = year_behind(found);
    let (operator, end) = match english.as_str() {
        "february" => (Operator::Less, format!("1 march{year}")),
        "april" | "june" | "september" | "november" => (Operator::AtMost, format!("30 {english}{year}")),
        _ => (Operator::AtMost, format!("31 {english}{year}")),
    };
    Some((format!("1 {english}{year}"), condition("date", operator, end)))
}

/// The days of a month.
fn in_month(text: &str) -> Option<(Range<usize>, Vec<RowCondition>)> {
    IN_MONTH.captures_iter(text).find_map(|found| {
        let (first, last) = month(&found)?;
        let first = condition("date", Operator::AtLeast, first);
        Some((found.get(0)?.range(), vec![first, last]))
    })
}

/// The days of two months, and of those between them.
fn in_months(text: &str) -> Option<(Range<usize>, Vec<RowCondition>)> {
    IN_MONTHS.captures_iter(text).find_map(|found| {
        let number = |name: &str| {
            let english = concepts::with_english_months(found.name(name)?.as_str()).to_lowercase();
            let at = MONTHS.iter().position(|month| *month == english)?;
            Some((at, english))
        };
        let ((first_at, first), (last_at, _)) = (number("a")?, number("m")?);
        let is_range = found.name("between").is_some() || found.name("list").is_none();
        let is_whole = is_range || first_at + 1 == last_at;
        if first_at >= last_at || !is_whole {
            return None;
        }
        let year = year_behind(&found);
        let (_, last) = month(&found)?;
        let first = condition("date", Operator::AtLeast, format!("1 {first}{year}"));
        Some((found.get(0)?.range(), vec![first, last]))
    })
}

/// The days up to the end of a month.
fn until_end(text: &str) -> Option<(Range<usize>, Vec<RowCondition>)> {
    UNTIL_END.captures_iter(text).find_map(|found| {
        let (_, last) = month(&found)?;
        Some((found.get(0)?.range(), vec![last]))
    })
}

/// Most words between what a day is called and a comparison with the day.
const LABEL_REACH: usize = 4;

/// What a comparison with a day at a place of a text is the day of: "Angebotsfrist" before it, "published" behind it. A word of
/// the labels of the page's list comes first: "the deadline for offers ends before".
pub(super) fn label(
    text: &str,
    place: &Range<usize>,
    words: &TriggerVocabulary,
    labels: &[String],
) -> Option<String> {
    let clause = clause_before(text, place)?;
    let parts = parts_of_day_labels(labels);
    let is_of_list = |word: &str| {
        // "Frist" is a part of "Angebotsfrist".
        let ends_in = |part: &str| part.to_lowercase().ends_with(&word.to_lowercase());
        parts
            .iter()
            .any(|part| concepts::are_same_words(part, word) || ends_in(part))
    };
    if let Some(word) = word_near(clause, is_of_list) {
        return Some(word);
    }
    let shuts = SHUTS_BEHIND
        .captures(text.get(place.end..)?)
        .filter(|_| SHUTS.is_match(clause));
    let end_date = || END_DATE.captures(clause);
    let ends = IS_OVER
        .captures(clause)
        .or(shuts)
        .or_else(end_date)
        .and_then(|found| found.get(1));
    if let Some(end) = ends {
        return Some(end.as_str().to_lowercase());
    }
    let before = LABEL_BEFORE.captures(text.get(..place.start)?);
    let behind = LABEL_BEHIND.captures(text.get(place.end..)?);
    let word = |found: Option<regex::Captures<'_>>| Some(found?.get(1)?.as_str().to_lowercase());
    let is_label = |lower: &String| {
        !words.is_entity(lower)
            && !is_of_calendar(lower)
            && (OF_DAY.is_match(lower) || !words.is_grammar(lower))
    };
    // Behind the day stands what has happened on it: "published", "zurückgerufen".
    let is_behind = |lower: &String| is_label(lower) && (OF_DAY.is_match(lower) || HAPPENED.is_match(lower));
    let before = word(before).filter(is_label);
    before.or_else(|| word(behind).filter(is_behind))
}

/// Whether a word is a month or a day of the week, which is the day of nothing.
fn is_of_calendar(word: &str) -> bool {
    WEEKDAY.is_match(word) || MONTHS.contains(&concepts::with_english_months(word).to_lowercase().as_str())
}

/// The label of the page's list, or the word for what happens on a day, that stands near before a place of a text: "who has an
/// appointment this week".
pub(super) fn day_label(text: &str, place: &Range<usize>, labels: &[String]) -> Option<String> {
    let parts = parts_of_day_labels(labels);
    let is_of_list = |word: &str| parts.iter().any(|part| concepts::are_same_words(part, word));
    word_near(clause_before(text, place)?, |word| {
        NAMES_DAY.is_match(word) || is_of_list(word)
    })
}

/// The clause that ends at a place of a text.
fn clause_before<'t>(text: &'t str, place: &Range<usize>) -> Option<&'t str> {
    text.get(..place.start)?.rsplit([',', ';', '.', ':']).next()
}

/// The words of the labels of a list that name days.
fn parts_of_day_labels(labels: &[String]) -> Vec<&str> {
    let of_day = labels.iter().filter(|label| OF_DAY.is_match(label));
    of_day.flat_map(|label| label.split_whitespace()).collect()
}

/// The last word near the end of a clause that is long enough and of which something holds, in small letters.
fn word_near(clause: &str, is_it: impl Fn(&str) -> bool) -> Option<String> {
    let mut near = clause.split_whitespace().rev().take(LABEL_REACH);
    let word = near.find(|word| word.chars().count() > 3 && is_it(word))?;
    Some(word.to_lowercase())
}

/// The day of today or of yesterday: "articles from today", "since yesterday".
fn today(text: &str) -> Option<(Range<usize>, Vec<RowCondition>)> {
    TODAY.captures_iter(text).find_map(|found| {
        let whole = found.get(0)?;
        let has = |name: &str| found.name(name).is_some();
        let day = ["day", "own", "new"].iter().find_map(|name| found.name(name))?;
        if AT_PRESENT.is_match(text.get(whole.end()..)?) {
            return None;
        }
        let is_today = ["today", "heute", "dzisiaj", "dziś"].contains(&day.as_str().to_lowercase().as_str());
        let value = if is_today { "today" } else { "yesterday" };
        let operators: &[Operator] = match () {
            () if has("since") => &[Operator::AtLeast],
            () if has("more") => &[Operator::More],
            () if has("less") => &[Operator::Less],
            () => &[Operator::AtLeast, Operator::AtMost],
        };
        let conditions = operators
            .iter()
            .map(|operator| condition("date", *operator, value));
        // What is listed stays in the text.
        let start = found.name("kind").map_or(whole.start(), |kind| kind.end());
        Some((start..whole.end(), conditions.collect()))
    })
}

/// The present day and the one before as one time: "added yesterday or today".
fn two_days(text: &str) -> Option<(Range<usize>, Vec<RowCondition>)> {
    let found = TWO_DAYS.find(text)?;
    let from = condition("date", Operator::AtLeast, "yesterday");
    let to = condition("date", Operator::AtMost, "today");
    (!AT_PRESENT.is_match(text.get(found.end()..)?)).then(|| (found.range(), vec![from, to]))
}

/// The number of rooms that a word tells, and where it stands.
pub(super) fn rooms(text: &str) -> Option<(Range<usize>, RowCondition)> {
    let found = ROOMS.captures(text)?;
    let written = found.name("n")?.as_str().to_lowercase();
    let digits = written.parse().ok();
    let number = digits.or_else(|| numerals::number_of_part(&written))?;
    let field = if found.name("bed").is_some() {
        "bedroom"
    } else {
        "room"
    };
    Some((found.get(0)?.range(), condition(field, Operator::Equal, number)))
}

/// Fields whose number an entry has exactly as it is asked for: "two bedrooms".
pub(super) const EXACT: [&str; 3] = ["room", "bedroom", "bathroom"];

/// A number of rooms before their name: "dwa pokoje", "2 bathrooms". Comparisons have been taken out before.
pub(super) fn counted_rooms(text: &str, words: &TriggerVocabulary) -> Option<(Range<usize>, RowCondition)> {
    COUNTED.captures_iter(text).find_map(|found| {
        let count = number(found.name("n")?.as_str(), words)?;
        let field = concepts::field(found.name("noun")?.as_str()).filter(|field| EXACT.contains(field))?;
        Some((found.get(0)?.range(), condition(field, Operator::Equal, count)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let conditions = time(text).map(|(_, conditions)| conditions).unwrap_or_default();
        conditions
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(", ")
    }

    #[test]
    fn an_end_date_is_the_day_on_which_something_ends() {
        use super::super::vocabulary::VOCABULARY;
        let label = |text: &str| {
            let at = text.find("before").unwrap();
            label(text, &(at..text.len()), &VOCABULARY, &[])
        };
        assert_eq!(label("works whose end date is before 1 June"), Some("end".into()));
        assert_eq!(label("works that are over before 1 June"), Some("over".into()));
        assert_eq!(label("works whose start is before 1 June"), Some("start".into()));
        assert_eq!(label("a Monday in April before 1 June"), None);
    }

    #[test]
    fn years_and_days_are_told_from_amounts() {
        assert_eq!(read("Autos ab Baujahr 2021"), "year >= 2021");
        assert_eq!(read("Bücher, die nach 2018 erschienen sind"), "year > 2018");
        assert_eq!(
            read("wydane między 2015 a 2020 rokiem"),
            "year >= 2015, year <= 2020"
        );
        assert_eq!(read("laptops up to 2000"), "");
        assert_eq!(read("everything from 2019"), "year = 2019");
        assert_eq!(read("books released in 2026"), "year = 2026");
        assert_eq!(read("książki wydane w roku 2026"), "year = 2026");
        assert_eq!(read("cars from 2019"), "year >= 2019");
        assert_eq!(read("cars from 2019 onwards"), "year >= 2019");
        assert_eq!(read("2020 or newer, automatic"), "year >= 2020");
        assert_eq!(read("from 2019 dollars"), "");
        assert_eq!(read("artykuły z lat 2021–2022"), "year >= 2021, year <= 2022");
        assert_eq!(read("Platten (1980 bis 1989)"), "year >= 1980, year <= 1989");
        assert_eq!(read("muzea sprzed 1920 roku"), "year < 1920");
        assert_eq!(read("events after 1 May 2026"), "date >= 2026-05-02");
        assert_eq!(read("wydarzenia po 1 maja 2026"), "date >= 2026-05-02");
        assert_eq!(read("courses before May 2026"), "date < 2026-05-01");
        assert_eq!(read("kursy przed majem 2026"), "date < 2026-05-01");
        assert_eq!(
            read("concerts after 1 September, soonest first"),
            "date > 1 september"
        );
        assert_eq!(read("kursy od 5 maja"), "date >= 5 may");
        assert_eq!(read("psy od grudnia 2025"), "date >= 1 december 2025");
        assert_eq!(
            read("Anzeigen aus dem Februar 2026"),
            "date >= 1 february 2026, date < 1 march 2026"
        );
        assert_eq!(read("not after the kettle"), "");
        assert_eq!(
            read("gigs in March or April"),
            "date >= 1 march, date <= 30 april"
        );
        assert_eq!(
            read("zwischen Mai und Juli 2025"),
            "date >= 1 may 2025, date <= 31 july 2025"
        );
        assert_eq!(read("dodane 10 marca 2025 lub później"), "date >= 10 march 2025");
        assert_eq!(read("on 3 May or earlier"), "date <= 3 may");
        assert_eq!(read("z 2020 roku lub później"), "year >= 2020");
        assert_eq!(read("do 20 maja włącznie"), "date <= 20 may");
        assert_eq!(read("start nie później niż w maju"), "date <= 31 may");
        assert_eq!(read("spätestens im Mai"), "date <= 31 may");
        assert_eq!(read("spätestens ab dem 15. Juli 2026"), "date < 2026-07-16");
        assert_eq!(
            read("dramaty od 10 do 20 października"),
            "date >= 10 october, date <= 20 october"
        );
        assert_eq!(
            read("gigs between 3 and 9 May 2026"),
            "date >= 3 may 2026, date <= 9 may 2026"
        );
        assert_eq!(read("between 3 and 9 rooms"), "");
        assert_eq!(read("articles from today"), "date >= today, date <= today");
        assert_eq!(read("oferty od wczoraj"), "date >= yesterday");
        assert_eq!(read("events after today"), "date > today");
        for text in [
            "added yesterday or today",
            "heute oder gestern eingestellt",
            "dodane dziś lub wczoraj",
            "from today and yesterday",
        ] {
            assert_eq!(read(text), "date >= yesterday, date <= today", "{text}");
        }
        assert_eq!(read("today's news"), "date >= today, date <= today");
        for text in [
            "flats available today",
            "Restaurants, die heute geöffnet haben",
            "shipped today",
            "papers like USA Today",
        ] {
            assert_eq!(read(text), "", "{text}");
        }
    }
}
