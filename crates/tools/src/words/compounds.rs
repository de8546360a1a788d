//! German compounds and the two words that other languages have for them: `Möbellift` and "furniture lift", `Testergebnis` and "test
//! result".

use crate::words::concepts::{is_class, names};
use crate::words::word_forms::{SHORTEST_PART, tokens};

/// Fewest letters of the first part of a compound.
const SHORTEST_FIRST: usize = 3;
/// What stands between the parts of a compound.
const JOINTS: [&str; 6] = ["", "s", "n", "en", "es", "er"];

/// The ways to part a word in two, each with at least so many letters.
pub(crate) fn splits(word: &str, first: usize, last: usize) -> impl Iterator<Item = (&str, &str)> {
    let letters = word.chars().count();
    let places = word.char_indices().enumerate();
    places
        .filter(move |(at, _)| (first..=letters.saturating_sub(last)).contains(at))
        .map(|(_, (place, _))| word.split_at(place))
}

/// The first part of a compound without what joins it to the second.
pub(crate) fn stems(first: &str) -> impl Iterator<Item = &str> {
    JOINTS.iter().filter_map(|joint| first.strip_suffix(joint))
}

/// Most ways in which a phrase is said otherwise.
const MOST_WAYS: usize = 400;

/// How other languages may say a compound, or what two words are as a compound, each as words without case and accents. The words of
/// which it is made have to be known; nothing of other phrases.
pub(crate) fn ways(phrase: &str) -> Vec<Vec<String>> {
    let mut ways = match tokens(phrase).as_slice() {
        [word] => parted(word),
        [first, second] => joined(first, second),
        _ => Vec::new(),
    };
    ways.truncate(MOST_WAYS);
    ways
}

/// The names of the parts of a compound, beside each other in both orders: "pet cabin", "kabina zwierzęca".
fn parted(word: &str) -> Vec<Vec<String>> {
    let mut ways = Vec::new();
    for (first, head) in splits(word, SHORTEST_FIRST, SHORTEST_PART) {
        if !is_class(head) {
            continue;
        }
        let Some(first) = stems(first).find(|stem| stem.chars().count() >= SHORTEST_FIRST && is_class(stem))
        else {
            continue;
        };
        for head in names(head) {
            for first in names(first) {
                ways.push([first.clone(), head.clone()].concat());
                ways.push([head.clone(), first].concat());
            }
        }
    }
    ways
}

/// Compounds of the names of two words.
fn joined(first: &str, second: &str) -> Vec<Vec<String>> {
    if !is_class(first) || !is_class(second) {
        return Vec::new();
    }
    let single = |word: &str| {
        names(word)
            .into_iter()
            .filter_map(|words| <[String; 1]>::try_from(words).ok())
    };
    let mut ways = Vec::new();
    for [head] in single(second).filter(|[head]| head.chars().count() >= SHORTEST_PART - 1) {
        for [first] in single(first) {
            ways.extend(JOINTS.iter().map(|joint| vec![format!("{first}{joint}{head}")]));
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compounds_and_two_words_are_the_same_thing() {
        let says = |phrase: &str, other: &str| ways(phrase).contains(&tokens(other));
        assert!(says("Türbreite", "door width"));
        assert!(says("furniture lift", "Möbellift"));
        assert!(!says("Türbreite", "width"));
        assert!(ways("Ostrowski").is_empty());
    }
}
