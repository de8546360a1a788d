//! Words around a number that say what kind of amount it is.

use std::sync::LazyLock;

use crate::phrases::{PhraseMatch, PhraseMatcher};
use crate::sections;

/// The words by section, in the languages of many shops.
pub(super) const WORDS: &str = include_str!("words.txt");

/// What the words before a number say about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PriceLabel {
    None,
    Earlier,
    Current,
    Saving,
    Partial,
    Shipping,
}

static LABELS: LazyLock<[(PhraseMatcher, PriceLabel); 5]> = LazyLock::new(|| {
    [
        (phrases(&["earlier"]), PriceLabel::Earlier),
        (phrases(&["current"]), PriceLabel::Current),
        (phrases(&["saving"]), PriceLabel::Saving),
        (phrases(&["partial"]), PriceLabel::Partial),
        (phrases(&["shipping"]), PriceLabel::Shipping),
    ]
});
static SHIPPING: LazyLock<PhraseMatcher> = LazyLock::new(|| phrases(&["shipping"]));
static MINIMUM: LazyLock<PhraseMatcher> = LazyLock::new(|| phrases(&["threshold", "free"]));
static QUANTITY: LazyLock<PhraseMatcher> = LazyLock::new(|| phrases(&["quantity"]));
static MONTHS: LazyLock<PhraseMatcher> = LazyLock::new(|| phrases(&["months"]));
static FREE: LazyLock<PhraseMatcher> = LazyLock::new(|| phrases(&["free"]));
static FREE_THING: LazyLock<PhraseMatcher> = LazyLock::new(|| phrases(&["what is free"]));
static UNITS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let lines = sections::lines(WORDS).filter(|(section, _)| *section == "units too");
    lines
        .flat_map(|(_, line)| line.split([' ', '|']))
        .filter(|form| !form.is_empty())
        .collect()
});
static RANGE: LazyLock<Vec<&str>> = LazyLock::new(|| words("range").collect());
static UNIT_PRICE: LazyLock<Vec<&str>> = LazyLock::new(|| words("unit price").collect());
static ASIDE_BEFORE: LazyLock<Vec<&str>> = LazyLock::new(|| words("aside before").collect());
static ASIDE_BEHIND: LazyLock<Vec<&str>> = LazyLock::new(|| words("aside behind").collect());

fn words(name: &str) -> impl Iterator<Item = &'static str> {
    sections::lines(WORDS)
        .filter(move |(section, _)| *section == name)
        .flat_map(|(_, line)| line.split(" | "))
}

fn phrases(names: &[&str]) -> PhraseMatcher {
    let all: Vec<&str> = names.iter().flat_map(|name| words(name)).collect();
    PhraseMatcher::new(&[&all])
}

/// Reads the lower-case text before a number: the phrase nearest to the number decides.
pub(super) fn label(before: &str) -> PriceLabel {
    let mut nearest = (0, PriceLabel::None);
    for (phrases, label) in LABELS.iter() {
        if let Some(end) = phrases.last_end(before)
            && end > nearest.0
            && !(*label == PriceLabel::Partial && is_of_other_number(before, end))
        {
            nearest = (end, *label);
        }
    }
    nearest.1
}

/// Whether a sign of times that ends there is of another number, which follows: "SKU: X59110 $59", "4 × 60 g £13", and not
/// "10 x 28 zł".
fn is_of_other_number(before: &str, end: usize) -> bool {
    let is_sign = before.get(..end).is_some_and(|words| words.ends_with(['x', '×']));
    is_sign
        && before
            .get(end..)
            .is_some_and(|behind| behind.contains(|c: char| c.is_ascii_digit()))
}

/// Most characters before an amount that tell how long it was the lowest one.
const LOWEST: usize = 60;

/// Whether the text before an amount calls it the lowest one of thirty days, which shops of the European Union show beside a reduced
/// price (Directive 98/6/EC, article 6a).
fn is_lowest_of_month(head: &str) -> bool {
    let near = head
        .char_indices()
        .rev()
        .take(LOWEST)
        .last()
        .map_or(0, |(at, _)| at);
    let near = head.get(near..).unwrap_or_default().to_lowercase();
    let words = [
        "best price",
        "lowest",
        "bestpreis",
        "niedrigst",
        "günstigst",
        "najniższ",
        "nejnižší",
        "plus bas",
        "más bajo",
        "più basso",
    ];
    near.contains("30") && words.iter().any(|word| near.contains(word))
}

/// Whether the lower-case text speaks of a minimum that makes shipping free.
pub(super) fn is_threshold(before: &str) -> bool {
    SHIPPING.any(before) && MINIMUM.any(before)
}

/// Whether the lower-case text before a number announces a count.
pub(super) fn is_quantity(before: &str) -> bool {
    QUANTITY.any(before)
}

/// Whether a month is named, so that a bare number may be its day or year.
pub(super) fn names_month(lower: &str) -> bool {
    MONTHS.any(lower)
}

