//! Words of several languages for one thing: `remote` is what a German list calls `Homeoffice`.
//!
//! An instruction and the page that it is about need not share a language. The classes stand in `concepts.txt`, one a line:
//! kinds of things that lists have, and what lists say of them. The files of `lexicon/` have further ones of what lists say,
//! one file for each field of life. Behind a ` < ` stand narrower things: who asks for citrus fruit means lemons, too, and not
//! the other way round. A word belongs to a class in any of its inflected forms. How people ask for what a class says stands in the
//! files of [`crate::words::asked`].

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::words::asked;
use crate::words::word_forms::{Beginning, beginning, is_same_word, tokens};

/// The files with what lists say of things.
const LEXICON: [&str; 12] = [
    include_str!("lexicon/culture.txt"),
    include_str!("lexicon/food.txt"),
    include_str!("lexicon/general.txt"),
    include_str!("lexicon/health.txt"),
    include_str!("lexicon/home.txt"),
    include_str!("lexicon/money.txt"),
    include_str!("lexicon/nature.txt"),
    include_str!("lexicon/public.txt"),
    include_str!("lexicon/technology.txt"),
    include_str!("lexicon/transport.txt"),
    include_str!("lexicon/travel.txt"),
    include_str!("lexicon/work.txt"),
];

/// The files with basic words, which are looked up only where nothing else is said: many of them are parts of what lists say
/// otherwise.
const BASIC: [&str; 7] = [
    include_str!("lexicon/basic_things.txt"),
    include_str!("lexicon/basic_people.txt"),
    include_str!("lexicon/basic_places.txt"),
    include_str!("lexicon/basic_leisure.txt"),
    include_str!("lexicon/basic_office.txt"),
    include_str!("lexicon/basic_properties.txt"),
    include_str!("lexicon/basic_actions.txt"),
];

/// Phrases as words without case and accents.
type Phrases = Vec<Vec<String>>;

/// A line of the files. Its phrases stay as they are written, since all of them in words would take several megabytes.
struct Line {
    /// The name of the field that the words are for, where they are for one.
    field: Option<&'static str>,
    /// Words for one thing.
    class: Vec<&'static str>,
    /// Words for what belongs to it.
    narrower: Vec<&'static str>,
}

impl Line {
    fn read(line: &'static str) -> Line {
        let (class, narrower) = line.split_once(" < ").unwrap_or((line, ""));
        let of_field = class.strip_prefix("= ");
        let read = |phrases: &'static str| {
            let phrases = phrases.split('|').map(str::trim);
            phrases.filter(|phrase| !phrase.is_empty()).collect()
        };
        Line {
            field: of_field.and_then(|class| class.split('|').next()),
            class: read(of_field.unwrap_or(class)),
            narrower: read(narrower),
        }
    }

    /// Whether a phrase is one of those for the thing itself.
    fn holds(&self, wanted: &[String]) -> bool {
        !wanted.is_empty() && self.class.iter().any(|phrase| are_same(&tokens(phrase), wanted))
    }

    /// All phrases, each as words; a sign alone (`″`) is none.
    fn phrases(&self) -> impl Iterator<Item = Vec<String>> {
        let all = self.class.iter().chain(&self.narrower);
        all.map(|phrase| tokens(phrase)).filter(|words| !words.is_empty())
    }
}

/// The lines of all files.
static CLASSES: LazyLock<Vec<Line>> = LazyLock::new(|| {
    let files = std::iter::once(include_str!("concepts.txt")).chain(LEXICON);
    lines(files)
});

/// The lines of [`BASIC`].
static BASIC_CLASSES: LazyLock<Vec<Line>> = LazyLock::new(|| lines(BASIC.into_iter()));

fn lines(files: impl Iterator<Item = &'static str>) -> Vec<Line> {
    files
        .flat_map(str::lines)
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(Line::read)
        .collect()
}

/// The places of lines that have a phrase with a beginning.
type Places = HashMap<Beginning, Vec<usize>>;

static BY_BEGINNING: LazyLock<Places> = LazyLock::new(|| by_beginning(&CLASSES));
static BASIC_BY_BEGINNING: LazyLock<Places> = LazyLock::new(|| by_beginning(&BASIC_CLASSES));

fn by_beginning(lines: &[Line]) -> Places {
    let mut places: Places = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        for key in line.class.iter().filter_map(|phrase| beginning(&tokens(phrase))) {
            let known = places.entry(key).or_default();
            if known.last() != Some(&at) {
                known.push(at);
            }
        }
    }
    places
}

