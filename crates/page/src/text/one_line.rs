//! The visible text of a node on one line.

use std::borrow::Cow;

use html5ever::local_name;

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
            Edge::Close(node) => out.space |= breaks(node),
        }
    }
    out.text
}

/// The visible text on one line with a space between any two pieces of text, also where the page
/// has none.
pub fn spaced(root: Node<'_>) -> String {
    let mut out = OneLineText::default();
    let mut walk = root.descendants();
    while let Some(node) = walk.next() {
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

/// Text on one line, white space collapsed as it comes.
#[derive(Default)]
pub(super) struct OneLineText {
    pub(super) text: String,
    /// Whether a space is wanted before the next text.
    pub(super) space: bool,
}

impl OneLineText {
    /// Adds what a raised element is: nothing for the mark of a note.
    fn raised(&mut self, text: &str) {
        if !text.is_empty() {
            self.push(text);
        }
    }

    pub(super) fn push(&mut self, text: &str) {
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