/// Whether the lower-case text says that something costs nothing, and not only the shipping or another part: "free entry", and no
/// "free cancellation".
pub(super) fn is_free(lower: &str) -> bool {
    let is_whole = |found: PhraseMatch| {
        let behind = lower.get(found.end..).unwrap_or_default().trim_start();
        let is_word = behind.starts_with(char::is_alphabetic)
            && u32::from(behind.chars().next().unwrap_or(' ')) < 0x0E00;
        !is_word
            || FREE_THING
                .all(behind)
                .next()
                .is_some_and(|thing| thing.start == 0)
    };
    FREE.all(lower).any(is_whole) && !SHIPPING.any(lower)
}

/// Whether a currency as written is a unit of measure, a size or an initial, too.
pub(super) fn is_unit_too(form: &str) -> bool {
    UNITS.contains(&form.trim_end_matches('.').to_lowercase().as_str())
}

/// Whether the text between two numbers joins them to a range.
pub(super) fn joins_range(between: &str) -> bool {
    RANGE.contains(&between.trim().to_lowercase().as_str())
}

/// Whether the text after a price makes it the price of one unit or of one month.
pub(super) fn is_per_unit(after: &str) -> bool {
    const MARKERS: [&str; 10] = [
        "per ", "pro ", "je ", "par ", "por ", "al ", "za ", "за ", "w/", "pr. ",
    ];
    /// What is sold by the night is paid by the night, and what is sold by the person by the person: the price is no price of a part.
    const WHOLE: [&str; 28] = [
        "night",
        "nacht",
        "noc",
        "nuit",
        "noche",
        "notte",
        "doba",
        "dobę",
        "nat",
        "person",
        "pers.",
        "pax",
        "adult",
        "guest",
        "travel",
        "kopf",
        "nase",
        "teilnehmer",
        "erwachsen",
        "gast",
        "os.",
        "osob",
        "osobę",
        "uczestnik",
        "dorosł",
        "personne",
        "persona",
        "voksen",
    ];
    // The mark of a footnote: "29,20 €* / 1 kg".
    let rest = after
        .trim_start()
        .trim_start_matches(['*', '¹', '²'])
        .trim_start();
    let lower: String = rest.chars().take(12).flat_map(char::to_lowercase).collect();
    let unit = MARKERS
        .iter()
        .find_map(|marker| lower.strip_prefix(marker))
        .or_else(|| lower.strip_prefix('/'));
    if unit.is_some_and(|unit| WHOLE.iter().any(|whole| unit.trim_start().starts_with(whole))) {
        return false;
    }
    let unit = rest.strip_prefix('/').map(str::trim_start);
    if unit.is_some_and(|unit| unit.starts_with(char::is_alphanumeric)) {
        return true;
    }
    MARKERS.iter().any(|marker| lower.starts_with(marker))
}

/// Units of measure of goods whose price is stated for one of them.
const MEASURES: [&str; 14] = [
    "kg", "g", "l", "ml", "cl", "dl", "m", "m²", "lb", "oz", "st", "stk", "stück", "kilo",
];

/// What stands right before a number: the text behind the number before, without what parts a label from its number.
fn nearest_words(head: &str) -> String {
    let is_mark = |c: char| !c.is_alphanumeric() && c != '²';
    head.rsplit(|c: char| c.is_ascii_digit())
        .next()
        .unwrap_or(head)
        .trim_matches(is_mark)
        .to_lowercase()
}

/// Whether the text before a price makes it that of a unit: "1 kg = ", "(100 g: ", "unit price ".
pub(super) fn names_unit(head: &str) -> bool {
    let label = nearest_words(head);
    if label.is_empty() {
        return false;
    }
    let parted = head.trim_end();
    let counts = head.contains(|c: char| c.is_ascii_digit());
    let is_measure = MEASURES.contains(&label.as_str());
    let equals = parted.ends_with('=') || (counts && parted.ends_with(':'));
    (is_measure && equals) || UNIT_PRICE.iter().any(|word| ends_with_word(&label, word))
}

/// Whether the text right before or behind a price makes it none of the thing: "save ", "members: ", " off".
pub(super) fn is_aside(head: &str, rest: &str) -> bool {
    let label = nearest_words(head);
    let behind: String = rest
        .trim_start()
        .chars()
        .take(16)
        .flat_map(char::to_lowercase)
        .collect();
    let begins = |word: &str| {
        behind
            .strip_prefix(word)
            .is_some_and(|tail| !tail.starts_with(char::is_alphanumeric))
    };
    is_lowest_of_month(head)
        || (!label.is_empty() && ASIDE_BEFORE.iter().any(|word| ends_with_word(&label, word)))
        || (!behind.is_empty() && ASIDE_BEHIND.iter().any(|word| begins(word)))
}

fn ends_with_word(text: &str, word: &str) -> bool {
    text.strip_suffix(word)
        .is_some_and(|head| !head.ends_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_has_words() {
        for name in [
            "free",
            "shipping",
            "threshold",
            "earlier",
            "current",
            "saving",
            "quantity",
            "partial",
            "range",
            "months",
            "unit price",
            "aside before",
            "aside behind",
        ] {
            assert!(words(name).count() > 5, "{name}");
        }
    }
}
