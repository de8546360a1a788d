//! Vocabulary of class names and of page text: groups of words that hint at the part of a page they stand in.
//!
//! Both lists (`vocabulary/*.txt`) are written by hand from the vocabulary of common site generators, shop and forum
//! software, and of everyday boilerplate in nine languages. A whole token must match: `widget` counts,
//! `widgetized-content` is read as `widgetized` and `content`, and no token alone ever decides. A changed word changes
//! the input of the learned weights, so retrain afterwards (`tools/train/content.py`).

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;

use super::word_lists::sections;

/// The groups of one list, and the bits of the groups that each token is in. The place of a group is its bit.
struct PageVocabulary {
    groups: Vec<&'static str>,
    bits: HashMap<&'static str, u64, RandomState>,
    /// Bytes of the longest token.
    longest: usize,
}

impl PageVocabulary {
    fn parse(list: &'static str) -> PageVocabulary {
        let mut bits: HashMap<&str, u64, RandomState> = HashMap::default();
        let mut groups = Vec::new();
        for (bit, (group, lines)) in sections(list).into_iter().enumerate() {
            groups.push(group);
            for token in lines.into_iter().flat_map(str::split_whitespace) {
                *bits.entry(token).or_default() |= 1 << bit;
            }
        }
        let longest = bits.keys().map(|token| token.len()).max().unwrap_or(0);
        PageVocabulary {
            groups,
            bits,
            longest,
        }
    }

    fn bits(&self, token: &str) -> u64 {
        if token.len() > self.longest {
            return 0;
        }
        self.bits.get(token).copied().unwrap_or(0)
    }

    /// The bit of a group by its name. Only groups of the list are asked for; another has no bit.
    fn bit(&self, name: &str) -> u64 {
        let place = self.groups.iter().position(|group| *group == name);
        debug_assert!(place.is_some(), "there is no group {name}");
        place.map_or(0, |bit| 1 << bit)
    }
}

static CLASSES: LazyLock<PageVocabulary> =
    LazyLock::new(|| PageVocabulary::parse(include_str!("vocabulary/class_groups.txt")));
static PHRASES: LazyLock<PageVocabulary> =
    LazyLock::new(|| PageVocabulary::parse(include_str!("vocabulary/phrase_groups.txt")));

/// Most characters of class names that are read.
const MAX_NAMES: usize = 400;

/// The names of the groups of class tokens, at most 64, in the order of their bits.
pub(crate) fn class_groups() -> &'static [&'static str] {
    &CLASSES.groups
}

/// The names of the groups of words, at most 32, in the order of their bits.
pub(crate) fn phrase_groups() -> &'static [&'static str] {
    &PHRASES.groups
}

/// The class groups that the tokens of a class, id or role attribute are in. A name is cut at
/// everything that is no letter and where a small letter meets a capital; each token is looked up
/// whole, and so are two neighbours written together (`read-more`, `readMore`).
pub(crate) fn class_bits(names: &str) -> u64 {
    if names.is_empty() {
        return 0;
    }
    let mut tokens = ClassTokens {
        letters: String::with_capacity(names.len().min(MAX_NAMES)),
        ..ClassTokens::default()
    };
    let mut small = false;
    for c in names.chars().take(MAX_NAMES) {
        if !c.is_alphabetic() {
            tokens.end(!c.is_whitespace());
            small = false;
            continue;
        }
        if c.is_uppercase() && small {
            tokens.end(true);
        }
        small = c.is_lowercase();
        if c.is_ascii() {
            tokens.letters.push(c.to_ascii_lowercase());
        } else {
            tokens.letters.extend(c.to_lowercase());
        }
    }
    tokens.end(false);
    tokens.bits
}

/// The tokens of class names, put together in lower case.
#[derive(Default)]
struct ClassTokens {
    letters: String,
    /// Where the token before begins that the one being read is joined to; where the latter begins, when there is none.
    before: usize,
    /// Where the token being read begins.
    token: usize,
    /// The groups so far.
    bits: u64,
}

impl ClassTokens {
    /// Ends a token; `joined` tells whether the next one belongs to the same name.
    fn end(&mut self, joined: bool) {
        if self.letters.len() > self.token {
            self.bits |= CLASSES.bits(&self.letters[self.token..]);
            if self.before < self.token {
                self.bits |= CLASSES.bits(&self.letters[self.before..]);
            }
            self.before = self.token;
            self.token = self.letters.len();
        }
        if !joined {
            self.before = self.token;
        }
    }
}

/// The phrase groups that one word is in, alone or with the word before it. Both are expected in lower case and without
/// the punctuation around them; `pair` is the two joined by `_`.
pub(crate) fn phrase_bits(word: &str, pair: &str) -> u32 {
    let phrases = &*PHRASES;
    (phrases.bits(word) | phrases.bits(pair)) as u32
}

/// The bit of a class group by its name, one of [`class_groups`].
pub(crate) fn class_bit(name: &str) -> u64 {
    CLASSES.bit(name)
}

/// The bit of a phrase group by its name, one of [`phrase_groups`].
pub(crate) fn phrase_bit(name: &str) -> u32 {
    PHRASES.bit(name) as u32
}

/// Class names of what members and customers wrote.
#[rustfmt::skip]
pub(super) const REVIEWS: &[&str] = &[
    "member-review", "user-review", "customer-review", "guest-review", "reader-review", "visitor-review", "member_review", "user_review",
    "customer_review", "individual-review",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_counts_whole_and_never_as_a_part_of_another() {
        assert_eq!(class_bits("widget") & class_bit("sidebar"), class_bit("sidebar"));
        assert_eq!(class_bits("elementor-widgetized") & class_bit("sidebar"), 0);
        assert_eq!(
            class_bits("adventure shared-header-less") & (class_bit("ad") | class_bit("share")),
            0
        );
    }

    #[test]
    fn names_are_cut_at_hyphens_underscores_and_capitals() {
        for names in ["article-body", "article_body", "articleBody", "c-article__body"] {
            assert_eq!(
                class_bits(names) & class_bit("article"),
                class_bit("article"),
                "{names}"
            );
        }
        assert_ne!(class_bits("readMore") & class_bit("related"), 0);
    }

    #[test]
    fn two_words_of_a_text_are_looked_up_together() {
        assert_ne!(phrase_bits("more", "read_more"), 0);
        assert_eq!(phrase_bits("zebra", "read_zebra"), 0);
    }

    #[test]
    #[should_panic(expected = "there is no group embed")]
    #[cfg(debug_assertions)]
    fn a_group_that_is_in_no_list_cannot_be_asked_for() {
        class_bit("embed");
    }

    #[test]
    fn every_group_has_a_bit() {
        assert!(class_groups().len() <= 64 && phrase_groups().len() <= 32);
    }
}
