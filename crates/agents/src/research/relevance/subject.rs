//! Subject: the thing that a question names, and whether a sentence is about it.
//!
//! Names and numbers say which thing is asked about: of several towers the one that is called so, of several reports the one with that
//! number. A sentence is about it where it has them, where a sentence before it has them and none of these speaks of something else, or
//! where the title of its page has the names.

use std::collections::HashMap;

use super::super::citations::{TextFacts, numbers};
use super::super::text::{is_stop, stem, terms, words};
use super::asking_words::{AMOUNTS, MEASURED};
use super::{has, is_same, is_statement, units};

/// Most sentences before one that say what it is about.
const BEFORE: usize = 3;
/// Words at the beginning of a sentence among which its subject is.
const SUBJECT: usize = 4;
/// Fewest digits of a number that says which thing is meant: of a year, or the number of a report. "The 5 best mills" asks for no 5.
const DIGITS: usize = 3;
/// How much more often than the rarest word of a name another word of it may stand in the sources and still tell the thing apart. Set by
/// hand, so that `Lake` of "Lake Aln" does not.
const OFTEN: usize = 2;
/// Share of words with a capital from which on capitals say nothing: "How Tall Is The Quern Mill?".
const TITLED: f64 = 0.4;

/// Words of German, where all nouns have a capital.
const GERMAN: [&str; 18] = [
    "wie", "wo", "wer", "wann", "warum", "welche", "welcher", "welches", "welchen", "der", "das", "dem",
    "des", "ist", "ein", "eine", "im", "sind",
];
/// Nouns for what is measured: they name no thing.
const MEASURES: [&str; 16] = [
    "höhe",
    "länge",
    "breite",
    "tiefe",
    "alter",
    "preis",
    "preise",
    "kosten",
    "gewicht",
    "jahr",
    "jahre",
    "tag",
    "meter",
    "kilometer",
    "euro",
    "stunden",
];
/// Words before a number that is a bound: "over 300 metres".
const BOUNDS: [&str; 22] = [
    "over",
    "under",
    "above",
    "below",
    "than",
    "about",
    "least",
    "most",
    "around",
    "nearly",
    "to",
    "über",
    "unter",
    "als",
    "etwa",
    "mindestens",
    "höchstens",
    "ponad",
    "niż",
    "poniżej",
    "powyżej",
    "około",
];
/// Words before a name that is a place or a time, and no subject.
const PREPOSITIONS: [&str; 24] = [
    "in", "at", "on", "by", "from", "to", "of", "near", "for", "with", "since", "until", "im", "am", "an",
    "bei", "von", "seit", "w", "we", "na", "nad", "przy", "od",
];
/// Words before the one that something costs so much for.
const RECEIVING: [&str; 3] = ["for", "für", "dla"];

/// How surely a sentence is about the thing that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Aboutness {
    /// About something else.
    Other,
    /// About the page's thing by its title; the sentence itself names something else first.
    Titled,
    /// It has the names, or goes on with what has them.
    Named,
}

/// In how many sentences of the sources each word stands, as stems.
pub(crate) type WordCounts = HashMap<String, usize>;

/// The words of texts, counted by sentences.
pub(crate) fn counts<'a>(texts: impl Iterator<Item = &'a str>) -> WordCounts {
    let mut counts = WordCounts::new();
    for sentence in texts.flat_map(super::super::text::sentences) {
        let own: std::collections::HashSet<String> = terms(sentence).into_iter().collect();
        for term in own {
            *counts.entry(term).or_default() += 1;
        }
    }
    counts
}

/// A number that says which thing is meant, with the name before it where it is small: `12` of "Report 12".
#[derive(Debug, Clone, PartialEq, Eq)]
struct NamedNumber {
    name: Option<String>,
    digits: String,
}

/// What a question names.
#[derive(Debug, Default)]
pub(crate) struct Subject {
    /// For each name the words that tell it from others, as stems; none where no source has one of them.
    names: Vec<Vec<String>>,
    numbers: Vec<NamedNumber>,
    /// For whom or what the question asks for an amount.
    receivers: Vec<String>,
    /// Whether every name has to be there; else one is enough.
    needs_all: bool,
    /// Whether names in a sentence may be the answer.
    asks_person: bool,
}

