//! Microformats, version 2. <https://microformats.org/wiki/microformats2-parsing>
//!
//! Items and properties are marked by classes such as `h-entry` and `p-name`.

use serde_json::{Map, Value, json};

use super::inner_markup::inner_markup;
use super::references::absolute;
use crate::dom::{Edge, Node, NodeSet};
use crate::page::Page;
use crate::text;

/// The deepest nesting of items; what lies deeper belongs to the one above.
const MAX_DEPTH: usize = 20;
/// The most items that are read.
const MAX_ITEMS: usize = 5_000;

/// Every item that is not inside another one: `{"type": [class], "properties": {name: [value]}, "children": [item]}`.
pub fn microformats(page: &Page) -> Vec<Value> {
    let mut out = Vec::new();
    let mut stack: Vec<MicroformatItem<'_>> = Vec::new();
    let mut count = 0;
    for edge in page.dom().root().traverse() {
        match edge {
            Edge::Open(node) if node.is_element() && node.class().contains('-') => {
                let types: Vec<&str> = node.classes().filter(is_root).collect();
                let is_item = !types.is_empty() && stack.len() < MAX_DEPTH && count < MAX_ITEMS;
                if !is_item {
                    if let Some(item) = stack.last_mut() {
                        properties(page, node, item);
                    }
                    continue;
                }
                count += 1;
                stack.push(MicroformatItem::new(node, types));
            }
            Edge::Open(_) => {}
            Edge::Close(node) => {
                if stack.last().is_none_or(|item| item.node != node) {
                    continue;
                }
                let Some(item) = stack.pop() else { continue };
                match stack.last_mut() {
                    None => out.push(item.finish(page)),
                    Some(outer) => nest(page, outer, item),
                }
            }
        }
    }
    out
}

/// An item being read.
struct MicroformatItem<'a> {
    node: Node<'a>,
    types: Vec<&'a str>,
    properties: Map<String, Value>,
    children: Vec<Value>,
    /// Whether a `p-`, `e-` or nested item was found: then no name is implied.
    has_text: bool,
    has_url: bool,
}

impl<'a> MicroformatItem<'a> {
    fn new(node: Node<'a>, mut types: Vec<&'a str>) -> MicroformatItem<'a> {
        types.sort_unstable();
        types.dedup();
        MicroformatItem {
            node,
            types,
            properties: Map::new(),
            children: Vec::new(),
            has_text: false,
            has_url: false,
        }
    }

    fn add(&mut self, name: &str, value: Value) {
        match self.properties.get_mut(name) {
            Some(Value::Array(list)) => list.push(value),
            Some(_) | None => {
                self.properties.insert(name.to_owned(), json!([value]));
            }
        }
    }

    fn finish(mut self, page: &Page) -> Value {
        if !self.has_text && self.children.is_empty() && !self.properties.contains_key("name") {
            self.add("name", json!(implied_name(self.node)));
        }
        let images = !self.properties.contains_key("photo") && !self.has_url && self.children.is_empty();
        if let Some(image) = only_inside(self.node, "img").filter(|_| images)
            && image.attr("src").is_some()
        {
            self.add("photo", photo(page, image));
        }
        if !self.properties.contains_key("url")
            && !self.has_url
            && self.children.is_empty()
            && let Some(link) = only_inside(self.node, "a")
            && let Some(href) = link.attr("href")
        {
            self.add("url", json!(absolute(page, href)));
        }
        let mut out = Map::new();
        out.insert("type".to_owned(), json!(self.types));
        out.insert("properties".to_owned(), Value::Object(self.properties));
        if !self.children.is_empty() {
            out.insert("children".to_owned(), Value::Array(self.children));
        }
        Value::Object(out)
    }
}

/// Files a finished item as a property of the outer one, or among its children.
fn nest(page: &Page, outer: &mut MicroformatItem<'_>, item: MicroformatItem<'_>) {
    let node = item.node;
    let names: Vec<(PropertyKind, &str)> = node.classes().filter_map(property).collect();
    let mut value = item.finish(page);
    outer.has_text = true;
    if names.is_empty() {
        outer.children.push(value);
        return;
    }
    for (kind, name) in names {
        let name_value = value.pointer("/properties/name/0").cloned();
        let text = match kind {
            PropertyKind::Text => name_value.unwrap_or_else(|| plain(page, node)),
            PropertyKind::Link => value
                .pointer("/properties/url/0")
                .cloned()
                .unwrap_or_else(|| plain(page, node)),
            PropertyKind::Time | PropertyKind::Markup => plain(page, node),
        };
        if let Some(map) = value.as_object_mut() {
            map.insert("value".to_owned(), text);
        }
        outer.add(name, value.clone());
    }
}

/// How the value of a property is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PropertyKind {
    Text,
    Link,
    Time,
    Markup,
}

fn property(class: &str) -> Option<(PropertyKind, &str)> {
    let (prefix, name) = class.split_once('-')?;
    let kind = match prefix {
        "p" => PropertyKind::Text,
        "u" => PropertyKind::Link,
        "dt" => PropertyKind::Time,
        "e" => PropertyKind::Markup,
        _ => return None,
    };
    is_name(name).then_some((kind, name))
}

