//! Amounts in units of which one is so many of another: rows in centimetres answer what was asked in metres.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::{Captures, Match};

use crate::rows::numbers::{amount, starts_with};
use crate::words::word_forms::tokens;

/// What a unit measures; those of one kind are converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quantity {
    Mass,
    Length,
    Memory,
    Volume,
    Power,
    Area,
    /// Amounts of data in a time.
    Rate,
}

/// A unit: what it measures, and how many of the first unit of its kind it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Unit {
    kind: Quantity,
    factor: f64,
}

/// Kilometres, in which what is long is stated beside what is stated in metres.
const KILOMETRE: Unit = Unit {
    kind: Quantity::Length,
    factor: 1_000_000.0,
};

/// The units of `units.txt` by their names; without a unit where its amounts are not converted.
static UNITS: LazyLock<HashMap<&str, Option<Unit>>> = LazyLock::new(|| {
    let lines = include_str!("units.txt").lines();
    let known = lines.filter(|line| !line.starts_with('#')).flat_map(|line| {
        let mut cells = line.split('|').map(str::trim);
        let kind = cells.next().and_then(Quantity::called);
        let factor = cells.next().and_then(|factor| factor.parse().ok()).unwrap_or(1.0);
        let names = cells.next().unwrap_or_default().split_whitespace();
        names.map(move |name| (name, kind.map(|kind| Unit { kind, factor })))
    });
    known.collect()
});

locale::patterns! {
    /// Width, height and depth with one unit behind the last: "W 94 × H 91 × D 48 cm".
    static SIZES = r"(?i)(?P<a>\p{L}*)[.:]?\s*(?P<an>\d+(?:[.,]\d+)?)\s*(?:mm|cm|m)?\s*[x×]\s*(?P<b>\p{L}*)[.:]?\s*(?P<bn>\d+(?:[.,]\d+)?)\s*(?:(?:mm|cm|m)?\s*[x×]\s*(?P<c>\p{L}*)[.:]?\s*(?P<cn>\d+(?:[.,]\d+)?))?\s*(?P<u>mm|cm|m)\b";
    /// An amount in a unit that is the one number of a short text: "160 GB NVMe".
    static LONE_AMOUNT = r"^[^\d]{0,20}\d[\d.,'’\u{a0}\u{202f}]*\s*(?P<u>\p{L}+)(?:\W[^\d]{0,30})?$";
    /// A number and the word behind it.
    static AMOUNT = r"(?P<n>\d{1,3}(?:[ .,'’\u{a0}\u{202f}]\d{3})+(?:[.,]\d{1,2}\b)?|\d+(?:[.,]\d+)?)(?:\s*(?P<u>\p{L}+)(?P<other>[²³\d])?)?";
}

impl Quantity {
    /// The kind of a line of `units.txt`.
    fn called(name: &str) -> Option<Quantity> {
        Some(match name {
            "mass" => Quantity::Mass,
            "length" => Quantity::Length,
            "memory" => Quantity::Memory,
            "volume" => Quantity::Volume,
            "power" => Quantity::Power,
            "area" => Quantity::Area,
            "rate" => Quantity::Rate,
            _ => return None,
        })
    }
}

impl Unit {
    /// The unit of a name, if its amounts are compared with those in other units.
    pub(crate) fn called(name: &str) -> Option<Unit> {
        entry(name).flatten()
    }

    /// Whether two units measure the same.
    pub(crate) fn is_of_kind_of(&self, other: &Unit) -> bool {
        self.kind == other.kind
    }
}

/// The unit of a name, absent within where its amounts are not converted.
fn entry(name: &str) -> Option<Option<Unit>> {
    let name = name.trim();
    let as_written = || UNITS.get(name).filter(|_| name.chars().count() == 1);
    UNITS
        .get(name.to_lowercase().as_str())
        .or_else(as_written)
        .copied()
}

/// Whether a word is a unit of measure, in any of its forms.
pub fn is_unit(name: &str) -> bool {
    entry(name).is_some()
}

