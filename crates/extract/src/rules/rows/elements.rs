//! The nodes and the elements of an entry of a list.

use page::dom::{Node, NodeId};

use crate::rules::records::Record;
use crate::rules::visible_page::VisiblePage;

/// Most elements of one entry that are looked at.
pub(super) const MAX_ELEMENTS: usize = 600;

/// The nodes of an entry that is these elements and what they hold, in document order.
pub(super) fn nodes<'p>(view: &VisiblePage<'p>, roots: &[NodeId]) -> impl Iterator<Item = Node<'p>> {
    let dom = view.dom();
    let roots = roots.iter().map(move |root| dom.node(*root));
    roots.flat_map(|root| std::iter::once(root).chain(root.descendants()))
}

/// The elements of a record, in document order.
pub(super) fn elements<'p>(view: &VisiblePage<'p>, record: &Record) -> impl Iterator<Item = Node<'p>> {
    nodes(view, &record.roots)
        .filter(|node| node.is_element())
        .take(MAX_ELEMENTS)
}
