//! Words of an instruction found in rows: `red`, `Bosch` or `headphones` as a value, as the thing itself, or anywhere.
//!
//! A word that some row has as the whole value of a field (`colour: red`) means that value. Else a word in the name of
//! some row, before any preposition, means the thing (`Cable 2 m`, and no `Bag for cables`). Else a word anywhere in the
//! text of a row counts.

mod lacking;

pub(crate) use self::lacking::end_in_refusal;
use serde_json::Value;

use crate::values::{cell_text, details};
use crate::words::asked;
use crate::words::concepts::{self, alternatives};
use crate::words::mention_strength::MentionStrength;

use crate::words::text_words::{segments_of, words_of};
use crate::words::word_forms::{SHORTEST_PART, is_compound_of, is_same_word, tokens};

locale::patterns! {
    /// What stands between two things of which either may be had.
    static CHOICE = r"(?i)\s+(?:or|oder|lub|albo)\s+|\s*/\s*";
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

/// Most signs of a grade behind its name.
const LONGEST_GRADE: usize = 4;
/// Last parts of German words for lists of what the first part says.
const LISTS: [&str; 16] = [
    "verzeichnis",
    "liste",
    "ubersicht",
    "katalog",
    "vergleich",
    "angebote",
    "borse",
    "markt",
    "suche",
    "finder",
    "programm",
    "kalender",
    "plan",
    "register",
    "index",
    "fuhrer",
];
/// Fewest letters of the first part of a compound.
const SHORTEST_FIRST: usize = 5;
/// Last parts of the names of streets and places, which say nothing of what they begin with.
const PLACES: [&str; 17] = [
    "straße", "strasse", "str", "weg", "platz", "allee", "gasse", "ring", "hof", "stadt", "dorf", "berg",
    "burg", "feld", "ufer", "damm", "heim",
];

/// A word or several that stand together, with what other languages and other shops call the same.
#[derive(Debug, Clone)]
pub(crate) struct Term {
    pub(crate) written: String,
    /// Each as words without case and accents; as written first.
    pub(crate) phrases: Vec<Vec<String>>,
}

impl Term {
    pub(crate) fn new(written: String) -> Term {
        let mut phrases = alternatives(&written);
        // Rows with "dogs on lead" are for who brings a dog, too.
        if let Some(wanted) = phrases.first().filter(|wanted| asked::is_asked_for(wanted))
            && let Some(thing) = asked::thing_of(wanted).cloned()
        {
            phrases.push(vec![thing]);
        }
        // "energy class A": the letter belongs to whatever the class is called.
        if let Some((name, letter)) = written
            .rsplit_once(' ')
            .filter(|(_, letter)| letter.chars().count() <= LONGEST_GRADE)
        {
            let letter = tokens(letter);
            phrases.extend(
                alternatives(name)
                    .into_iter()
                    .skip(1)
                    .map(|name| [name, letter.clone()].concat()),
            );
        }
        Term { phrases, written }
    }

    /// The term without what is narrower, where rows state the thing itself: on a list with "Rotwein" and "Roséwein" beside the
    /// grapes, no grape makes a wine a red one.
    pub(crate) fn stated_in(mut self, rows: &[Value]) -> Term {
        let names = concepts::names(&self.written);
        let is_narrowed = self.phrases.iter().any(|phrase| !names.contains(phrase));
        let states = |row: &&Value| names.iter().any(|name| states(name, row));
        if is_narrowed && rows.iter().filter(states).count() >= STATED {
            self.phrases.retain(|phrase| names.contains(phrase));
        }
        self
    }

    /// The term in other words.
    pub(crate) fn said_as(&self, phrases: Vec<Vec<String>>) -> Term {
        let written = self.written.clone();
        Term { phrases, written }
    }

    /// Whether others call the term otherwise.
    pub(crate) fn has_alternatives(&self) -> bool {
        self.phrases.len() > 1
    }

    /// How strongly a row, whose whole text is `text`, has the term.
    ///
    /// `joins_words` tells that the language of the rows writes compounds as one word, as German does.
    pub(crate) fn mention(&self, row: &Value, text: &str, joins_words: bool) -> MentionStrength {
        let of_phrase = |phrase: &Vec<String>| mention_of(phrase, row, text, joins_words);
        self.phrases
            .iter()
            .map(of_phrase)
            .max()
            .unwrap_or(MentionStrength::Nowhere)
    }

    /// Whether a row has the term at least so strongly, and not as what is lacking: "not hardy", "step-free: no". Where its
    /// text has the term more than once, the row has it.
    pub(crate) fn is_had_by(
        &self,
        row: &Value,
        text: &str,
        joins_words: bool,
        level: MentionStrength,
    ) -> bool {
        let found = self.mention(row, text, joins_words);
        found >= level
            && (found > MentionStrength::Text || !self.is_lacking_in(text) || self.is_said_often(text))
    }

    /// Whether a row has the term as a text of its own, or as the first part of one, which tells the row from others.
    pub(crate) fn is_label_in(&self, rows: &[Value]) -> bool {
        let is_own = |row: &Value| {
            let first = |text: &str| {
                let part = text.split(['·', '|', ',', '(']).next().unwrap_or_default();
                self.is_whole(part)
            };
            details(row).any(first)
        };
        rows.iter().any(is_own)
    }

    /// Whether a text calls itself a list of the term: "Hüttenverzeichnis".
    pub(crate) fn is_catalogued_in(&self, text: &str) -> bool {
        let words = words_of(text);
        self.phrases.iter().any(|phrase| match phrase.as_slice() {
            [wanted] => words.iter().any(|word| {
                let first = LISTS.iter().find_map(|list| word.strip_suffix(list));
                first.is_some_and(|first| is_same_word(first, wanted))
            }),
            _ => false,
        })
    }

    /// Whether the name of a row has the term.
    pub(crate) fn is_in_name_of(&self, row: &Value, joins_words: bool) -> bool {
        let mut names = NAMES.iter().filter_map(|name| row.get(*name)?.as_str());
        names.any(|name| self.is_in(name, joins_words))
    }

    /// Whether a text is the term and nothing else.
    pub(crate) fn is_whole(&self, text: &str) -> bool {
        self.phrases
            .iter()
            .any(|phrase| in_value(phrase, text) == MentionStrength::Value)
    }

    /// Whether a text has the term, on its own or as the last part of a compound.
    pub(crate) fn is_in(&self, text: &str, joins_words: bool) -> bool {
        self.phrases
            .iter()
            .any(|phrase| has_phrase(phrase, text, joins_words))
    }
}

/// How strongly a row has a word or several that stand together.
#[cfg(test)]
fn mention(term: &str, row: &Value, joins_words: bool) -> MentionStrength {
    Term::new(term.to_owned()).mention(row, "", joins_words)
}

fn mention_of(wanted: &[String], row: &Value, text: &str, joins_words: bool) -> MentionStrength {
    if wanted.is_empty() {
        return MentionStrength::Nowhere;
    }
    let of_fields = mention_of_fields(wanted, row, joins_words);
    let of_part = || match wanted {
        [word] if joins_words && begins_compound(word, row, text) => MentionStrength::Part,
        _ => MentionStrength::Nowhere,
    };
    match of_fields {
        MentionStrength::Nowhere | MentionStrength::Text if is_labelled_value(wanted, text) => {
            MentionStrength::Thing
        }
        MentionStrength::Nowhere => in_text(wanted, text).max(of_part()),
        level => level,
    }
}

/// Whether a phrase is the value of a label within a text: "EG" of "Frei ab: sofort | Lage im Haus: EG | Baujahr 1996".
fn is_labelled_value(wanted: &[String], text: &str) -> bool {
    in_text(wanted, text) == MentionStrength::Text
        && text.split(['\n', '|', '·', ';', '•']).any(|part| {
            let value = part.split_once(':').map(|(_, value)| words_of(value));
            value.is_some_and(|value| is_phrase(&value, wanted))
        })
}

/// Whether a row has a compound that begins with a word.
fn begins_compound(wanted: &str, row: &Value, text: &str) -> bool {
    let is_begun = |word: &String| {
        word.strip_prefix(wanted).is_some_and(|rest| {
            rest.chars().count() >= SHORTEST_PART && !PLACES.iter().any(|place| rest.ends_with(place))
        })
    };
    let name = NAMES.iter().filter_map(|name| row.get(*name)?.as_str());
    wanted.chars().count() >= SHORTEST_FIRST
        && name.chain([text]).any(|text| words_of(text).iter().any(is_begun))
}

/// Whether a text has a phrase, on its own or, of one word, as the last part of a compound.
pub(crate) fn has_phrase(phrase: &[String], text: &str, joins_words: bool) -> bool {
    let is_compound = |wanted: &String| words_of(text).iter().any(|word| is_compound_of(word, wanted));
    !phrase.is_empty()
        && (in_text(phrase, text) == MentionStrength::Text
            || (joins_words && phrase.len() == 1 && phrase.iter().all(is_compound)))
}

fn mention_of_fields(wanted: &[String], row: &Value, joins_words: bool) -> MentionStrength {
    let Value::Object(fields) = row else {
        return in_text(wanted, &cell_text(row));
    };
    let of_field = |(field, value): (&String, &Value)| match value {
        Value::String(text) if NAMES.contains(&field.as_str()) => in_name(wanted, text, joins_words),
        Value::String(text) if !NO_WORDS.contains(&field.as_str()) => in_value(wanted, text),
        Value::Array(texts) => texts
            .iter()
            .filter_map(Value::as_str)
            .map(|text| in_detail(wanted, text))
            .max()
            .unwrap_or(MentionStrength::Nowhere),
        _ => MentionStrength::Nowhere,
    };
    fields
        .iter()
        .map(of_field)
        .max()
        .unwrap_or(MentionStrength::Nowhere)
}

/// Fewest rows that state a thing, where a list states it.
const STATED: usize = 3;

/// Whether a row has a phrase as a value, or as one of several things that a value lists, beside its name.
fn states(phrase: &[String], row: &Value) -> bool {
    let is_value = |text: &Value| {
        text.as_str()
            .is_some_and(|text| in_value(phrase, text) == MentionStrength::Value)
    };
    let mut fields = row.as_object().into_iter().flatten();
    fields.any(|(field, value)| {
        let is_words = !NAMES.contains(&field.as_str()) && !NO_WORDS.contains(&field.as_str());
        is_words && (is_value(value) || value.as_array().is_some_and(|texts| texts.iter().any(is_value)))
    })
}

/// The field of which a row has a word as the whole value.
pub(crate) fn field_of_value<'r>(term: &Term, row: &'r Value) -> Option<&'r str> {
    let mut fields = row.as_object()?.iter();
    let is_value = |text: &str| {
        let mut phrases = term.phrases.iter();
        phrases.any(|phrase| in_value(phrase, text) == MentionStrength::Value)
    };
    fields
        .find(|(field, value)| {
            let is_words = !NAMES.contains(&field.as_str()) && !NO_WORDS.contains(&field.as_str());
            is_words && value.as_str().is_some_and(is_value)
        })
        .map(|(field, _)| field.as_str())
}

