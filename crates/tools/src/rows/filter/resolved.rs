//! `Resolved`: a condition with what the rows say to it.

use jiff::civil::{Date, Weekday};
use serde_json::Value;

use super::flags::Flag;
use super::free;
use super::stock::{LENT, stock_of};
use crate::rows::column_numbers::ColumnNumbers;
use crate::rows::condition::{Operator, RowCondition, saving};
use crate::rows::days::{date_of, day};
use crate::rows::listed_numbers;
use crate::rows::source::RowSource;
use crate::rows::text::Measure;
use crate::rows::weekdays;
use crate::words::mention::Term;
use crate::words::mention_strength::MentionStrength;

locale::patterns! {
    /// Words for what does not take place.
    static CANCELLED = r"(?i)\b(?:fällt aus|entfällt|abgesagt|odwołan(?:[yaeoi]|ych|ego|ej)|cancelled|canceled|called off)\b";
    /// How many stars a hotel has.
    static STAR_CLASS = r"(?i)\b(?P<n>[1-7])\s*[-\u{a0}]?\s*(?:stars?\b|sterne?\b|gwiazdk\p{L}+)";
    /// Stars in a row that are no rating, which says its number beside them.
    static STARS = r"[★⭐]{1,7}";
    /// A day with its year.
    static DATE = r"(?i)\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4}|\d{1,2}(?:st|nd|rd|th|\.)?\s+[a-zà-ɏ]{3,}\.?,?\s+\d{4}|[a-zà-ɏ]{3,}\.?\s+\d{1,2}(?:st|nd|rd|th)?,\s+\d{4}";
}

