//! Ages that the texts of rows say something is for: "Age 8+", "ab 6 Jahren", "4-9 lat".

locale::patterns! {
    /// From an age on, or from one to another.
    static AGES = r"(?ix)\b(?:ages?|aged|alter|altersgruppe|altersempfehlung|wiek(?:\s+dzieci)?)\s*:?\s*(?:from|ab|von|od)?\s*(?P<a>\d{1,2})\b(?:\s*(?:-|–|to|bis|do)\s*(?P<b>\d{1,2})\b)?
        |\b(?:ab|from|od)\s+(?P<c>\d{1,2})\s*(?:jahren?|j\.|years?|yrs?|lat|roku\s+życia)\b
        |\b(?P<d>\d{1,2})\s*(?:-|–|to|bis|do)\s*(?P<e>\d{1,2})\s+(?:years?\s+olds?|years|jahren?|lat)\b
        |\b(?P<f>\d{1,2})\s*(?:\+|(?:years?|lat|jahren?)\s*(?:\+|(?:and|i|und)\s+(?:over|older|up|above|więcej|älter|starsz\p{L}*)))";
}

/// The name of the measure that is the least age for which a thing is.
pub const LEAST_AGE: &str = "least age";
/// The name of the measure that is the greatest age for which a thing is.
pub const GREATEST_AGE: &str = "greatest age";

/// The greatest age of what is for all from an age on.
const NO_LIMIT: f64 = 150.0;

/// The least and the greatest age that a text tells.
pub(crate) fn ages(text: &str) -> Option<(f64, f64)> {
    let found = AGES.captures(text)?;
    let first = |names: &[&str]| {
        let mut found = names.iter().filter_map(|name| found.name(name));
        found.next()?.as_str().parse::<f64>().ok()
    };
    Some((
        first(&["a", "c", "d", "f"])?,
        first(&["b", "e"]).unwrap_or(NO_LIMIT),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_told_from_other_numbers() {
        assert_eq!(ages("2–4 players, 30–45 min, Age 8+"), Some((8.0, NO_LIMIT)));
        assert_eq!(ages("Warsztaty, 4-9 lat, 60 min"), Some((4.0, 9.0)));
        assert_eq!(ages("Kurs ab 6 Jahren"), Some((6.0, NO_LIMIT)));
        assert_eq!(ages("18+ only"), Some((18.0, NO_LIMIT)));
        assert_eq!(ages("Page 8, from 6 pounds"), None);
    }
}
