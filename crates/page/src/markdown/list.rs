//! Lists and the markers of their items.

use crate::dom::Node;
use crate::tag;
use html5ever::local_name;

/// A list that is open.
pub(super) enum OpenList {
    Bullets,
    /// The number of the next item.
    Numbers(i64),
}

impl OpenList {
    /// The list an element opens.
    pub(super) fn of(node: Node<'_>) -> OpenList {
        if *node.local() != local_name!("ol") {
            return OpenList::Bullets;
        }
        let start = node.attr("start").and_then(|start| start.trim().parse().ok());
        OpenList::Numbers(
            start
                .filter(|start| (0..1_000_000_000).contains(start))
                .unwrap_or(1),
        )
    }

    /// The marker of the next item, which counts whether or not it has text.
    pub(super) fn marker(&mut self, item: Node<'_>) -> String {
        match self {
            OpenList::Bullets => "- ".to_owned(),
            OpenList::Numbers(next) => {
                let own = item.attr("value").and_then(|value| value.trim().parse().ok());
                let number = own
                    .filter(|own| (0..1_000_000_000).contains(own))
                    .unwrap_or(*next);
                *next = number + 1;
                format!("{number}. ")
            }
        }
    }
}

/// Whether a list lies directly in a list or an item of one.
pub(super) fn is_nested(node: Node<'_>) -> bool {
    let list = |node: Node<'_>| {
        matches!(
            *node.local(),
            local_name!("li") | local_name!("ul") | local_name!("ol") | local_name!("menu")
        )
    };
    node.parent().is_some_and(list)
}

/// How far a list directly in a list is indented: under the words of the item before it, if there
/// is one.
pub(super) fn indent(node: Node<'_>) -> usize {
    let Some(outer) = node.parent().filter(|parent| tag::is_list(parent.local())) else {
        return 0;
    };
    let mut before = node.siblings_before();
    // What stands directly before decides; a list of thousands of lists is not searched for more.
    if !before
        .by_ref()
        .take(16)
        .any(|sibling| *sibling.local() == local_name!("li"))
    {
        return 0;
    }
    if *outer.local() == local_name!("ol") { 3 } else { 2 }
}