impl Subject {
    /// What `question` names, in sources with these words; `has_kind` where a number, a person, a time or a place is asked for.
    pub(crate) fn of(question: &str, counts: &WordCounts, has_kind: bool, asks_person: bool) -> Self {
        let tokens: Vec<&str> = question
            .split_whitespace()
            .filter(|word| !word.contains("://"))
            .collect();
        let asked = words(&tokens.join(" "));
        let capitals = TextFacts::new(&tokens.join(" ")).capitals;
        let is_merged = capitals >= TITLED || asked.iter().any(|word| GERMAN.contains(&word.as_str()));
        let mut runs = names(&tokens);
        if is_merged {
            runs = vec![runs.concat()];
        }
        runs.retain(|run| !run.is_empty());
        // Of all nouns of a question only the rarest is sure to be the name.
        let often = if is_merged { 1 } else { OFTEN };
        let receivers = match units::asks_money(question) {
            true => receivers(&asked, counts),
            false => Vec::new(),
        };
        Self {
            names: runs.iter().map(|run| telling(run, counts, often)).collect(),
            numbers: named_numbers(&tokens),
            receivers,
            needs_all: has_kind,
            asks_person,
        }
    }

    /// Whether nothing is named.
    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty() && self.numbers.is_empty()
    }

    /// Whether the sentence at a place of a passage is about what is named, on a page with a title.
    pub(crate) fn aboutness(&self, sentences: &[&str], at: usize, title: &str) -> Aboutness {
        let Some(sentence) = sentences.get(at) else {
            return Aboutness::Other;
        };
        let before = at
            .checked_sub(1)
            .and_then(|at| sentences.get(at))
            .copied()
            .unwrap_or_default();
        let has_number = |number: &NamedNumber| number.is_of(sentence, before, title);
        // A title that is a sentence is the first line of a text, and speaks of that line alone.
        let heading = if is_statement(title, &[]) { "" } else { title };
        let near: Vec<String> = [sentence, before, heading].into_iter().flat_map(terms).collect();
        if !self.numbers.iter().all(has_number) || !self.receivers.iter().all(|one| has(&near, one)) {
            return Aboutness::Other;
        }
        let known: Vec<&Vec<String>> = self.names.iter().filter(|name| !name.is_empty()).collect();
        if known.is_empty() {
            // What no source names is not spoken of by any.
            let is_named = self.names.is_empty() || !self.needs_all;
            return if is_named {
                Aboutness::Named
            } else {
                Aboutness::Other
            };
        }
        let titled = terms(title);
        let holds = |name: &&Vec<String>| match self.is_carried(name, sentences, at) {
            true => Aboutness::Named,
            false if !name.iter().any(|word| has(&titled, word)) => Aboutness::Other,
            false if self.is_of_other(sentence) => Aboutness::Titled,
            false => Aboutness::Named,
        };
        let held = known.iter().map(holds);
        let found = if self.needs_all { held.min() } else { held.max() };
        found.unwrap_or(Aboutness::Named)
    }

    /// Whether a sentence has a name, or goes on with one that has it.
    fn is_carried(&self, name: &[String], sentences: &[&str], at: usize) -> bool {
        for back in 0..=BEFORE {
            let Some(sentence) = at.checked_sub(back).and_then(|at| sentences.get(at)) else {
                return false;
            };
            let own = terms(sentence);
            if name.iter().any(|word| has(&own, word)) {
                return true;
            }
            if self.is_of_other(sentence) {
                return false;
            }
        }
        false
    }

    /// Whether a sentence begins with a name that the question has not, or is a row of a table, which goes on with nothing.
    fn is_of_other(&self, sentence: &str) -> bool {
        if is_row(sentence) {
            return true;
        }
        if self.asks_person {
            return false;
        }
        let names = TextFacts::new(sentence).names;
        let opening: Vec<String> = words(sentence).into_iter().take(SUBJECT).collect();
        let is_foreign = |(at, word): (usize, &String)| {
            let before = at.checked_sub(1).and_then(|at| opening.get(at));
            names.contains(word)
                && !before.is_some_and(|before| PREPOSITIONS.contains(&before.as_str()))
                && !MEASURES.contains(&word.as_str())
                && !self.names.iter().flatten().any(|own| is_same(own, &stem(word)))
        };
        opening.iter().enumerate().any(is_foreign)
    }
}