/// The name of a unit within that of a field: in lower case, but for the signs that are units in capitals alone.
pub fn name_of(unit: &str) -> String {
    let lower = unit.to_lowercase();
    if is_unit(&lower) { lower } else { unit.to_owned() }
}

/// Whether amounts in a unit of this name are compared with those in others of its kind.
pub fn is_converted(name: &str) -> bool {
    Unit::called(name).is_some()
}

/// Whether a word is a unit of amounts of data.
pub fn is_data(name: &str) -> bool {
    Unit::called(name).is_some_and(|unit| unit.kind == Quantity::Memory)
}

/// Whether a word is a unit of how much data comes in a time.
pub fn is_data_rate(name: &str) -> bool {
    Unit::called(name).is_some_and(|unit| unit.kind == Quantity::Rate)
}

/// The unit of a text that states one amount in a unit, with few words beside: "512 GB", "ca. 2 kg", "160 GB NVMe".
pub(crate) fn unit_of(text: &str) -> Option<Unit> {
    let found = LONE_AMOUNT.captures(text)?;
    of_value(found.name("u")?.as_str())
}

/// The unit behind a number of a page's value. French names of amounts of data ("130 Go") are units there alone, as written: in other
/// words, "to" and "go" are no units, and "6 mo" are months.
fn of_value(name: &str) -> Option<Unit> {
    let french = match name {
        "Ko" | "ko" => "kb",
        "Mo" => "mb",
        "Go" => "gb",
        "To" => "tb",
        _ => name,
    };
    Unit::called(french)
}

/// What a text states in units of one kind, in a unit; beside one of the phrases, where there are some.
pub(crate) fn amount_in(text: &str, unit: Unit, phrases: Option<&[Vec<String>]>) -> Option<f64> {
    if let (Quantity::Length, Some(phrases), Some(sizes)) = (unit.kind, phrases, SIZES.captures(text)) {
        return size_in(&sizes, unit, phrases);
    }
    let found: Vec<_> = AMOUNT.captures_iter(text).collect();
    let place = |at: usize| found.get(at)?.get(0).map(|it| it.range());
    (0..found.len()).find_map(|at| {
        let this = found.get(at)?;
        let name = this.name("u")?.as_str();
        // "Length 1.4 km" is one of metres, too; of the kilometres before "ascent" nothing is said.
        let far = (name == "km" && phrases.is_some()).then_some(KILOMETRE);
        let written = of_value(name)
            .or(far)
            .filter(|written| written.kind == unit.kind)?;
        // "60 m²" is no length, and "450 G9" no weight.
        if this.name("other").is_some() {
            return None;
        }
        let is_named = |phrases: &[Vec<String>]| {
            let start = at.checked_sub(1).and_then(place).map_or(0, |before| before.end);
            let end = place(at + 1).map_or(text.len(), |next| next.start);
            let before = tokens(text.get(start..place(at)?.start)?);
            let behind = tokens(text.get(place(at)?.end..end)?);
            let ends = |phrase: &Vec<String>| {
                let from = before.len().checked_sub(phrase.len());
                from.is_some_and(|from| starts_with(before.get(from..).unwrap_or_default(), phrase))
            };
            Some(
                phrases
                    .iter()
                    .any(|phrase| ends(phrase) || (far.is_none() && starts_with(&behind, phrase))),
            )
        };
        if phrases.is_some_and(|phrases| is_named(phrases) != Some(true)) {
            return None;
        }
        Some(amount(own_number(text, &this.name("n")?, unit))? * written.factor / unit.factor)
    })
}

/// The number of an amount without what stands before it: "S26 256 GB" and "Phone 17 256 GB" are of 256, as memory comes in no
/// thousands, and what a letter stands before is a name.
fn own_number<'t>(text: &'t str, found: &Match<'t>, unit: Unit) -> &'t str {
    let before = text.get(..found.start()).unwrap_or_default();
    let is_name = unit.kind == Quantity::Memory || before.ends_with(char::is_alphabetic);
    let last = found.as_str().rsplit(char::is_whitespace).next();
    last.filter(|_| is_name).unwrap_or(found.as_str())
}

