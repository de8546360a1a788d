//! SourceText and TextFacts: a source and a sentence prepared for comparison.

use std::collections::HashSet;

use super::numbers::{NumberMention, numbers};
use crate::research::text::{is_stop, sentences, stem, words};

/// A source's text in lines.
#[derive(Debug)]
pub(crate) struct SourceText {
    pub(crate) lines: Vec<TextFacts>,
    /// Stems of every word of the text, the title and the address.
    pub(crate) stems: HashSet<String>,
}

/// One sentence of a source, or of a report.
#[derive(Debug)]
pub(crate) struct TextFacts {
    pub(crate) text: String,
    /// Stems of the words that carry meaning, without numbers.
    pub(crate) terms: HashSet<String>,
    /// Words that begin with a capital although no sentence begins there, in lower case.
    pub(crate) names: HashSet<String>,
    /// The first word, when it begins with a capital; in lower case.
    pub(crate) first: Option<String>,
    pub(crate) numbers: Vec<NumberMention>,
    /// Share of names among the words.
    pub(crate) capitals: f64,
    pub(crate) negated: bool,
    /// Which way something goes: up 1, down -1.
    pub(crate) directions: HashSet<(usize, bool)>,
}

/// Words that deny, as [`words`] gives them: without apostrophes.
const NEGATIONS: [&str; 43] = [
    "not", "no", "never", "none", "neither", "nor", "cannot", "without", "aint", "arent", "cant", "couldnt",
    "darent", "didnt", "doesnt", "dont", "hadnt", "hasnt", "havent", "isnt", "mightnt", "mustnt", "neednt",
    "oughtnt", "shant", "shouldnt", "wasnt", "werent", "wont", "wouldnt", "nicht", "kein", "keine", "keinem",
    "keinen", "keiner", "keines", "niemals", "ohne", "nie", "bez", "nigdy", "żaden",
];

/// Pairs of directions; a sentence that goes one way does not support one that goes the other. As stems.
const WAYS: [(&[&str], &[&str]); 9] = [
    (
        &[
            "increas", "ris", "rose", "risen", "grew", "grow", "grown", "gain", "climb",
        ],
        &[
            "decreas", "fall", "fell", "fallen", "drop", "declin", "shrank", "shrink", "lost",
        ],
    ),
    (
        &["higher", "highest", "larger", "largest", "bigger", "biggest"],
        &["lower", "lowest", "smaller", "smallest"],
    ),
    (&["faster", "fastest"], &["slower", "slowest"]),
    (&["before"], &["after"]),
    (&["first"], &["last"]),
    (&["best"], &["worst"]),
    (&["north", "northern"], &["south", "southern"]),
    (&["east", "eastern"], &["west", "western"]),
    (
        &["open", "reopen", "operat"],
        &["closed", "shut", "close", "closur"],
    ),
];

/// The pairs of [`WAYS`] that compare: up and down, higher and lower, faster and slower, best and worst. The others say when and
/// where.
pub(crate) const COMPARED: [usize; 4] = [0, 1, 2, 5];

impl SourceText {
    pub(crate) fn new(title: &str, url: &str, text: &str) -> Self {
        let lines: Vec<TextFacts> = std::iter::once(title)
            .chain(sentences(text))
            .map(TextFacts::new)
            .collect();
        let all = words(text).into_iter().chain(words(title)).chain(words(url));
        Self {
            lines,
            stems: all.map(|it| stem(&it)).collect(),
        }
    }
}

impl TextFacts {
    pub(crate) fn new(text: &str) -> Self {
        let mut names = HashSet::new();
        let mut first = None;
        let (mut count, mut fresh) = (0u32, true);
        for word in text.split_whitespace() {
            let begins = word.trim_start_matches(|character: char| !character.is_alphanumeric());
            let capital = begins.chars().next().is_some_and(char::is_uppercase);
            let shouted = begins
                .chars()
                .filter(|character| character.is_uppercase())
                .count()
                >= 2;
            let bare = words(word);
            count += u32::from(!bare.is_empty());
            let carries = |text: &&String| !is_stop(text) && text.chars().any(char::is_alphabetic);
            if capital && (!fresh || shouted) {
                names.extend(bare.iter().filter(carries).cloned());
            } else if capital {
                first = bare.iter().find(carries).cloned();
            }
            // A new sentence, or something quoted, begins with a capital of its own.
            fresh = bare.is_empty() && fresh || word.ends_with([':', '.', '!', '?', '|', '–', '—', '•']);
        }
        let all = words(text);
        let is_number = |text: &str| text.chars().all(|sign| sign.is_ascii_digit());
        let terms = all
            .iter()
            .filter(|it| !is_stop(it) && !is_number(it))
            .map(|it| stem(it))
            .collect();
        let stems: HashSet<String> = all.iter().map(|it| stem(it)).collect();
        let mut directions = HashSet::new();
        for (pair, (up, down)) in WAYS.iter().enumerate() {
            let (ups, downs) = (
                up.iter().any(|it| stems.contains(*it)),
                down.iter().any(|it| stems.contains(*it)),
            );
            if ups != downs {
                directions.insert((pair, ups));
            }
        }
        Self {
            terms,
            first,
            capitals: if count == 0 {
                0.0
            } else {
                f64::from(u32::try_from(names.len()).unwrap_or(0)) / f64::from(count)
            },
            names,
            numbers: numbers(text),
            negated: all.iter().any(|it| NEGATIONS.contains(&it.as_str())),
            directions,
            text: text.to_owned(),
        }
    }

    /// Share of these stems that the line has, 0 to 1.
    pub(crate) fn share(&self, terms: &HashSet<String>) -> f64 {
        if terms.is_empty() {
            return 0.0;
        }
        let held = terms.iter().filter(|term| self.terms.contains(*term)).count();
        ratio(held, terms.len())
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of words stay far below 2^53")]
pub(crate) fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_deny_are_told_from_those_that_do_not() {
        for denied in [
            "Most users haven't switched.",
            "It wouldn’t fit.",
            "Es gibt keine Karten mehr.",
            "Mit keinem der Züge.",
            "Das Hotel ist ohne Aufzug.",
            "Pokój bez okna.",
        ] {
            assert!(TextFacts::new(denied).negated, "{denied}");
        }
        for said in ["Most users have switched.", "Es gibt Karten.", "Pokój z oknem."] {
            assert!(!TextFacts::new(said).negated, "{said}");
        }
    }
}
