//! What texts say to be lacking: "no minimum order", "bez zobowiązań", "Balkon: nein".

use super::{Term, is_phrase};
use crate::words::refused_labels::{self, NO_VALUES};
use crate::words::text_words::{segments_of, words_of};
use crate::words::word_forms::is_same_word;

/// Words right before what is lacking, without accents.
const LACKING: [&str; 15] = [
    "no",
    "not",
    "without",
    "non",
    "ohne",
    "kein",
    "keine",
    "keinen",
    "keiner",
    "keinerlei",
    "nicht",
    "bez",
    "nie",
    "brak",
    "zadnych",
];
/// The word that stands behind what is lacking, as the value of a label, and hardly ever else.
const NO_BEHIND: &str = "nein";
/// Words behind what is lacking, and a denial, without accents: "dogs not allowed", "Parkplatz nicht vorhanden".
#[rustfmt::skip]
const GIVEN: [&str; 25] = [
    "allowed", "permitted", "accepted", "admitted", "welcome", "included", "available", "possible", "offered", "provided", "erlaubt", "gestattet",
    "zugelassen", "moglich", "enthalten", "inbegriffen", "inklusive", "vorhanden", "verfugbar", "erwunscht", "dozwolone", "dostepne", "mozliwe",
    "wliczone", "akceptowane",
];
/// The same words that deny by themselves.
#[rustfmt::skip]
const REFUSED: [&str; 12] = [
    "prohibited", "forbidden", "banned", "excluded", "verboten", "untersagt", "ausgeschlossen", "niedozwolone", "niedostepne", "zabronione",
    "zakazane", "wykluczone",
];
/// Verbs between what is lacking and its denial.
const VERBS: [&str; 8] = ["is", "are", "ist", "sind", "jest", "sa", "leider", "mile"];
/// Words for "not".
const NOT: [&str; 3] = ["not", "nicht", "nie"];
/// Values of a label of what is there.
const YES_VALUES: [&str; 3] = ["yes", "ja", "tak"];
/// What the value of a label of what is lacking begins with.
const NO_BEGINNINGS: [&str; 10] = [
    "no", "not", "nein", "nie", "nicht", "kein", "keine", "keinen", "brak", "none",
];
/// What is said to be missing where nothing is known: "keine Angabe".
const UNKNOWN: [&str; 7] = [
    "angabe",
    "angaben",
    "information",
    "info",
    "informacji",
    "danych",
    "data",
];

/// Whether words say that what stands before them cannot be had: "are not allowed", "verboten".
fn begin_with_refusal(words: &[String]) -> bool {
    refusal_length(words).is_some()
}

/// Whether words end so, with nothing behind.
pub(crate) fn end_in_refusal(words: &[String]) -> bool {
    (1..words.len()).any(|at| {
        words
            .get(at..)
            .is_some_and(|rest| refusal_length(rest) == Some(rest.len()))
    })
}

/// How many words at the beginning of a list say so.
fn refusal_length(words: &[String]) -> Option<usize> {
    let is_of = |word: Option<&String>, list: &[&str]| word.is_some_and(|word| list.contains(&word.as_str()));
    let at = usize::from(is_of(words.first(), &VERBS));
    let is_denied = || is_of(words.get(at), &NOT) && is_of(words.get(at + 1), &GIVEN);
    match is_of(words.get(at), &REFUSED) {
        true => Some(at + 1),
        false => is_denied().then_some(at + 2),
    }
}

impl Term {
    /// Whether a text has the term more than once, and once not as what is lacking: "children come in without a ticket. Buy tickets".
    /// The label of what is lacking is none: "Upfront: no upfront cost".
    pub(super) fn is_said_often(&self, text: &str) -> bool {
        // What the list labels stands in lines of its own, once more.
        let words = words_of(text.split('\n').next().unwrap_or_default());
        let is_lacking_at = |at: Option<usize>| {
            let word = at.and_then(|at| words.get(at));
            word.is_some_and(|word| LACKING.contains(&word.as_str()))
        };
        self.phrases.iter().any(|phrase| {
            let places = words.windows(phrase.len().max(1)).enumerate();
            let places: Vec<usize> = places
                .filter(|(_, place)| is_phrase(place, phrase))
                .map(|(at, _)| at)
                .collect();
            // "Free parking. No parking for coaches" has no label; "Upfront: no upfront cost" of the list's own has one.
            let is_labelled = text.split('\n').skip(1).any(|line| {
                let label = line.split_once(':').map(|(label, _)| words_of(label));
                label.is_some_and(|label| is_phrase(&label, phrase))
            });
            let is_label = |at: usize| {
                let next = at + phrase.len();
                is_labelled && is_lacking_at(Some(next)) && places.contains(&(next + 1))
            };
            let mut had = places
                .iter()
                .filter(|at| !is_label(**at) && !is_lacking_at(at.checked_sub(1)));
            places.len() > 1 && had.next().is_some()
        })
    }