/// Whether a text has a word, in any of its forms.
pub(crate) fn is_in_text(term: &str, text: &str) -> bool {
    let wanted = tokens(term);
    !wanted.is_empty() && in_text(&wanted, text) == MentionStrength::Text
}

/// Signs between the things that a value lists.
const LIST_SIGNS: [char; 8] = [',', ';', '|', '·', '•', '∙', '⋅', '●'];
/// Most words of each of the things that a value lists.
const LISTED_WORDS: usize = 6;

fn in_value(wanted: &[String], text: &str) -> MentionStrength {
    let found = in_text(wanted, text);
    // What is the whole value, or one of its parts, stands in it.
    match found == MentionStrength::Text && (is_phrase(&words_of(text), wanted) || is_listed(wanted, text)) {
        true => MentionStrength::Value,
        false => found,
    }
}

/// Whether a phrase is one of several short things that a value lists: "Type 2" of "CCS, CHAdeMO, Type 2", "Teilzeit" of
/// "Vollzeit oder Teilzeit".
fn is_listed(wanted: &[String], text: &str) -> bool {
    let is_one = |things: &[&str]| {
        let is_short = |thing: &&str| thing.split_whitespace().count() <= LISTED_WORDS;
        things.len() > 1
            && things.iter().all(is_short)
            && things.iter().any(|thing| is_phrase(&words_of(thing), wanted))
    };
    let by_sign: Vec<&str> = text.split(LIST_SIGNS).collect();
    let by_word = || -> Vec<&str> { CHOICE.split(text).collect() };
    is_one(&by_sign) || (by_sign.len() == 1 && is_one(&by_word()))
}

