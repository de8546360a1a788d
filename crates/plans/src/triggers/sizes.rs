//! Sizes of clothes and shoes: "in size L", "Größe 42", "w rozmiarze M lub L".

use std::ops::Range;

use tools::row_condition::{Operator, RowCondition};

locale::patterns! {
    /// One or two sizes behind the word for them. A number with a unit is a measure.
    static SIZE = r"(?i)\b(?:(?:in|w|we|mit|with|von)\s+)?(?:(?:the|der|a)\s+)?(?:size|größe|groesse|rozmiar\p{Latin}*)\s+(?P<one>x{0,3}[sl]|m|[2-5]xl|[1-6]\d(?:[.,]5)?)(?:\s*(?:\bor\b|\boder\b|\blub\b|\balbo\b|/)\s*(?:size\s+|größe\s+|rozmiar\p{Latin}*\s+)?(?P<other>x{0,3}[sl]|m|[2-5]xl|[1-6]\d(?:[.,]5)?))?(?P<end>$|[^\p{L}\p{N}])";
    /// A unit behind a number.
    static UNIT = r"(?i)^\s?(?:m²|qm|sqm|cm|mm|mb|gb|inch|zoll|cal|ha|ar|m|ml|l|kg|%|€|£)(?:$|[^\p{L}])";
}

/// The field of the sizes of an entry.
const FIELD: &str = "size";

/// The sizes of which one is asked for, and where.
pub(super) fn sizes(text: &str) -> Option<(Range<usize>, Vec<RowCondition>)> {
    SIZE.captures_iter(text).find_map(|found| {
        let end = found.name("end")?;
        let range = found.get(0)?.start()..end.start();
        let is_measure = UNIT.is_match(text.get(end.start()..)?);
        let sizes: Vec<RowCondition> = [found.name("one"), found.name("other")]
            .into_iter()
            .flatten()
            .map(|size| RowCondition {
                field: FIELD.to_owned(),
                operator: Operator::Mentions,
                value: size.as_str().to_uppercase().into(),
            })
            .collect();
        (!is_measure).then_some((range, sizes))
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
        assert_eq!(read("Schuhe in Größe 42"), "size mentions 42");
        assert_eq!(
            read("kurtki w rozmiarze m lub l"),
            "size mentions M, size mentions L"
        );
        for text in [
            "flats of size 50 m²",
            "Größe 50 qm",
            "sorted by size",
            "size matters",
            "file size 20 mb",
        ] {
            assert_eq!(read(text), "", "{text}");
        }
    }
}
