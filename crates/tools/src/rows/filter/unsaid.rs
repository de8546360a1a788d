//! Words that no row says as they are written: slips of typing, and German compounds of which the rows say the first part.

use serde_json::Value;

use super::level::level;
use crate::rows::source::RowSource;
use crate::values::details;
use crate::words::compounds::{splits, stems, ways};
use crate::words::concepts;
use crate::words::mention::Term;
use crate::words::mention_strength::MentionStrength;
use crate::words::text_words::words_of;
use crate::words::word_forms::{is_same_word, tokens};

/// Fewest letters of a word in which a slip is mended: of shorter words, too many are other words.
const SHORTEST: usize = 6;
/// Fewest letters of the last part of a compound, and of its first.
const SHORTEST_HEAD: usize = 4;
const SHORTEST_FIRST: usize = 2;
/// Whom things are made for, by the first parts of compounds, without accents.
const PERSONS: [&str; 7] = [
    "damen", "herren", "kinder", "madchen", "jungen", "frauen", "manner",
];
/// Fewest rows with a short text by which a compound is known to mean that.
const FEWEST_TAGGED: usize = 2;
/// Endings without which a word with a slip is looked for, too.
const ENDINGS: [&str; 8] = ["", "e", "n", "en", "s", "y", "i", "ow"];
/// Endings with which the words of the rows are compared with a word with a slip, too.
const SUFFIXES: [&str; 8] = ["ego", "ej", "ych", "ich", "ami", "en", "er", "es"];

/// What a term that no row says stands for; `None` where nothing is near.
///
/// Basic words that are denied have to stand by themselves in the rows: denied by mistake, one would leave everything else.
pub(super) fn meant(term: &Term, is_denied: bool, rows: &[Value], source: &RowSource) -> Option<Term> {
    let is_sure = |other: &Term| !is_denied || level(other, rows, source) >= MentionStrength::Thing;
    let in_other_words = || in_other_words(term, rows, source).filter(is_sure);
    if term.written.contains(' ') {
        return in_other_words();
    }
    first_part(term, rows, source)
        .or_else(|| mended(term, rows, source))
        .or_else(in_other_words)
        .or_else(|| called(term, rows, source))
}

/// A basic word, or a compound, in the words that rows have for it.
pub(super) fn in_other_words(term: &Term, rows: &[Value], source: &RowSource) -> Option<Term> {
    otherwise(term, rows, source).or_else(|| composed(term, rows, source))
}

/// A basic word by what other languages have for it.
fn otherwise(term: &Term, rows: &[Value], source: &RowSource) -> Option<Term> {
    let other = term.said_as(concepts::basic(&term.written));
    // A basic word within a longer text may say anything.
    (level(&other, rows, source) > MentionStrength::Text).then_some(other)
}

/// A compound in the two words that rows have for it, or two words as the compound of the rows.
fn composed(term: &Term, rows: &[Value], source: &RowSource) -> Option<Term> {
    let ways = ways(&term.written);
    let other = (!ways.is_empty()).then(|| term.said_as(ways))?;
    (level(&other, rows, source) > MentionStrength::Part).then_some(other)
}

/// The first part of a compound whose last part is what the page lists: "Krimi" of "Krimispiele" on a page of games.
fn first_part(term: &Term, rows: &[Value], source: &RowSource) -> Option<Term> {
    let written = term.written.as_str();
    for (first, head) in splits(written, SHORTEST_FIRST, SHORTEST_HEAD) {
        let listed = Term::new(head.to_owned());
        if !source.is_about(&listed) {
            continue;
        }
        let first = first.trim_end_matches('-');
        let said = stems(first)
            .filter(|stem| stem.chars().count() >= SHORTEST_FIRST)
            .map(|stem| Term::new(stem.to_owned()))
            .find(|stem| level(stem, rows, source) > MentionStrength::Part && !is_chance(stem, rows, source));
        if said.is_some() {
            return said;
        }
    }
    None
}

/// A compound of whom a thing is for, and its first part where several rows have that as a short text of their own, and its last part is
/// what the page lists: "Damenräder" on a page of bicycles some of which are tagged "Damen".
pub(super) fn with_tag(term: Term, rows: &[Value], source: &RowSource) -> Term {
    let Ok([written]) = <[String; 1]>::try_from(tokens(&term.written)) else {
        return term;
    };
    let is_tag = |stem: &&str| {
        let has = |row: &&Value| details(row).any(|text| tokens(text) == [*stem]);
        PERSONS.contains(stem) && rows.iter().filter(has).count() >= FEWEST_TAGGED
    };
    let tag = splits(&written, SHORTEST_HEAD, SHORTEST_HEAD).find_map(|(first, head)| {
        let listed = Term::new(head.to_owned());
        stems(first)
            .find(is_tag)
            .filter(|_| source.is_about(&listed))
            .map(str::to_owned)
    });
    match tag {
        Some(tag) => {
            let phrases = term.phrases.iter().cloned().chain([vec![tag]]).collect();
            term.said_as(phrases)
        }
        None => term,
    }
}

