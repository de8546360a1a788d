//! The visible text of a node on one line.

use std::borrow::Cow;

use html5ever::local_name;
use locale::price::{self, PriceHints};

use crate::dom::{Edge, Node};
use crate::raised;
use crate::tag;

/// The visible text on one line: white space collapsed, blocks separated by one space.
///
/// The node itself may be one that is not shown (the text of `<title>` is its text).
pub fn one_line(root: Node<'_>) -> String {
    let mut out = OneLineText::default();
    if let Some(text) = root.text_value() {
        out.push(text);
        return out.text;
    }
    let mut walk = root.traverse();
    while let Some(edge) = walk.next() {
        match edge {
            Edge::Open(node) => {
                out.is_struck_edge |= is_struck(node);
                if let Some(text) = node.text_value() {
                    out.push(text);
                } else if node != root && node.is_hidden_by_tag() {
                    walk.leave_out();
                } else if let Some(raised) = raised_within(root, node) {
                    out.raised(&raised);
                    walk.leave_out();
                } else if breaks(node) {
                    out.space = true;
                }
            }
            Edge::Close(node) => {
                out.space |= breaks(node);
                out.is_struck_edge |= is_struck(node);
            }
        }
    }
    out.text
}

/// The visible text on one line with a space between any two pieces of text, also where the page
/// has none.
pub fn spaced(root: Node<'_>) -> String {
    let mut out = OneLineText::default();
    let mut walk = root.descendants();
    let mut struck_end = None;
    while let Some(node) = walk.next() {
        if struck_end.is_some_and(|end| node.id() >= end) {
            (struck_end, out.is_struck_edge) = (None, true);
        }
        if is_struck(node) {
            (struck_end, out.is_struck_edge) = (Some(node.end()), true);
        }
        if let Some(text) = node.text_value() {
            out.push(text);
            out.space = true;
        } else if node.is_hidden_by_tag() {
            walk.leave_out(node);
        } else if let Some(raised) = raised_within(root, node) {
            // Cents and powers are part of the number before.
            out.space &= raised.is_empty();
            out.raised(&raised);
            out.space = true;
            walk.leave_out(node);
        }
    }
    out.text
}

/// What a raised element within a node is on one line, where its text does not stand as it is.
fn raised_within(root: Node<'_>, node: Node<'_>) -> Option<String> {
    (node != root && *node.local() == local_name!("sup"))
        .then(|| raised::in_line(node))
        .flatten()
}

/// Whether an element begins and ends a line.
pub(super) fn breaks(node: Node<'_>) -> bool {
    node.is_element() && (tag::is_block(node.local()) || *node.local() == local_name!("br"))
}

/// Whether an element strikes its text through, as an earlier price is.
pub(super) fn is_struck(node: Node<'_>) -> bool {
    matches!(
        *node.local(),
        local_name!("del") | local_name!("s") | local_name!("strike")
    )
}

/// What stands between a text that is struck through and the one beside it, where a blank would make one number of two: "70 | 55 €".
pub(super) const STRUCK_MARK: &str = " |";
/// Most characters of an amount beside the edge of a text that is struck through.
const AMOUNT: usize = 16;

/// How two texts stand beside each other of which one is struck through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StruckEdge {
    /// As they are written.
    Plain,
    /// Two amounts, each with its currency: a blank keeps them apart.
    Blank,
    /// Two numbers that would be read as one: see [`STRUCK_MARK`].
    Mark,
}

impl StruckEdge {
    pub(super) fn between(before: &str, behind: &str) -> StruckEdge {
        let behind = behind.trim_start();
        let is_near = is_amount(before.split_whitespace().rev()) && is_amount(behind.split_whitespace());
        if !is_near {
            return StruckEdge::Plain;
        }
        let tail = before.char_indices().rev().take(AMOUNT).last();
        let tail = tail.and_then(|(at, _)| before.get(at..)).unwrap_or_default();
        let head: String = behind.chars().take(AMOUNT).collect();
        let is_priced = |text: &str| !price::find_all(text, &PriceHints::default()).is_empty();
        match is_priced(tail) && is_priced(&head) {
            true => StruckEdge::Blank,
            false => StruckEdge::Mark,
        }
    }
}

/// Whether the words away from an edge begin with an amount: a word with a digit, or a currency and one.
fn is_amount<'w>(mut words: impl Iterator<Item = &'w str>) -> bool {
    let has_digit = |word: &str| word.contains(char::is_numeric);
    words.next().is_some_and(|word| {
        has_digit(word) || (price::iso(word, None).is_some() && words.next().is_some_and(has_digit))
    })
}

/// Text on one line, white space collapsed as it comes.
#[derive(Default)]
pub(super) struct OneLineText {
    pub(super) text: String,
    /// Whether a space is wanted before the next text.
    pub(super) space: bool,
    /// Whether a text that is struck through begins or ends before the next text.
    pub(super) is_struck_edge: bool,
}

impl OneLineText {
    /// Adds what a raised element is: nothing for the mark of a note.
    fn raised(&mut self, text: &str) {
        if !text.is_empty() {
            self.push(text);
        }
    }

    pub(super) fn push(&mut self, text: &str) {
        if self.is_struck_edge && !text.chars().all(is_space) {
            self.is_struck_edge = false;
            match StruckEdge::between(&self.text, text) {
                StruckEdge::Plain => {}
                StruckEdge::Blank => self.space = true,
                StruckEdge::Mark => {
                    self.text.push_str(STRUCK_MARK);
                    self.space = true;
                }
            }
        }
        collapse(&mut self.text, &mut self.space, text, |out| out.is_empty());
    }
}

/// Adds text with white space collapsed; `at_start` says whether a space would be the first thing.
pub(super) fn collapse(out: &mut String, space: &mut bool, text: &str, at_start: impl Fn(&str) -> bool) {
    let text = without_break_marks(text);
    let mut words = text.split(is_space).peekable();
    while let Some(word) = words.next() {
        if !word.is_empty() {
            if *space && !at_start(out) {
                out.push(' ');
            }
            *space = false;
            out.push_str(word);
        }
        *space |= words.peek().is_some();
    }
}

/// Characters that say where a line or a word may be broken, and are no part of the text: the soft hyphen, the space of no width,
/// and the mark of byte order that stands for it in old texts.
const BREAK_MARKS: [char; 3] = ['\u{ad}', '\u{200b}', '\u{feff}'];

/// A text without the characters that only say where it may be broken.
pub fn without_break_marks(text: &str) -> Cow<'_, str> {
    if !text.is_ascii() && text.contains(BREAK_MARKS) {
        Cow::Owned(text.replace(BREAK_MARKS, ""))
    } else {
        Cow::Borrowed(text)
    }
}

/// What CSS collapses, the no-break space that pages use to pad, and what some programs read as the
/// end of a line.
pub(super) fn is_space(c: char) -> bool {
    c <= ' ' || matches!(c, '\u{85}' | '\u{a0}' | '\u{2028}' | '\u{2029}')
}
