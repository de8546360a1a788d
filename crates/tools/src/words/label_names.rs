//! What lists of several languages call one property: `Stadtteil`, `district`, `dzielnica`. The classes stand in `label_names.txt`.

use std::sync::LazyLock;

use crate::words::concepts::are_same;
use crate::words::word_forms::tokens;

/// What lists of several languages call the same property, each class on a line.
static LABELS: LazyLock<Vec<Vec<Vec<String>>>> = LazyLock::new(|| {
    let lines = include_str!("label_names.txt").lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split('|').map(tokens).collect())
        .collect()
});

/// The class of a label of a list, as its place among the classes.
pub(crate) fn class_of(label: &str) -> Option<usize> {
    let wanted = tokens(&label.replace('_', " "));
    let is_same = |phrase: &Vec<String>| are_same(phrase, &wanted);
    LABELS.iter().position(|class| class.iter().any(is_same))
}

/// Whether two words are what lists call one property: "Uhrzeit" and "time".
pub fn are_of_one_class(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|label| tokens(&label.replace('_', " ")));
    let has = |class: &[Vec<String>], wanted: &[String]| class.iter().any(|phrase| are_same(phrase, wanted));
    LABELS.iter().any(|class| has(class, &one) && has(class, &other))
}

/// Whether a word is what lists call a property.
pub fn is_label(word: &str) -> bool {
    class_of(word).is_some()
}

/// Whether a phrase says that places, seats or tickets are left: "seats left", "wolne miejsca".
pub fn is_of_places_left(phrase: &str) -> bool {
    class_of(phrase) == Some(0)
}

/// Classes of properties that a thing may lack, by their first phrase: who asks for "warranty" wants one.
const MAY_LACK: [&str; 8] = [
    "free places",
    "warranty",
    "entry fee",
    "bids",
    "estimate",
    "notice period",
    "meeting point",
    "contract length",
];

/// Whether a word is what lists call a property that every thing has: "colour" says nothing of which colour is wanted.
pub fn is_property(word: &str) -> bool {
    let first = label_phrases(word).first().map(|phrase| phrase.join(" "));
    first.is_some_and(|first| !MAY_LACK.contains(&first.as_str()))
}

/// What lists call the day that a word names: the word's own class, or else those of longer names that it is a part of.
pub(crate) fn day_labels(word: &str) -> Vec<Vec<String>> {
    let own = label_phrases(word);
    if !own.is_empty() {
        return own.to_vec();
    }
    let wanted = tokens(word);
    let is_part = |phrase: &Vec<String>| {
        let mut parts = phrase.windows(wanted.len().max(1));
        parts.any(|part| are_same(part, &wanted))
    };
    let classes = LABELS.iter().filter(|class| class.iter().any(is_part));
    classes.flatten().cloned().collect()
}

/// What lists call the property that a word names, the word's own class; empty where it names none.
pub(crate) fn label_phrases(word: &str) -> &'static [Vec<String>] {
    let class = class_of(word).and_then(|class| LABELS.get(class));
    class.map_or(&[], Vec::as_slice)
}