/// A condition with what the rows say to it.
pub(super) enum Resolved<'c> {
    /// Of a field.
    Field {
        condition: &'c RowCondition,
        /// Absent where no row has the field.
        name: Option<&'c str>,
        /// Whether rows without the field can be bought.
        others_are_in_stock: bool,
        /// How its values are compared as numbers.
        numbers: ColumnNumbers,
    },
    /// Of the number of stars that the rows state beside ratings of another scale.
    Starred(&'c RowCondition),
    /// Of how much the price has come down.
    Saved(&'c RowCondition),
    /// Of stock, which the texts of the rows state.
    Stocked {
        condition: &'c RowCondition,
        /// Whether rows without a word of it can be bought.
        others_are_in_stock: bool,
    },
    /// Of a number that the texts of the rows state.
    Measured(&'c RowCondition, Measure, Option<f64>),
    /// Of words, each with how strongly a row has to have it.
    Words {
        terms: Vec<(Term, MentionStrength)>,
        /// Whether one of the words is enough.
        is_any: bool,
        is_denied: bool,
        /// Whether what is denied is said to be lacking by rows: "no minimum order".
        has_lacking: bool,
        /// What a reader of the rows should know.
        note: Option<String>,
    },
    /// Of the days of the week that dates of rows fall on.
    Weekdays { days: Vec<Weekday>, is_denied: bool },
    /// Of the days of the week that rows list: of each list one.
    ListedDays {
        days: Vec<Vec<Weekday>>,
        is_denied: bool,
    },
    /// Of a field by which rows say that they have something or lack it.
    Flag { flag: Flag, is_denied: bool },
    /// Of costing nothing.
    Free { is_denied: bool },
    /// Of a number that the values of a field list.
    ListedNumber {
        field: String,
        number: String,
        is_denied: bool,
    },
    /// Of the year of the day that the rows tell.
    YearOfDay(&'c RowCondition),
    /// True of every row.
    Always,
}

/// The day of the week that the date of a row falls on, where the row states its year: of its field, else the first of its text.
pub(super) fn weekday_of(row: &Value, source: &RowSource) -> Option<Weekday> {
    let of_field = || row.get("date")?.as_str()?.get(..10)?.parse::<Date>().ok();
    let of_text = || {
        let text = source.texts.of(row);
        let mut days = DATE.find_iter(text).take(MOST_DAYS);
        days.find_map(|found| date_of(day(found.as_str(), source.now)?))
    };
    Some(of_field().or_else(of_text)?.weekday())
}

/// Most texts of a row that are read as its day.
const MOST_DAYS: usize = 3;

/// The year of the day of a row.
pub(super) fn year_of_day(row: &Value) -> Option<i16> {
    let day: Date = row.get("date")?.as_str()?.get(..10)?.parse().ok()?;
    Some(day.year())
}

/// How many stars a text gives a thing: "4-star", "★★★★".
pub(super) fn stars_of(text: &str) -> Option<u64> {
    let written = STAR_CLASS
        .captures(text)
        .and_then(|found| found["n"].parse().ok());
    let drawn = || {
        STARS
            .find(text)
            .map(|found| found.as_str().chars().count() as u64)
    };
    written.or_else(drawn)
}

impl Resolved<'_> {
    /// Whether a row meets the condition; `None` where the row does not say.
    pub(super) fn holds(&self, row: &Value, source: &RowSource) -> Option<bool> {
        match self {
            Resolved::Always => Some(true),
            Resolved::Free { is_denied } => free::is_free(row).map(|is_free| is_free != *is_denied),
            Resolved::YearOfDay(condition) => condition.holds(Some(&year_of_day(row)?.into())),
            Resolved::ListedNumber {
                field,
                number,
                is_denied,
            } => listed_numbers::has(row, field, number).map(|has| has != *is_denied),
            // What a row does not speak of may be lacking, and may not.
            Resolved::Flag {
                flag,
                is_denied: true,
            } => flag.has(row).map(|has| !has),
            Resolved::Flag {
                flag,
                is_denied: false,
            } => Some(flag.has(row).unwrap_or(false)),
            // What is cancelled cannot be had, whatever else a row says.
            Resolved::Field { condition, .. } | Resolved::Stocked { condition, .. }
                if condition.is_of_stock() && CANCELLED.is_match(source.texts.of(row)) =>
            {
                // What does not take place is not sold out.
                match condition.operator {
                    Operator::NotInStock if !LENT.is_match(source.texts.of(row)) => Some(false),
                    _ => condition.holds(Some(&Value::Bool(false))),
                }
            }
            Resolved::Field {
                condition,
                name,
                others_are_in_stock,
                numbers,
            } => {
                let value = name.and_then(|name| row.get(name));
                let read = |value: &Value| numbers.read(value, source.now).filter(|_| !numbers.is_plain());
                let holds = match value.and_then(read) {
                    Some(number) => {
                        let wanted = read(&condition.value).map(|wanted| condition.with_value(wanted.into()));
                        wanted.as_ref().unwrap_or(condition).holds(Some(&number.into()))
                    }
                    None => condition.holds(value),
                };
                let unsaid = || condition.holds(Some(&Value::Bool(true)));
                holds.or_else(|| others_are_in_stock.then(unsaid).flatten())
            }
            Resolved::Starred(condition) => condition.holds(Some(&stars_of(source.texts.of(row))?.into())),
            Resolved::Weekdays { days, is_denied } => {
                Some(days.contains(&weekday_of(row, source)?) != *is_denied)
            }
            Resolved::ListedDays { days, is_denied } => {
                let listed = weekdays::listed(source.texts.of(row)).days;
                let is_one = |wanted: &Vec<Weekday>| wanted.iter().any(|day| listed.contains(day));
                (!listed.is_empty()).then(|| days.iter().all(is_one) != *is_denied)
            }
            // What has no old price has not come down.
            Resolved::Saved(condition) => match saving(row) {
                Some(saving) => condition.holds(Some(&saving.into())),
                None => Some(false),
            },
            Resolved::Stocked {
                condition,
                others_are_in_stock,
            } => {
                let in_stock = stock_of(row, source).or(others_are_in_stock.then_some(true))?;
                condition.holds(Some(&Value::Bool(in_stock)))
            }
            Resolved::Measured(condition, measure, wanted) if measure.has_times() => {
                let times = measure.times(row, &source.texts);
                let compared = wanted.map(|wanted| condition.with_value(wanted.into()));
                let condition = compared.as_ref().unwrap_or(condition);
                let fits = |time: &f64| condition.holds(Some(&Value::from(*time)));
                let fitting: Vec<bool> = times.iter().filter_map(fits).collect();
                (!fitting.is_empty()).then(|| fitting.contains(&true))
            }
            Resolved::Measured(condition, measure, wanted) => {
                let value = measure.value(row, &source.texts);
                let compared = |wanted: &f64| {
                    condition
                        .with_value((*wanted).into())
                        .holds(value.map(Value::from).as_ref())
                };
                wanted
                    .as_ref()
                    .map_or_else(|| condition.holds(value.map(Value::from).as_ref()), compared)
            }
            Resolved::Words {
                terms,
                is_any,
                is_denied,
                has_lacking,
                ..
            } => {
                let text = source.texts.of(row);
                let has = |(term, level): &(Term, MentionStrength)| {
                    term.is_had_by(row, text, source.joins_words, *level)
                };
                if *has_lacking {
                    // What some rows say to be lacking is asked for: of those that say nothing of it, it is not known.
                    let lacks = |(term, _): &(Term, MentionStrength)| term.is_lacking_in(text);
                    return match terms.iter().any(|term| has(term) && !lacks(term)) {
                        true => Some(false),
                        false => terms.iter().any(lacks).then_some(true),
                    };
                }
                let holds = match is_any {
                    true => terms.iter().any(has),
                    false => terms.iter().all(has),
                };
                Some(holds != *is_denied)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::stock::LENT;
    use super::{CANCELLED, weekday_of, year_of_day};
    use crate::rows::row_texts::RowTexts;
    use crate::rows::source::RowSource;

    #[test]
    fn what_is_cancelled_is_told_apart_from_what_is_sold() {
        for text in [
            "Italienisch B1 fällt aus",
            "kurs 108 odwołany",
            "The walk is called off",
        ] {
            assert!(CANCELLED.is_match(text) && !LENT.is_match(text), "{text}");
        }
        assert!(!CANCELLED.is_match("Lampe fällt auf"));
    }

    #[test]
    fn the_day_of_the_week_is_that_of_the_field_or_of_the_first_day_in_the_text() {
        let mut texts = RowTexts::default();
        texts.keep(Some("Drawing"), None, "Drawing Beginn So., 07.06.2026 10:00 Uhr");
        let source = RowSource {
            texts,
            now: jiff::civil::date(2026, 5, 1).at(12, 0, 0, 0),
            ..RowSource::default()
        };
        let day = |row| weekday_of(&row, &source);
        assert_eq!(
            day(json!({"name": "Drawing"})),
            Some(jiff::civil::Weekday::Sunday)
        );
        assert_eq!(
            day(json!({"name": "Drawing", "date": "2026-06-06"})),
            Some(jiff::civil::Weekday::Saturday)
        );
        assert_eq!(day(json!({"name": "Other"})), None);
    }

    #[test]
    fn the_year_of_a_row_is_that_of_its_day() {
        assert_eq!(year_of_day(&json!({"date": "2026-04-20"})), Some(2026));
        assert_eq!(year_of_day(&json!({"date": "soon"})), None);
        assert_eq!(year_of_day(&json!({"year": "2026"})), None);
    }
}