/// The letters that sizes begin with, by what they are.
const SIZE_LETTERS: [(&[&str], &[&str]); 4] = [
    (
        &["width", "breite", "szerokość"],
        &["w", "b", "s", "szer", "width", "breite"],
    ),
    (
        &["height", "höhe", "wysokość"],
        &["h", "w", "wys", "height", "höhe"],
    ),
    (
        &["depth", "tiefe", "głębokość"],
        &["d", "t", "g", "gł", "depth", "tiefe"],
    ),
    (
        &["length", "länge", "długość"],
        &["l", "dł", "d", "length", "länge"],
    ),
];

/// The size of a list of sizes that letters call by a name; `None` where they do not say which is which.
fn size_in(sizes: &Captures<'_>, unit: Unit, phrases: &[Vec<String>]) -> Option<f64> {
    let written = Unit::called(sizes.name("u")?.as_str())?;
    let part = |name: &str| sizes.name(name).map_or("", |found| found.as_str()).to_lowercase();
    let letters = [part("a"), part("b"), part("c")];
    // In Polish, W is the height where S is the width.
    let is_polish = letters.iter().any(|letter| letter.starts_with('s'));
    let is_called = |names: &[&str]| {
        phrases
            .iter()
            .any(|phrase| names.iter().any(|name| tokens(name) == *phrase))
    };
    let (names, known) = SIZE_LETTERS.iter().find(|(names, _)| is_called(names))?;
    let is_height = names.contains(&"height");
    let fits = |letter: &String| {
        let is_w = letter == "w";
        known.contains(&letter.as_str()) && (!is_w || is_height == is_polish)
    };
    let place = letters.iter().position(fits)?;
    let number = sizes.name(["an", "bn", "cn"].get(place)?)?;
    Some(amount(number.as_str())? * written.factor / unit.factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn french_names_of_amounts_of_data_are_units_of_values_as_they_are_written() {
        let gigabytes = Unit::called("gb").unwrap();
        let read = |text: &str| amount_in(text, gigabytes, None);
        assert_eq!(read("500 Mo"), Some(0.5));
        assert_eq!(read("1,5 To"), Some(1500.0));
        assert_eq!((read("5 mo"), read("from 5 to 10")), (None, None));
        assert_eq!(unit_of("5 mo"), None);
        assert!(!is_unit("Mo") && !is_unit("to"));
    }

    #[test]
    fn an_amount_is_converted_to_the_unit_that_is_asked_for() {
        let metres = Unit::called("metr").unwrap();
        let height = [tokens("wysokość")];
        let read = |text: &str, phrases: Option<&[Vec<String>]>| amount_in(text, metres, phrases);
        assert_eq!(read("Wysokość: 120 cm, doniczka 15 cm", Some(&height)), Some(1.2));
        assert_eq!(read("Wysokość: 1,5 m", Some(&height)), Some(1.5));
        assert_eq!(read("60 m² Wohnfläche", None), None);
        assert_eq!(read("Built 1984 9.75 m", None), Some(9.75));
        assert_eq!(
            amount_in("ProBook 450 G9, 1.74 kg", Unit::called("kg").unwrap(), None),
            Some(1.74)
        );
        let centimetres = Unit::called("cm").unwrap();
        let size = |text: &str, name: &str| amount_in(text, centimetres, Some(&[tokens(name)]));
        assert_eq!(size("W 94 × H 91 × D 48 cm", "width"), Some(94.0));
        assert_eq!(size("S 60 x W 80 x G 40 cm", "wysokość"), Some(80.0));
        assert_eq!(size("94 × 91 × 48 cm", "width"), None);
        let memory = [tokens("RAM")];
        let gigabytes = Unit::called("GB").unwrap();
        assert_eq!(
            amount_in("1 TB SSD, 16 GB RAM", gigabytes, Some(&memory)),
            Some(16.0)
        );
        assert_eq!(amount_in("1 TB SSD, 16 GB RAM", gigabytes, None), Some(1000.0));
        assert_eq!(amount_in("Galaxy S26 256 GB", gigabytes, None), Some(256.0));
        assert_eq!(amount_in("Phone 17 256 GB", gigabytes, None), Some(256.0));
    }
}
