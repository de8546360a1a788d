//! Groups of words found in a text in one pass, also as parts of other words.

use aho_corasick::{AhoCorasick, AhoCorasickKind};

/// Lists of words, compiled together into one search. The place of a list is its bit.
pub(super) struct WordGroups {
    /// None where the words could not be compiled; then nothing is found.
    search: Option<AhoCorasick>,
    /// The bit of each word, by its place.
    bits: Vec<u32>,
}

impl WordGroups {
    /// Compiles at most 32 lists.
    pub(super) fn new(lists: &[&[&str]]) -> WordGroups {
        let words = || {
            lists
                .iter()
                .enumerate()
                .flat_map(|(bit, list)| list.iter().map(move |word| (bit, word)))
        };
        let search = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::DFA))
            .build(words().map(|(_, word)| word))
            .ok();
        WordGroups {
            search,
            bits: words().map(|(bit, _)| 1 << bit).collect(),
        }
    }

    /// The bits of the lists of which a word stands in the text, letter by letter.
    pub(super) fn in_text(&self, text: &str) -> u32 {
        let found = self
            .search
            .iter()
            .flat_map(|search| search.find_overlapping_iter(text));
        found.fold(0, |bits, word| {
            bits | self.bits.get(word.pattern().as_usize()).copied().unwrap_or(0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_within_others_and_over_each_other() {
        let groups = WordGroups::new(&[&["update", "mod"], &["date", "data"], &["rail"]]);
        assert_eq!(groups.in_text("entry-updated"), 0b011);
        assert_eq!(groups.in_text("data-trail modern"), 0b111);
        assert_eq!(groups.in_text("entry"), 0);
        assert_eq!(WordGroups::new(&[]).in_text("entry"), 0);
    }
}
