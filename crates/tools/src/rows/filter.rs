//! Rows that meet conditions, and the conditions that the rows cannot answer.

mod fields;
mod flags;
mod free;
mod level;
mod resolved;
mod stock;
mod unsaid;
mod words;

use serde_json::Value;

use crate::rows::clock::TIME_OF_DAY;
use crate::rows::column_numbers::ColumnNumbers;
use crate::rows::condition::{ANY_FIELD, Operator, RowCondition, SAVING, in_stock, saving};
use crate::rows::distance;
use crate::values::{cell_text, fields, number};
use crate::words::carriers::are_carriers;
use crate::words::field_names::canonical;
use crate::words::label_names::{day_labels, is_property};

use self::fields::{field_of, has_unit, is_of_stars};
use crate::rows::measure_name::{MeasureName, Measured};
use crate::rows::source::RowSource;
use crate::rows::text::Measure;
use crate::rows::units::Unit;
use resolved::{Resolved, year_of_day};
use stock::stock_in_texts;

locale::patterns! {
    /// A part of the day.
    static PART_OF_DAY = r"(?i)^(?:(?:am|in the|at|w|po) )?(?:mornings?|afternoons?|evenings?|nights?|morgens?|vormittags?|mittags?|nachmittags?|abends?|nachts?|rano|wieczor(?:em|y)?|popołudni\p{L}*|południ\p{L}*)$";
    /// A level of a scale, of which an instruction means those above it that no row need have.
    static LEVEL = r"(?i)(?:^|\s)[abc][12]$";
}

/// The rows that were kept, and why others were not.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Filtered {
    pub(crate) rows: Vec<Value>,
    /// Rows left out because they do not tell what a condition asks.
    pub(crate) undecided: usize,
    /// Conditions that were applied.
    pub(crate) applied: Vec<String>,
    /// Conditions that no row can answer, each with the reason.
    pub(crate) not_applied: Vec<String>,
}

