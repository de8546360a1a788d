//! Comment sections: what readers wrote below a page states nothing of the page.

use page::dom::Node;

use super::class_flags;
use super::visible_page::VisiblePage;
use super::vocabulary;

/// Whether an element stands in a section of comments, by the class names around it. What holds the heading of the page is none.
pub(super) fn is_in_comments(view: &VisiblePage<'_>, node: Node<'_>) -> bool {
    let heading = view.heading.as_ref().map(|heading| heading.node);
    let holds_heading = |above: Node<'_>| {
        heading.is_some_and(|heading| above.id() <= heading && heading < above.end())
            || matches!(above.tag(), "body" | "main" | "html")
    };
    let mut around = std::iter::once(node).chain(node.ancestors());
    around.any(|above| view.class_flags.has(above, class_flags::COMMENTS) && !holds_heading(above))
}

/// Whether the class names or the id of an element call it one of comments.
pub(super) fn is_called_comments(node: Node<'_>) -> bool {
    let bits = vocabulary::class_bits(node.class()) | vocabulary::class_bits(node.id_attr());
    bits & vocabulary::class_bit("comment") != 0
}
