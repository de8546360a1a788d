//! What the values of a column are as numbers, by all of them together: amounts in units of one kind, lengths of time, days, or numbers
//! whose thousands are set apart by points.

use jiff::civil::DateTime;
use serde_json::Value;

use crate::rows::amounts::duration;
use crate::rows::date_figures::DateFigures;
use crate::rows::days::{day, days};
use crate::rows::distance;
use crate::rows::grouped_numbers::{grouped_number, has_grouped_numbers};
use crate::rows::heading_scale;
use crate::rows::numbers::{amount, multiplier};
use crate::rows::scale::Scale;
use crate::rows::units::{Unit, amount_in, unit_of};
use crate::values::number;

locale::patterns! {
    /// A value that is a day and nothing else.
    static WHOLE_DAY = r"(?i)^\s*(?:(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|pn|wt|śr|czw|pt|sob|niedz)\p{L}*\.?,?\s+)?(?:\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}/\d{1,2}/\d{2,4}|\d{1,2}(?:st|nd|rd|th|\.)?\s+\p{L}{3,}\.?,?\s+\d{4}|\p{L}{3,}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4})\s*$";
    /// A month of a year in figures and nothing else.
    static MONTH = r"^\s*(?P<month>0?[1-9]|1[0-2])\s*[./-]\s*(?P<year>(?:19|20)\d{2})\s*$";
    /// A value that is a length of time and nothing else.
    static WHOLE_DURATION = r"(?i)^\s*(?:ca\.?|about|approx\.?|~)?\s*(?:\d{1,3}(?:[.,]\d)?\s*(?:h|hrs?|hours?|std|stunden?|godz|godzin\p{L}*)\b\.?(?:[\s,]*\d{1,2}\s*(?:m|mins?|minutes?|minuten?|minut\p{L}*)?\b\.?)?|\d{1,4}\s*(?:m|mins?|minutes?|minuten?|minut\p{L}*)\b\.?)\s*$";
    /// A number with what may stand around it: a sign, a currency, what it is multiplied by, a unit. "2700 K" are no thousands.
    static FIGURE = r"(?i)^\s*(?P<sign>[+\-−–])?\s*[$€£]?\s*(?P<n>\d{1,3}(?:[ .,'’\u{a0}\u{202f}]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?)(?:(?P<k>k)|\s*(?P<scale>(?-i:M)|bn|mio|mln|mrd|tsd|tys|thousand|million|billion))?\b\.?\s*(?:%|°\s*[CF]?|[€$£]|zł|pts?|pkt)?\s*$";
    /// Two numbers, of which the first is that of what a column is called: goals of "31:12".
    static SCORE = r"^\s*(?P<n>\d{1,3})\s*[:–-]\s*(?P<other>\d{1,3})\s*$";
    /// What fields are called that tell how much cheaper something is.
    static REDUCTION = r"(?i)discount|reduc|saving|rabatt|rabat|ersparnis|nachlass|zniżk|obniżk|taniej|^off$";
    /// How long ago something was and nothing else: "14 hours ago", "vor 3 Tagen", "2 dni temu".
    static AGO = r"(?ix)^\s*(?:(?P<led>vor)\s+|\p{L}+\s+(?:(?P<behind>vor)\s+)?)?(?:(?P<n>\d{1,4})|an?|one|einem|einer)?\s*(?:
        (?P<minute>m|mins?|minutes?|minuten?|minut\p{L}*)|(?P<hour>h|hrs?|hours?|std|stunden?|godz\p{L}*)|(?P<day>d|days?|tag(?:en|e)?|dni|dzień)
        |(?P<week>w|weeks?|wochen?|tydzień|tygodni\p{L}*)|(?P<month>mo|months?|monat(?:en|e)?|miesi\p{L}+)|(?P<year>y|years?|jahr(?:en|e)?|lat|lata|rok)
        )\.?(?P<end>\s+(?:ago|temu|her))?\s*$";
    /// A day by its distance from now, in one word.
    static NEAR = r"(?i)^\s*(?:today|yesterday|just now|heute|gestern|dzisiaj|dziś|wczoraj)\s*$";
    /// A length of time of days or more and nothing else, in one unit or in two: "3 years", "1 year 4 months", "8 Wochen", "14 mies.".
    static SPAN = r"(?ix)^\s*(?:ca\.?|about|approx\.?|around|etwa|około|~)?\s*(?P<n>\d{1,3}(?:[.,]\d)?)\s*
        (?:(?P<year>y|yrs?|years?|jahr(?:en|e)?|lat|lata|rok)|(?P<month>mo|mths?|months?|monat(?:en|e)?|mies|miesi\p{L}+)|(?P<week>w|wks?|weeks?|wochen?|tydzień|tygodni\p{L}*)|(?P<day>d|days?|tag(?:en|e)?|dni|dzień))\b\.?
        (?:[\s,]*(?:(?:and|und|i|oraz)\s+)?(?P<more>\d{1,2})\s*(?:mo|mths?|months?|monat(?:en|e)?|mies|miesi\p{L}+)\b\.?)?(?:\s+(?:old|alt))?\s*$";
    static MINUTES = r"(?i)\d\s*(?:m|mins?|minute|minut)|(?:h|hrs?|hours?|std|stunden?|godz)\.?\s+\d";
    static HOURS = r"(?i)\d\s*(?:h|hr|std|stunde|godz)";
}

