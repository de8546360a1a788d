//! `Masker`: values that are hidden in texts, each behind its mark, replaced in one pass.
//!
//! At each place of a text the longest value that stands there is replaced, and what follows is looked at next: marks are never
//! looked into, neither those of this pass nor those of an earlier one, so masking a masked text leaves it as it is.

use std::borrow::Cow;
use std::collections::HashMap;

/// Values and their marks.
#[derive(Clone, PartialEq, Eq)]
pub struct Masker {
    /// Values and marks, in the order of their bytes.
    patterns: Vec<Pattern>,
    /// Whether some pattern begins with a byte.
    starts: [bool; 256],
    /// How many characters of a value must stand before an ellipsis, where values that were cut short are masked, too.
    cut: Option<usize>,
}

#[derive(Clone, PartialEq, Eq)]
struct Pattern {
    text: String,
    replacement: String,
    /// The longest other pattern that this one begins with.
    beginning: Option<usize>,
}

impl Default for Masker {
    fn default() -> Self {
        Self {
            patterns: Vec::new(),
            starts: [false; 256],
            cut: None,
        }
    }
}

impl std::fmt::Debug for Masker {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let marks = self.patterns.iter().map(|pattern| &pattern.replacement);
        out.debug_list().entries(marks).finish()
    }
}

impl Masker {
    /// A masker of pairs of a value and its mark; of equal values the first mark counts. Empty values are left out.
    pub fn new<'a>(values: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let mut replacements: HashMap<&str, &str> = HashMap::new();
        let mut marks = Vec::new();
        for (value, mark) in values {
            replacements.entry(value).or_insert(mark);
            marks.push(mark);
        }
        // A mark stays as it is, also where it is a value.
        replacements.extend(marks.into_iter().map(|mark| (mark, mark)));
        Self::of(replacements)
    }

    /// What puts the values back in place of their marks.
    pub fn reverse<'a>(values: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        Self::of(values.map(|(value, mark)| (mark, value)).collect())
    }

    /// Masks also the beginnings of values that an ellipsis follows, of at least this many characters.
    #[must_use]
    pub fn with_cut_values(mut self, shortest: usize) -> Self {
        self.cut = Some(shortest);
        self
    }

    fn of(replacements: HashMap<&str, &str>) -> Self {
        let mut pairs: Vec<(&str, &str)> = replacements
            .into_iter()
            .filter(|(text, _)| !text.is_empty())
            .collect();
        pairs.sort_unstable();
        let mut masker = Self::default();
        // The patterns that the last one begins with, the shortest first, and the last one.
        let mut open: Vec<usize> = Vec::new();
        for (text, replacement) in pairs {
            if let Some(start) = text
                .bytes()
                .next()
                .and_then(|byte| masker.starts.get_mut(usize::from(byte)))
            {
                *start = true;
            }
            let is_beginning = |at: &usize| {
                let pattern = masker.patterns.get(*at);
                pattern.is_some_and(|pattern| text.starts_with(&pattern.text))
            };
            while open.last().is_some_and(|at| !is_beginning(at)) {
                open.pop();
            }
            let beginning = open.last().copied();
            open.push(masker.patterns.len());
            masker.patterns.push(Pattern {
                text: text.to_owned(),
                replacement: replacement.to_owned(),
                beginning,
            });
        }
        masker
    }

    /// Whether there is nothing to hide.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// The text with its mark in place of each value.
    #[must_use]
    pub fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let cut = self.cut_in(text);
        let mut masked = String::new();
        let mut done = 0;
        while let Some((at, len, replacement)) = self.find(text, done, cut) {
            masked.push_str(text.get(done..at).unwrap_or_default());
            masked.push_str(replacement);
            done = at + len;
        }
        if done == 0 {
            return Cow::Borrowed(text);
        }
        masked.push_str(text.get(done..).unwrap_or_default());
        Cow::Owned(masked)
    }

    /// Whether a text holds a value outside of marks.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        let cut = self.cut_in(text);
        let mut done = 0;
        while let Some((at, len, replacement)) = self.find(text, done, cut) {
            if text.get(at..at + len) != Some(replacement) {
                return true;
            }
            done = at + len;
        }
        false
    }

    /// The mark of a text that is a value as a whole.
    #[must_use]
    pub fn mark_of(&self, value: &str) -> Option<&str> {
        let found = self
            .patterns
            .binary_search_by(|pattern| pattern.text.as_str().cmp(value));
        let pattern = self.patterns.get(found.ok()?)?;
        Some(&pattern.replacement)
    }

    /// How many characters of a value must stand before an ellipsis, where a text has one. Asked once for each text: a long text may
    /// hold thousands of values.
    fn cut_in(&self, text: &str) -> Option<usize> {
        self.cut.filter(|_| text.contains('…'))
    }

    /// The first pattern at or behind a place: where it stands, its length there, and what takes its place.
    fn find(&self, text: &str, from: usize, cut: Option<usize>) -> Option<(usize, usize, &str)> {
        let rest = text.get(from..)?;
        let places = rest.char_indices().map(|(at, _)| from + at);
        let starts = |at: &usize| {
            let byte = text.as_bytes().get(*at);
            byte.and_then(|byte| self.starts.get(usize::from(*byte))) == Some(&true)
        };
        places.filter(starts).find_map(|at| {
            let (len, replacement) = self.longest_at(text.get(at..)?, cut)?;
            Some((at, len, replacement))
        })
    }

    /// The longest pattern that a text begins with: its length, and what takes its place.
    fn longest_at(&self, text: &str, cut: Option<usize>) -> Option<(usize, &str)> {
        // All patterns that the text begins with are beginnings of the last one that is not behind it.
        let behind = self
            .patterns
            .partition_point(|pattern| pattern.text.as_str() <= text);
        let mut place = behind.checked_sub(1);
        while let Some(pattern) = place.and_then(|at| self.patterns.get(at)) {
            if text.starts_with(&pattern.text) {
                break;
            }
            place = pattern.beginning;
        }
        let whole = place.and_then(|at| self.patterns.get(at));
        let whole = whole.map(|pattern| (pattern.text.len(), pattern.replacement.as_str()));
        let Some(shortest) = cut else { return whole };
        // The pattern that shares the longest beginning with the text stands next to its place.
        let beside = [behind.checked_sub(1), Some(behind)];
        let beside = beside
            .into_iter()
            .flatten()
            .filter_map(|at| self.patterns.get(at));
        let cut = beside.filter_map(|pattern| {
            let len = cut_length(text, &pattern.text, shortest)?;
            Some((len, pattern.replacement.as_str()))
        });
        whole.into_iter().chain(cut).max_by_key(|(len, _)| *len)
    }
}

