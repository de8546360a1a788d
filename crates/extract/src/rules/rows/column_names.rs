//! The names of the columns of a table by their headings.

use page::dom::Node;

/// Rows of a table among which its headings are.
pub(super) const HEAD_ROWS: usize = 8;
/// Most characters of a heading that stands for a longer one.
const ABBREVIATED: usize = 4;

/// The text of the heading of a column; of "Pts" or "GD" the words that the page gives for it.
pub(super) fn name_of_column(heading: Node<'_>) -> String {
    let text = heading.text();
    let shown = text.trim();
    let marked = || heading.descendants().find(|node| node.is("abbr"))?.attr("title");
    // What a title says of a heading may as well be what happens where one presses it.
    let titled = || heading.attr("title").filter(|words| begins_words(shown, words));
    let in_full = marked().or_else(|| heading.attr("abbr")).or_else(titled);
    match in_full.map(str::trim) {
        Some(words) if shown.chars().count() <= ABBREVIATED && words.len() > shown.len() => words.to_owned(),
        _ => text,
    }
}

/// Whether a text is made of letters of some words in their order, from the first one on: "GD" of "Goal difference".
fn begins_words(short: &str, words: &str) -> bool {
    let words = words.trim().to_lowercase();
    // "Sort by size" says what happens to sizes.
    let is_said = words.split(' ').any(|word| word == short.to_lowercase());
    let mut letters = words.chars();
    let is_first = short.to_lowercase().chars().next() == words.chars().next();
    let mut own = short
        .chars()
        .flat_map(char::to_lowercase)
        .filter(|c| c.is_alphanumeric());
    is_first && !is_said && own.all(|letter| letters.any(|other| other == letter))
}