/// Whether a line is a row of a table with the headings of its columns.
fn is_row(line: &str) -> bool {
    line.contains("; ") && line.matches(": ").count() >= 2
}

impl NamedNumber {
    /// Whether a sentence has the number, or the one before it or the title where the sentence has none of as many digits.
    fn is_of(&self, sentence: &str, before: &str, title: &str) -> bool {
        if self.is_in(sentence) {
            return true;
        }
        let is_alike = |(_, digits): &(Option<String>, String)| digits.len() == self.digits.len();
        let has_other = digit_words(sentence).iter().any(is_alike);
        !has_other && (self.is_in(before) || self.is_in(title))
    }

    fn is_in(&self, text: &str) -> bool {
        let is_same_name = |before: &Option<String>| match &self.name {
            None => true,
            Some(name) => before.as_ref().is_some_and(|before| is_same(before, name)),
        };
        digit_words(text)
            .iter()
            .any(|(before, digits)| *digits == self.digits && is_same_name(before))
    }
}

/// The numbers of a text in digits without the points and commas that group them, each with the stem of the word before it.
fn digit_words(text: &str) -> Vec<(Option<String>, String)> {
    let mut found = Vec::new();
    let mut before: Option<String> = None;
    for token in text.split(|sign: char| {
        sign.is_whitespace() || matches!(sign, '/' | '-' | '–' | '—' | ':' | ';' | '(' | ')')
    }) {
        match digits(token) {
            Some(digits) => found.push((before.take(), digits)),
            None => before = words(token).last().map(|word| stem(word)).or(before),
        }
    }
    found
}

/// The digits of a word that is a number.
fn digits(token: &str) -> Option<String> {
    let bare = token.trim_matches(|sign: char| !sign.is_alphanumeric());
    let is_number = bare.starts_with(|sign: char| sign.is_ascii_digit())
        && bare
            .chars()
            .all(|sign| sign.is_ascii_digit() || matches!(sign, '.' | ',' | '\''));
    is_number.then(|| bare.chars().filter(char::is_ascii_digit).collect())
}

/// The names of a question: words with a capital that stand together.
fn names(tokens: &[&str]) -> Vec<Vec<String>> {
    let mut runs: Vec<Vec<String>> = Vec::new();
    let mut goes_on = false;
    for token in tokens.iter().skip(1) {
        let begins = token.trim_start_matches(|sign: char| !sign.is_alphanumeric());
        let is_measure = |word: &String| {
            MEASURES.contains(&word.as_str())
                || AMOUNTS.contains(&word.as_str())
                || MEASURED.contains(&word.as_str())
        };
        let own: Vec<String> = match begins.starts_with(char::is_uppercase) {
            true => words(begins)
                .into_iter()
                .filter(|word| !is_stop(word) && !is_measure(word))
                .map(|word| stem(&word))
                .collect(),
            false => Vec::new(),
        };
        if own.is_empty() {
            goes_on = false;
            continue;
        }
        match runs.last_mut().filter(|_| goes_on) {
            Some(run) => run.extend(own),
            None => runs.push(own),
        }
        goes_on = !token.ends_with([',', ';', ':', '.', '?', '!']);
    }
    runs
}

/// The words of a name that tell it from others: those that the sources have at most `often` times as often as the rarest.
fn telling(name: &[String], counts: &WordCounts, often: usize) -> Vec<String> {
    let count = |word: &String| -> usize {
        let own = counts.get(word).copied().unwrap_or(0);
        match own {
            0 => counts
                .iter()
                .filter(|(other, _)| is_same(other, word))
                .map(|(_, count)| count)
                .sum(),
            own => own,
        }
    };
    let counted: Vec<(usize, &String)> = name
        .iter()
        .map(|word| (count(word), word))
        .filter(|(count, _)| *count > 0)
        .collect();
    let least = counted.iter().map(|(count, _)| *count).min().unwrap_or(0);
    counted
        .into_iter()
        .filter(|(count, _)| *count <= often * least)
        .map(|(_, word)| word.clone())
        .collect()
}

