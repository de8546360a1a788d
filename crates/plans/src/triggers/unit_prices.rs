//! Prices of a unit of measure: "cheapest per m²", "cena za m²". They are no prices of the things themselves.

use std::ops::Range;

/// Units of measure that things are sold by.
const UNIT: &str = r"sq(?:uare)?\.?\s*(?:met|f)\p{Latin}*|sqm|m²|m2|qm|quadratmeter|metr(?:a)?(?:\s+kwadratow\p{Latin}+)?|kg|kilo\p{Latin}*|lit(?:er|re|r|ra)|l\b";

locale::patterns! {
    /// An order by such a price.
    static ORDER = format!(r"(?ix)\b(?:(?:lowest|highest|best|niedrigste[nrms]?|höchste[nrms]?|günstigste[nrms]?|najniższ\p{{Latin}}+|najwyższ\p{{Latin}}+|najlepsz\p{{Latin}}+)\s+)?
        (?:cheap|expensive|price|billig|günstig|teuer|teuerst|preis|najta|najdro|cen)\p{{Latin}}*\b[^.,;]{{0,24}}?(?P<of>\b(?:per|pro|je|za|by\ the)\s+
        (?P<unit>{UNIT}|100\s*g))");
    /// A unit of measure behind what is paid for it.
    static PER_UNIT = format!(r"(?ix)^(?:a|an|the|per|pro|je|za|na|für|for)\s+(?P<unit>{UNIT})$");
}

/// An order by the price of a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UnitOrder {
    /// The words that ask for it.
    pub(super) said: String,
    /// Where the words for the unit stand.
    pub(super) unit_place: Range<usize>,
    /// The unit as lists write it; `None` of an amount of a unit.
    pub(super) unit: Option<&'static str>,
}

/// The order by the price of a unit that a text asks for.
pub(super) fn order(text: &str) -> Option<UnitOrder> {
    let found = ORDER.captures(text)?;
    Some(UnitOrder {
        said: found.get(0)?.as_str().to_owned(),
        unit_place: found.name("of")?.range(),
        unit: written(found.name("unit")?.as_str()),
    })
}

/// The unit behind the name of a column: `m²` of "per square metre".
pub(super) fn unit_of_column(behind: &str) -> Option<&'static str> {
    written(PER_UNIT.captures(behind)?.name("unit")?.as_str())
}

/// A unit as lists write it beside its price; `None` of an amount of a unit.
fn written(unit: &str) -> Option<&'static str> {
    let unit = unit.to_lowercase();
    let begins = |beginnings: &[&str]| beginnings.iter().any(|beginning| unit.starts_with(beginning));
    match () {
        () if unit.starts_with(|c: char| c.is_ascii_digit()) => None,
        // A foot is none of a metre.
        () if unit.starts_with("sq") && unit.contains('f') => Some("sqft"),
        () if begins(&["sq", "m²", "m2", "qm", "quadrat", "metr"]) => Some("m²"),
        () if begins(&["k"]) => Some("kg"),
        () if begins(&["l"]) => Some("l"),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_read_in_three_languages() {
        let unit = |text: &str| order(text).and_then(|order| order.unit);
        assert_eq!(unit("4 oferty z najniższą ceną za m², od najtańszej"), Some("m²"));
        assert_eq!(unit("cheapest flats per square metre"), Some("m²"));
        assert_eq!(unit("die günstigsten pro kg zuerst"), Some("kg"));
        assert_eq!(unit("cheapest per sqm first"), Some("m²"));
        assert_eq!(order("cheapest per 100 g").map(|order| order.unit), Some(None));
        assert_eq!(order("cheapest flats near the metro"), None);
        assert_eq!(unit_of_column("za m²"), Some("m²"));
        assert_eq!(unit_of_column("per night"), None);
    }
}
