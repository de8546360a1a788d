//! Words of an instruction found in rows: `red`, `Bosch` or `headphones` as a value, as the thing itself, or anywhere.
//!
//! A word that some row has as the whole value of a field (`colour: red`) means that value. Else a word in the name of
//! some row, before any preposition, means the thing (`Cable 2 m`, and no `Bag for cables`). Else a word anywhere in the
//! text of a row counts.

use serde_json::Value;

use crate::input::cell_text;

/// How a row has a word, the strongest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mention {
    /// Not at all.
    Nowhere,
    /// Somewhere in a text.
    Text,
    /// As the last part of a word of the name, where the language of the page may not join words.
    Compound,
    /// In the name of the thing, outside of brackets and before any preposition.
    Thing,
    /// As the whole value of a field.
    Value,
}

/// Fields whose values are no words.
const NO_WORDS: [&str; 8] = [
    "url",
    "link",
    "image",
    "price",
    "old_price",
    "currency",
    "availability",
    "rating",
];
/// Fields that hold the name of a row.
const NAMES: [&str; 3] = ["name", "title", "headline"];

/// Words in a name behind which the thing itself is not named any more.
const PREPOSITIONS: [&str; 16] = [
    "for",
    "with",
    "without",
    "compatible",
    "für",
    "mit",
    "ohne",
    "zu",
    "do",
    "dla",
    "z",
    "ze",
    "bez",
    "na",
    "pour",
    "para",
];

/// Endings by which two forms of a word may differ, without accents: plurals, cases and genders of English, German and
/// Polish nouns and adjectives. Both forms end as words of one language do.
const ENDINGS: [&[&str]; 3] = [
    &["", "s", "es"],
    &["", "e", "en", "er", "em", "es", "n", "ern", "s"],
    &[
        "", "y", "i", "a", "o", "u", "e", "ie", "ego", "emu", "ych", "ymi", "ym", "ich", "imi", "im", "ej",
        "ow", "om", "ami", "ach", "ek", "ka", "ki", "ke", "ko", "ce", "kach", "kami", "owi", "iem", "em",
        "el", "li", "le", "lami", "kow", "kom", "kiem",
    ],
];
/// Fewest letters that two forms of a word share.
const SHORTEST_STEM: usize = 3;
/// Fewest letters of the last part of a compound.
const SHORTEST_PART: usize = 4;

/// How strongly a row has a word or several that stand together.
///
/// `joins_words` tells that the language of the rows writes compounds as one word, as German does.
pub(crate) fn mention(term: &str, row: &Value, joins_words: bool) -> Mention {
    let wanted = tokens(term);
    if wanted.is_empty() {
        return Mention::Nowhere;
    }
    let Value::Object(fields) = row else {
        return in_text(&wanted, &cell_text(row));
    };
    let of_field = |(field, value): (&String, &Value)| match value {
        Value::String(text) if NAMES.contains(&field.as_str()) => in_name(&wanted, text, joins_words),
        Value::String(text) if !NO_WORDS.contains(&field.as_str()) => in_value(&wanted, text),
        Value::Array(texts) => texts
            .iter()
            .filter_map(Value::as_str)
            .map(|text| in_value(&wanted, text))
            .max()
            .unwrap_or(Mention::Nowhere),
        _ => Mention::Nowhere,
    };
    fields.iter().map(of_field).max().unwrap_or(Mention::Nowhere)
}

/// The field of which a row has a word as the whole value.
pub(crate) fn field_of_value<'r>(term: &str, row: &'r Value) -> Option<&'r str> {
    let wanted = tokens(term);
    let mut fields = row.as_object()?.iter();
    fields
        .find(|(field, value)| {
            let is_words = !NAMES.contains(&field.as_str()) && !NO_WORDS.contains(&field.as_str());
            is_words
                && value
                    .as_str()
                    .is_some_and(|text| in_value(&wanted, text) == Mention::Value)
        })
        .map(|(field, _)| field.as_str())
}

/// Whether a text has a word, in any of its forms.
pub(crate) fn is_in_text(term: &str, text: &str) -> bool {
    let wanted = tokens(term);
    !wanted.is_empty() && in_text(&wanted, text) == Mention::Text
}

fn in_value(wanted: &[String], text: &str) -> Mention {
    let found = tokens(text);
    let is_whole = found.len() == wanted.len()
        && found
            .iter()
            .zip(wanted)
            .all(|(one, other)| is_same_word(one, other));
    match is_whole {
        true => Mention::Value,
        false => in_text(wanted, text),
    }
}

/// Whether a language, by its code, writes compounds as one word.
pub(crate) fn joins_words(language: &str) -> bool {
    let code = language
        .split(['-', '_'])
        .next()
        .unwrap_or_default()
        .to_lowercase();
    matches!(
        code.as_str(),
        "de" | "nl" | "sv" | "da" | "no" | "nb" | "nn" | "fi" | "hu" | "is"
    )
}