/// How many bytes a text shares with the beginning of a value, where an ellipsis follows them.
fn cut_length(text: &str, value: &str, shortest: usize) -> Option<usize> {
    let same = text
        .chars()
        .zip(value.chars())
        .take_while(|(one, other)| one == other);
    let (count, len) = same.fold((0, 0), |(count, len), (letter, _)| {
        (count + 1, len + letter.len_utf8())
    });
    (count >= shortest && text.get(len..)?.starts_with('…')).then_some(len)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn masker<'a>(values: &'a [(&'a str, &'a str)]) -> Masker {
        Masker::new(values.iter().copied())
    }

    #[test]
    fn a_value_that_is_in_the_mark_of_another_does_not_break_the_mark() {
        let masker = masker(&[("ada@x.org", "{{email}}"), ("email", "{{field}}")]);
        let masked = masker.mask("your email: ada@x.org");
        assert_eq!(masked, "your {{field}}: {{email}}");
        assert_eq!(masker.mask(&masked), masked);
        assert!(!masker.is_in(&masked) && masker.is_in("an email"));
        assert_eq!(masker.mark_of("email"), Some("{{field}}"));
    }

    #[test]
    fn the_longest_value_at_a_place_is_hidden() {
        let masker = masker(&[("abc", "[1]"), ("abcde", "[2]"), ("abd", "[3]"), ("", "[4]")]);
        assert_eq!(masker.mask("abcd abcde abd abe"), "[1]d [2] [3] abe");
        assert!(Masker::default().is_empty() && Masker::default().mask("abc") == "abc");
    }

    #[test]
    fn the_beginning_of_a_value_is_hidden_before_an_ellipsis() {
        let masker = masker(&[("abcdef", "[1]"), ("abcdxyz", "[2]")]).with_cut_values(4);
        assert_eq!(
            masker.mask("abcde… abcdxy… abc… abcdefg… abcdexy"),
            "[1]… [2]… abc… [1]g… abcdexy"
        );
    }

    proptest! {
        /// Masking twice is masking once, no value is left outside of marks, and values can be put back.
        #[test]
        fn masks_hide_every_value_once_and_can_be_taken_off(
            values in proptest::collection::vec("[abé]{2,5}", 0..8),
            text in "[abé ]{0,40}",
        ) {
            let marks: Vec<String> = (0..values.len()).map(|at| format!("[{}{at}]", values[at])).collect();
            let pairs = || values.iter().map(String::as_str).zip(marks.iter().map(String::as_str));
            let masker = Masker::new(pairs());
            let masked = masker.mask(&text).into_owned();
            prop_assert_eq!(masker.mask(&masked), masked.as_str());
            prop_assert!(!masker.is_in(&masked));
            let outside = marks.iter().fold(masked.clone(), |text, mark| text.replace(mark.as_str(), "|"));
            prop_assert!(values.iter().all(|value| !outside.contains(value.as_str())), "{}", outside);
            prop_assert_eq!(Masker::reverse(pairs()).mask(&masked), text.as_str());
        }
    }
}