/// The lines whose classes hold a phrase, in their order, each with its place in [`CLASSES`].
fn places_of(wanted: &[String]) -> impl Iterator<Item = (usize, &'static Line)> {
    found_in(&CLASSES, &BY_BEGINNING, wanted)
}

fn found_in(
    lines: &'static [Line],
    by_beginning: &'static Places,
    wanted: &[String],
) -> impl Iterator<Item = (usize, &'static Line)> {
    let places = beginning(wanted).and_then(|key| by_beginning.get(&key));
    let lines = places
        .into_iter()
        .flatten()
        .filter_map(|at| Some((*at, lines.get(*at)?)));
    lines.filter(move |(_, line)| line.holds(wanted))
}

/// The lines of basic words whose classes hold a phrase.
fn basic_lines_of(wanted: &[String]) -> impl Iterator<Item = &'static Line> {
    found_in(&BASIC_CLASSES, &BASIC_BY_BEGINNING, wanted).map(|(_, line)| line)
}

fn lines_of(wanted: &[String]) -> impl Iterator<Item = &'static Line> {
    places_of(wanted).map(|(_, line)| line)
}

/// What entries of a list are called, and by which words a page shows that it lists them; `subjects.txt`.
static SUBJECTS: LazyLock<Vec<(Phrases, Phrases)>> = LazyLock::new(|| {
    let lines = include_str!("subjects.txt").lines().map(str::trim);
    let class = |phrases: &str| phrases.split('|').map(tokens).collect::<Phrases>();
    lines
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(" : "))
        .map(|(called, shown)| (class(called), class(shown)))
        .collect()
});

/// The number of classes of kinds of things, which come before the fields.
static KINDS: LazyLock<usize> =
    LazyLock::new(|| CLASSES.iter().take_while(|line| line.field.is_none()).count());

/// The words by which a page shows that it lists what a phrase calls its entries: `recipe`, `kcal` for "dishes".
pub(crate) fn shown_by(phrase: &str) -> impl Iterator<Item = &'static Vec<String>> {
    let wanted = tokens(phrase);
    let own = wanted.clone();
    let lines = SUBJECTS.iter().filter(move |(called, _)| holds(called, &wanted));
    let all = lines.flat_map(|(called, shown)| called.iter().chain(shown));
    // What the entries are called by an instruction says nothing of the page.
    all.filter(move |words| !are_same(words, &own))
}

/// The single words that entries of lists are called by.
pub(crate) fn called() -> impl Iterator<Item = &'static str> {
    let words = SUBJECTS.iter().flat_map(|(called, _)| called);
    words.filter_map(|phrase| match phrase.as_slice() {
        [word] => Some(word.as_str()),
        _ => None,
    })
}

/// Whether a phrase names a kind of things, and not what they are like.
pub(crate) fn is_kind(phrase: &str) -> bool {
    places_of(&tokens(phrase)).any(|(at, _)| at < *KINDS)
}

/// Most words of a phrase of a class.
const MOST_WORDS: usize = 4;

/// The phrases that mean the same as a phrase, or something narrower, each as words without case and accents; the phrase itself
/// comes first.
pub(crate) fn alternatives(phrase: &str) -> Vec<Vec<String>> {
    let wanted = tokens(phrase);
    let classes: Vec<Vec<String>> = asked::classes_of(&wanted).map(tokens).collect();
    let lines = lines_of(&wanted).chain(classes.iter().flat_map(|class| lines_of(class)));
    let mut found: Vec<Vec<String>> = Vec::new();
    for line in lines {
        for words in line.phrases() {
            if !found.contains(&words) && words != wanted {
                found.push(words);
            }
        }
    }
    found.insert(0, wanted);
    found
}

/// The phrases that mean the very same as a phrase, and nothing narrower, each as words without case and accents; the phrase
/// itself comes first. Basic words are among them.
pub(crate) fn names(phrase: &str) -> Vec<Vec<String>> {
    let wanted = tokens(phrase);
    let lines = lines_of(&wanted).chain(basic_lines_of(&wanted));
    let class = lines.flat_map(|line| &line.class);
    let mut found: Vec<Vec<String>> = vec![wanted.clone()];
    for words in class.map(|phrase| tokens(phrase)) {
        if !words.is_empty() && !found.contains(&words) {
            found.push(words);
        }
    }
    found
}

/// The name of the field that a phrase means, in any language: `mileage` for "Kilometerstand".
pub fn field(phrase: &str) -> Option<&'static str> {
    let wanted = tokens(phrase);
    let named = || lines_of(&wanted).filter_map(|line| Some((line, line.field?)));
    // "waga" is no form of "wage".
    let exact = named().find(|(line, _)| line.phrases().any(|words| words == wanted));
    exact.or_else(|| named().next()).map(|(_, field)| field)
}

