//! Regex: a regular expression that stays fast on text beyond ASCII.

use std::iter::Flatten;
use std::ops::Deref;
use std::option::IntoIter;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use regex::{CaptureMatches, Captures, Match, Matches};

/// How many bytes of text beyond ASCII a pattern is tried on before its prefilter is compiled. Compiling takes about as long
/// as such a search of 16 KiB, so a pattern that is seldom asked costs nothing, and one that is often asked little.
const BYTES_BEFORE_PREFILTER: usize = 16 << 10;

/// A regular expression, as [`regex::Regex`], to which it dereferences.
///
/// The automaton of the `regex` crate gives up where `\b` meets a character beyond ASCII, and an engine that is some twenty times
/// slower takes over. Nearly every text of a page in German or Polish has such a character, and nearly no text matches.
/// Without `\b` a pattern matches wherever it matches with it, and possibly elsewhere: so the pattern without its borders is
/// asked first, which the automaton answers, and the whole pattern only from where that one matches. The answer is always
/// that of the whole pattern.
#[derive(Debug)]
pub struct Regex {
    exact: regex::Regex,
    prefilter: Option<Prefilter>,
}

/// The pattern without its borders of words.
#[derive(Debug)]
struct Prefilter {
    pattern: String,
    regex: OnceLock<Option<regex::Regex>>,
    /// Bytes of text beyond ASCII that the pattern was tried on so far, until [`BYTES_BEFORE_PREFILTER`].
    bytes: AtomicUsize,
}

impl Regex {
    /// Compiles a pattern.
    pub fn new(pattern: &str) -> Result<Regex, regex::Error> {
        let exact = regex::Regex::new(pattern)?;
        let prefilter = without_borders(pattern).map(|pattern| Prefilter {
            pattern,
            regex: OnceLock::new(),
            bytes: AtomicUsize::new(0),
        });
        Ok(Regex { exact, prefilter })
    }

    /// As [`regex::Regex::is_match`].
    pub fn is_match(&self, text: &str) -> bool {
        self.first_start(text)
            .is_some_and(|start| self.exact.is_match_at(text, start))
    }

    /// As [`regex::Regex::find`].
    pub fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.exact.find_at(text, self.first_start(text)?)
    }

    /// As [`regex::Regex::captures`].
    pub fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        self.exact.captures_at(text, self.first_start(text)?)
    }

    /// As [`regex::Regex::find_iter`].
    pub fn find_iter<'r, 't>(&'r self, text: &'t str) -> Flatten<IntoIter<Matches<'r, 't>>> {
        let matches = self.first_start(text).map(|_| self.exact.find_iter(text));
        matches.into_iter().flatten()
    }

    /// As [`regex::Regex::captures_iter`].
    pub fn captures_iter<'r, 't>(&'r self, text: &'t str) -> Flatten<IntoIter<CaptureMatches<'r, 't>>> {
        let matches = self.first_start(text).map(|_| self.exact.captures_iter(text));
        matches.into_iter().flatten()
    }

    /// A place before which no match starts; none where there is no match.
    fn first_start(&self, text: &str) -> Option<usize> {
        match self
            .prefilter
            .as_ref()
            .and_then(|prefilter| prefilter.for_text(text))
        {
            Some(prefilter) => prefilter.find(text).map(|found| found.start()),
            None => Some(0),
        }
    }
}

impl Deref for Regex {
    type Target = regex::Regex;

    fn deref(&self) -> &regex::Regex {
        &self.exact
    }
}

impl Prefilter {
    /// The pattern to ask first of this text; none where the whole pattern is as fast, or is asked too seldom.
    fn for_text(&self, text: &str) -> Option<&regex::Regex> {
        if text.is_ascii() {
            return None;
        }
        if self.bytes.load(Ordering::Relaxed) < BYTES_BEFORE_PREFILTER {
            self.bytes.fetch_add(text.len(), Ordering::Relaxed);
            return None;
        }
        let compiled = self.regex.get_or_init(|| regex::Regex::new(&self.pattern).ok());
        compiled.as_ref()
    }
}

/// A pattern without its `\b`; none where it has none, or where leaving them out would change the rest of it.
fn without_borders(pattern: &str) -> Option<String> {
    let mut rest = String::with_capacity(pattern.len());
    let mut signs = pattern.chars().peekable();
    let mut has_border = false;
    while let Some(sign) = signs.next() {
        if sign != '\\' {
            rest.push(sign);
            continue;
        }
        match signs.next()? {
            'b' => {
                // A border that is repeated, or one of another kind (`\b{start}`).
                if matches!(signs.peek(), Some('?' | '*' | '+' | '{')) {
                    return None;
                }
                has_border = true;
            }
            escaped => rest.extend([sign, escaped]),
        }
    }
    has_border.then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_borders_of_words_are_left_out() {
        let without = |pattern: &str| without_borders(pattern);
        assert_eq!(without(r"(?i)\b(?:a|b)\b\d").as_deref(), Some(r"(?i)(?:a|b)\d"));
        assert_eq!(without(r"\\b\.\w").as_deref(), None);
        assert_eq!(without(r"\\\ba").as_deref(), Some(r"\\a"));
        assert_eq!(without(r"a\b?c").as_deref(), None);
        assert_eq!(without(r"\b{start}c").as_deref(), None);
    }

    #[test]
    fn the_prefilter_changes_no_answer() {
        let patterns = [
            r"(?i)\bcd[id]?\b",
            r"\b\d+(?:\b|x)",
            r"^\bé|\bfür\b",
            r"(\w+)\b,? (\w+)",
        ];
        let texts = [
            "abcd é cd",
            "écd cdé",
            "acdc é",
            "é",
            "für dürfür für",
            "1é 22 3x",
            "Zoë, Ärzte",
            "",
            "é\u{301} cd",
        ];
        for pattern in patterns {
            let exact = regex::Regex::new(pattern).expect("a pattern");
            let regex = Regex::new(pattern).expect("a pattern");
            // The first round is without the prefilter, the second with it.
            for _ in 0..2 {
                for text in texts {
                    assert_eq!(regex.is_match(text), exact.is_match(text), "{pattern} {text}");
                    assert_eq!(regex.find(text), exact.find(text), "{pattern} {text}");
                    assert!(
                        regex.find_iter(text).eq(exact.find_iter(text)),
                        "{pattern} {text}"
                    );
                    let groups = |found: Captures<'_>| -> Vec<Option<String>> {
                        let group = |group: Option<Match<'_>>| group.map(|group| group.as_str().to_owned());
                        found.iter().map(group).collect()
                    };
                    assert_eq!(
                        regex.captures(text).map(groups),
                        exact.captures(text).map(groups),
                        "{pattern} {text}"
                    );
                    assert!(
                        regex
                            .captures_iter(text)
                            .map(groups)
                            .eq(exact.captures_iter(text).map(groups)),
                        "{pattern} {text}"
                    );
                }
                let _ = regex.is_match(&"é".repeat(BYTES_BEFORE_PREFILTER));
            }
            let compiled = regex
                .prefilter
                .as_ref()
                .and_then(|prefilter| prefilter.regex.get());
            assert!(compiled.is_some_and(Option::is_some), "{pattern}");
        }
    }
}