/// The numbers of a question that say which thing is meant. Bounds ("over 300") and amounts ("150 euros") do not.
fn named_numbers(tokens: &[&str]) -> Vec<NamedNumber> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Some(digits) = digits(token) else { continue };
        let before = at
            .checked_sub(1)
            .and_then(|at| tokens.get(at))
            .copied()
            .unwrap_or_default();
        let low = words(before);
        let is_bound = low.last().is_some_and(|word| BOUNDS.contains(&word.as_str()));
        let next = tokens.get(at + 1).copied().unwrap_or_default();
        let is_amount = numbers(&format!("{token} {next}"))
            .iter()
            .any(|number| number.measure.is_some());
        let is_money = token.contains(['$', '€', '£', '%']);
        if is_bound || is_amount || is_money {
            continue;
        }
        let is_called =
            before.starts_with(char::is_uppercase) && at > 1 && !before.ends_with([',', '.', ':']);
        match digits.len() >= DIGITS {
            true => found.push(NamedNumber { name: None, digits }),
            false if is_called => found.push(NamedNumber {
                name: low.last().map(|word| stem(word)),
                digits,
            }),
            false => {}
        }
    }
    found
}

/// The words of the sources behind "for".
fn receivers(asked: &[String], counts: &WordCounts) -> Vec<String> {
    let mut found = Vec::new();
    for (at, word) in asked.iter().enumerate() {
        if !RECEIVING.contains(&word.as_str()) {
            continue;
        }
        let rest = asked.get(at + 1..).unwrap_or_default();
        let next = rest
            .iter()
            .find(|word| !is_stop(word) && numbers(word).is_empty());
        let next = next.map(|word| stem(word));
        found.extend(next.filter(|next| counts.keys().any(|known| is_same(known, next))));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "The Quern mill is 22 metres high. It was built in 1822. The Holt mill is 30 metres high. \
                        Report 4900 says 49 sacks. Report 4903 says 52 sacks. Children pay 3 euros.";

    fn about(question: &str, sentence: &str, title: &str) -> Aboutness {
        let sentences = super::super::super::text::sentences(TEXT);
        let at = sentences
            .iter()
            .position(|one| one.starts_with(sentence))
            .unwrap();
        Subject::of(question, &counts([TEXT].into_iter()), true, false).aboutness(&sentences, at, title)
    }

    #[test]
    fn a_sentence_is_about_what_it_or_the_one_before_it_names() {
        let question = "How high is the Quern mill?";
        assert_eq!(about(question, "The Quern", "Mills"), Aboutness::Named);
        assert_eq!(about(question, "It was built", "Mills"), Aboutness::Named);
        assert_eq!(about(question, "The Holt", "Mills"), Aboutness::Other);
        assert_eq!(about(question, "The Holt", "The Quern mill"), Aboutness::Titled);
        assert_eq!(
            about("Wie hoch ist die Quern-Mühle?", "The Holt", "Mills"),
            Aboutness::Other
        );
        assert_eq!(
            about("How high is the Zarn mill?", "The Holt", "Mills"),
            Aboutness::Other
        );
    }

    #[test]
    fn a_number_of_a_question_says_which_thing_is_meant() {
        let question = "How many sacks are in report number 4903?";
        assert_eq!(about(question, "Report 4900", "Mills"), Aboutness::Other);
        assert_eq!(about(question, "Report 4903", "Mills"), Aboutness::Named);
        assert_eq!(
            about("Which mills are over 300 metres high?", "The Holt", "Mills"),
            Aboutness::Named
        );
        assert_eq!(
            about("What can I buy for 150 euros?", "The Holt", "Mills"),
            Aboutness::Named
        );
    }

    #[test]
    fn a_price_for_somebody_names_these() {
        assert_eq!(
            about("What is the price for children?", "Children", "Mills"),
            Aboutness::Named
        );
        assert_eq!(
            about("What is the price for children?", "The Holt", "Mills"),
            Aboutness::Other
        );
    }
}
