//! What the values of a column are as numbers, by all of them together: amounts in units of one kind, lengths of time, days, or numbers
//! whose thousands are set apart by points.

use jiff::civil::DateTime;
use serde_json::Value;

use crate::rows::amounts::duration;
use crate::rows::date_figures::DateFigures;
use crate::rows::days::day;
use crate::rows::grouped_numbers::{grouped_number, has_grouped_numbers};
use crate::rows::units::{Unit, amount_in, unit_of};
use crate::values::number;

locale::patterns! {
    /// A value that is a day and nothing else.
    static WHOLE_DAY = r"(?i)^\s*(?:(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|pn|wt|śr|czw|pt|sob|niedz)\p{L}*\.?,?\s+)?(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}(?:st|nd|rd|th|\.)?\s+\p{L}{3,}\.?,?\s+\d{4}|\p{L}{3,}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4})\s*$";
    /// A month of a year in figures and nothing else.
    static MONTH = r"^\s*(?P<month>0?[1-9]|1[0-2])\s*[./-]\s*(?P<year>(?:19|20)\d{2})\s*$";
    /// A value that is a length of time and nothing else.
    static WHOLE_DURATION = r"(?i)^\s*(?:ca\.?|about|approx\.?|~)?\s*(?:\d{1,3}(?:[.,]\d)?\s*(?:h|hrs?|hours?|std|stunden?|godz|godzin\p{L}*)\b\.?(?:[\s,]*\d{1,2}\s*(?:m|mins?|minutes?|minuten?|minut\p{L}*)?\b\.?)?|\d{1,4}\s*(?:m|mins?|minutes?|minuten?|minut\p{L}*)\b\.?)\s*$";
    static HOURS = r"(?i)\d\s*(?:h|hr|std|stunde|godz)";
}

/// Share of the texts of a column that have one form for all of them to be read so.
const MOST: f64 = 0.8;

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
    /// Lengths of time, in minutes: "2 h 30 min" beside "45 min".
    Durations,
    /// Months of years in figures, in years: "04/2016".
    Months,
    /// Days, in days since 1970.
    Days(DateFigures),
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
        if are_most(count(&|text| WHOLE_DAY.is_match(text))) {
            return ColumnNumbers::Days(DateFigures::of(&texts));
        }
        if are_most(count(&|text| MONTH.is_match(text))) {
            return ColumnNumbers::Months;
        }
        // Minutes alone, or hours alone, are plain numbers.
        let has_hours = count(&|text| HOURS.is_match(text));
        if are_most(count(&|text| WHOLE_DURATION.is_match(text))) && has_hours > 0 {
            return ColumnNumbers::Durations;
        }
        let units: Vec<Unit> = texts.iter().filter_map(|text| unit_of(text)).collect();
        match common_unit(&units).filter(|_| are_most(units.len())) {
            Some(unit) => ColumnNumbers::Converted(unit),
            None => ColumnNumbers::Plain,
        }
    }

    /// The number of a value of the column; what is a number already is one in the unit of the column.
    pub(crate) fn read(self, value: &Value, now: DateTime) -> Option<f64> {
        let text = value.as_str();
        let read = match self {
            ColumnNumbers::Plain => None,
            ColumnNumbers::Grouped => grouped_number(value),
            ColumnNumbers::Converted(unit) => text.and_then(|text| amount_in(text, unit, None)),
            ColumnNumbers::Durations => text.and_then(duration),
            ColumnNumbers::Months => {
                let found = MONTH.captures(text?)?;
                let (month, year): (f64, f64) = (found["month"].parse().ok()?, found["year"].parse().ok()?);
                return Some(year + (month - 1.0) / 12.0);
            }
            // A text that is no day has no place among days.
            ColumnNumbers::Days(figures) => return day(&figures.day_first(text?), now),
        };
        read.or_else(|| number(value))
    }

    /// Whether values are compared otherwise than by the first number in them.
    pub(crate) fn is_plain(self) -> bool {
        self == ColumnNumbers::Plain
    }
}

/// The unit that most values of a column have, where they have several of one kind; the one that comes first of equals.
fn common_unit(units: &[Unit]) -> Option<Unit> {
    let first = units.first()?;
    if units.iter().any(|unit| !unit.is_of_kind_of(first)) || units.iter().all(|unit| unit == first) {
        return None;
    }
    let count = |wanted: &Unit| units.iter().filter(|unit| *unit == wanted).count();
    units.iter().rev().max_by_key(|unit| count(unit)).copied()
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
    fn values_of_a_column_are_compared_as_what_they_are_together() {
        for sorted in [
            &["64 GB", "128 GB", "512 GB", "1 TB"][..],
            &["20 GB NVMe", "160 GB NVMe", "1 TB SATA"],
            &["250 g", "0.5 kg", "2 kg"],
            &["45 min", "1 h", "2 h 30 min"],
            &["15/01/2023", "01/12/2023", "03/04/2024"],
            &["12/01/2023", "01/15/2024", "04/03/2024"],
            &["12/2009", "04/2016", "06/2021", "03/2023"],
            &["2 March 2023", "12 January 2024", "5 May 2024"],
            &["8.900", "12.990", "31.500.000"],
            &["5 W", "20 W", "100 W"],
        ] {
            let mut mixed = sorted.to_vec();
            mixed.reverse();
            mixed.swap(0, 1);
            assert_eq!(ordered(&mixed), sorted, "{sorted:?}");
        }
    }

    #[test]
    fn a_number_without_a_unit_is_in_the_unit_of_the_column() {
        let rows = [
            json!({"v": "128 GB"}),
            json!({"v": "1 TB"}),
            json!({"v": "256 GB"}),
        ];
        let numbers = ColumnNumbers::of(&rows, "v", None);
        let now = jiff::civil::date(2026, 5, 1).at(12, 0, 0, 0);
        assert_eq!(numbers.read(&json!("1 TB"), now), Some(1000.0));
        assert_eq!(numbers.read(&json!(100), now), Some(100.0));
        assert_eq!(numbers.read(&json!("0.5 TB"), now), Some(500.0));
    }
}
