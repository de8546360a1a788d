//! What a condition on a field is about, by the values that rows have in it.

use serde_json::Value;

use super::resolved::stars_of;
use crate::rows::condition::RowCondition;
use crate::rows::paid;
use crate::rows::source::RowSource;
use crate::rows::text::Measure;
use crate::values::number;
use crate::words::field_names::{canonical, resolve_field};

/// Whether an amount says in which unit it is.
pub(super) fn has_unit(amount: &Value) -> bool {
    amount
        .as_str()
        .is_some_and(|text| text.contains(char::is_alphabetic))
}

/// The field of the rows that a condition on a name is about; `None` where the rows have none, or state it otherwise.
pub(super) fn field_of<'n>(
    condition: &RowCondition,
    name: &str,
    names: &'n [String],
    rows: &[Value],
    source: &RowSource,
) -> Option<&'n str> {
    let field = resolve_field(name, names).or_else(|| paid::field_of(name, names, rows))?;
    if !condition.is_comparison() {
        return Some(field);
    }
    // Rows that have no one amount may state what is paid otherwise: "13,90 € pro Stunde".
    if paid::is_price(field, rows) {
        return Some("price");
    }
    // "more than 10 bids", where rows have a "Current bid" of $220 and say "7 bids".
    let is_called = field.eq_ignore_ascii_case(name);
    let are_counted = || Measure::counted(name, rows, &source.texts).len() * 2 >= rows.len();
    let is_count = !is_called && paid::is_of_money(field, rows) && are_counted();
    (!is_count).then_some(field)
}

/// The most stars that a rating on the usual scale and the class of a hotel have.
const MOST_STARS: f64 = 5.0;

/// Whether a condition on ratings is one on the stars of hotels: the rows rate on a scale of more than five, most of them tell their
/// stars, and what is asked for is on the scale of stars.
pub(super) fn is_of_stars(
    condition: &RowCondition,
    rows: &[Value],
    names: &[String],
    source: &RowSource,
) -> bool {
    let wanted = condition.value.as_f64().or_else(|| number(&condition.value));
    if canonical(&condition.field) != Some("rating") || !wanted.is_some_and(|wanted| wanted <= MOST_STARS) {
        return false;
    }
    let Some(name) = resolve_field("rating", names) else {
        return false;
    };
    let is_rated_higher = |row: &Value| {
        row.get(name)
            .and_then(number)
            .is_some_and(|rating| rating > MOST_STARS)
    };
    let starred = rows.iter().filter(|row| stars_of(source.texts.of(row)).is_some());
    starred.count() * 2 >= rows.len() && rows.iter().any(is_rated_higher)
}
