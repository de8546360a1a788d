//! Elements that call themselves products and show a price: found also where there is only one.

use page::dom::{Node, NodeId};

use super::money::has_amount;
use crate::rules::visible_page::VisiblePage;

/// Most elements that are tested.
const MAX_CARDS: usize = 5_000;
/// Most nodes of one card.
const MAX_NODES: usize = 400;

/// The innermost elements that are named as one product or offer, in document order, none inside another.
pub(super) fn find(view: &VisiblePage<'_>) -> Vec<NodeId> {
    let mut found: Vec<NodeId> = Vec::new();
    let cards: Vec<Node<'_>> = view.dom().nodes().filter(is_card).take(MAX_CARDS).collect();
    // From the end of the page upwards, an element that holds a card already is its list.
    for card in cards.into_iter().rev() {
        let holds = found.last().is_some_and(|inner| *inner < card.end());
        if !holds && card.end().index() - card.id().index() <= MAX_NODES && is_offer(view, card) {
            found.push(card.id());
        }
    }
    found.reverse();
    found
}

/// Whether it has a link, and an amount of money outside of it or in it.
fn is_offer(view: &VisiblePage<'_>, card: Node<'_>) -> bool {
    let linked = card
        .descendants()
        .any(|node| node.is("a") && node.attr("href").is_some());
    linked && has_amount(view, card)
}

fn is_card(node: &Node<'_>) -> bool {
    const NAMES: &[&str] = &["product", "offer", "card", "tile", "item"];
    #[rustfmt::skip]
    const PARTS: &[&str] = &[
        "products", "list", "grid", "row", "title", "name", "price", "image", "link", "info", "body", "items", "cards",
    ];
    if !matches!(node.tag(), "li" | "div" | "article" | "section" | "tr" | "td") {
        return false;
    }
    let has_id = ["data-product-id", "data-pid", "data-asin"]
        .into_iter()
        .any(|name| node.attr(name).is_some_and(|id| !id.is_empty()));
    has_id
        || node.classes().any(|class| {
            let parts: Vec<String> = class
                .split(|c: char| !c.is_ascii_alphabetic())
                .map(str::to_ascii_lowercase)
                .collect();
            let has = |words: &[&str]| parts.iter().any(|part| words.contains(&part.as_str()));
            has(NAMES) && !has(PARTS)
        })
}
