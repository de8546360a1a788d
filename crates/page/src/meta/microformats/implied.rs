//! Properties that an item states by its form alone. <https://microformats.org/wiki/microformats2-parsing#parsing_for_implied_properties>

use serde_json::{Value, json};

use super::classes::is_item;
use super::values::{address, photo, plain};
use crate::dom::Node;
use crate::page::Page;

/// The element's own text, or that of the one image or abbreviation it consists of.
pub(super) fn name(page: &Page, node: Node<'_>) -> String {
    let alternative = |node: Node<'_>| match node.tag() {
        "img" | "area" => node.attr("alt").map(str::to_owned),
        "abbr" => node.attr("title").map(str::to_owned),
        _ => None,
    };
    let inner = |node: Node<'_>| {
        only_child(node)
            .and_then(alternative)
            .filter(|name| !name.is_empty())
    };
    alternative(node)
        .or_else(|| inner(node))
        .or_else(|| only_child(node).and_then(inner))
        .unwrap_or_else(|| plain(page, node))
}

/// The one image or object of an item.
pub(super) fn image(page: &Page, node: Node<'_>) -> Option<Value> {
    let image = |node: Node<'_>| node.attr("src").map(|_| photo(page, node));
    let object = |node: Node<'_>| Some(json!(address(page, node.attr("data")?)));
    found(node, "img", image).or_else(|| found(node, "object", object))
}

/// The one link of an item.
pub(super) fn link(page: &Page, node: Node<'_>) -> Option<Value> {
    let link = |node: Node<'_>| Some(json!(address(page, node.attr("href")?)));
    found(node, "a", link).or_else(|| found(node, "area", link))
}

/// What the element of a tag says: the item itself, its one child of that tag, or the one child of its only child.
fn found(node: Node<'_>, tag: &str, read: impl Fn(Node<'_>) -> Option<Value>) -> Option<Value> {
    if node.is(tag) {
        return read(node);
    }
    let inner = |node: Node<'_>| {
        let mut found = node.children().filter(|child| child.is(tag));
        let first = found.next()?;
        (found.next().is_none() && !is_item(first))
            .then(|| read(first))
            .flatten()
    };
    inner(node).or_else(|| only_child(node).and_then(inner))
}

/// The only child element, unless it is an item of its own.
fn only_child(node: Node<'_>) -> Option<Node<'_>> {
    let mut elements = node.children().filter(|child| child.is_element());
    let first = elements.next()?;
    (elements.next().is_none() && !is_item(first)).then_some(first)
}
