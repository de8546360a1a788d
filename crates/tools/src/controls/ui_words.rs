//! Words of user interfaces in many languages: bounds, prices, search, paging; and their comparison.

use std::sync::LazyLock;

/// Folds a text to lower-case words with a space on both sides of each: `priceMax_2` is ` price max 2 `.
pub(crate) fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    let mut before = ' ';
    for c in text.chars() {
        let edge = (before.is_lowercase() && c.is_uppercase())
            || (before.is_alphabetic() && c.is_ascii_digit())
            || (before.is_ascii_digit() && c.is_alphabetic());
        if (edge || !(c.is_alphanumeric() || locale::price::is_sign(c))) && !out.ends_with(' ') {
            out.push(' ');
        }
        if c.is_alphanumeric() || locale::price::is_sign(c) {
            out.extend(c.to_lowercase());
        }
        before = c;
    }
    if !out.ends_with(' ') {
        out.push(' ');
    }
    out
}

/// Counts the words that a folded text contains. The words are folded; a trailing `*` stands for any ending.
pub(crate) fn hits(folded: &str, words: &[&str]) -> usize {
    let hit = |word: &&&str| match word.strip_suffix('*') {
        Some(stem) => folded.contains(&format!(" {stem}")),
        None => folded.contains(&format!(" {word} ")),
    };
    words.iter().filter(hit).count()
}

/// Whether a folded text contains one of the words.
pub(crate) fn has(folded: &str, words: &[&str]) -> bool {
    hits(folded, words) > 0
}

/// Declares word lists, each a line of `ui_words.txt` named like it.
macro_rules! word_lists {
    ($($(#[$attribute:meta])* $name:ident;)+) => {
        $($(#[$attribute])* pub(crate) static $name: LazyLock<Vec<&str>> = LazyLock::new(|| list(stringify!($name)));)+

        #[cfg(test)]
        const LISTS: &[&LazyLock<Vec<&str>>] = &[$(&$name),+];
    };
}

/// The words of the line with this name.
fn list(name: &str) -> Vec<&'static str> {
    let mut lines = include_str!("ui_words.txt")
        .lines()
        .filter_map(|line| line.split_once(": "));
    let words = lines.find_map(|(list, words)| list.eq_ignore_ascii_case(name).then_some(words));
    words.into_iter().flat_map(|words| words.split(", ")).collect()
}

word_lists! {
    /// An upper bound.
    MAX;
    /// A lower bound.
    MIN;
    /// Prices.
    PRICE;
    /// Buttons that apply a filter.
    APPLY;
    /// Search boxes and search buttons.
    SEARCH;
    /// The way to the next page or month.
    NEXT;
    /// The way to the previous month.
    PREVIOUS;
    /// Buttons that add more of a list to the page.
    MORE;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_has_words() {
        assert!(LISTS.iter().all(|list| list.len() > 5));
    }

    #[test]
    fn names_of_fields_come_apart_into_words() {
        for (text, folded) in [
            ("priceMax_2", " price max 2 "),
            ("high-price", " high price "),
            ("Cena (zł)", " cena zł "),
            ("f[17][]", " f 17 "),
            ("", " "),
        ] {
            assert_eq!(fold(text), folded, "{text}");
        }
        assert!(has(&fold("Price up to"), &MAX) && !has(&fold("document"), &MAX));
    }
}
