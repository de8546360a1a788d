//! The text of headings.

use page::dom::Node;

use super::super::visible_page::{is_beside_title, squeeze};

/// Most parts of a heading that are left out of its words.
const MAX_ASIDE: usize = 8;

/// The text of a heading, without the buttons beside the words and the marks that documentation puts behind headings.
pub(super) fn heading_text(node: Node<'_>) -> String {
    let aside = node.descendants().filter(|inner| is_beside_title(*inner));
    let aside: Vec<Node<'_>> = aside.take(MAX_ASIDE).collect();
    let is_aside = |text: &Node<'_>| aside.iter().any(|part| text.is_inside(part.id()));
    let is_told = |inner: &Node<'_>| !inner.parent().is_some_and(Node::is_hidden_by_tag);
    let words = node
        .descendants()
        .filter(|inner| is_told(inner) && !is_aside(inner));
    let words: String = words.filter_map(Node::text_value).collect();
    let text = if aside.is_empty() || words.trim().is_empty() {
        node.text()
    } else {
        words
    };
    squeeze(text.trim_end_matches(['¶', '#', '§', '🔗', ' ', '\u{f0c1}']))
}
