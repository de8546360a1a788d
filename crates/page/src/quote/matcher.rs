//! Quotes found in a text, whatever their case, white space and punctuation.
//!
//! The words and digits of a quote have to stand in the text in the same order; `…` in a quote leaves something out.

use std::ops::Range;

/// Longest quote in bytes whose last word has to end where a word of the text ends: a longer one may have been cut.
const MAX_WHOLE_BYTES: usize = 60;

/// A text in which quotes are looked up.
#[derive(Debug, Clone, Default)]
pub struct QuoteMatcher {
    text: String,
    /// The words of the text in lower case, a space before, between and behind them.
    words: String,
    /// For each word, where it begins in `words` and where it stands in `text`.
    places: Vec<(usize, Range<usize>)>,
}

impl QuoteMatcher {
    /// Prepares a text.
    pub fn of(text: impl Into<String>) -> QuoteMatcher {
        let text = text.into();
        let mut words = String::with_capacity(text.len() + 2);
        words.push(' ');
        let mut places = Vec::new();
        each_word(&text, |range, word| {
            places.push((words.len(), range));
            words.extend(word.chars().flat_map(char::to_lowercase));
            words.push(' ');
        });
        QuoteMatcher { text, words, places }
    }

    /// The text itself.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the quote stands in the text.
    pub fn holds(&self, quote: &str) -> bool {
        self.find(quote).is_some()
    }

    /// Where in the text a quote stands first, from its first to its last word; none when it does not, or has no words.
    pub fn find(&self, quote: &str) -> Option<Range<usize>> {
        let quote = quote.replace("...", "…");
        let mut from = 0;
        let mut range: Option<Range<usize>> = None;
        for part in quote.split('…') {
            let Some(needle) = folded(part) else { continue };
            let start = from + self.search(self.words.get(from..)?, &needle)?;
            // The space behind one part may be the space before the next.
            from = start + needle.len() - 1;
            let place = self.place(start + 1, from)?;
            range = Some(range.map_or(place.start, |first| first.start)..place.end);
        }
        range
    }

    /// The line of the text in which a quote begins.
    pub fn line(&self, quote: &str) -> Option<&str> {
        let at = self.find(quote)?.start;
        let before = self.text.get(..at)?;
        let start = before.rfind('\n').map_or(0, |line_end| line_end + 1);
        let rest = self.text.get(start..)?;
        Some(rest.get(..rest.find('\n').unwrap_or(rest.len()))?.trim())
    }

    fn search(&self, words: &str, needle: &str) -> Option<usize> {
        if is_unspaced(needle) {
            // Scripts without spaces: a quote may begin and end within a run.
            let inner = needle.trim();
            return words.find(inner).map(|at| at.saturating_sub(1));
        }
        words.find(needle).or_else(|| {
            let open = needle
                .strip_suffix(' ')
                .filter(|open| open.len() > MAX_WHOLE_BYTES)?;
            words.find(open)
        })
    }

    fn place(&self, start: usize, end: usize) -> Option<Range<usize>> {
        let first = self
            .places
            .partition_point(|(at, _)| *at <= start)
            .checked_sub(1)?;
        let last = self.places.partition_point(|(at, _)| *at < end).checked_sub(1)?;
        Some(self.places.get(first)?.1.start..self.places.get(last)?.1.end)
    }
}

/// The words of a text in lower case, a space around each; none when there are none.
fn folded(text: &str) -> Option<String> {
    let mut out = String::from(" ");
    each_word(text, |_, word| {
        out.extend(word.chars().flat_map(char::to_lowercase));
        out.push(' ');
    });
    (out.len() > 1).then_some(out)
}

fn each_word(text: &str, mut with: impl FnMut(Range<usize>, &str)) {
    let mut start = None;
    for (at, c) in text.char_indices() {
        match (start, c.is_alphanumeric()) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                with(from..at, text.get(from..at).unwrap_or_default());
                start = None;
            }
            _ => {}
        }
    }
    if let Some(from) = start {
        with(from..text.len(), text.get(from..).unwrap_or_default());
    }
}

/// Whether a text is in a script that sets no spaces between words.
fn is_unspaced(text: &str) -> bool {
    text.chars().any(|c| {
        matches!(c,
            '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
                | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2fa1f}')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "Brass lamp “Nova”\nOur price:\t$1,299.00 (incl. VAT)\nIt doesn’t flicker.\n価格は千円です。";

    #[test]
    fn a_quote_may_differ_in_case_space_and_punctuation() {
        let ground = QuoteMatcher::of(TEXT);
        for quote in [
            "brass  LAMP Nova",
            "Our price: $1,299.00",
            "price | $1,299.00",
            "doesn't flicker",
            "Brass lamp … incl. VAT",
            "Nova\nour price",
            "価格は千円",
        ] {
            assert!(ground.holds(quote), "{quote}");
        }
    }

    #[test]
    fn what_the_text_does_not_say_is_no_quote() {
        let ground = QuoteMatcher::of(TEXT);
        for quote in [
            "$1,299.50",
            "299.0",
            "Brass lam",
            "incl. VAT … Brass lamp",
            "lamp price",
            "",
            "$",
            "価格は百円",
        ] {
            assert!(!ground.holds(quote), "{quote}");
        }
    }

    #[test]
    fn a_quote_has_its_place_and_its_line() {
        let ground = QuoteMatcher::of(TEXT);
        let place = ground.find("price: $1,299").unwrap();
        assert_eq!(&TEXT[place], "price:\t$1,299");
        assert_eq!(ground.line("1,299.00"), Some("Our price:\t$1,299.00 (incl. VAT)"));
        assert_eq!(ground.line("千円"), Some("価格は千円です。"));
    }

    /// Whatever stands in a text between two of its words is found in it.
    #[test]
    fn every_run_of_words_is_found() {
        let ground = QuoteMatcher::of(TEXT);
        let words: Vec<&str> = TEXT.split_whitespace().collect();
        for start in 0..words.len() {
            for end in start + 1..=words.len() {
                let quote = words[start..end].join(" ");
                assert!(ground.holds(&quote), "{quote}");
            }
        }
    }
}