/// Share of the texts of a column that have one form for all of them to be read so.
const MOST: f64 = 0.8;

/// How many times the largest number of a column an amount is that is no number of it as written.
const FAR_ABOVE: f64 = 20.0;

/// How the values of a column are read as numbers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) enum ColumnNumbers {
    /// The number of a value, whatever stands behind it.
    #[default]
    Plain,
    /// Numbers with points between their thousands.
    Grouped,
    /// Amounts in different units of one kind, in one of them: "1 TB" beside "512 GB".
    Converted(Unit),
    /// Lengths in kilometres or miles beside others, in a unit of so many metres: "800 m" beside "1.2 km".
    Distances(f64),
    /// Lengths of time, in minutes: "2 h 30 min" beside "45 min".
    Durations,
    /// Lengths of time in several units from days on, in days: "3 years" beside "8 months".
    Spans,
    /// Months of years in figures, in years: "04/2016".
    Months,
    /// Days, in days since 1970.
    Days(DateFigures),
    /// Times as seen from now, among days: "14 hours ago" and "on 11 May 2025", in days since 1970.
    Ago,
    /// Numbers some of which have a sign or are multiplied: "-1.2 %", "+7", "1.5M".
    Figures,
    /// The same without their signs: reductions of "-20 %".
    Reductions,
    /// The first of two numbers: "31:12".
    Scores,
    /// Numbers that the heading multiplies: thousands of "Price (£000)".
    Scaled(f64),
    /// Levels of a scale in words, by their places: "low", "medium", "high".
    Levels(Scale),
}

impl ColumnNumbers {
    /// How a column of rows is read. `language` is the code of the page's language, where there is a page.
    pub(crate) fn of(rows: &[Value], field: &str, language: Option<&str>) -> ColumnNumbers {
        if has_grouped_numbers(rows, field, language) {
            return ColumnNumbers::Grouped;
        }
        let texts: Vec<&str> = rows.iter().filter_map(|row| row.get(field)?.as_str()).collect();
        let are_most = |count: usize| count > 1 && count as f64 >= texts.len() as f64 * MOST;
        let count = |is: &dyn Fn(&str) -> bool| texts.iter().filter(|text| is(text)).count();
        // "Golf 8 2020" is no day.
        let is_day = |text: &str| {
            WHOLE_DAY.is_match(text) && day(text, DateTime::constant(2000, 1, 1, 0, 0, 0, 0)).is_some()
        };
        if are_most(count(&is_day)) {
            return ColumnNumbers::Days(DateFigures::of(&texts));
        }
        let is_ago = |text: &str| ago(text, DateTime::constant(2000, 1, 1, 0, 0, 0, 0)).is_some();
        if count(&is_ago) > 0
            && are_most(count(&|text| {
                is_ago(text) || is_day(without_on(text)) || NEAR.is_match(text)
            }))
        {
            return ColumnNumbers::Ago;
        }
        if are_most(count(&|text| SCORE.is_match(text))) && are_scores(&texts) {
            return ColumnNumbers::Scores;
        }
        if are_most(count(&|text| FIGURE.is_match(text))) && texts.iter().any(|text| is_special(text)) {
            return match REDUCTION.is_match(field) {
                true => ColumnNumbers::Reductions,
                false => ColumnNumbers::Figures,
            };
        }
        if are_most(count(&|text| MONTH.is_match(text))) {
            return ColumnNumbers::Months;
        }
        // Minutes alone, or hours alone, are plain numbers.
        let has_hours = count(&|text| HOURS.is_match(text));
        let has_minutes = count(&|text| MINUTES.is_match(text));
        if are_most(count(&|text| WHOLE_DURATION.is_match(text))) && has_hours > 0 && has_minutes > 0 {
            return ColumnNumbers::Durations;
        }
        let spans: Vec<char> = texts.iter().filter_map(|text| Some(span(text)?.1)).collect();
        if are_most(spans.len()) && spans.iter().any(|unit| Some(unit) != spans.first()) {
            return ColumnNumbers::Spans;
        }
        let units: Vec<Unit> = texts.iter().filter_map(|text| unit_of(text)).collect();
        // Numbers in several units of one kind are never compared as they stand.
        let are_half = units.len() * 2 >= texts.len();
        if let Some(unit) = common_unit(&units).filter(|_| are_half) {
            return ColumnNumbers::Converted(unit);
        }
        let lengths: Vec<f64> = texts
            .iter()
            .filter_map(|text| distance::metres_of_unit(text))
            .collect();
        let differ = lengths.iter().any(|length| Some(length) != lengths.first());
        match differ && are_most(lengths.len()) {
            true => ColumnNumbers::Distances(1.0),
            false => Scale::of(&texts).map_or(ColumnNumbers::Plain, ColumnNumbers::Levels),
        }
    }