fn is_root(class: &&str) -> bool {
    class.strip_prefix("h-").is_some_and(is_name)
}

/// Lower-case words joined by `-`, with a vendor prefix that may hold digits.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && name.ends_with(|c: char| c.is_ascii_lowercase())
        && name.split('-').all(|part| !part.is_empty())
        && name
            .bytes()
            .all(|c| c.is_ascii_lowercase() || c == b'-' || c.is_ascii_digit())
}

fn properties(page: &Page, node: Node<'_>, item: &mut MicroformatItem<'_>) {
    for (kind, name) in node.classes().filter_map(property) {
        let attribute = |names: &[&str]| names.iter().find_map(|name| node.attr(name));
        let value = match kind {
            PropertyKind::Text => {
                item.has_text = true;
                let value = match node.tag() {
                    "abbr" | "link" => attribute(&["title"]),
                    "data" | "input" => attribute(&["value"]),
                    "img" | "area" => attribute(&["alt"]),
                    _ => None,
                };
                value.map_or_else(|| plain(page, node), |value| json!(value))
            }
            PropertyKind::Link => {
                item.has_url = true;
                match node.tag() {
                    "img" => photo(page, node),
                    "a" | "area" | "link" => json!(absolute(page, attribute(&["href"]).unwrap_or(""))),
                    "audio" | "source" | "iframe" | "video" => {
                        json!(absolute(page, attribute(&["src"]).unwrap_or("")))
                    }
                    "object" => json!(absolute(page, attribute(&["data"]).unwrap_or(""))),
                    "abbr" => attribute(&["title"]).map_or_else(|| plain(page, node), |title| json!(title)),
                    "data" | "input" => json!(attribute(&["value"]).unwrap_or("")),
                    _ => plain(page, node),
                }
            }
            PropertyKind::Time => {
                let value = match node.tag() {
                    "time" | "ins" | "del" => attribute(&["datetime"]),
                    "abbr" => attribute(&["title"]),
                    "data" | "input" => attribute(&["value"]),
                    _ => None,
                };
                value.map_or_else(|| plain(page, node), |value| json!(value))
            }
            PropertyKind::Markup => {
                item.has_text = true;
                json!({"value": plain(page, node), "html": inner_html(node)})
            }
        };
        item.add(name, value);
    }
}

fn plain(page: &Page, node: Node<'_>) -> Value {
    json!(text::render(node, &NodeSet::new(page.dom())).trim())
}

/// The content of an element as HTML.
fn inner_html(node: Node<'_>) -> String {
    inner_markup(node).trim().to_owned()
}

/// An image: its address, with its text when it has some.
fn photo(page: &Page, node: Node<'_>) -> Value {
    let source = absolute(page, node.attr("src").unwrap_or(""));
    match node.attr("alt") {
        Some(alt) => json!({"value": source, "alt": alt}),
        None => json!(source),
    }
}

/// The element's own text, or that of the one image or abbreviation it consists of.
fn implied_name(node: Node<'_>) -> String {
    let alternative = |node: Node<'_>| match node.tag() {
        "img" | "area" => node.attr("alt").map(str::to_owned),
        "abbr" => node.attr("title").map(str::to_owned),
        _ => None,
    };
    let inner = || {
        only_child(node)
            .and_then(|child| alternative(child).or_else(|| only_child(child).and_then(alternative)))
    };
    alternative(node)
        .or_else(inner)
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| node.text())
}

fn only_child(node: Node<'_>) -> Option<Node<'_>> {
    let mut elements = node.children().filter(|child| child.is_element());
    let first = elements.next()?;
    elements.next().is_none().then_some(first)
}

/// The one element of this tag that is a child, or the child of an only child.
fn only_inside<'a>(node: Node<'a>, tag: &str) -> Option<Node<'a>> {
    if node.is(tag) {
        return Some(node);
    }
    let only = |node: Node<'a>| {
        let mut found = node.children().filter(|child| child.is(tag));
        let first = found.next()?;
        let is_item = first.classes().any(|class| is_root(&class));
        (found.next().is_none() && !is_item).then_some(first)
    };
    only(node).or_else(|| {
        only_child(node)
            .filter(|child| !child.classes().any(|class| is_root(&class)))
            .and_then(only)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_names_its_author_and_date() {
        let html = r#"<article class="h-entry"><h1 class="p-name">Title</h1>
            <a class="p-author h-card" href="/w">W. D.</a> <time class="dt-published" datetime="2013-06-13">x</time>
            <div class="e-content"><p>One <b>two</b></p></div></article>"#;
        let page = Page::new(html, "https://a.example/".parse().ok());
        let author = json!({"type": ["h-card"], "properties": {"name": ["W. D."], "url": ["https://a.example/w"]},
            "value": "W. D."});
        let expected = json!([{"type": ["h-entry"], "properties": {"name": ["Title"], "author": [author],
            "published": ["2013-06-13"], "content": [{"value": "One two", "html": "<p>One <b>two</b></p>"}]}}]);
        assert_eq!(Value::Array(microformats(&page)), expected);
    }
}
