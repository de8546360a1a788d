//! Sizes of clothes and shoes: "in size L", "Größe 42", "w rozmiarze M lub L".

use std::ops::Range;

use tools::rows::condition::{Operator, RowCondition};
use tools::rows::units;

/// A size of clothes, by letters, or one of shoes.
const SIZE: &str = r"(?:x{0,3}[sl]|m|[2-5]xl|[1-6]\d(?:[.,]5)?)";

locale::patterns! {
    /// Sizes behind the word for them. A number with a unit is a measure.
    static SIZES = format!(r"(?i)\b(?:(?:in|w|we|mit|with|von)\s+)?(?:(?:the|der|a)\s+)?(?:size|größe|groesse|rozmiar\p{{Latin}}*)\s+(?P<list>{SIZE}(?:\s*(?:,\s*(?:or|oder|lub)?|/|\bor\b|\boder\b|\blub\b|\balbo\b)\s*(?:size\s+|größe\s+|rozmiar\p{{Latin}}*\s+)?{SIZE}\b)*)(?P<end>$|[^\p{{L}}\p{{N}}])");
    /// One of them.
    static ONE = format!(r"(?i)\b{SIZE}\b");
    /// A limit behind a number, which is no single size.
    static LIMIT = r"(?i)^\s*(?:\+|[-–]\s?\d|(?:or|oder|lub|and|und|i)\s+(?:more|less|above|below|bigger|larger|smaller|up|over|under|mehr|weniger|größer|kleiner|więcej|mniej|większ\p{Latin}+|mniejsz\p{Latin}+)\b|(?:to|bis|do)\s+\d)";
    /// What has a size that is a number of others.
    static OF_OTHERS = r"(?i)\b(?:group|team|party|class|company|family|lot|plot|page|file|screen|engine|house|flat|garden|room)\s*$";
    /// A word behind a number, and signs of units that are no words.
    static BEHIND = r#"^\s?(?:(?P<word>\p{L}+)(?P<sign>²)?|[%€£$]|(?:''|["”]))"#;
}

/// The field of the sizes of an entry.
const FIELD: &str = "size";

/// The sizes of which one is asked for, and where.
pub(super) fn sizes(text: &str) -> Option<(Range<usize>, Vec<RowCondition>)> {
    SIZES.captures_iter(text).find_map(|found| {
        let end = found.name("end")?;
        let range = found.get(0)?.start()..end.start();
        let behind = text.get(end.start()..)?;
        let before = text.get(..range.start)?;
        let is_measure = is_of_unit(before, behind) || LIMIT.is_match(behind) || OF_OTHERS.is_match(before);
        let sizes: Vec<RowCondition> = ONE
            .find_iter(found.name("list")?.as_str())
            .map(|size| RowCondition {
                field: FIELD.to_owned(),
                operator: Operator::Mentions,
                value: size.as_str().to_uppercase().into(),
            })
            .collect();
        (!is_measure).then_some((range, sizes))
    })
}

/// Units of floor space, which are no units of other measures.
const OF_FLOOR: [&str; 3] = ["qm", "sqm", "ar"];

/// Whether a unit stands behind a number. A quotation mark behind it may close what one before it opened.
fn is_of_unit(before: &str, behind: &str) -> bool {
    let is_quoted = before.matches(['"', '“', '„', '”']).count() % 2 == 1;
    if is_quoted && behind.starts_with(['"', '”', '“']) {
        return false;
    }
    BEHIND
        .captures(behind)
        .is_some_and(|found| match found.name("word") {
            Some(word) => {
                let is_named = || OF_FLOOR.contains(&word.as_str().to_lowercase().as_str());
                found.name("sign").is_some() || units::is_unit(word.as_str()) || is_named()
            }
            None => true,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_stand_behind_their_word_and_measures_are_none() {
        let read = |text: &str| {
            let found = sizes(text).map(|(_, sizes)| sizes).unwrap_or_default();
            found
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        };
        assert_eq!(read("jackets in size L, name and price"), "size mentions L");
        assert_eq!(
            read("shoes in size S, M or L under 50 euros"),
            "size mentions S, size mentions M, size mentions L"
        );
        assert_eq!(read("Schuhe in Größe 42"), "size mentions 42");
        assert_eq!(read("only shoes in \"size 42\""), "size mentions 42");
        assert_eq!(
            read("kurtki w rozmiarze m lub l"),
            "size mentions M, size mentions L"
        );
        for text in [
            "size 40 or bigger",
            "shoes from size 40 to 44",
            "group size 12",
            "flats of size 50 m²",
            "Größe 50 qm",
            "sorted by size",
            "size matters",
            "file size 20 mb",
            "monitors of size 27 inches",
            "Größe 40 Liter",
            "rozmiar 27 cali",
            "screens of size 27\"",
        ] {
            assert_eq!(read(text), "", "{text}");
        }
    }
}
