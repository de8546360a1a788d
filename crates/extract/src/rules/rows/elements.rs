//! The elements of an entry of a list.

use page::dom::Node;

use crate::rules::records::Record;
use crate::rules::visible_page::VisiblePage;

/// Most elements of one entry that are looked at.
pub(super) const MAX_ELEMENTS: usize = 600;

/// The elements of a record, in document order.
pub(super) fn elements<'p>(view: &VisiblePage<'p>, record: &Record) -> impl Iterator<Item = Node<'p>> {
    let dom = view.dom();
    record
        .roots
        .clone()
        .into_iter()
        .map(move |root| dom.node(root))
        .flat_map(|root| std::iter::once(root).chain(root.descendants()))
        .filter(|node| node.is_element())
        .take(MAX_ELEMENTS)
}
