//! `RowSource`: what a filter of rows knows of their page, and what the page is about.

use jiff::civil::DateTime;
use serde_json::Value;

use crate::rows::days;
use crate::rows::row_texts::RowTexts;
use crate::values::share;
use crate::words::concepts;
use crate::words::mention::{Term, has_phrase};
use crate::words::word_forms::{is_compound_of, is_same_word, tokens};

locale::patterns! {
    /// What stands between two kinds of things.
    static LISTED = r"(?i)[,&/+]|\s(?:and|or|und|oder|sowie|i|oraz|lub)\s";
    /// What ends the name of what a title is about.
    static PREPOSITION = r"(?i)\s(?:in|near|around|from|for|of|at|by|with|im|bei|aus|von|vom|für|am|an|zum|zur|mit|w|we|na|nad|z|ze|do|dla|od|pod|przy)\s";
}

/// A word is read as strongly as at least this share of the rows that have it at all has it.
pub(crate) const STRONG: f64 = 0.34;
/// Fewest words of a kind of list that rows say where its title says none.
const LEAST_SAID: usize = 2;
/// Most rows that are asked what the list is about.
const MOST_ASKED: usize = 30;

/// What a filter knows of the page that the rows are from.
#[derive(Debug, Default)]
pub(crate) struct RowSource {
    /// Title and headings: what a page is about need not be in each of its rows.
    pub(crate) subject: String,
    /// What the page calls its entries beside that, one in a line.
    pub(crate) entry_names: String,
    /// The code of its language, in lower case.
    pub(crate) language: Option<String>,
    /// Whether its language writes compounds as one word.
    pub(crate) joins_words: bool,
    /// The whole texts of the rows.
    pub(crate) texts: RowTexts,
    /// What relative dates count from.
    pub(crate) now: DateTime,
}

/// Whether a word is the last part of a term that says more: "courses" of "cooking courses", `Kurse` of `Kochkurse`.
fn is_head_of(phrase: &[String], term: &Term) -> bool {
    let ([head], words) = (phrase, tokens(&term.written)) else {
        return false;
    };
    words.last().is_some_and(|last| match words.len() {
        1 => is_compound_of(last, head),
        _ => is_same_word(last, head),
    })
}

impl RowSource {
    /// Lets relative dates count from the day that the rows themselves are seen from, where they tell one.
    pub(crate) fn count_from_present_of(&mut self, rows: &[Value]) {
        let told = rows
            .iter()
            .map(|row| (row.get("date").and_then(Value::as_str), self.texts.of(row)));
        if let Some(present) = days::present_of(told, self.now) {
            self.now = present.to_datetime(self.now.time());
        }
    }

    /// What the title and the headings say, without what only joins it.
    fn title_parts(&self) -> impl Iterator<Item = &str> {
        let parts = self.subject.split(['|', '–', '—', ':', '\n']);
        parts.flat_map(|part| part.split(" - "))
    }

    /// Whether the page is about a term, perhaps among other things: "Headphones and speakers" are two kinds.
    pub(crate) fn is_about(&self, term: &Term) -> bool {
        // What kind of things a page lists may be the last part of a word in any language: "Elektronarzędzia".
        let joins_words = self.joins_words || concepts::is_kind(&term.written);
        let mut parts = self.title_parts();
        parts.any(|part| term.is_in(part, joins_words))
    }

    /// Whether the page is about a term and about nothing else that rows say: "Hotel & city-break offers" where no row says that it is a
    /// city break.
    pub(crate) fn is_about_alone(&self, term: &Term, rows: &[Value]) -> bool {
        let joins_words = self.joins_words || concepts::is_kind(&term.written);
        let is_said = |other: &str| {
            let words = tokens(other);
            let mut texts = rows.iter().map(|row| self.texts.of(row));
            texts.any(|text| {
                let mut words = words.iter();
                words.any(|word| has_phrase(std::slice::from_ref(word), text, joins_words))
            })
        };
        let mut parts = self.title_parts();
        parts.any(|part| {
            // "Coaches to Leeds, Fri 14 March": a day is no kind of things.
            let is_kind = |other: &&str| !other.contains(|c: char| c.is_ascii_digit());
            let mut others = LISTED
                .split(part)
                .filter(|other| !term.is_in(other, joins_words))
                .filter(is_kind);
            term.is_in(part, joins_words) && !others.any(is_said)
        })
    }

    /// Whether a term in small letters is what the title calls the entries, before it says where they are or for whom: "cottages"
    /// in "Self-catering cottages in the North".
    pub(crate) fn is_listed_as(&self, term: &Term) -> bool {
        // "Leeds" in "Leeds flats" is a name; "Hütten" in "Unsere Hütten" a noun, which German writes with a capital.
        let is_capital = term.written.starts_with(char::is_uppercase);
        let mut parts = self.title_parts().filter(|part| !LISTED.is_match(part));
        parts.any(|part| {
            let end = PREPOSITION.find(part).map_or(part.len(), |found| found.start());
            let head = part.get(..end).unwrap_or_default();
            let last = head.split_whitespace().next_back().unwrap_or_default();
            let said = if is_capital { last } else { head };
            term.is_in(said, self.joins_words) || (self.joins_words && term.is_catalogued_in(head))
        })
    }

    /// Whether a term is what the page calls its entries, in their addresses or where it counts them.
    pub(crate) fn is_name_of_entries(&self, term: &Term) -> bool {
        term.is_in(
            &self.entry_names,
            self.joins_words || concepts::is_kind(&term.written),
        )
    }

    /// Whether a term is what entries of such a list are called: "gigs" where titles or rows speak of tickets and doors.
    pub(crate) fn is_called(&self, term: &Term, rows: &[Value]) -> bool {
        let some = rows.get(..rows.len().min(MOST_ASKED)).unwrap_or(rows);
        let is_titled = |phrase: &&Vec<String>| has_phrase(phrase, &self.subject, self.joins_words);
        let are_said = |phrase: &&Vec<String>| {
            let says = |row: &&Value| has_phrase(phrase, self.texts.of(row), self.joins_words);
            share(some.iter().filter(says).count(), some.len()) >= STRONG
        };
        // "Courses" do not show that those listed are cooking courses.
        let shown = || concepts::shown_by(&term.written).filter(|phrase| !is_head_of(phrase, term));
        // One word of the rows alone may stand for many things.
        if shown().any(|phrase| is_titled(&phrase)) {
            return true;
        }
        let mut said: Vec<&Vec<String>> = Vec::new();
        for phrase in shown().filter(are_said) {
            // Two forms of one word are one.
            if !said.iter().any(|known| concepts::are_same(known, phrase)) {
                said.push(phrase);
            }
        }
        said.len() >= LEAST_SAID
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_part_of_a_compound_does_not_show_that_the_whole_is_listed() {
        let source = |subject: &str| RowSource {
            subject: subject.to_owned(),
            joins_words: true,
            ..RowSource::default()
        };
        let is_called = |word: &str, subject: &str| {
            let term = Term::new(word.to_owned());
            let source = source(subject);
            source.is_called(&term, &[])
        };
        assert!(is_called("Kochkurse", "Kochschule am Markt"));
        assert!(!is_called("Kochkurse", "Kurse im Frühjahr"));
        assert!(!is_called("Sprachkurse", "Kurse im Frühjahr"));
    }
}
