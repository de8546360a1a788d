//! Texts that name a day, and what each of several says in one line.

use locale::number::ascii_digits;
use page::dom::Node;

use super::roles::{DateRole, role_of_words};

/// The texts in an element that name a day.
pub(super) fn dated_texts(node: Node<'_>) -> impl Iterator<Item = &str> {
    node.descendants()
        .filter_map(Node::text_value)
        .filter(|text| is_dated(text))
}

/// The texts in an element that name a year.
pub(super) fn texts_with_year(node: Node<'_>) -> impl Iterator<Item = &str> {
    let has_year = |text: &str| {
        let mut runs = text.split(|c: char| !c.is_ascii_digit());
        runs.any(|run| run.len() == 4 && (run.starts_with("19") || run.starts_with("20")))
    };
    node.descendants()
        .filter_map(Node::text_value)
        .filter(move |text| has_year(text))
}

/// The only text of an element itself that names a day, where the elements in it name others: "14 January 2024 <i>edited 16 January</i>".
pub(super) fn own_dated_text(node: Node<'_>) -> Option<&str> {
    let mut own = node
        .children()
        .filter_map(Node::text_value)
        .filter(|text| is_dated(text));
    own.next()
        .filter(|text| own.next().is_none() && dated_parts(text).is_none())
}

/// Whether a text is three letters or fewer, which may be a day of the week.
pub(super) fn is_short_word(text: &str) -> bool {
    let text = text.trim().trim_end_matches('.');
    text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Marks between the facts of a line.
const BETWEEN_FACTS: [char; 3] = ['|', '·', '•'];

/// Dashes between the facts of a line.
const DASHES: [&str; 3] = [" – ", " — ", " - "];

/// The parts of a line between marks that each name a day, where there are several: "Posted: 4 March 2026 | Valid until: 30 April 2026".
pub(super) fn dated_parts(text: &str) -> Option<Vec<&str>> {
    let parts: Vec<&str> = text.split(BETWEEN_FACTS).filter(|part| is_dated(part)).collect();
    if parts.len() > 1 {
        return Some(parts);
    }
    // A dash also stands within a span of days: only words of their own make each side of it a fact.
    let is_fact = |part: &&str| is_dated(part) && role_of_words(part) != DateRole::None;
    let by_dash = DASHES.iter().map(|dash| text.split(dash).collect::<Vec<&str>>());
    by_dash
        .into_iter()
        .find(|parts| parts.len() > 1 && parts.iter().all(&is_fact))
}

/// True for a tooltip such as `2024-08-12 10:11:43 -0500`.
pub(super) fn starts_with_day(text: &str) -> bool {
    let digits = |from: usize, to: usize| {
        text.as_bytes()
            .get(from..to)
            .is_some_and(|digits| digits.iter().all(u8::is_ascii_digit))
    };
    text.len() <= 40 && digits(0, 4) && digits(5, 7) && digits(8, 10)
}

/// A year of our time, or numbers with marks between them, in the digits of any script: worth reading.
pub(super) fn is_dated(text: &str) -> bool {
    let text = ascii_digits(text);
    let bytes = text.as_bytes();
    if !bytes.iter().any(u8::is_ascii_digit) {
        return false;
    }
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    (0..bytes.len()).filter(|at| digit(*at)).any(|at| {
        let year = matches!(bytes.get(at..at + 2), Some(b"19" | b"20"))
            && digit(at + 2)
            && digit(at + 3)
            && !digit(at + 4);
        let pair = matches!(bytes.get(at + 1), Some(b'.' | b'/')) && digit(at + 2);
        year && (at == 0 || !digit(at - 1)) || pair
    })
}
