//! What a number measures, by the word behind it: 65 litres are no 65 pounds.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::research::text::stem;

/// Names of units in small letters, in English, German and Polish; those of a line are one unit.
const UNITS: [&str; 26] = [
    "pound pounds lb lbs pfund funt funty funtów",
    "ounce ounces oz unze unzen uncji",
    "gram grams gramm g gramów gramy",
    "kilogram kilograms kilogramm kilo kilos kg kilogramów",
    "ton tons tonne tonnes tonnen tony",
    "litre litres liter liters l litr litry litrów",
    "millilitre millilitres milliliter milliliters ml",
    "gallon gallons gallonen galonów",
    "metre metres meter meters m metr metry metrów",
    "centimetre centimetres centimeter centimeters zentimeter cm centymetrów",
    "millimetre millimetres millimeter millimeters mm milimetrów",
    "kilometre kilometres kilometer kilometers km kilometrów kilometry",
    "mile miles mi meile meilen mil",
    "foot feet ft fuß stóp",
    "inch inches zoll cali cale",
    "second seconds sec secs sekunde sekunden sekund sekundy",
    "minute minutes min mins minuten minut minuty",
    "hour hours hr hrs h stunde stunden godzin godziny godz",
    "day days tag tage tagen dni",
    "week weeks woche wochen tygodni tygodnie",
    "month months monat monate monaten miesięcy miesiące",
    "year years yr yrs jahr jahre jahren lat lata",
    "dollar dollars usd",
    "euro euros eur",
    "watt watts w watów",
    "degree degrees grad stopni",
];

/// The places in [`UNITS`] of their names, and of the stems of these.
static PLACES: LazyLock<HashMap<String, usize>> = LazyLock::new(|| {
    let mut places = HashMap::new();
    for (place, names) in UNITS.iter().enumerate() {
        for name in names.split(' ') {
            places.insert(name.to_owned(), place);
            places.insert(stem(name), place);
        }
    }
    places
});

/// Signs of currencies, each with a name of [`UNITS`]; "pounds" are of money, too.
const SIGNS: [(char, &str); 3] = [('$', "dollar"), ('€', "euro"), ('£', "pound")];

/// A unit, as its place among the units that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Measure(usize);

impl Measure {
    /// The unit that a word names; `word` in small letters or as a stem.
    pub(crate) fn named(word: &str) -> Option<Measure> {
        PLACES.get(word).copied().map(Measure)
    }

    /// The unit that the sign of a currency stands for.
    pub(crate) fn of_sign(sign: char) -> Option<Measure> {
        let (_, name) = SIGNS.iter().find(|(known, _)| *known == sign)?;
        Measure::named(name)
    }
}

#[cfg(test)]
mod tests {
    use super::Measure;

    #[test]
    fn names_of_one_unit_are_one() {
        assert_eq!(Measure::named("lb"), Measure::named("pound"));
        assert_eq!(Measure::of_sign('£'), Measure::named("pounds"));
        assert_ne!(Measure::named("l"), Measure::named("lb"));
        assert_eq!(Measure::named("sack"), None);
    }
}
