//! Elements of a page as the sources of values.

use page::dom::Node;

use crate::provenance::FieldSource;

/// An element as the source of a value.
pub(crate) fn element_source(node: Node<'_>) -> FieldSource {
    FieldSource::selector(describe(node))
}

/// A short description of an element for provenance.
pub(crate) fn describe(node: Node<'_>) -> String {
    let mut css = node.tag().to_owned();
    if !node.id_attr().is_empty() {
        css.push('#');
        css.push_str(node.id_attr());
    } else if let Some(class) = node.classes().next() {
        css.push('.');
        css.push_str(class);
    }
    css
}
