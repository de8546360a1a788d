//! What pictures say in cells that have no text: a check mark that is called "Yes".

use crate::dom::Node;

/// Longest name of a picture that is read as the text of its cell, in characters.
const LONGEST_NAME: usize = 60;
/// How many elements are looked at for one that is pressed: a picture, and those around it.
const CONTROL_REACH: usize = 4;
/// Parts of the class names and addresses of pictures that are signs, and no photos.
const SIGNS: [&str; 8] = [
    "icon", "check", "tick", "cross", "flag", ".svg", "badge", "symbol",
];
/// Answers to whether something is so, as pictures are called.
const ANSWERS: [&str; 19] = [
    "yes",
    "no",
    "ja",
    "nein",
    "tak",
    "nie",
    "true",
    "false",
    "included",
    "not included",
    "available",
    "not available",
    "unavailable",
    "enthalten",
    "nicht enthalten",
    "vorhanden",
    "nicht vorhanden",
    "✓",
    "✗",
];

/// What the pictures of a cell are called, where the cell has no text of its own: a light that is labelled "Waiting list", an image with
/// the alternative text "Yes". `None` where it has a text, or its pictures have no name, or one presses them.
pub fn said_by_pictures(cell: Node<'_>) -> Option<String> {
    if cell.text().contains(char::is_alphanumeric) {
        return None;
    }
    let mut pictures = cell.descendants().filter(|node| !is_within_control(*node));
    let name = locale::collapse_whitespace(pictures.find_map(name_of)?);
    (name.chars().count() <= LONGEST_NAME).then_some(name)
}

/// The name that a picture has for those who cannot see it.
fn name_of(node: Node<'_>) -> Option<&str> {
    let is_sign = matches!(node.tag(), "svg" | "i" | "span" | "abbr") || node.attr("role") == Some("img");
    let title = || node.attr("title").filter(|_| is_sign);
    let alternative = || {
        node.attr("alt")
            .filter(|alt| node.is("img") && is_read(node, alt))
    };
    let name = node
        .attr("aria-label")
        .or_else(title)
        .or_else(alternative)?
        .trim();
    (!name.is_empty()).then_some(name)
}

/// Whether the alternative text of an image says what its cell does: that of a sign, or an answer. That of a photo says what is on it.
fn is_read(image: Node<'_>, alternative: &str) -> bool {
    if is_answer(alternative) {
        return true;
    }
    let names = ["class", "src", "data-src"]
        .into_iter()
        .filter_map(|name| image.attr(name));
    let is_sign = |name: &str| {
        let lower = name.to_lowercase();
        SIGNS.iter().any(|sign| lower.contains(sign))
    };
    names.into_iter().any(is_sign)
}

/// Whether a text answers whether something is so, and says nothing else.
fn is_answer(text: &str) -> bool {
    ANSWERS.contains(&text.trim().to_lowercase().as_str())
}

/// The answer that a picture of a cell without text stands for: a check mark that is called "Yes". What other pictures are called is
/// no text of a table.
pub(super) fn answer_of_pictures(cell: Node<'_>) -> Option<String> {
    said_by_pictures(cell).filter(|name| is_answer(name))
}

/// Whether one presses an element, or one of the nearest around it.
pub fn is_within_control(node: Node<'_>) -> bool {
    let mut around = std::iter::once(node).chain(node.ancestors()).take(CONTROL_REACH);
    around.any(|node| {
        matches!(node.tag(), "a" | "button" | "input" | "select" | "label")
            || node.attr("role") == Some("button")
    })
}