fn in_name(wanted: &[String], name: &str, joins_words: bool) -> Mention {
    let thing = name.split(['(', '[', ',', '|']).next().unwrap_or_default();
    let words = tokens(thing);
    let end = words
        .iter()
        .position(|word| PREPOSITIONS.contains(&word.as_str()));
    // A name that begins with a preposition has nothing before it.
    let end = end.filter(|end| *end > 0).unwrap_or(words.len());
    let head = words.get(..end).unwrap_or(&words);
    let is_word = |wanted: &String| head.iter().any(|word| is_same_word(word, wanted));
    let is_part = |wanted: &String| head.iter().any(|word| is_compound_of(word, wanted));
    if wanted.iter().all(is_word) {
        return Mention::Thing;
    }
    match (
        wanted.iter().all(|word| is_word(word) || is_part(word)),
        joins_words,
    ) {
        (true, true) => Mention::Thing,
        (true, false) => Mention::Compound.max(in_text(wanted, name)),
        (false, _) => in_text(wanted, name),
    }
}

fn in_text(wanted: &[String], text: &str) -> Mention {
    let words = tokens(text);
    let has = |wanted: &String| words.iter().any(|word| is_same_word(word, wanted));
    match wanted.iter().all(has) {
        true => Mention::Text,
        false => Mention::Nowhere,
    }
}

/// The words of a text without case and accents.
fn tokens(text: &str) -> Vec<String> {
    let folded = locale::fold_diacritics(&locale::fold_case(text));
    locale::words::alphanumeric(&folded).collect()
}

/// Whether two words without accents are forms of one: they share a stem, and each has an ending behind it.
fn is_same_word(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    if one.bytes().chain(other.bytes()).any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    if one.is_ascii() && other.is_ascii() && locale::words::stem(one) == locale::words::stem(other) {
        return true;
    }
    let shared = one
        .char_indices()
        .zip(other.chars())
        .take_while(|((_, a), b)| a == b)
        .count();
    let end = |word: &str, stem: usize| word.chars().skip(stem).collect::<String>();
    let are_endings = |one: &str, other: &str| {
        let mut languages = ENDINGS.iter();
        languages.any(|endings| endings.contains(&one) && endings.contains(&other))
    };
    // The stem may end before the last letter that both share: `kurt-ka`, `kurt-ki`.
    (SHORTEST_STEM..=shared)
        .rev()
        .take(3)
        .any(|stem| are_endings(&end(one, stem), &end(other, stem)))
}

/// Whether a word is a compound whose last part is a form of the wanted word: German `Verlängerungskabel` is a `Kabel`.
fn is_compound_of(word: &str, wanted: &str) -> bool {
    let length = wanted.chars().count();
    if length < SHORTEST_PART || word.chars().count() <= length {
        return false;
    }
    let from = word.char_indices().map(|(at, _)| at).skip(2);
    from.filter_map(|at| word.get(at..))
        .filter(|end| end.chars().count() + 3 >= length)
        .any(|end| end.chars().count() >= SHORTEST_PART && is_same_word(end, wanted))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn forms_of_one_word_are_the_same_and_other_words_are_not() {
        for (one, other) in [
            ("cable", "cables"),
            ("batteries", "battery"),
            ("schwarz", "schwarze"),
            ("kuhlschrank", "kuhlschranke"),
            ("niebieski", "niebieskie"),
            ("czarny", "czarnych"),
            ("kurtka", "kurtek"),
            ("rower", "rowerow"),
        ] {
            assert!(is_same_word(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("rower", "rowerowa"),
            ("red", "refurbished"),
            ("cat6", "cat"),
            ("black", "blue"),
        ] {
            assert!(!is_same_word(one, other), "{one} {other}");
        }
    }

    #[test]
    fn a_value_is_more_than_a_thing_and_a_thing_more_than_a_text() {
        let row = json!({"name": "Filter for Acme Vacuums (used)", "brand": "Filtero", "details": ["Sale"]});
        assert_eq!(mention("filtero", &row, false), Mention::Value);
        assert_eq!(mention("sale", &row, false), Mention::Value);
        assert_eq!(mention("filters", &row, false), Mention::Thing);
        assert_eq!(mention("acme", &row, false), Mention::Text);
        assert_eq!(mention("used", &row, false), Mention::Text);
        assert_eq!(mention("kettle", &row, false), Mention::Nowhere);
        let cable = json!({"name": "Verlängerungskabel 5 m"});
        assert_eq!(mention("Kabel", &cable, true), Mention::Thing);
        assert_eq!(
            mention("Kabel", &json!({"name": "Kabeltrommel"}), true),
            Mention::Nowhere
        );
    }
}
