//! Comparisons whose words name a field: the unit, the word behind it, or the words before.

use tools::rows::measure_name::{DURATION, MeasureName};
use tools::rows::units;
use tools::words::concepts;

use super::amount_context::{AmountContext, FoundField, LimitField};
use super::measured;

locale::patterns! {
    /// A rating out of five.
    static RATING = r"^[0-5][.,]\d$";
    /// A comparison that names a rating itself.
    static RATED = r"(?i)\b(?:rated|rating|bewert[a-zà-ɏ]+|ocenian[a-zà-ɏ]+)\b";
    /// A word behind a rating: "mit mindestens 4,5 bewertet".
    static RATED_SO = r"(?i)^(?:rated|bewertet(?:e[nrms]?)?|ocenian\p{Latin}+|ocenion\p{Latin}+)$";
}

/// A comparison of ratings.
pub(super) fn rating(context: &AmountContext<'_>) -> Option<FoundField> {
    let is_rating = RATED.is_match(context.compared()) || RATED_SO.is_match(context.amount.unit);
    is_rating.then(|| context.named("rating"))
}

/// A unit of the vocabulary: "50 reviews".
pub(super) fn of_vocabulary(context: &AmountContext<'_>) -> Option<FoundField> {
    let name = context.field_of_unit(context.amount.unit)?;
    Some(context.named(name))
}

/// A unit that is the name of a concept with a field of its own.
pub(super) fn of_unit(context: &AmountContext<'_>) -> Option<FoundField> {
    let name = concepts::field(context.amount.unit).filter(|name| !context.is_bare && *name != "price")?;
    Some(context.named(name))
}

/// "50 customer reviews": the unit is the second word.
pub(super) fn second_word(context: &AmountContext<'_>) -> Option<FoundField> {
    let word = context.second.filter(|_| !context.is_bare)?;
    let name = context.field_of_unit(word.text)?;
    Some(context.named(name).up_to(context.end_of(word)))
}

/// The field that is named right before the comparison.
pub(super) fn before(context: &AmountContext<'_>) -> Option<FoundField> {
    let unit = context.amount.unit;
    let name = context
        .field_before()
        .filter(|name| measured::may_have_unit(name, unit))?;
    // "a length of more than 10 m" is no duration.
    let name = match name == DURATION && units::is_converted(unit) {
        true => MeasureName::in_units("length", &[&units::name_of(unit)]).to_string(),
        // "storage above 100 GB", where rows may have terabytes.
        false if units::is_converted(unit) && MeasureName::parse(&name).units.is_empty() => {
            MeasureName::in_units(&name, &[&units::name_of(unit)]).to_string()
        }
        false => name,
    };
    let found = context.named(&name);
    Some(if context.is_bare {
        found.up_to(context.amount.unit_start)
    } else {
        found
    })
}

/// A number alone. "4.5 or more" is a rating: prices have two decimals or none.
pub(super) fn nothing(context: &AmountContext<'_>) -> Option<FoundField> {
    if !context.is_bare {
        return None;
    }
    let found = match RATING.is_match(context.amount.digits) {
        true => context.named("rating"),
        false => context.found(LimitField::Unnamed),
    };
    Some(found.up_to(context.amount.unit_start))
}
