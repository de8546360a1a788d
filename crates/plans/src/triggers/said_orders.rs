//! Orders that a sentence says of the things themselves: "the three hotels nearest to the centre", "which job closes first?".

use std::ops::Range;

use tools::rows::measure_name::{DISTANCE, MeasureName};
use tools::words::concepts;

use super::measured_order::AWAY_UNITS;
use super::numerals;
use super::order::asks_for_one;
use super::vocabulary::TriggerVocabulary;

locale::patterns! {
    /// What is nearest to a place, behind what it is said of. In front of "first", an order that has its own reader.
    static NEAREST = r"(?ix)(?:\b(?:that|which)\s+(?:is|are|lies?)\s+)?
        (?:\b(?:closest|nearest)\s+(?:to|by)\s+(?:(?:the|my)\s+)?[\p{L}-]+(?:\s+(?-i:\p{Lu})[\p{L}-]+)?
        |\bam\s+nächsten\s+(?:zum|zur|an\s+de[rmn]|beim?|am)\s+[\p{L}-]+(?:\s+(?:liegen|liegt|ist|sind|gelegen))?
        |,?\s*\bd(?:as|ie|er|em)\s+(?:de[rm]\s+)?[\p{L}-]+\s+am\s+nächsten\s+(?:liegen|liegt|ist|sind)
        |\bnajbliżej\s+[\p{L}-]+)
        (?P<first>\s+(?:first|zuerst|najpierw|on\s+top|oben|na\s+górze|na\s+początku))?";
    /// A number before what it counts, or an article.
    static COUNTED = r"(?i)\b(?:(?:the|die|den)\s+)?(?:(?P<n>\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|zwei|drei|vier|fünf|sechs|sieben|acht|zehn|dwa|dwie|trzy|cztery|pięć|sześć)|(?P<one>the|a|an|das|der|die))\s+(?P<thing>(?:\p{L}[\p{L}-]*\s+){0,2}?\p{L}[\p{L}-]*)\s*$";
    /// What happens on a day or at a time, and whether the first or the last time is asked for.
    static HAPPENS = r"(?ix)\b(?P<verb>clos(?:es?|ing)|starts?|starting|begins?|beginning|ends?|ending|expires?|finish(?:es)?|opens?|departs?|leaves?|arrives?|schließt|endet|beginnt|startet|läuft|fährt|zamyka|kończy|zaczyna|rozpoczyna|odjeżdża|przyjeżdża)
        (?:\s+(?:się|ab|aus|an))?\s+(?:(?:the|am|als)\s+)?(?:(?P<first>first|earliest|soonest|frühesten|erste[rsn]?|zuerst|najwcześniej|pierwsz\p{L}+)|(?P<last>last|latest|spätesten|letzte[rsn]?|zuletzt|najpóźniej|ostatni\p{L}*))
        (?:\s+(?:ab|aus|an))?\s*(?:$|[?.!,;])";
}

/// An order that a sentence says.
#[derive(Debug, PartialEq)]
pub(super) struct SaidOrder {
    /// What it says it with.
    pub(super) place: Range<usize>,
    /// What is compared, and whether the most comes first; `None` where the list has no such day.
    pub(super) order: Option<(String, bool)>,
    /// How many of the first are asked for.
    pub(super) count: Option<usize>,
}

/// The first such order of a text about a list with these labels.
pub(super) fn said_order(text: &str, words: &TriggerVocabulary, labels: &[String]) -> Option<SaidOrder> {
    nearest(text, words).or_else(|| happening(text, words, labels))
}

