//! Comparisons with an amount in a unit of measure: "12 GB of RAM", "taller than 1 m".

use tools::rows::measure_name::MeasureName;
use tools::rows::units;
use tools::words::concepts;

use super::super::distances;
use super::super::vocabulary::is_whole;
use super::super::wordings::is_speed;
use super::amount_context::{AmountContext, FoundField};

/// Fields that are amounts of data, whose words mean other things in other units.
const DATA: [&str; 2] = ["storage", "memory"];

/// The speed of what drives.
const TOP_SPEED: &str = "top speed";

/// How comparisons begin that say what is measured, and what that is.
const DIMENSIONS: [(&str, &str); 17] = [
    ("taller", "height"),
    ("higher", "height"),
    ("höher", "height"),
    ("wyższ", "height"),
    ("niższ", "height"),
    ("lower", "height"),
    ("longer", "length"),
    ("länger", "length"),
    ("dłuższ", "length"),
    ("wider", "width"),
    ("breiter", "width"),
    ("szersz", "width"),
    ("heavier", "weight"),
    ("schwerer", "weight"),
    ("cięższ", "weight"),
    ("lighter", "weight"),
    ("leichter", "weight"),
];

/// A unit of speed.
pub(super) fn speed(context: &AmountContext<'_>) -> Option<FoundField> {
    is_speed(context.amount.unit).then(|| context.named(TOP_SPEED))
}

/// "2 km from the centre" is no mileage.
pub(super) fn distance(context: &AmountContext<'_>) -> Option<FoundField> {
    let distance = distances::distance(context.amount.unit, context.after)?;
    Some(context.named(&distance.to_string()))
}

/// "12 GB of RAM", "1,000 sq ft": the words behind the unit say what it measures.
pub(super) fn behind_unit(context: &AmountContext<'_>) -> Option<FoundField> {
    let unit = context.amount.unit;
    let word = context.behind.filter(|_| !context.is_bare)?;
    let end = context.end_of(word);
    if let Some(name) = concepts::field(&format!("{unit} {}", word.text)) {
        return Some(context.named(name).up_to(end));
    }
    let name = concepts::field(word.text).filter(|_| units::is_unit(unit))?;
    // Rows may have it in another unit.
    let name = match units::is_converted(unit) {
        true => MeasureName::in_units(name, &[&units::name_of(unit)]).to_string(),
        false => name.to_owned(),
    };
    Some(context.named(&name).up_to(end))
}

/// Whether amounts of a field may be in a unit: "Speicher ab 10 kWh" is no memory, and "a speed of 60 Mbps" that of no car.
pub(super) fn may_have_unit(field: &str, unit: &str) -> bool {
    let is_data = units::is_data(unit);
    !units::is_unit(unit)
        || (is_data || !DATA.contains(&field)) && (field != TOP_SPEED || !units::is_data_rate(unit))
}

/// A unit of measure, of what the comparison or the word before it says.
pub(super) fn unit(context: &AmountContext<'_>) -> Option<FoundField> {
    if !units::is_unit(context.amount.unit) {
        return None;
    }
    let words = context.words;
    let unit = units::name_of(context.amount.unit);
    // "taller than 1 m": the comparison says what is measured.
    let compared = context.compared().to_lowercase();
    let mut dimensions = DIMENSIONS.iter();
    let dimension = dimensions.find(|(beginning, _)| compared.starts_with(beginning));
    if let Some((_, dimension)) = dimension.filter(|_| units::is_converted(&unit)) {
        return Some(context.named(&MeasureName::in_units(dimension, &[&unit]).to_string()));
    }
    let property = context
        .last_word_before()
        .map(str::to_lowercase)
        .filter(|word| !words.is_grammar(word) && !words.is_entity(word));
    // "flats of at least 50 m": what is measured is not named, its unit is.
    let is_field = |word: &str| {
        words.fields.iter().any(|(_, pattern)| is_whole(pattern, word)) || concepts::field(word).is_some()
    };
    let name = match property {
        Some(word)
            if concepts::field(&word).is_some_and(|name| !may_have_unit(name, context.amount.unit)) =>
        {
            // "upload speed of at least 60 Mbps"
            let kind = context.two_words_before().filter(|_| units::is_data_rate(&unit));
            match kind.map(|kind| kind.to_lowercase()) {
                Some(kind) => MeasureName::in_units(&kind, &[&unit]).to_string(),
                None => unit,
            }
        }
        Some(word) if is_field(&word) => word,
        Some(word) => MeasureName::in_units(&word, &[&unit]).to_string(),
        None => unit,
    };
    Some(context.named(&name))
}
