//! How far away the things of a list are: "250 m to the beach", "0.4 miles from the centre", "1,1 km zum Strand".

use regex::Captures;

use crate::rows::numbers::amount;

locale::patterns! {
    /// An amount with a unit of lengths.
    static AMOUNT = r"(?i)(?P<n>\d{1,3}(?:[.,\u{a0}\u{202f}]\d{3})+\b|\d+(?:[.,]\d+)?)\s*(?P<u>kilomet(?:re|er)s?|kilometr(?:y|ów|a)?|km|miles?|meilen?|mil[ei]?|mi|met(?:re|er|r)(?:s|y|ów|a|n)?|(?-i:m)|yards?|yds?|feet|ft)\b(?P<behind>[²³]|\s*/\s*h\b|\s*(?:away|from|to|off|vom|von|zum|zur|bis|entfernt|od|do|walk)\b)?";
}

/// Metres of a unit by the first letters of its name; "m" alone comes last.
const METRES: [(&str, f64); 7] = [
    ("mei", 1_609.344),
    ("km", 1_000.0),
    ("kilo", 1_000.0),
    ("mi", 1_609.344),
    ("y", 0.9144),
    ("f", 0.3048),
    ("m", 1.0),
];

/// Metres of the first unit of a list such as "km or minutes"; `None` where it is no unit of lengths.
pub(crate) fn metres(units: &str) -> Option<f64> {
    let unit = units.split(" or ").next().unwrap_or(units).to_lowercase();
    let is_of_length = AMOUNT.is_match(&format!("1 {unit}"));
    let known = METRES.iter().find(|(start, _)| unit.starts_with(start));
    known.filter(|_| is_of_length).map(|(_, metres)| *metres)
}

/// How many metres away something is.
pub(crate) fn away(text: &str) -> Option<f64> {
    let found = stated(text)?;
    Some(amount(found.name("n")?.as_str())? * metres(found.name("u")?.as_str())?)
}

/// Metres of the unit of a text that is one length and nothing else: "1.2 km".
pub(crate) fn metres_of_unit(text: &str) -> Option<f64> {
    let found = AMOUNT.captures(text.trim())?;
    let is_whole = found.get(0).is_some_and(|whole| whole.len() == text.trim().len());
    let is_length = is_whole && found.name("behind").is_none();
    metres(found.name("u")?.as_str()).filter(|_| is_length)
}

/// The distance as the text has it: "250 m".
pub(crate) fn written(text: &str) -> Option<String> {
    let found = stated(text)?;
    let (number, unit) = (found.name("n")?, found.name("u")?);
    Some(locale::collapse_whitespace(text.get(number.start()..unit.end())?))
}

/// The amount that a text says to be a distance, with a word such as "from", else the only one, or the first.
fn stated(text: &str) -> Option<Captures<'_>> {
    let is_length = |found: &Captures<'_>| {
        let behind = found.name("behind").map_or("", |behind| behind.as_str());
        let before = text
            .get(..found.get(0).map_or(0, |whole| whole.start()))
            .unwrap_or_default();
        // "£1.2 m" is an amount of money.
        !behind.starts_with(['²', '³']) && !behind.contains('/') && !before.ends_with(['£', '$', '€'])
    };
    let mut all: Vec<Captures<'_>> = AMOUNT.captures_iter(text).filter(is_length).collect();
    let named = all.iter().position(|found| found.name("behind").is_some());
    (!all.is_empty()).then(|| all.swap_remove(named.unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_compared_in_metres_and_shown_as_they_are_written() {
        for (text, metres, shown) in [
            ("House\n58 m²\n250 m zum Strand", 250.0, "250 m"),
            ("Park\n300 yards from the beach", 274.32, "300 yards"),
            ("Inn\n0.5 miles from beach", 804.672, "0.5 miles"),
            ("Dom\n1,1 km od morza", 1_100.0, "1,1 km"),
        ] {
            assert_eq!(away(text), Some(metres), "{text}");
            assert_eq!(written(text).as_deref(), Some(shown), "{text}");
        }
        assert_eq!(away("58 m² in Leeds"), None);
        assert_eq!(away("£1.2m\n2.5M fans\n500 m to the sea"), Some(500.0));
        assert_eq!(metres("km or minutes"), Some(1_000.0));
        assert_eq!(metres("minutes"), None);
    }
}
