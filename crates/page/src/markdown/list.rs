//! Lists and the markers of their items.

use crate::dom::Node;
use crate::tag;
use html5ever::local_name;

/// A list that is open.
pub(super) struct OpenList {
    /// The number of the next item; none of a list with bullets.
    next: Option<i64>,
    /// Whether its items are numbered downwards.
    reversed: bool,
    /// Whether its markers are the other ones: `*` in place of `-`, `1)` in place of `1.`. That parts it from a list right before.
    other: bool,
    /// Whether its items are paragraphs, with an empty line between them.
    pub(super) loose: bool,
    /// Whether an item of it has been written.
    pub(super) has_text: bool,
}

impl OpenList {
    /// The list an element opens right after another list, if any.
    pub(super) fn after(node: Node<'_>, before: Option<OpenList>) -> OpenList {
        let reversed = node.attr("reversed").is_some();
        let next = (*node.local() == local_name!("ol")).then(|| {
            let start = node.attr("start").and_then(|start| start.trim().parse().ok());
            start
                .filter(|start| (0..1_000_000_000).contains(start))
                .unwrap_or_else(|| {
                    if reversed {
                        items_of(node).count() as i64
                    } else {
                        1
                    }
                })
        });
        let other = before.is_some_and(|list| list.next.is_some() == next.is_some() && !list.other);
        OpenList {
            next,
            reversed,
            other,
            loose: is_loose(node),
            has_text: false,
        }
    }

    /// Whether the list can go on a line right below a paragraph: one that begins with another number
    /// than 1 would be read as more of the paragraph.
    pub(super) fn can_follow_text(&self) -> bool {
        self.next.is_none_or(|next| next == 1)
    }

    /// The marker of the next item, which counts whether or not it has text.
    pub(super) fn marker(&mut self, item: Node<'_>) -> String {
        let Some(next) = &mut self.next else {
            return if self.other { "* " } else { "- " }.to_owned();
        };
        let own = item.attr("value").and_then(|value| value.trim().parse().ok());
        let number = own
            .filter(|own| (0..1_000_000_000).contains(own))
            .unwrap_or(*next);
        *next = if self.reversed {
            (number - 1).max(0)
        } else {
            number + 1
        };
        format!("{number}{} ", if self.other { ')' } else { '.' })
    }
}

fn items_of(list: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    list.children()
        .filter(|child| *child.local() == local_name!("li"))
}

/// How many items of a list are asked whether they are paragraphs.
const LOOSE_SAMPLE: usize = 32;

/// Whether the items of a list, two or more, begin with a paragraph.
fn is_loose(list: Node<'_>) -> bool {
    let mut paragraphs = 0;
    let all = items_of(list)
        .take(LOOSE_SAMPLE)
        .all(|item| match item.children().find(has_content) {
            Some(first) if *first.local() == local_name!("p") => {
                paragraphs += 1;
                true
            }
            Some(first) => tag::is_list(first.local()),
            None => true,
        });
    all && paragraphs > 1
}

/// Whether the words of an item stand in it directly, not in paragraphs.
pub(super) fn is_tight(item: Node<'_>) -> bool {
    let mut has_words = false;
    let has_paragraph = item.children().filter(has_content).any(|child| {
        has_words |= !child.is_block() && !child.is_hidden_by_tag();
        *child.local() == local_name!("p") || *child.local() == local_name!("div")
    });
    has_words && !has_paragraph
}

/// Whether an item has nothing in it and another item follows that has.
pub(super) fn is_empty(item: Node<'_>) -> bool {
    let has_next = || {
        let next = item.siblings_after().find(|sibling| sibling.is("li"));
        next.is_some_and(|next| next.children().any(|child| has_content(&child)))
    };
    !item.children().any(|child| has_content(&child)) && has_next()
}

/// Whether a node is an element or has words.
pub(super) fn has_content(node: &Node<'_>) -> bool {
    match node.text_value() {
        Some(text) => !text.trim().is_empty(),
        None => node.is_element(),
    }
}

/// Whether a list lies directly in a list.
pub(super) fn is_in_list(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| tag::is_list(parent.local()))
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