    /// Whether a text says that the term is lacking: "no minimum order", "bez zobowiązań", "provisionsfrei", "Balkon: nein".
    pub(crate) fn is_lacking_in(&self, text: &str) -> bool {
        let words = words_of(text);
        let segments = segments_of(text);
        let is_denied = |phrase: &Vec<String>| {
            segments.iter().any(|words| {
                let mut places = words.windows(phrase.len().max(1)).enumerate();
                places.any(|(at, place)| {
                    let before = words.get(..at).unwrap_or_default();
                    let is_lacking = || before.last().is_some_and(|word| LACKING.contains(&word.as_str()));
                    let behind = words.get(at + phrase.len()).map(String::as_str);
                    is_phrase(place, phrase)
                        && ((is_lacking() && !refused_labels::end_in_value(before, text))
                            || behind == Some(NO_BEHIND)
                            || words.get(at + phrase.len()..).is_some_and(begin_with_refusal))
                })
            })
        };
        let is_refused = |phrase: &Vec<String>| {
            text.split(['\n', '·', '|', ',', ';', '.']).any(|part| {
                part.split_once(':').is_some_and(|(label, value)| {
                    let (label, value) = (words_of(label), words_of(value));
                    let is_no = matches!(&*value, [word] if NO_VALUES.contains(&word.as_str()));
                    is_no && is_phrase(&label, phrase)
                })
            })
        };
        let is_refused_in_line = |phrase: &Vec<String>| {
            // The first line of a row of a table is its cells, without their labels.
            let is_table = segments.len() > text.split('\n').count();
            let own = text.split_once('\n').filter(|_| is_table);
            refused_labels::read(own.map_or(text, |(_, own)| own))
                .any(|label| label.windows(phrase.len()).any(|words| is_phrase(words, phrase)))
        };
        // "Dog insured: not covered" of the list's own labels.
        let is_labelled_no = |phrase: &Vec<String>| {
            text.split('\n').skip(1).any(|line| {
                line.split_once(':').is_some_and(|(label, value)| {
                    let (label, value) = (words_of(label), words_of(value));
                    let is_no = value
                        .first()
                        .is_some_and(|word| NO_BEGINNINGS.contains(&word.as_str()));
                    let is_known = value.get(1).is_none_or(|word| !UNKNOWN.contains(&word.as_str()));
                    is_no && is_known && label.windows(phrase.len()).any(|words| is_phrase(words, phrase))
                })
            })
        };
        let is_freed = |phrase: &Vec<String>| match phrase.as_slice() {
            [wanted] => words.iter().any(|word| {
                let first = ["frei", "free"].iter().find_map(|end| word.strip_suffix(end));
                first.is_some_and(|first| {
                    is_same_word(first.trim_end_matches('-'), wanted)
                        || first.strip_suffix('s') == Some(wanted)
                })
            }),
            _ => false,
        };
        // "NHS: no Video call: yes": what a label of the list says stands before what the words around it seem to say.
        let says_otherwise = |phrase: &Vec<String>| {
            text.split('\n').skip(1).any(|line| {
                line.split_once(':').is_some_and(|(label, value)| {
                    let (label, value) = (words_of(label), words_of(value));
                    let is_yes = matches!(&*value, [word] if YES_VALUES.contains(&word.as_str()));
                    let first = value.first();
                    let is_other = first.is_some_and(|word| !NO_BEGINNINGS.contains(&word.as_str()));
                    (is_phrase(&label, phrase) && is_other)
                        || (is_yes && label.windows(phrase.len()).any(|words| is_phrase(words, phrase)))
                })
            })
        };
        self.phrases
            .iter()
            .filter(|phrase| !phrase.is_empty() && !says_otherwise(phrase))
            .any(|phrase| {
                is_denied(phrase)
                    || is_freed(phrase)
                    || is_refused(phrase)
                    || is_refused_in_line(phrase)
                    || is_labelled_no(phrase)
            })
    }
}