/// What entries of such a list are called, where a word is one slip away from that: "tarrife".
fn called(term: &Term, rows: &[Value], source: &RowSource) -> Option<Term> {
    let [wanted] = <[String; 1]>::try_from(tokens(&term.written)).ok()?;
    if wanted.chars().count() < SHORTEST || concepts::is_known(&term.written) {
        return None;
    }
    let is_slip = |called: &&str| {
        called.chars().count() >= SHORTEST - 1
            && without_ending(&wanted).any(|form| locale::is_one_slip_away(called, form))
    };
    let near = concepts::called().filter(is_slip);
    near.map(|called| Term::new(called.to_owned()))
        .find(|called| source.is_about(called) || source.is_called(called, rows))
}

/// A word, and what is left of it without its endings.
fn without_ending(word: &str) -> impl Iterator<Item = &str> {
    let forms = ENDINGS.iter().filter_map(|ending| word.strip_suffix(ending));
    forms.filter(|form| form.chars().count() >= SHORTEST - 1)
}

/// Whether a short stem is found only as another form of a word: "Wei" of "Weisweine" in "Wein".
fn is_chance(stem: &Term, rows: &[Value], source: &RowSource) -> bool {
    let [wanted] = <[String; 1]>::try_from(tokens(&stem.written)).unwrap_or_default();
    let is_said = |row: &Value| words_of(source.texts.of(row)).contains(&wanted);
    wanted.chars().count() < SHORTEST_HEAD && !rows.iter().any(is_said)
}

/// The word of the rows that a word is one slip away from, where there is one such word. A name stays as it is written, unless the
/// other is a word that lists say.
fn mended(term: &Term, rows: &[Value], source: &RowSource) -> Option<Term> {
    let [wanted] = <[String; 1]>::try_from(tokens(&term.written)).ok()?;
    if wanted.chars().count() < SHORTEST || concepts::is_known(&term.written) {
        return None;
    }
    let may_be_name = term.written.starts_with(char::is_uppercase);
    let words = rows
        .iter()
        .flat_map(|row| words_of(source.texts.of(row)).to_vec());
    let subject = tokens(&source.subject);
    // "Weisweine" is one slip away from another form of "Weißwein".
    let forms: Vec<&str> = without_ending(&wanted).collect();
    // "angielskeigo" is one slip away from a form of "angielski".
    let is_inflected = |word: &String| {
        let mut endings = SUFFIXES.iter().map(|ending| format!("{word}{ending}"));
        endings.any(|inflected| locale::is_one_slip_away(&inflected, &wanted))
    };
    let is_slip =
        |word: &String| forms.iter().any(|form| locale::is_one_slip_away(word, form)) || is_inflected(word);
    let mut near: Vec<String> = words
        .chain(subject)
        .filter(|word| !is_same_word(word, &wanted) && is_slip(word))
        .filter(|word| !may_be_name || concepts::is_known(word))
        .collect();
    near.sort_unstable();
    near.dedup_by(|one, other| is_same_word(one, other));
    match near.as_slice() {
        [word] if word.chars().count() >= SHORTEST => Some(Term::new(word.clone())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::rows::row_texts::RowTexts;

    fn source(subject: &str, rows: &[Value], texts: &[&str]) -> RowSource {
        let mut kept = RowTexts::default();
        for (row, text) in rows.iter().zip(texts) {
            kept.keep(row["name"].as_str(), None, text);
        }
        RowSource {
            subject: subject.to_owned(),
            joins_words: true,
            texts: kept,
            ..RowSource::default()
        }
    }

    #[test]
    fn a_compound_of_what_is_listed_means_its_first_part() {
        let rows = [json!({"name": "Nebel"}), json!({"name": "Dorf"})];
        let source = source("Brettspiele", &rows, &["Nebel Krimi ab 12", "Dorf Aufbau ab 8"]);
        let meant =
            |word: &str| meant(&Term::new(word.to_owned()), false, &rows, &source).map(|term| term.written);
        assert_eq!(meant("Krimispiele").as_deref(), Some("Krimi"));
        assert_eq!(meant("Liebesspiele"), None);
        assert_eq!(meant("Krimiabende"), None);
    }

    #[test]
    fn a_compound_of_a_tag_means_what_is_tagged_so() {
        let rows = [
            json!({"name": "Damenrad 28 Zoll", "details": ["Damen"]}),
            json!({"name": "Hollandrad", "details": ["Damen", "Korb"]}),
            json!({"name": "Rennrad", "details": ["Herren"]}),
        ];
        let source = source("Fahrräder in Hannover", &rows, &["", "", ""]);
        let term = with_tag(Term::new("Damenräder".to_owned()), &rows, &source);
        assert!(term.phrases.contains(&vec!["damen".to_owned()]));
        let other = with_tag(Term::new("Damenschuhe".to_owned()), &rows, &source);
        assert!(!other.phrases.contains(&vec!["damen".to_owned()]));
    }

    #[test]
    fn a_slip_is_mended_and_a_name_is_not() {
        let rows = [json!({"name": "Ring"})];
        let source = source("Shop", &rows, &["Ring jewellery by Marten Hansen"]);
        let meant =
            |word: &str| meant(&Term::new(word.to_owned()), false, &rows, &source).map(|term| term.written);
        assert_eq!(meant("jewelery").as_deref(), Some("jewellery"));
        assert_eq!(meant("Hanson"), None);
        assert_eq!(meant("silver"), None);
    }
}