    /// Distances in a unit of so many metres; the same where it is no column of them.
    pub(crate) fn in_lengths_of(self, metres: f64) -> ColumnNumbers {
        match self {
            ColumnNumbers::Distances(_) => ColumnNumbers::Distances(metres),
            other => other,
        }
    }

    /// The same where an amount in a unit is asked for: values of its kind are read in that unit, though all have another one.
    pub(crate) fn in_unit(self, unit: Unit, rows: &[Value], field: &str) -> ColumnNumbers {
        let texts = || rows.iter().filter_map(|row| row.get(field)?.as_str());
        let is_of_kind = |text: &&str| unit_of(text).is_some_and(|own| own.is_of_kind_of(&unit));
        let of_kind = texts().filter(is_of_kind).count();
        match self {
            ColumnNumbers::Plain | ColumnNumbers::Converted(_)
                if of_kind as f64 >= texts().count() as f64 * MOST && of_kind > 0 =>
            {
                ColumnNumbers::Converted(unit)
            }
            other => other,
        }
    }

    /// The same where the heading multiplies the numbers, and an amount is asked for that is far above all of them as they are written:
    /// 250,000 of "Price (£000)".
    pub(crate) fn as_headed(self, rows: &[Value], field: &str, wanted: Option<f64>) -> ColumnNumbers {
        let is_written = matches!(
            self,
            ColumnNumbers::Plain | ColumnNumbers::Figures | ColumnNumbers::Grouped
        );
        let Some(scale) = heading_scale::scale(field).filter(|_| is_written) else {
            return self;
        };
        let numbers = rows.iter().filter_map(|row| figure(row.get(field)?.as_str()?));
        let largest = numbers.fold(0.0_f64, |largest, number| largest.max(number.abs()));
        match wanted.is_some_and(|wanted| wanted > largest * FAR_ABOVE) {
            true => ColumnNumbers::Scaled(scale),
            false => self,
        }
    }

    /// Whether the values are in several units, so that a number without one says nothing of them.
    pub(crate) fn needs_unit(self) -> bool {
        matches!(
            self,
            ColumnNumbers::Converted(_)
                | ColumnNumbers::Distances(_)
                | ColumnNumbers::Durations
                | ColumnNumbers::Spans
        )
    }

    /// The number of a value of the column; what is a number already is one in the unit of the column.
    pub(crate) fn read(self, value: &Value, now: DateTime) -> Option<f64> {
        let text = value.as_str();
        let read = match self {
            ColumnNumbers::Plain => None,
            ColumnNumbers::Grouped => grouped_number(value),
            ColumnNumbers::Figures => text.and_then(figure),
            ColumnNumbers::Reductions => text.and_then(figure).map(f64::abs),
            ColumnNumbers::Scaled(scale) => text.and_then(|text| Some(figure(text)? * scale)),
            ColumnNumbers::Scores => text.and_then(|text| SCORE.captures(text)?["n"].parse().ok()),
            ColumnNumbers::Converted(unit) => text.and_then(|text| amount_in(text, unit, None)),
            ColumnNumbers::Distances(metres) => text.and_then(|text| Some(distance::away(text)? / metres)),
            ColumnNumbers::Durations => text.and_then(duration),
            ColumnNumbers::Spans => return Some(span(text?)?.0),
            ColumnNumbers::Months => {
                let found = MONTH.captures(text?)?;
                let (month, year): (f64, f64) = (found["month"].parse().ok()?, found["year"].parse().ok()?);
                return Some(year + (month - 1.0) / 12.0);
            }
            // A text that is no day has no place among days.
            ColumnNumbers::Ago => return ago(text?, now).or_else(|| day(without_on(text?), now)),
            // A text that is no level has no place among them.
            ColumnNumbers::Levels(scale) => return scale.number(value),
            ColumnNumbers::Days(figures) => return day(&figures.day_first(text?), now),
        };
        read.or_else(|| number(value))
    }

