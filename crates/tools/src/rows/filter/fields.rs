//! What a condition on a field is about, by the values that rows have in it.

use serde_json::Value;

use super::resolved::stars_of;
use crate::rows::condition::RowCondition;
use crate::rows::source::RowSource;
use crate::values::number;
use crate::words::field_names::{canonical, resolve_field};

/// Whether an amount says in which unit it is.
pub(super) fn has_unit(amount: &Value) -> bool {
    amount
        .as_str()
        .is_some_and(|text| text.contains(char::is_alphabetic))
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
