//! Words that join a thing to what is said of it, or speak of whoever asks: `sold`, `daughter` and `use` of "phones sold without a
//! warranty that my daughter can use". None of them parts the entries of a list.
//!
//! The files of `carriers/` have them in all their forms, without accents. What lists say (`lexicon/`) is none of them.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::words::word_forms::tokens;

static CARRIERS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let files = [
        include_str!("carriers/de.txt"),
        include_str!("carriers/en.txt"),
        include_str!("carriers/pl.txt"),
    ];
    let lines = files.into_iter().flat_map(str::lines);
    lines
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace)
        .collect()
});

/// Whether all words of a phrase are such words.
pub(crate) fn are_carriers(phrase: &str) -> bool {
    let words = tokens(phrase);
    !words.is_empty() && words.iter().all(|word| CARRIERS.contains(word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::concepts;

    #[test]
    fn words_of_asking_are_carriers_and_words_of_lists_are_not() {
        assert!(are_carriers("sold") && are_carriers("verkauft") && are_carriers("przeznaczone"));
        assert!(!are_carriers("red") && !are_carriers("") && !are_carriers("sold out"));
    }

    #[test]
    fn hardly_any_of_them_is_of_a_class_of_the_lexicon() {
        let words: Vec<&&str> = CARRIERS.iter().collect();
        let of_class = words.iter().filter(|word| concepts::is_kind(word)).count();
        assert!(of_class * 10 < words.len(), "{of_class} of {}", words.len());
    }
}
