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
static MINIMUM: LazyLock<PhraseMatcher> = LazyLock::new(|| phrases(&["threshold"]));
static MINIMUM_FILLERS: LazyLock<Vec<&str>> = LazyLock::new(|| words("behind threshold").collect());
static QUANTITY: LazyLock<PhraseMatcher> = LazyLock::new(|| phrases(&["quantity"]));
static MONTHS: LazyLock<PhraseMatcher> = LazyLock::new(|| phrases(&["months"]));
static MONTH_NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| words("german months").collect());
static FREE: LazyLock<PhraseMatcher> = LazyLock::new(|| phrases(&["free"]));
static FREE_THING: LazyLock<PhraseMatcher> = LazyLock::new(|| phrases(&["what is free"]));
static UNITS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let lines = sections::lines(WORDS).filter(|(section, _)| *section == "units too");
    lines
        .flat_map(|(_, line)| line.split([' ', '|']))
        .filter(|form| !form.is_empty())
        .collect()
});
static SERVINGS: LazyLock<Vec<&str>> = LazyLock::new(|| words("servings").collect());
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
    // "Free delivery! £19.99": shipping that another sentence speaks of is none of the number.
    let clause = before.len() - last_clause(before).len();
    for (phrases, label) in LABELS.iter() {
        if let Some(end) = phrases.last_end(before)
            && end > nearest.0
            && !(*label == PriceLabel::Partial && is_of_other_number(before, end))
            && !(*label == PriceLabel::Shipping && end <= clause)
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

/// Whether the lower-case text before an amount makes it a minimum that shipping asks for: the clause right before it speaks of
/// shipping, and a word for a minimum leads to the amount.
pub(super) fn is_threshold(before: &str) -> bool {
    let clause = last_clause(before);
    let leads = |end: usize| {
        let between = clause.get(end..).unwrap_or_default();
        let mut words = between
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        words.all(|word| MINIMUM_FILLERS.contains(&word))
    };
    SHIPPING.any(clause) && MINIMUM.last_end(clause).is_some_and(leads)
}

/// Fewest letters of a word whose point ends a sentence: "min. 50 €" goes on.
const WORD_BEFORE_END: usize = 4;

/// The part of a text behind its last sentence or line.
fn last_clause(text: &str) -> &str {
    let is_end = |at: usize, c: char| match c {
        '!' | '?' | '\n' | '\u{2028}' => true,
        '.' => {
            let is_apart = text
                .get(at + 1..)
                .is_some_and(|rest| rest.starts_with(char::is_whitespace));
            let head = text.get(..at).unwrap_or_default();
            is_apart && head.chars().rev().take_while(|c| c.is_alphanumeric()).count() >= WORD_BEFORE_END
        }
        _ => false,
    };
    let end = text.char_indices().rev().find(|(at, c)| is_end(*at, *c));
    end.and_then(|(at, c)| text.get(at + c.len_utf8()..))
        .unwrap_or(text)
}

/// The length of a word for a saving that a text in lower case begins with, blanks before it included: "off" behind "20 %".
fn saving_at_start(text: &str) -> Option<usize> {
    let blanks = text.len() - text.trim_start().len();
    let found = LABELS
        .iter()
        .find(|(_, label)| *label == PriceLabel::Saving)
        .and_then(|(phrases, _)| phrases.all(text).next())?;
    (found.start == blanks).then_some(found.end)
}

/// Behind the sign of a percentage at byte `at` of a lower-case text, and the word for a saving that belongs to it: "20% off". `at`
/// where there is none.
pub(super) fn behind_reduction(lower: &str, at: usize) -> usize {
    let rest = lower.get(at..).unwrap_or_default();
    let sign = rest.trim_start().strip_prefix(['%', '٪']);
    let saving = sign.and_then(|behind| Some(behind.len() - saving_at_start(behind)?));
    saving.map_or(at, |left| lower.len() - left)
}

/// Whether the lower-case text before a number announces a count.
pub(super) fn is_quantity(before: &str) -> bool {
    QUANTITY.any(before)
}

/// Whether a month is named, so that a bare number may be its day or year.
pub(super) fn names_month(lower: &str) -> bool {
    MONTHS.any(lower)
}

/// Whether a word in lower case names a month in the languages that write "Fr." for Friday or francs, or shortens one: "märz",
/// "okt".
pub(super) fn is_month(word: &str) -> bool {
    let is_short = |name: &str| name.chars().take(3).eq(word.chars());
    word == "sept" || MONTH_NAMES.iter().any(|name| *name == word || is_short(name))
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

/// Words before the lower end of a range, and the word that joins its ends behind them.
const BETWEEN: [(&str, &str); 8] = [
    ("between", "and"),
    ("zwischen", "und"),
    ("między", "a"),
    ("pomiędzy", "a"),
    ("entre", "et"),
    ("entre", "y"),
    ("entre", "e"),
    ("tussen", "en"),
];

/// Whether the text between two numbers joins them to a range that a word before them opens: "zwischen 10 und 20 Euro".
pub(super) fn joins_between(head: &str, between: &str) -> bool {
    let joint = between.trim().to_lowercase();
    let mut opening = BETWEEN.iter().filter(|(_, word)| *word == joint);
    let head = || head.trim_end().to_lowercase();
    opening.any(|(word, _)| ends_with_word(&head(), word))
}

/// Whether the text between two amounts is what the second one buys, and no unit of the first: "£2.20 / pot £3.80", "2,20 € / 0,4 l
/// 3,80 €".
pub(super) fn names_next(between: &str) -> bool {
    let Some(thing) = between.trim().strip_prefix('/').map(str::trim) else {
        return false;
    };
    let lower = thing.to_lowercase();
    let thing = lower.trim_end_matches([':', '.']);
    if SERVINGS.contains(&thing) {
        return true;
    }
    // Prices of units are of one of them, or of a hundred.
    let Some((count, measure)) = thing.split_once(char::is_whitespace) else {
        return false;
    };
    let is_part = count.starts_with("0,") || count.starts_with("0.");
    is_part && matches!(measure.trim(), "l" | "cl" | "ltr" | "liter" | "litre" | "litres")
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
    let head = last_clause(head);
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
    // "Free UK delivery £19.99": what is free is not paid here.
    let is_free_delivery = || SHIPPING.any(&label) && FREE.any(&label);
    is_lowest_of_month(head)
        || (!label.is_empty()
            && ASIDE_BEFORE.iter().any(|word| ends_with_word(&label, word))
            && !is_free_delivery())
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
            "behind threshold",
            "earlier",
            "current",
            "saving",
            "quantity",
            "partial",
            "range",
            "months",
            "german months",
            "servings",
            "unit price",
            "aside before",
            "aside behind",
        ] {
            assert!(words(name).count() > 5, "{name}");
        }
    }
}