    /// Whether the values are levels of a scale in words.
    pub(crate) fn has_levels(self) -> bool {
        matches!(self, ColumnNumbers::Levels(_))
    }

    /// Whether values are compared otherwise than by the first number in them.
    pub(crate) fn is_plain(self) -> bool {
        self == ColumnNumbers::Plain
    }
}

/// A day without the word that leads to it: "on May 11, 2025".
fn without_on(text: &str) -> &str {
    let text = text.trim();
    let led = ["on ", "am ", "On ", "Am "];
    led.iter()
        .find_map(|word| text.strip_prefix(word))
        .unwrap_or(text)
}

/// The moment that a text names by its distance from now, in days since 1970 with their fractions.
fn ago(text: &str, now: DateTime) -> Option<f64> {
    const HOUR: f64 = 1.0 / 24.0;
    let found = AGO.captures(text)?;
    let is_past = ["led", "behind", "end"]
        .iter()
        .any(|name| found.name(name).is_some());
    let units = [
        ("minute", HOUR / 60.0),
        ("hour", HOUR),
        ("day", 1.0),
        ("week", 7.0),
        ("month", 30.4),
        ("year", 365.25),
    ];
    let length = units
        .into_iter()
        .find_map(|(unit, length)| found.name(unit).map(|_| length))?;
    let count = found
        .name("n")
        .map_or(Some(1.0), |count| count.as_str().parse().ok())?;
    let today = days(now.date()).filter(|_| is_past)?;
    let of_day = (f64::from(now.hour()) + f64::from(now.minute()) / 60.0) * HOUR;
    Some(today + of_day - count * length)
}

/// A length of time in days, and the first letter of its unit.
fn span(text: &str) -> Option<(f64, char)> {
    const MONTH: f64 = 30.4;
    let found = SPAN.captures(text)?;
    let units = [("year", 365.25), ("month", MONTH), ("week", 7.0), ("day", 1.0)];
    let (unit, length) = units.into_iter().find(|(unit, _)| found.name(unit).is_some())?;
    let count: f64 = found.name("n")?.as_str().replace(',', ".").parse().ok()?;
    let months: f64 = found
        .name("more")
        .map_or(Some(0.0), |more| more.as_str().parse().ok())?;
    Some((count * length + months * MONTH, unit.chars().next()?))
}

/// Whether pairs of numbers are scores, and neither times nor scales of models: the second number of some is one that no clock has
/// ("9:2", "17:64"), and the first numbers differ.
fn are_scores(texts: &[&str]) -> bool {
    let pairs: Vec<(&str, &str)> = texts
        .iter()
        .filter_map(|text| {
            let found = SCORE.captures(text)?;
            Some((found.name("n")?.as_str(), found.name("other")?.as_str()))
        })
        .collect();
    let is_no_clock =
        |(_, other): &(&str, &str)| other.len() != 2 || other.parse::<u32>().is_ok_and(|other| other > 59);
    let differ = pairs
        .windows(2)
        .any(|pair| matches!(pair, [(one, _), (other, _)] if one != other));
    differ && pairs.iter().any(is_no_clock)
}

/// Whether a number has a sign, or is multiplied.
fn is_special(text: &str) -> bool {
    let has = |found: regex::Captures<'_>| {
        ["sign", "k", "scale"]
            .iter()
            .any(|name| found.name(name).is_some())
    };
    FIGURE.captures(text).is_some_and(has)
}