/// A short text that is the word and nothing else tells what the thing is, as its name does.
fn in_detail(wanted: &[String], text: &str) -> MentionStrength {
    match in_value(wanted, text) {
        MentionStrength::Value => MentionStrength::Thing,
        level => level,
    }
}

fn in_name(wanted: &[String], name: &str, joins_words: bool) -> MentionStrength {
    let thing = name.split(['(', '[', ',', '|']).next().unwrap_or_default();
    let words = words_of(thing);
    let end = words
        .iter()
        .position(|word| PREPOSITIONS.contains(&word.as_str()));
    // A name that begins with a preposition has nothing before it.
    let end = end.filter(|end| *end > 0).unwrap_or(words.len());
    let head = words.get(..end).unwrap_or(&words);
    let is_word = |wanted: &String| head.iter().any(|word| is_same_word(word, wanted));
    let is_part = |wanted: &String| head.iter().any(|word| is_compound_of(word, wanted));
    if wanted.iter().all(is_word) {
        return MentionStrength::Thing;
    }
    match (
        wanted.iter().all(|word| is_word(word) || is_part(word)),
        joins_words,
    ) {
        (true, true) => MentionStrength::Thing,
        (true, false) => MentionStrength::Compound.max(in_text(wanted, name)),
        (false, _) => in_text(wanted, name),
    }
}

