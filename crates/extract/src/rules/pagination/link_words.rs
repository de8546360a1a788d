//! Words and signs that mean "next page" and "previous page", in the languages of the web.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::super::word_lists::{phrases, sections};

/// Where a link leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// To the following page.
    Next,
    /// To the page before.
    Prev,
}

/// What the words of a link say about its direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LinkMeaning {
    /// The direction.
    pub(super) direction: Direction,
    /// 3: words for nothing else ("next page"); 2: usual words and arrows; 1: only within a row of page links.
    pub(super) clarity: u8,
    /// It speaks of age ("older posts"), not of order.
    pub(super) by_age: bool,
}

/// What each whole text of a link means. The list is parted by [`Direction`] and clarity; of a word in two sections the
/// first counts.
static MEANINGS: LazyLock<HashMap<&'static str, LinkMeaning>> = LazyLock::new(|| {
    let mut meanings = HashMap::new();
    for (section, lines) in sections(include_str!("link_words.txt")) {
        let (direction, clarity, by_age) = match section {
            "next" => (Direction::Next, 3, false),
            "previous" => (Direction::Prev, 3, false),
            "newer" => (Direction::Next, 3, true),
            "older" => (Direction::Prev, 3, true),
            "next in pager" => (Direction::Next, 1, false),
            _ => (Direction::Prev, 1, false),
        };
        for phrase in phrases(&lines) {
            meanings.entry(phrase).or_insert(LinkMeaning {
                direction,
                clarity,
                by_age,
            });
        }
    }
    meanings
});

/// Reads what a link says: its text, title, label or the description of its image.
pub(super) fn meaning(text: &str) -> Option<LinkMeaning> {
    if text.len() > 120 {
        return None;
    }
    let lower = text.to_lowercase();
    let plain: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || is_mark(c)))
        .filter(|it| !it.is_empty())
        .collect();
    let plain = plain.join(" ");
    let in_order = |direction, clarity| LinkMeaning {
        direction,
        clarity,
        by_age: false,
    };
    if plain.is_empty() {
        return arrow(text.trim()).map(|direction| in_order(direction, 2));
    }
    MEANINGS.get(plain.as_str()).copied().or_else(|| {
        let clarity = if plain.split(' ').count() <= 4 { 2 } else { 1 };
        opening(&plain).map(|direction| in_order(direction, clarity))
    })
}

/// Combining marks belong to the letter before them.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{e7f}')
}

/// Longer texts that begin or end with a word for the direction: `next 20 results`, `page 3, next`.
fn opening(plain: &str) -> Option<Direction> {
    match plain.split(' ').next()? {
        "next" | "nächste" | "suivant" | "suivante" | "siguiente" | "volgende" | "следующая" | "następna"
        | "próxima" => Some(Direction::Next),
        "prev"
        | "previous"
        | "vorherige"
        | "précédent"
        | "précédente"
        | "anterior"
        | "vorige"
        | "предыдущая"
        | "poprzednia" => Some(Direction::Prev),
        _ => None,
    }
}

/// A text of nothing but an arrow. Double arrows that jump to an end are distinguished from single ones by their neighbours, elsewhere.
fn arrow(text: &str) -> Option<Direction> {
    if text.is_empty() || text.chars().count() > 4 {
        return None;
    }
    let all = |signs: &str| text.chars().all(|c| c.is_whitespace() || signs.contains(c));
    if all("»›>→▶►⟩❯⇒▸") {
        Some(Direction::Next)
    } else if all("«‹<←◀◄⟨❮⇐◂") {
        Some(Direction::Prev)
    } else {
        None
    }
}
