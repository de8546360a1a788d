//! The text of headings.

use page::dom::Node;

use super::super::visible_page::{is_beside_title, squeeze};

/// Most parts of a heading that are left out of its words.
const MAX_ASIDE: usize = 8;

/// Whether an element of a heading is the link to the section that the page belongs to, with a mark behind it: "Local News | ".
fn is_section_link(node: Node<'_>) -> bool {
    node.is("a") && node.text().trim_end().ends_with(['|', '›', '»']) && node.attr("href").is_some()
}

/// The text of a heading, without the links to its section, the buttons beside the words and the marks that documentation puts behind headings.
pub(super) fn heading_text(node: Node<'_>) -> String {
    let aside = node
        .descendants()
        .filter(|inner| is_beside_title(*inner) || is_section_link(*inner));
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
