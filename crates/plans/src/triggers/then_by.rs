//! A second order, for what the first one leaves even: "by price, then by name".

use std::ops::Range;

use super::facts::InstructionFacts;
use super::order::read_order;
use super::vocabulary::TriggerVocabulary;

locale::patterns! {
    /// What a second order stands behind, and what it is by.
    static THEN = r"(?i)[\s,;]*\b(?:(?:and|und|i|a)\s+)?(?:then|dann|danach|anschließend|potem|następnie)\s+(?:(?:sort(?:ed)?|order(?:ed)?)\s+)?(?:(?P<en>by)|(?P<de>nach)|(?P<pl>po|według|wg))[ \t]+(?P<key>(?:(?:the|dem|der|number of|anzahl der|liczby) )?[\p{L}-]+(?: (?:date|year|count|time|price|rating|name))?(?:[ ,]+\(?(?:ascending|descending|asc|desc|aufsteigend|absteigend|rosnąco|malejąco|(?:highest|lowest|newest|oldest|cheapest|largest|smallest) first)\b\)?)?)";
}

/// A field, and whether its highest value comes first.
type FieldOrder = (String, bool);

/// The field of the second order, whether it is descending, and where an instruction states it; the field is absent where the words
/// name none.
pub(super) fn then_by(text: &str, words: &TriggerVocabulary) -> Option<(Range<usize>, Option<FieldOrder>)> {
    let found = THEN.captures(text)?;
    let verb = match (found.name("en"), found.name("de")) {
        (Some(_), _) => "sort by",
        (None, Some(_)) => "sortiere nach",
        (None, None) => "posortuj według",
    };
    let mut second = InstructionFacts::default();
    let order = format!("{verb} {}", found.name("key")?.as_str());
    read_order(&order, words, &mut second, None);
    Some((found.get(0)?.range(), second.sort))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triggers::vocabulary::VOCABULARY;

    #[test]
    fn a_second_order_stands_behind_the_first() {
        let read = |text: &str| then_by(text, &VOCABULARY).and_then(|(_, order)| order);
        let name = |is_descending| Some(("name".to_owned(), is_descending));
        assert_eq!(
            read("sort by price, then by name descending; limit 2"),
            name(true)
        );
        assert_eq!(read("sortiert nach Preis, dann nach Name"), name(false));
        let text = "sort by price, then by name with rating above 4\nOnly in stock";
        let (range, _) = then_by(text, &VOCABULARY).unwrap();
        assert_eq!(text.get(range.end..), Some(" with rating above 4\nOnly in stock"));
        assert_eq!(read("click the button, then go to the next page"), None);
    }
}
