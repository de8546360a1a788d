//! Fixed phrases found in a text between word borders.

use aho_corasick::{AhoCorasick, MatchKind};

/// A list of lower-case phrases, compiled once into one search.
///
/// ```
/// use locale::phrases::PhraseMatcher;
///
/// let stock = PhraseMatcher::new(&[&["stock", "in stock"]]);
/// assert!(stock.any("now in stock!"));
/// assert!(!stock.any("livestock"));
/// ```
pub struct PhraseMatcher(Option<AhoCorasick>);

/// One phrase in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhraseMatch {
    /// Byte offset of the first character.
    pub start: usize,
    /// Byte offset after the last character.
    pub end: usize,
}

impl PhraseMatcher {
    /// Compiles the lists together; longer phrases are tried first. Without phrases, or with more of them than the search engine
    /// holds (several gigabytes), nothing is ever found.
    pub fn new(lists: &[&[&str]]) -> PhraseMatcher {
        let mut all: Vec<&str> = lists.iter().flat_map(|list| list.iter().copied()).collect();
        all.retain(|phrase| !phrase.is_empty());
        all.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
        let mut search = AhoCorasick::builder();
        search.match_kind(MatchKind::LeftmostFirst);
        PhraseMatcher(search.build(&all).ok().filter(|_| !all.is_empty()))
    }

    /// Every phrase of the lower-case text that stands between word borders.
    pub fn all<'t>(&'t self, text: &'t str) -> impl Iterator<Item = PhraseMatch> + 't {
        let matches = self.0.iter().flat_map(move |pattern| pattern.find_iter(text));
        matches
            .map(|found| PhraseMatch {
                start: found.start(),
                end: found.end(),
            })
            .filter(move |hit| stands_alone(text, *hit))
    }

    /// The first such phrase.
    pub fn first(&self, text: &str) -> Option<PhraseMatch> {
        self.all(text).next()
    }

    /// Where the last such phrase ends.
    pub fn last_end(&self, text: &str) -> Option<usize> {
        self.all(text).last().map(|hit| hit.end)
    }

    /// Whether there is one.
    pub fn any(&self, text: &str) -> bool {
        self.first(text).is_some()
    }
}

/// Letters of scripts that write blanks between words.
fn is_word(c: char) -> bool {
    c.is_alphabetic() && u32::from(c) < 0x0E00
}

fn stands_alone(text: &str, hit: PhraseMatch) -> bool {
    let is_inside =
        |outside: Option<char>, edge: Option<char>| outside.is_some_and(is_word) && edge.is_some_and(is_word);
    let before = text.get(..hit.start).and_then(|head| head.chars().next_back());
    let after = text.get(hit.end..).and_then(|rest| rest.chars().next());
    let phrase = text.get(hit.start..hit.end).unwrap_or_default();
    !is_inside(before, phrase.chars().next()) && !is_inside(after, phrase.chars().next_back())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_counts_only_as_whole_words() {
        let phrases = PhraseMatcher::new(&[&["stock", "in stock", "在庫"]]);
        let found = |text: &str| {
            phrases
                .all(text)
                .map(|hit| text.get(hit.start..hit.end).unwrap_or("").to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(found("now in stock!"), ["in stock"]);
        assert_eq!(found("stockholm livestock"), Vec::<String>::new());
        assert_eq!(found("本日在庫あり"), ["在庫"]);
    }

    #[test]
    fn no_phrases_are_never_found() {
        assert!(!PhraseMatcher::new(&[]).any("anything"));
    }
}
