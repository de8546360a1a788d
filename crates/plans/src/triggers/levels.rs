//! Levels of languages that are at least or at most another one, by the Common European Framework of Reference: "at least B2" is
//! B2, C1 or C2.

use super::phrases::outside_quotes;

/// The levels, from the lowest up.
const LEVELS: [&str; 6] = ["A1", "A2", "B1", "B2", "C1", "C2"];

locale::patterns! {
    /// A level behind or before a comparison.
    static COMPARED = r"(?ix)\b(?:
        (?:(?P<least>at\s+least|no\s+lower\s+than|not\s+below|from|minimum|min\.?|mindestens|wenigstens|ab|nicht\s+unter|co\s+najmniej|przynajmniej|nie\s+niżej\s+niż|od)
        |(?P<most>at\s+most|up\s+to|no\s+higher\s+than|not\s+above|höchstens|maximal|bis|nicht\s+über|najwyżej|maksymalnie|co\s+najwyżej|do))
        \s+(?:the\s+)?(?:level\s+|niveau\s+|stufe\s+|poziom(?:u|ie)?\s+)?(?P<before>[abc][12])(?:\s+(?:upwards?|and\s+up|onwards?|aufwärts|w\s+górę|wzwyż))?
        |(?P<behind>[abc][12])\s*(?:(?P<up>(?:or|and)\s+(?:higher|above|better|up|more)|(?:oder|und)\s+(?:höher|besser|mehr|darüber)|aufwärts|(?:lub|albo|i)\s+(?:wyż\p{Latin}+|więcej|lepi\p{Latin}+|powyżej)|wzwyż)
        |(?P<down>(?:or|and)\s+(?:lower|below|less)|(?:oder|und)\s+(?:niedriger|darunter)|(?:lub|albo|i)\s+(?:niż\p{Latin}+|poniżej)))
        )\b";
}

/// A text in which a comparison with a level is the list of the levels that are meant.
pub(super) fn listed(text: &str) -> String {
    outside_quotes(text, &COMPARED, |found| {
        let level = found.name("before").or_else(|| found.name("behind"));
        let named = level.map_or("", |level| level.as_str()).to_uppercase();
        let at = LEVELS
            .iter()
            .position(|level| *level == named)
            .unwrap_or_default();
        let is_least = found.name("least").or_else(|| found.name("up")).is_some();
        let meant = match is_least {
            true => LEVELS.get(at..),
            false => LEVELS.get(..=at),
        };
        // The list is a clause of its own.
        format!(" ; {} ; ", meant.unwrap_or_default().join(" or "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_and_those_above_or_below_are_meant() {
        assert_eq!(listed("Kurse ab B2"), "Kurse  ; B2 or C1 or C2 ; ");
        assert_eq!(listed("od poziomu C1 w górę"), " ; C1 or C2 ; ");
        assert_eq!(listed("A2 or lower, in Bonn"), " ; A1 or A2 ; , in Bonn");
        assert_eq!(listed("courses at level B1"), "courses at level B1");
    }
}