fn nearest(text: &str, words: &TriggerVocabulary) -> Option<SaidOrder> {
    NEAREST.captures_iter(text).find_map(|found| {
        let whole = found.get(0)?;
        if found.name("first").is_some() {
            return None;
        }
        let field = MeasureName::in_units(DISTANCE, &AWAY_UNITS).to_string();
        let order = |place, count| SaidOrder {
            place,
            order: Some((field.clone(), false)),
            count,
        };
        let before = text.get(..whole.start())?;
        let counted = COUNTED.captures(before);
        let number = counted.as_ref().and_then(|counted| counted.name("n"));
        let is_one = counted.as_ref().is_some_and(|counted| {
            let last = counted["thing"]
                .split_whitespace()
                .next_back()
                .unwrap_or_default();
            counted.name("one").is_some()
                && !words.plural.is_match(last)
                && !words.is_grammar(&last.to_lowercase())
        });
        let count = number
            .and_then(|number| numerals::whole_number(number.as_str()))
            .or((is_one || asks_for_one(&until_verb(text, whole.start()), words)).then_some(1));
        Some(order(whole.range(), count))
    })
}

/// The text before a place, with the word that follows: what asks for one thing may end in its verb.
fn until_verb(text: &str, at: usize) -> String {
    let next = text.get(at..).and_then(|rest| rest.split_whitespace().next());
    format!(
        "{}{}",
        text.get(..at).unwrap_or_default(),
        next.unwrap_or_default()
    )
}

fn happening(text: &str, words: &TriggerVocabulary, labels: &[String]) -> Option<SaidOrder> {
    let found = HAPPENS.captures(text)?;
    let whole = found.get(0)?;
    let verb = found.name("verb")?;
    let end = found.name("first").or_else(|| found.name("last"))?.end();
    let named = verb.as_str().to_lowercase();
    let stem: String = named.chars().take(STEM).collect();
    let is_of_verb = |label: &&String| {
        let mut parts = label.split_whitespace();
        parts.any(|part| concepts::are_same_words(part, &named) || part.to_lowercase().starts_with(&stem))
    };
    // A "Starting price" is no day.
    let is_day = |label: &&String| {
        let lower = label.to_lowercase();
        !["price", "preis", "cena", "bid", "station", "stop"]
            .iter()
            .any(|word| lower.contains(word))
    };
    let order = labels.iter().filter(is_day).find(is_of_verb).map(|label| {
        (
            MeasureName::day_of(&label.to_lowercase()).to_string(),
            found.name("last").is_some(),
        )
    });
    Some(SaidOrder {
        place: verb.start()..end,
        order,
        count: asks_for_one(&until_verb(text, whole.start()), words).then_some(1),
    })
}

/// The letters that a verb and the label of its day share: "closes" and "Closing date".
const STEM: usize = 4;

#[cfg(test)]
mod tests {
    use super::super::vocabulary::VOCABULARY;
    use super::*;

    fn read(text: &str) -> String {
        let labels = ["Closes".to_owned(), "Company".to_owned()];
        match said_order(text, &VOCABULARY, &labels) {
            None => String::new(),
            Some(said) => format!(
                "{:?} {:?}",
                said.order.map(|(field, is_last)| format!("{field} {is_last}")),
                said.count
            ),
        }
    }

    #[test]
    fn the_nearest_things_are_the_first_by_distance() {
        let near = |count: &str| format!("Some(\"distance in km or minutes false\") {count}");
        assert_eq!(read("the three hotels nearest to the centre"), near("Some(3)"));
        assert_eq!(read("the restaurant closest to the station"), near("Some(1)"));
        assert_eq!(
            read("which restaurant is closest to the station?"),
            near("Some(1)")
        );
        assert_eq!(read("hotels nearest to the beach"), near("None"));
        assert_eq!(read("3 hotele najbliżej centrum"), near("Some(3)"));
        assert_eq!(
            read("die Wohnung, die dem Strand am nächsten liegt"),
            near("Some(1)")
        );
        assert_eq!(read("hotels, closest to the centre first"), "");
    }

    #[test]
    fn what_closes_first_is_the_first_by_that_day() {
        assert_eq!(
            read("which job closes first?"),
            "Some(\"date of closes false\") Some(1)"
        );
        assert_eq!(
            read("which jobs close last"),
            "Some(\"date of closes true\") None"
        );
        // Of what the list has no day for, nothing can be said.
        assert_eq!(read("which course starts first?"), "None Some(1)");
        assert_eq!(read("jobs that close in May, newest first"), "");
    }
}
