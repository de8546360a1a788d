//! Comparisons with a number of things: "at least 5 places left", "3 or more bedrooms".

use tools::rows::text::NUMBER_OF_YEARS;
use tools::rows::units;
use tools::words::concepts;

use super::super::amounts;
use super::amount_context::{AmountContext, FoundField, LimitField};

/// Things that lists count, though their names are words of asking, too.
const COUNTED: [&str; 27] = [
    "lots",
    "places",
    "seats",
    "spots",
    "spaces",
    "people",
    "persons",
    "buildings",
    "models",
    "dishes",
    "versions",
    "nights",
    "copies",
    "times",
    "plätze",
    "plätzen",
    "personen",
    "leute",
    "leuten",
    "nächte",
    "exemplare",
    "osób",
    "osoby",
    "miejsc",
    "miejsca",
    "nocy",
    "egzemplarzy",
];

/// What there are thousands of.
#[rustfmt::skip]
const BY_THOUSANDS: [&str; 22] = [
    "stars", "followers", "subscribers", "members", "users", "views", "plays", "downloads", "installs", "likes", "forks", "votes", "copies", "listeners",
    "visitors", "sterne", "aufrufe", "abonnenten", "mitglieder", "gwiazdek", "pobrań", "wyświetleń",
];

/// What counted things are like, in words of asking.
const STATES: [&str; 10] = [
    "open",
    "new",
    "different",
    "offene",
    "offenen",
    "neue",
    "neuen",
    "verschiedene",
    "otwartych",
    "różnych",
];

/// The things asked for; what others are for is counted for itself: "licences for at least 5 devices" count no licences.
pub(super) fn entities(context: &AmountContext<'_>) -> Option<FoundField> {
    if !context.words.is_entity(context.amount.unit) {
        return None;
    }
    Some(match context.is_about_uses() {
        true => context.named(&context.lower_unit()),
        false => context.found(LimitField::Count),
    })
}

/// "at least 5 years of experience" is no year of the calendar.
pub(super) fn years(context: &AmountContext<'_>) -> Option<FoundField> {
    let is_year = concepts::field(context.amount.unit) == Some("year");
    (is_year && context.may_count_years()).then(|| context.named(NUMBER_OF_YEARS))
}

/// What is counted is no price, however little it says: "at least 5 places left".
pub(super) fn things(context: &AmountContext<'_>) -> Option<FoundField> {
    let unit = context.lower_unit();
    // Lists say in many ways how many places are left.
    if let Some(word) = context.second
        && let said = format!("{unit} {}", word.text.to_lowercase())
        && tools::is_of_places_left(&said)
    {
        return Some(context.named(&said).up_to(context.end_of(word)));
    }
    COUNTED.contains(&unit.as_str()).then(|| context.named(&unit))
}

/// "fewer than 50 open issues": what is counted stands behind what it is like.
pub(super) fn in_state(context: &AmountContext<'_>) -> Option<FoundField> {
    if !context.is_bare || !STATES.contains(&context.lower_unit().as_str()) {
        return None;
    }
    let word = context.second?;
    let thing = word.text.to_lowercase();
    let is_thing = !context.words.is_grammar(&thing) && !amounts::is_currency(&thing);
    is_thing.then(|| context.named(&thing).up_to(context.end_of(word)))
}

/// "more than 10k stars": what is counted stands behind the thousands.
pub(super) fn thousands(context: &AmountContext<'_>) -> Option<FoundField> {
    let word = context.second?;
    let lower = word.text.to_lowercase();
    if !context.words.thousand.is_match(context.amount.unit) || units::is_converted(word.text) {
        return None;
    }
    let known = context
        .field_of_unit(word.text)
        .or_else(|| concepts::field(word.text));
    let name = known.or(BY_THOUSANDS.contains(&lower.as_str()).then_some(lower.as_str()))?;
    Some(context.named(name).up_to(context.end_of(word)))
}

/// "3 or more bedrooms": what is counted stands behind the comparison.
pub(super) fn behind_comparison(context: &AmountContext<'_>) -> Option<FoundField> {
    let word = context.second?;
    if !context.is_bare || context.amount.compared.is_some() {
        return None;
    }
    let lower = word.text.to_lowercase();
    let end = context.end_of(word);
    // "10 or more years of experience"
    if concepts::field(&lower) == Some("year") && context.may_count_years() {
        return Some(context.named(NUMBER_OF_YEARS).up_to(end));
    }
    let known = context
        .field_of_unit(word.text)
        .or_else(|| concepts::field(word.text));
    if let Some(name) = known {
        return Some(context.named(name).up_to(end));
    }
    if context.words.is_entity(&lower) && !context.is_about_uses() {
        return Some(context.found(LimitField::Count));
    }
    // "five or more devices": what is counted is no price.
    let is_thing = !context.words.is_grammar(&lower) && !amounts::is_currency(&lower);
    is_thing.then(|| context.named(&lower).up_to(end))
}
