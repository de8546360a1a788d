//! Values of properties.

use serde_json::{Value, json};

use super::classes::{PropertyKind, is_item};
use super::moments;
use crate::dom::{Edge, Node, NodeSet};
use crate::meta::inner_markup::inner_markup;
use crate::meta::references::absolute;
use crate::page::Page;
use crate::text;

/// The most pieces a value is put together from.
const MAX_PIECES: usize = 20;

/// The value of a property. `known_date` is the day of an earlier moment of the item.
pub(super) fn value(page: &Page, node: Node<'_>, kind: PropertyKind, known_date: Option<&str>) -> Value {
    match kind {
        PropertyKind::Text => json!(text_value(page, node)),
        PropertyKind::Link => link_value(page, node),
        PropertyKind::Time => json!(time_value(page, node, known_date)),
        PropertyKind::Markup => json!({"value": plain(page, node), "html": inner_html(node)}),
    }
}

fn attribute(node: Node<'_>, tags: &[(&[&str], &str)]) -> Option<String> {
    let fitting = tags.iter().filter(|(names, _)| names.contains(&node.tag()));
    fitting
        .filter_map(|(_, name)| node.attr(name))
        .next()
        .map(str::to_owned)
}

fn text_value(page: &Page, node: Node<'_>) -> String {
    let pieces = pieces(page, node);
    if !pieces.is_empty() {
        return pieces.concat();
    }
    attribute(
        node,
        &[
            (&["abbr", "link"], "title"),
            (&["data", "input"], "value"),
            (&["img", "area"], "alt"),
        ],
    )
    .unwrap_or_else(|| plain(page, node))
}

fn link_value(page: &Page, node: Node<'_>) -> Value {
    if node.is("img") && node.attr("src").is_some() {
        return photo(page, node);
    }
    let link = attribute(
        node,
        &[
            (&["a", "area", "link"], "href"),
            (&["audio", "video", "source", "iframe"], "src"),
            (&["video"], "poster"),
            (&["object"], "data"),
        ],
    );
    if let Some(link) = link {
        return json!(address(page, &link));
    }
    let pieces = pieces(page, node);
    let written = if pieces.is_empty() {
        attribute(node, &[(&["abbr"], "title"), (&["data", "input"], "value")])
            .unwrap_or_else(|| plain(page, node))
    } else {
        pieces.concat()
    };
    json!(address(page, &written))
}

fn time_value(page: &Page, node: Node<'_>, known_date: Option<&str>) -> String {
    let pieces = pieces(page, node);
    if !pieces.is_empty() {
        return moments::join(&pieces, known_date);
    }
    let written = attribute(
        node,
        &[
            (&["time", "ins", "del"], "datetime"),
            (&["abbr"], "title"),
            (&["data", "input"], "value"),
        ],
    );
    written.unwrap_or_else(|| plain(page, node)).trim().to_owned()
}

/// The pieces of a value by the value class pattern. <https://microformats.org/wiki/value-class-pattern>
fn pieces(page: &Page, node: Node<'_>) -> Vec<String> {
    let mut out = Vec::new();
    let mut inside: Option<Node<'_>> = None;
    for edge in node.traverse() {
        match edge {
            Edge::Close(closed) => {
                if inside == Some(closed) {
                    inside = None;
                }
            }
            Edge::Open(child) if inside.is_none() && child != node && child.is_element() => {
                let is_value = child.classes().any(|class| class == "value");
                let is_title = child.classes().any(|class| class == "value-title");
                if is_title {
                    out.push(child.attr("title").unwrap_or("").to_owned());
                } else if is_value {
                    let written = attribute(
                        child,
                        &[
                            (&["img", "area"], "alt"),
                            (&["data"], "value"),
                            (&["abbr"], "title"),
                            (&["time", "ins", "del"], "datetime"),
                        ],
                    );
                    out.push(written.unwrap_or_else(|| plain(page, child)));
                }
                if is_value || is_title || is_item(child) {
                    inside = Some(child);
                }
                if out.len() >= MAX_PIECES {
                    break;
                }
            }
            Edge::Open(_) => {}
        }
    }
    out
}

/// An absolute address; an empty one is the page's.
pub(super) fn address(page: &Page, link: &str) -> String {
    match page.base().filter(|_| link.trim().is_empty()) {
        Some(base) => base.to_string(),
        None => absolute(page, link),
    }
}

/// An image: its address, with its text when it has some.
pub(super) fn photo(page: &Page, node: Node<'_>) -> Value {
    let source = address(page, node.attr("src").unwrap_or(""));
    match node.attr("alt") {
        Some(alt) => json!({"value": source, "alt": alt}),
        None => json!(source),
    }
}

/// The text of an element; the one image that it consists of is its text.
pub(super) fn plain(page: &Page, node: Node<'_>) -> String {
    let text = text::render(node, &NodeSet::new(page.dom())).trim().to_owned();
    if !text.is_empty() {
        return text;
    }
    let images = node.descendants().filter(|inner| inner.is("img"));
    let texts = images.filter_map(|image| image.attr("alt").map(str::trim));
    texts.collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// The content of an element as HTML.
fn inner_html(node: Node<'_>) -> String {
    inner_markup(node).trim().to_owned()
}
