//! Rows of icons that draw the stars of a rating.

use page::dom::Node;

/// The icons of a scale.
const SCALE: usize = 5;

/// Whether a row of five icons without words stands right before an element, as the stars of a rating do.
pub(super) fn is_behind_icons(node: Node<'_>) -> bool {
    let is_icon = |icon: Node<'_>| {
        let is_drawn = |inner: Node<'_>| matches!(inner.tag(), "svg" | "i" | "img");
        icon.text().is_empty() && (is_drawn(icon) || icon.descendants().take(16).any(is_drawn))
    };
    let is_row = |row: Node<'_>| {
        let mut icons = row.children().filter(|child| child.is_element());
        icons.clone().take(SCALE + 1).count() == SCALE && icons.all(is_icon)
    };
    std::iter::once(node)
        .chain(node.ancestors().take(2))
        .filter_map(|outer| outer.siblings_before().find(|sibling| sibling.is_element()))
        .any(is_row)
}