/// Whether words are those of a phrase, each in any of its forms.
fn is_phrase(words: &[String], phrase: &[String]) -> bool {
    let mut pairs = words.iter().zip(phrase);
    words.len() == phrase.len() && pairs.all(|(word, wanted)| is_same_word(word, wanted))
}

fn in_text(wanted: &[String], text: &str) -> MentionStrength {
    // Words of a phrase stand side by side: "free cancellation".
    let has = |words: &[String]| {
        words
            .windows(wanted.len().max(1))
            .any(|place| is_phrase(place, wanted))
    };
    let is_said = match text.contains('\n') {
        true => segments_of(text).iter().any(|words| has(words)) || is_value_and_label(wanted, text),
        false => has(&words_of(text)),
    };
    match is_said {
        true => MentionStrength::Text,
        false => MentionStrength::Nowhere,
    }
}

/// Whether a phrase is a value and the label that the list has for it: "unlimited data" of "Data: unlimited".
fn is_value_and_label(wanted: &[String], text: &str) -> bool {
    let mut lines = text.split('\n').skip(1).filter_map(|line| line.split_once(':'));
    wanted.len() > 1
        && lines.any(|(label, value)| {
            let (label, value) = (words_of(label), words_of(value));
            let parts = wanted.split_at_checked(value.len());
            parts.is_some_and(|(of_value, of_label)| {
                !value.is_empty()
                    && !label.is_empty()
                    && is_phrase(&value, of_value)
                    && is_phrase(&label, of_label)
            })
        })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_text_may_say_that_something_is_lacking() {
        let lacks = |term: &str, text: &str| Term::new(term.to_owned()).is_lacking_in(text);
        assert!(lacks("minimum order", "Open now. No minimum order"));
        assert!(lacks("zobowiązań", "Karnet bez zobowiązań"));
        assert!(lacks("Provision", "2 Zimmer, provisionsfrei"));
        assert!(lacks("dog", "Plan A £9\nDog insured: not covered"));
        assert!(!lacks("dog", "Plan A £9\nDog insured: yes, up to £500"));
        assert!(!lacks("dog", "Plan A £9\nDog insured: no information"));
        assert!(!is_compound_of("unlimited", "limited"));
        assert!(!lacks("Provision", "Provision: keine Angabe"));
        assert!(lacks("barrierefrei", "Barrierefrei nein Videosprechstunde ja"));
        assert!(!lacks(
            "Videosprechstunde",
            "Barrierefrei nein Videosprechstunde ja"
        ));
        assert!(lacks("parking", "Rooms: 3, Parking: no") && !lacks("rooms", "Rooms: 3, Parking: no"));
        assert!(!lacks("order", "minimum order 30 zł"));
        let dog = "Size Medium Lives with cats No In our care 41 days";
        assert!(lacks("cats", dog) && !lacks("care", dog) && !lacks("size", dog));
        assert!(!lacks("dogs", "Dogs No smoking") && !lacks("mambo", "Mambo No 5"));
        let dog = "Größe Mittel Lebt mit Hunden Nein Alter 3";
        assert!(lacks("hunden", dog) && !lacks("mittel", dog) && !lacks("alter", dog));
        // What the list labels stands before the words around it.
        let doctor = "NFZ: nie Teleporada: tak\nNFZ: nie\nTeleporada: tak";
        assert!(!lacks("teleporada", doctor) && lacks("NFZ", doctor));
        let boat = |answer: &str| format!("Koje: 8 Zwierzęta na pokładzie: {answer} 4,8 / 5");
        assert!(lacks("zwierzęta", &boat("nie")) && !lacks("zwierzęta", &boat("tak")));
    }

    #[test]
    fn a_row_that_lacks_something_does_not_have_it() {
        let has = |details: &str| {
            let row = json!({"name": "Fern", "details": [details]});
            Term::new("winterhart".to_owned()).is_had_by(&row, details, true, MentionStrength::Text)
        };
        assert!(has("Staude, winterhart") && !has("Staude, nicht winterhart") && !has("winterhart: nein"));
    }

    #[test]
    fn the_first_part_of_a_text_is_a_label_too() {
        let rows = [json!({"name": "Van", "details": ["Leeds · 2 miles away"]})];
        let is_label = |term: &str| Term::new(term.to_owned()).is_label_in(&rows);
        assert!(is_label("Leeds") && !is_label("miles"));
    }

    #[test]
    fn a_value_is_more_than_a_thing_and_a_thing_more_than_a_text() {
        let row = json!({"name": "Filter for Acme Vacuums (used)", "brand": "Filtero", "details": ["Sale"]});
        assert_eq!(mention("filtero", &row, false), MentionStrength::Value);
        assert_eq!(mention("sale", &row, false), MentionStrength::Thing);
        assert_eq!(mention("filters", &row, false), MentionStrength::Thing);
        assert_eq!(mention("acme", &row, false), MentionStrength::Text);
        assert_eq!(mention("used", &row, false), MentionStrength::Text);
        assert_eq!(mention("kettle", &row, false), MentionStrength::Nowhere);
        let cable = json!({"name": "Verlängerungskabel 5 m"});
        assert_eq!(mention("Kabel", &cable, true), MentionStrength::Thing);
        assert_eq!(
            mention("Kabel", &json!({"name": "Kabeltrommel"}), true),
            MentionStrength::Part
        );
        assert_eq!(
            mention("Garten", &json!({"name": "Haus in der Gartenstraße"}), true),
            MentionStrength::Nowhere
        );
    }
}
