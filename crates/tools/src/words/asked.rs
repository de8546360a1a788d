//! How people ask for what lists say: "bring my dog" where rows say "pets welcome".
//!
//! The files of `asked/` have a line for each class of the lexicon that is asked for in other words: the first phrase of the class,
//! ` ~ `, and the phrases of people. They stand in instructions alone: a row that says "with family" need not suit families.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::words::word_forms::{Beginning, beginning, is_same_word, tokens};

const FILES: [&str; 3] = [
    include_str!("asked/general_food.txt"),
    include_str!("asked/travel_home.txt"),
    include_str!("asked/work_technology.txt"),
];

/// A phrase as words without case and accents, and the class that it asks for.
type Asked = (Vec<String>, &'static str);

static ASKED: LazyLock<HashMap<Beginning, Vec<Asked>>> = LazyLock::new(|| {
    let mut all: HashMap<Beginning, Vec<Asked>> = HashMap::new();
    let lines = FILES.iter().flat_map(|file| file.lines());
    for (class, phrases) in lines.filter_map(|line| line.split_once(" ~ ")) {
        for words in phrases.split('|').map(tokens) {
            if let Some(key) = beginning(&words) {
                all.entry(key).or_default().push((words, class));
            }
        }
    }
    all
});

/// The classes that a phrase asks for, each by its first phrase: who brings a dog may come where pets are welcome, too.
pub(crate) fn classes_of(wanted: &[String]) -> impl Iterator<Item = &'static str> {
    let known = beginning(wanted).and_then(|key| ASKED.get(&key));
    let known = known.map_or(&[][..], Vec::as_slice);
    // The phrase itself before one of its forms.
    let has_exact = known.iter().any(|(words, _)| words == wanted);
    let wanted = wanted.to_vec();
    let found = known.iter().filter(move |asked| match has_exact {
        true => asked.0 == wanted,
        false => is_asked(&wanted, asked),
    });
    found.map(|(_, class)| *class)
}

/// Whether a phrase asks for a class.
pub(crate) fn is_asked_for(wanted: &[String]) -> bool {
    classes_of(wanted).next().is_some()
}

fn is_asked(wanted: &[String], (words, _): &Asked) -> bool {
    words.len() == wanted.len()
        && words
            .iter()
            .zip(wanted)
            .all(|(one, other)| is_same_word(one, other))
}

/// Words of a phrase that say what is done with the thing, without accents.
#[rustfmt::skip]
const LIGHT: [&str; 43] = [
    "take", "bring", "with", "keep", "have", "has", "get", "go", "come", "leave", "use", "for", "to", "in", "on", "by", "mit", "fur",
    "nehmen", "bringen", "mitnehmen", "mitbringen", "halten", "haben", "zum", "zur", "im", "am", "dabei", "z", "ze", "dla", "do",
    "na", "w", "zabrac", "wziac", "miec", "trzymac", "przyjechac", "przyjsc", "zostawic", "korzystac",
];

/// The one thing that a phrase speaks of, where the rest says what is done with it: `dog` of "bring dog".
pub(crate) fn thing_of(phrase: &[String]) -> Option<&String> {
    let mut things = phrase.iter().filter(|word| !LIGHT.contains(&word.as_str()));
    things
        .next()
        .filter(|_| things.next().is_none() && phrase.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::concepts;

    #[test]
    fn what_people_ask_for_is_what_lists_say() {
        let means = |phrase: &str, said: &str| concepts::alternatives(phrase).contains(&tokens(said));
        assert!(means("bring dog", "dogs welcome") && means("Auto abstellen", "Parkplatz"));
        assert!(means("zabrać psa", "Hunde erlaubt"));
        assert!(!means("dogs welcome", "bring dog"));
    }

    #[test]
    fn every_line_is_of_a_class_of_the_lexicon() {
        for (words, class) in ASKED.values().flatten() {
            assert!(concepts::is_known(class), "{class}");
            assert!((1..=4).contains(&words.len()), "{words:?}");
        }
    }
}