/// Keeps the rows that meet every condition, and at least one of each list of alternatives.
pub(crate) fn filter(
    rows: Vec<Value>,
    conditions: &[RowCondition],
    any_of: &[Vec<RowCondition>],
    source: &RowSource,
) -> Filtered {
    let names = fields(&rows);
    let denied = words::without_closed_days(conditions, &rows, source);
    let conditions = denied.as_deref().unwrap_or(conditions);
    let mut filtered = Filtered::default();
    let mut groups: Vec<Vec<Resolved<'_>>> = Vec::new();
    let mut saying_nothing: Vec<(String, bool, String)> = Vec::new();
    let mut is_called = false;
    let single = conditions.iter().map(std::slice::from_ref);
    let all = || conditions.iter().chain(any_of.iter().flatten());
    let days: Vec<&str> = all()
        .filter_map(|condition| MeasureName::parse(&condition.field).event())
        .collect();
    let has_time = all().any(|condition| condition.field == TIME_OF_DAY);
    for group in single.chain(any_of.iter().map(Vec::as_slice)) {
        if rows.is_empty() {
            break;
        }
        let mut resolved = Vec::new();
        let mut missing = Vec::new();
        let mut has_said_time = false;
        for condition in group {
            let is_within = all().any(|other| is_other_bound(condition, other));
            match resolve(condition, &rows, &names, source, is_within) {
                // "that close in May": the word has said which day is meant.
                Err(_) if says_of_day(condition, &days) => resolved.push(Resolved::Always),
                Ok(_) if names_day(condition, &days) => resolved.push(Resolved::Always),
                // "in the evening, from 6 pm"
                _ if has_time && says_of_time(condition) => has_said_time = true,
                Ok(condition) => resolved.push(condition),
                Err(reason) => missing.push((condition, reason)),
            }
        }
        if has_said_time && resolved.is_empty() && missing.is_empty() {
            resolved.push(Resolved::Always);
        }
        let text = group
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" or ");
        // One word is what the entries are called; a second one that no row says asks for something.
        if let ([condition], [Resolved::Always]) = (group, resolved.as_slice())
            && words::only_calls(condition, &rows, source)
            && std::mem::replace(&mut is_called, true)
        {
            filtered.not_applied.push(format!("{text}: no row says it"));
            continue;
        }
        // Of alternatives, one that no row has leaves the others.
        let is_looked_for =
            |(condition, _): &(&RowCondition, String)| condition.operator == Operator::Mentions;
        let leaves_others = !resolved.is_empty() && missing.iter().all(is_looked_for);
        if let Some((condition, reason)) = missing.first().filter(|_| !leaves_others) {
            let word = condition
                .value
                .as_str()
                .filter(|_| condition.operator == Operator::Mentions);
            let is_of_property = word.is_some_and(is_property);
            match group.len() == 1 && (is_of_property || word.is_some_and(are_carriers)) {
                true => saying_nothing.push((text, is_of_property, reason.clone())),
                false => filtered.not_applied.push(format!("{text}: {reason}")),
            }
            continue;
        }
        let told_missing = missing
            .iter()
            .filter(|(condition, _)| !LEVEL.is_match(&cell_text(&condition.value)))
            .map(|(condition, reason)| format!("{condition}: {reason}"));
        let notes = resolved.iter().filter_map(|condition| match condition {
            Resolved::Words { note, .. } => note.clone(),
            Resolved::Measured(_, measure, _) => too_few(measure, &rows, source),
            _ => None,
        });
        let notes = notes.map(|note| format!("{text}: {note}"));
        filtered.not_applied.extend(notes.chain(told_missing));
        groups.push(resolved);
        filtered.applied.push(text);
    }
    // "in the district Kingsway", "phones sold without a charger": beside what tells rows apart, such words say nothing more.
    let tells_apart = |group: &Vec<Resolved<'_>>| !matches!(group.as_slice(), [Resolved::Always]);
    let are_told_apart = groups.iter().any(tells_apart);
    let has_words = |group: &Vec<Resolved<'_>>| {
        let mut words = group.iter();
        words.any(|condition| matches!(condition, Resolved::Words { is_denied: false, .. }))
    };
    let are_named = groups.iter().any(has_words);
    for (text, is_of_property, reason) in saying_nothing {
        // The name of a property needs its value; alone it may be a column.
        match if is_of_property {
            are_named || has_time
        } else {
            are_told_apart
        } {
            true => filtered.applied.push(text),
            false => filtered.not_applied.push(format!("{text}: {reason}")),
        }
    }
    if let Some(at) = kind_that_leaves_none(&groups, &rows, source) {
        groups.remove(at);
        let text = filtered.applied.remove(at);
        filtered.not_applied.push(format!(
            "{text}: no row that meets the other conditions calls itself so; those that do not say it are kept"
        ));
    }
    for row in rows {
        match meets(&groups, &row, source) {
            Some(true) => filtered.rows.push(row),
            None => filtered.undecided += 1,
            Some(false) => {}
        }
    }
    filtered
}