/// The months by their English names, from January on.
pub const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// A text with the names of its months in English, whatever form and language they are in: "majem 2026".
pub fn with_english_months(text: &str) -> String {
    let english = |word: &str| {
        let named = word.chars().filter(|c| c.is_alphabetic()).count() >= 3;
        let phrases = if named { alternatives(word) } else { Vec::new() };
        let month = MONTHS.iter().find(|month| {
            phrases
                .iter()
                .any(|phrase| matches!(phrase.as_slice(), [one] if one == *month))
        });
        month.map_or_else(|| word.to_owned(), |month| (*month).to_owned())
    };
    text.split_whitespace().map(english).collect::<Vec<_>>().join(" ")
}

/// Whether a word, without case and accents, is of some class.
pub(crate) fn is_class(word: &str) -> bool {
    let wanted = [word.to_owned()];
    lines_of(&wanted).chain(basic_lines_of(&wanted)).next().is_some()
}

/// The phrases that mean the same as a basic word, each as words without case and accents; empty for other phrases.
pub(crate) fn basic(phrase: &str) -> Vec<Vec<String>> {
    let wanted = tokens(phrase);
    let all = basic_lines_of(&wanted).flat_map(Line::phrases);
    all.filter(|words| *words != wanted).collect()
}

/// Whether a phrase is of some class.
pub fn is_known(phrase: &str) -> bool {
    let wanted = tokens(phrase);
    lines_of(&wanted).next().is_some() || asked::is_asked_for(&wanted)
}

/// The number of words at the start of a list that are one phrase of some class, or ask for one, where they are at least two.
pub fn phrase_length(words: &[&str]) -> Option<usize> {
    longest_phrase(words, |phrase| {
        lines_of(phrase).next().is_some() || asked::is_asked_for(phrase)
    })
}

/// The number of words at the start of a list that ask for some class, where they are at least two.
pub fn asked_length(words: &[&str]) -> Option<usize> {
    longest_phrase(words, asked::is_asked_for)
}

fn longest_phrase(words: &[&str], is_known: impl Fn(&[String]) -> bool) -> Option<usize> {
    (2..=MOST_WORDS.min(words.len())).rev().find(|length| {
        let single = |word: &&str| <[String; 1]>::try_from(tokens(word)).ok().map(|[word]| word);
        let phrase: Option<Vec<String>> = words
            .get(..*length)
            .and_then(|words| words.iter().map(single).collect());
        phrase.is_some_and(|phrase| is_known(&phrase))
    })
}

fn holds(class: &Phrases, wanted: &[String]) -> bool {
    !wanted.is_empty() && class.iter().any(|words| are_same(words, wanted))
}

/// Whether two texts have the same words, in any of their forms.
pub fn are_same_words(one: &str, other: &str) -> bool {
    are_same(&tokens(one), &tokens(other))
}

/// Whether two phrases have the same words, in any of their forms.
pub(crate) fn are_same(one: &[String], other: &[String]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same_word(one, other))
}

/// Whether two texts mean the same thing, in any language.
pub fn mean_same(one: &str, other: &str) -> bool {
    let wanted = tokens(other);
    !wanted.is_empty() && alternatives(one).iter().any(|phrase| are_same(phrase, &wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_means_what_other_languages_call_the_thing() {
        let german = |phrase: &str| {
            alternatives(phrase)
                .iter()
                .any(|words| words == &["waschmaschine"])
        };
        assert!(german("washing machines") && german("pralki"));
        assert!(!german("machines"));
        assert_eq!(phrase_length(&["washing", "machines", "with"]), Some(2));
        assert_eq!(phrase_length(&["red", "machines"]), None);
        assert_eq!(alternatives("Bellmann"), [["bellmann"]]);
    }

    #[test]
    fn what_is_narrower_is_meant_and_what_is_broader_is_not() {
        let means = |phrase: &str, word: &str| alternatives(phrase).iter().any(|words| words == &[word]);
        assert!(means("citrus fruit", "orange") && !means("orange", "citrus"));
        assert!(means("weekend", "samstag") && !means("saturday", "sunday"));
    }

    #[test]
    fn no_phrase_stands_twice_in_a_class_and_every_class_has_two() {
        for line in CLASSES.iter().chain(BASIC_CLASSES.iter()) {
            let all: Phrases = line.phrases().collect();
            let mut phrases = all.clone();
            phrases.sort();
            phrases.dedup();
            assert_eq!(phrases.len(), all.len(), "{all:?}");
            assert!(!line.class.is_empty() && all.len() > 1, "{all:?}");
        }
    }
}