/// A number with its sign, and multiplied by what stands behind it.
fn figure(text: &str) -> Option<f64> {
    let found = FIGURE.captures(text)?;
    let number = amount(found.name("n")?.as_str())?;
    let multiplied = found.name("k").or(found.name("scale"));
    let scale = match multiplied {
        Some(word) => multiplier(&word.as_str().to_lowercase())?,
        None => 1.0,
    };
    // "2700K" is a temperature of light.
    if found.name("k").is_some() && number >= 1_000.0 {
        return None;
    }
    let is_negative = found.name("sign").is_some_and(|sign| sign.as_str() != "+");
    Some(number * scale * if is_negative { -1.0 } else { 1.0 })
}

/// Whether a value is one amount and nothing else: a number, "1.2 GB", "1,5M".
pub(crate) fn is_amount(value: &Value) -> bool {
    let is_text = |text: &str| figure(text).is_some() || unit_of(text).is_some();
    value.is_number() || value.as_str().is_some_and(is_text)
}

/// The unit that most values of a column have, where they have several of one kind; the one that comes first of equals.
fn common_unit(units: &[Unit]) -> Option<Unit> {
    let first = units.first()?;
    if units.iter().any(|unit| !unit.is_of_kind_of(first)) || units.iter().all(|unit| unit == first) {
        return None;
    }
    // There are few units, however many values.
    let mut counts: Vec<(Unit, usize)> = Vec::new();
    for unit in units {
        match counts.iter_mut().find(|(known, _)| known == unit) {
            Some((_, count)) => *count += 1,
            None => counts.push((*unit, 1)),
        }
    }
    let most = counts.iter().rev().max_by_key(|(_, count)| *count);
    most.map(|(unit, _)| *unit)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn ordered(values: &[&str]) -> Vec<String> {
        let rows: Vec<Value> = values.iter().map(|value| json!({"v": value})).collect();
        let numbers = ColumnNumbers::of(&rows, "v", None);
        let now = jiff::civil::date(2026, 5, 1).at(12, 0, 0, 0);
        let mut read: Vec<(f64, &str)> = values
            .iter()
            .map(|value| (numbers.read(&json!(value), now).unwrap_or(f64::MAX), *value))
            .collect();
        read.sort_by(|one, other| one.0.total_cmp(&other.0));
        read.into_iter().map(|(_, value)| value.to_owned()).collect()
    }

    #[test]
    fn lengths_of_time_in_several_units_are_compared_in_days() {
        assert_eq!(
            ordered(&[
                "3 years",
                "5 months",
                "14 months",
                "1 year",
                "8 weeks",
                "2 years 6 months"
            ]),
            [
                "8 weeks",
                "5 months",
                "1 year",
                "14 months",
                "2 years 6 months",
                "3 years"
            ]
        );
    }

    #[test]
    fn times_as_seen_from_now_stand_among_days() {
        let now = DateTime::constant(2026, 3, 10, 12, 0, 0, 0);
        let column =
            |values: &[&str]| -> Vec<Value> { values.iter().map(|value| json!({"v": value})).collect() };
        for texts in [
            [
                "3 hours ago",
                "14 hours ago",
                "yesterday",
                "4 days ago",
                "on May 11, 2025",
            ],
            [
                "vor 3 Stunden",
                "vor 14 Stunden",
                "gestern",
                "vor 4 Tagen",
                "11.05.2025",
            ],
            [
                "3 godziny temu",
                "14 godzin temu",
                "wczoraj",
                "4 dni temu",
                "11.05.2025",
            ],
        ] {
            let rows = column(&texts);
            let numbers = ColumnNumbers::of(&rows, "v", None);
            assert_eq!(numbers, ColumnNumbers::Ago, "{texts:?}");
            let read: Vec<f64> = texts
                .iter()
                .map(|text| numbers.read(&json!(text), now).unwrap())
                .collect();
            assert!(read.is_sorted_by(|one, other| one > other), "{texts:?}: {read:?}");
        }
        assert_eq!(
            ColumnNumbers::of(&column(&["3 hours", "2 days"]), "v", None),
            ColumnNumbers::Plain
        );
    }

    #[test]
    fn values_of_a_column_are_compared_as_what_they_are_together() {
        for sorted in [
            &["64 GB", "128 GB", "512 GB", "1 TB"][..],
            &["20 GB NVMe", "160 GB NVMe", "1 TB SATA"],
            &["250 g", "0.5 kg", "2 kg"],
            &["800 m", "950 m", "1.2 km", "12 km", "10 miles"],
            &["800 g", "2 lbs", "1.2 kg", "about half a kilo"],
            &["45 min", "1 h", "2 h 30 min"],
            &["15/01/2023", "01/12/2023", "03/04/2024"],
            &["12/01/2023", "01/15/2024", "04/03/2024"],
            &["12/2009", "04/2016", "06/2021", "03/2023"],
            &["2 March 2023", "12 January 2024", "5 May 2024"],
            &["8.900", "12.990", "31.500.000"],
            &["5 W", "20 W", "100 W"],
            &["-10.0%", "-1.2%", "0.0%", "+0.3%", "+12.5%"],
            &["−38 °C", "-4 °C", "0 °C", "14 °C", "22 °C"],
            &["−34", "0", "+7", "+13", "+19"],
            &["980", "2.1k", "12,400", "1.5M"],
            &["4 KB", "850 MB", "1.2 GB", "3.9 GB"],
            &["500 Mo", "1 Go", "50 Go", "130 Go", "1 To"],
            &["9:43", "12:2", "31:12"],
        ] {
            let mut mixed = sorted.to_vec();
            mixed.reverse();
            mixed.swap(0, 1);
            assert_eq!(ordered(&mixed), sorted, "{sorted:?}");
        }
    }

    #[test]
    fn numbers_are_multiplied_as_the_heading_says() {
        let rows = [json!({"price_000": "245"}), json!({"price_000": "1,250"})];
        let now = jiff::civil::date(2026, 5, 1).at(12, 0, 0, 0);
        let read = |wanted| {
            let numbers = ColumnNumbers::of(&rows, "price_000", None);
            let numbers = numbers.as_headed(&rows, "price_000", Some(wanted));
            numbers.read(&json!("1,250"), now)
        };
        assert_eq!(read(250_000.0), Some(1_250_000.0));
        assert_eq!(read(1_200.0), Some(1_250.0));
    }

    #[test]
    fn reductions_are_compared_without_their_signs() {
        let column = |field: &str, values: &[&str]| -> Vec<Value> {
            values.iter().map(|value| json!({field: value})).collect()
        };
        let now = jiff::civil::date(2026, 5, 1).at(12, 0, 0, 0);
        let read = |field: &str| {
            let rows = column(field, &["-20%", "-50%", "-35%"]);
            ColumnNumbers::of(&rows, field, None).read(&json!("-50%"), now)
        };
        assert_eq!((read("discount"), read("change")), (Some(50.0), Some(-50.0)));
    }

    #[test]
    fn distances_in_kilometres_and_metres_are_compared_in_the_unit_that_is_asked_for() {
        let rows = ["800 m", "1.2 km", "12 km"].map(|text| json!({"distance": text}));
        let numbers = ColumnNumbers::of(&rows, "distance", None);
        let now = jiff::civil::date(2026, 5, 1).at(12, 0, 0, 0);
        assert!(numbers.needs_unit());
        assert_eq!(numbers.read(&json!("1.2 km"), now), Some(1200.0));
        let kilometres = numbers.in_lengths_of(1000.0);
        assert_eq!(kilometres.read(&json!("800 m"), now), Some(0.8));
        let alike = ["3 km", "12 km"].map(|text| json!({"distance": text}));
        assert!(ColumnNumbers::of(&alike, "distance", None).is_plain());
    }

    #[test]
    fn values_are_read_in_the_unit_that_is_asked_for() {
        let column =
            |values: &[&str]| -> Vec<Value> { values.iter().map(|value| json!({"v": value})).collect() };
        let now = jiff::civil::date(2026, 5, 1).at(12, 0, 0, 0);
        let gigabytes = Unit::called("gb").unwrap();
        for rows in [column(&["128 GB", "1 TB", "4 TB"]), column(&["1 TB", "2 TB"])] {
            let numbers = ColumnNumbers::of(&rows, "v", None).in_unit(gigabytes, &rows, "v");
            assert_eq!(numbers.read(&json!("1 TB"), now), Some(1000.0));
        }
        assert!(ColumnNumbers::of(&column(&["128 GB", "1 TB"]), "v", None).needs_unit());
        for plain in [
            &["2 h", "5 h", "8 h"][..],
            &["45 min", "30 min"],
            &["1.9.12", "2.1.10"],
            &["2700 K", "4000 K"],
            &["18:45", "24:10", "18:20"],
            &["1:87", "1:10", "1:24"],
            &["Golf 8 2020", "Golf 7 2016"],
        ] {
            assert!(
                ColumnNumbers::of(&column(plain), "v", None).is_plain(),
                "{plain:?}"
            );
        }
    }
}