/// Whether a row meets every group of conditions; `None` where it does not tell.
fn meets(groups: &[Vec<Resolved<'_>>], row: &Value, source: &RowSource) -> Option<bool> {
    let mut is_undecided = false;
    let is_met = groups.iter().all(|group| {
        let holds = group.iter().map(|condition| condition.holds(row, source));
        match holds.fold(Some(false), either) {
            Some(holds) => holds,
            None => {
                is_undecided = true;
                true
            }
        }
    });
    match is_met && is_undecided {
        true => None,
        false => Some(is_met),
    }
}

/// The place of a word for the things themselves that some rows have in their names, or that the page is about, where no row meets all
/// conditions, and some rows meet the others: of concerts, only few are called one.
fn kind_that_leaves_none(groups: &[Vec<Resolved<'_>>], rows: &[Value], source: &RowSource) -> Option<usize> {
    let is_left =
        |groups: &[Vec<Resolved<'_>>]| rows.iter().any(|row| meets(groups, row, source) != Some(false));
    if groups.len() < 2 || rows.is_empty() || is_left(groups) {
        return None;
    }
    let is_kind = |group: &Vec<Resolved<'_>>| match group.as_slice() {
        [
            Resolved::Words {
                terms,
                is_denied: false,
                ..
            },
        ] => {
            words::are_names_of_kinds(terms, rows, source)
                || terms.iter().all(|(term, _)| source.is_about(term))
        }
        _ => false,
    };
    let mut kinds = groups.iter().enumerate().filter(|(_, group)| is_kind(group));
    kinds.find_map(|(at, _)| {
        let others = groups.iter().enumerate().filter(|(other, _)| *other != at);
        let are_met = |row: &&Value| {
            others
                .clone()
                .all(|(_, group)| meets(std::slice::from_ref(group), row, source) == Some(true))
        };
        rows.iter().any(|row| are_met(&row)).then_some(at)
    })
}

/// Whether the word of a condition is what a day is called that another condition is about.
fn says_of_day(condition: &RowCondition, days: &[&str]) -> bool {
    let word = condition.value.as_str().map(locale::fold_case);
    condition.operator == Operator::Mentions && word.is_some_and(|word| days.contains(&word.as_str()))
}

/// Whether the word of a condition is the name of a day that another condition is about: "that close in May".
fn names_day(condition: &RowCondition, days: &[&str]) -> bool {
    let word = condition.value.as_str();
    says_of_day(condition, days) && word.is_some_and(|word| !day_labels(word).is_empty())
}

/// Whether the word of a condition is a part of the day, which a time of day says better: "in the evening, from 6 pm".
fn says_of_time(condition: &RowCondition) -> bool {
    let word = condition.value.as_str();
    condition.operator == Operator::Mentions && word.is_some_and(|word| PART_OF_DAY.is_match(word))
}

/// What a reader of the rows should know of a measure that most of them do not state.
fn too_few(measure: &Measure, rows: &[Value], source: &RowSource) -> Option<String> {
    let tells = |row: &&Value| match measure.has_times() {
        true => !measure.times(row, &source.texts).is_empty(),
        false => measure.value(row, &source.texts).is_some(),
    };
    let told = rows.iter().filter(tells).count();
    (told * 2 < rows.len()).then(|| format!("only {told} of {} rows tell it", rows.len()))
}

/// "Or" of two values that may be unknown.
fn either(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}

/// Finds what a condition is about in the rows.
///
/// # Errors
/// Why no row can answer it. Applied all the same, such a condition would leave nothing; the rows are better than that,
/// as long as it is told.
fn resolve<'c>(
    condition: &'c RowCondition,
    rows: &[Value],
    names: &'c [String],
    source: &RowSource,
    is_within: bool,
) -> Result<Resolved<'c>, String> {
    if condition.field == ANY_FIELD {
        return words::resolve(condition, rows, source);
    }
    if condition.field == SAVING && rows.iter().any(|row| saving(row).is_some()) {
        return Ok(Resolved::Saved(condition));
    }
    if is_of_stars(condition, rows, names, source) {
        return Ok(Resolved::Starred(condition));
    }
    let measure_name = MeasureName::parse(&condition.field);
    let base = match measure_name.measured {
        Measured::DayOf(_) => "date",
        Measured::Named(name) => name,
    };
    let name = field_of(condition, base, names, rows, source);
    let is_decided = |row: &Value| condition.holds(name.and_then(|name| row.get(name))).is_some();
    // Days are compared as days, however they are written.
    let is_day = canonical(base) == Some("date") && condition.is_comparison();
    // "Taller than a metre", of heights in centimetres.
    let is_measured = || {
        !measure_name.units.is_empty()
            && Measure::find(&condition.field, rows, &source.texts, source.now).is_some()
    };
    // Of "04/2016" the year is compared.
    let column = name
        .filter(|_| condition.is_comparison())
        .map(|name| {
            let column = ColumnNumbers::of(rows, name, source.language.as_deref());
            let unit = measure_name.units.first().and_then(|unit| Unit::called(unit));
            let column = unit.map_or(column, |unit| column.in_unit(unit, rows, name));
            let metres = measure_name.units.first().and_then(|unit| distance::metres(unit));
            let column = metres.map_or(column, |metres| column.in_lengths_of(metres));
            column.as_headed(rows, name, number(&condition.value))
        })
        .unwrap_or_default();
    let is_of_months = column == ColumnNumbers::Months;
    // "At least medium" of a column of levels.
    let is_level = column.read(&condition.value, source.now).is_some() && column.has_levels();
    let decides = |row: &Value| is_level || is_decided(row);
    if name.is_some() && !is_day && !is_of_months && rows.iter().any(decides) && !is_measured() {
        if column.needs_unit() && measure_name.units.is_empty() && !has_unit(&condition.value) {
            return Err("the rows have several units, and the amount has none".into());
        }
        let values = || rows.iter().filter_map(|row| row.get(name?));
        let is_plain = |value: &Value| matches!(cell_text(value).as_str(), "InStock" | "true");
        // A list that marks what is sold out, and nothing else, has the rest.
        let only_sold = condition.is_unless_sold()
            || condition.is_of_stock()
                && values().any(|value| in_stock(value) == Some(false))
                && !values().any(is_plain);
        return Ok(Resolved::Field {
            condition,
            name,
            others_are_in_stock: only_sold,
            numbers: column,
        });
    }
    let measure = Measure::find(&condition.field, rows, &source.texts, source.now);
    // "released in 2026", where rows have the day of their release.
    let are_dated = || rows.iter().filter(|row| year_of_day(row).is_some()).count() * 2 >= rows.len();
    let is_told = |measure: &Measure| too_few(measure, rows, source).is_none();
    if base == "year" && name.is_none() && !measure.as_ref().is_some_and(is_told) && are_dated() {
        return Ok(Resolved::YearOfDay(condition));
    }
    if let Some(measure) = measure {
        // What runs from one day to another is in a month where any part of it is, unless it has to begin there.
        let event = measure_name.event().unwrap_or_default();
        let begins = BEGINNINGS.iter().any(|begin| event.starts_with(begin));
        let measure = match condition.operator {
            Operator::AtLeast | Operator::More if is_within && !begins => measure.at_end(),
            Operator::AtMost | Operator::Less if is_within => measure.at_beginning(),
            _ => measure,
        };
        let wanted = measure.wanted(&condition.value);
        let needs_none = matches!(condition.operator, Operator::Present | Operator::Absent);
        let is_compared = wanted.is_some() && condition.is_comparison();
        if needs_none || is_compared {
            return Ok(Resolved::Measured(condition, measure, wanted));
        }
    }
    if condition.is_of_stock()
        && let Some(only_sold) = stock_in_texts(rows, source)
    {
        return Ok(Resolved::Stocked {
            condition,
            others_are_in_stock: only_sold || condition.is_unless_sold(),
        });
    }
    // What no row says to be sold out, is not.
    if condition.is_unless_sold() && !rows.is_empty() {
        return Ok(Resolved::Always);
    }
    Err(match name {
        None => format!("no row has {:?}; there are {}", condition.field, names.join(", ")),
        Some(_) => format!("no row tells its {}", condition.field),
    })
}

/// How words begin by which something begins.
const BEGINNINGS: [&str; 6] = ["start", "begin", "anfang", "zaczyn", "zaczn", "rozpocz"];

/// Whether two conditions are the two ends of a time: "from 1 March", "until 31 March".
fn is_other_bound(one: &RowCondition, other: &RowCondition) -> bool {
    let is_least =
        |condition: &RowCondition| matches!(condition.operator, Operator::AtLeast | Operator::More);
    let is_most = |condition: &RowCondition| matches!(condition.operator, Operator::AtMost | Operator::Less);
    one.field == other.field && ((is_least(one) && is_most(other)) || (is_most(one) && is_least(other)))
}

#[cfg(test)]
mod tests;
