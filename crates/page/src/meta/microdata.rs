//! Microdata. <https://html.spec.whatwg.org/multipage/microdata.html>
//!
//! Items come in the shape of the Python library extruct: `{"type", "id", "properties"}`, where a single value
//! stands alone and several stand in a list.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::references::absolute;
use crate::dom::{Node, NodeId, NodeSet};
use crate::page::Page;
use crate::pictures;
use crate::text;

/// The deepest nesting of items; what lies deeper is left out.
const MAX_DEPTH: usize = 30;
/// The most elements visited for all items together, so that `itemref` cannot multiply the work.
const MAX_VISITS: usize = 2_000_000;

/// Every microdata item that is not the value of another item's property.
pub fn microdata(page: &Page) -> Vec<Value> {
    let mut reader = MicrodataReader {
        page,
        seen: NodeSet::new(page.dom()),
        visits: 0,
        ids: None,
    };
    let mut out = Vec::new();
    // Document order: an item inside another one has been read by it already.
    for node in page.dom().nodes() {
        if node.attr("itemscope").is_some() && !reader.seen.contains(node.id()) {
            out.extend(reader.item(node));
        }
    }
    out
}

/// An item being read: its properties so far and the elements that are still to be looked at, last first.
struct OpenItem<'a> {
    node: Node<'a>,
    /// The property names under which the finished item is filed in the one below it.
    names: Vec<&'a str>,
    todo: Vec<Node<'a>>,
    properties: Map<String, Value>,
}

struct MicrodataReader<'a> {
    page: &'a Page,
    /// Items that have been read.
    seen: NodeSet,
    visits: usize,
    /// Elements by id; made when the first `itemref` asks.
    ids: Option<HashMap<&'a str, NodeId>>,
}

impl<'a> MicrodataReader<'a> {
    fn item(&mut self, node: Node<'a>) -> Option<Value> {
        let mut stack = vec![self.open(node, Vec::new())];
        while let Some(open) = stack.last_mut() {
            let Some(next) = open.todo.pop().filter(|_| self.visits < MAX_VISITS) else {
                let done = stack.pop()?;
                let value = finish(self.page, done.node, done.properties);
                let Some(parent) = stack.last_mut() else {
                    return Some(value);
                };
                for name in done.names {
                    add_value(&mut parent.properties, name, value.clone());
                }
                continue;
            };
            self.visits += 1;
            let names = words(next, "itemprop");
            let is_item = next.attr("itemscope").is_some();
            if is_item {
                // Several items may refer to one; only an item inside itself is left out.
                let is_circle = stack.iter().any(|outer| outer.node == next);
                if !names.is_empty() && stack.len() < MAX_DEPTH && !is_circle {
                    let inner = self.open(next, names);
                    stack.push(inner);
                }
                continue;
            }
            if !names.is_empty() {
                let value = value(self.page, next);
                for name in names {
                    add_value(&mut open.properties, name, value.clone());
                }
            }
            push_children(&mut open.todo, next);
        }
        None
    }

    fn open(&mut self, node: Node<'a>, names: Vec<&'a str>) -> OpenItem<'a> {
        self.seen.insert(node.id());
        let mut todo = Vec::new();
        for id in words(node, "itemref").into_iter().rev() {
            // An element inside the item is found there already.
            todo.extend(self.by_id(id).filter(|found| !found.is_inside(node.id())));
        }
        push_children(&mut todo, node);
        OpenItem {
            node,
            names,
            todo,
            properties: Map::new(),
        }
    }

    fn by_id(&mut self, id: &str) -> Option<Node<'a>> {
        let dom = self.page.dom();
        let ids = self.ids.get_or_insert_with(|| {
            let mut ids = HashMap::new();
            for node in dom.nodes().filter(|node| !node.id_attr().is_empty()) {
                ids.entry(node.id_attr()).or_insert(node.id());
            }
            ids
        });
        ids.get(id).map(|id| dom.node(*id))
    }
}

fn push_children<'a>(todo: &mut Vec<Node<'a>>, node: Node<'a>) {
    let start = todo.len();
    todo.extend(node.children().filter(|child| child.is_element()));
    if let Some(added) = todo.get_mut(start..) {
        added.reverse();
    }
}

/// The words of an attribute.
fn words<'a>(node: Node<'a>, attribute: &str) -> Vec<&'a str> {
    node.attr(attribute)
        .unwrap_or("")
        .split_ascii_whitespace()
        .collect()
}

/// Adds a value: one stands alone, several stand in a list.
fn add_value(properties: &mut Map<String, Value>, name: &str, value: Value) {
    match properties.get_mut(name) {
        None => {
            properties.insert(name.to_owned(), value);
        }
        Some(Value::Array(list)) => list.push(value),
        Some(one) => {
            let first = one.take();
            *one = Value::Array(vec![first, value]);
        }
    }
}

fn finish(page: &Page, node: Node<'_>, properties: Map<String, Value>) -> Value {
    let mut item = Map::new();
    let types = words(node, "itemtype");
    match types.as_slice() {
        [] => {}
        [one] => {
            item.insert("type".to_owned(), json!(one));
        }
        several => {
            item.insert("type".to_owned(), json!(several));
        }
    }
    if let Some(id) = node
        .attr("itemid")
        .map(str::trim)
        .filter(|id| !id.is_empty() && !types.is_empty())
    {
        item.insert("id".to_owned(), json!(id));
    }
    if properties.is_empty() {
        item.insert("value".to_owned(), value(page, node));
    } else {
        item.insert("properties".to_owned(), Value::Object(properties));
    }
    Value::Object(item)
}

/// The value of a property that is no item. `content` counts on every element, as schema.org's examples have it.
fn value(page: &Page, node: Node<'_>) -> Value {
    // Without an address there is none, and not that of the page.
    let url = |name: &str| match node.attr(name).filter(|address| !address.trim().is_empty()) {
        Some(address) => json!(absolute(page, address)),
        None => json!(node.attr("content").unwrap_or("")),
    };
    match node.tag() {
        "meta" => json!(node.attr("content").unwrap_or("")),
        "img" => match pictures::address(node) {
            Some(address) => json!(absolute(page, address)),
            None => url("src"),
        },
        "audio" | "embed" | "iframe" | "source" | "track" | "video" => url("src"),
        "a" | "area" | "link" => url("href"),
        "object" => url("data"),
        "data" | "meter" => json!(node.attr("value").unwrap_or("")),
        "input" if node.attr("content").is_none() => json!(node.attr("value").unwrap_or("")),
        "time" if node.attr("datetime").is_some() => json!(node.attr("datetime").unwrap_or("")),
        _ => match node.attr("content").filter(|content| !content.is_empty()) {
            Some(content) => json!(content),
            None => json!(text::render(node, &NodeSet::new(page.dom())).trim()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &str) -> Value {
        let url = "https://shop.example/a/b".parse().ok();
        Value::Array(microdata(&Page::new(html, url)))
    }

    #[test]
    fn items_nest_and_links_become_absolute() {
        let html = r#"<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name"> Tea <b>pot</b></h1>
            <a itemprop="url" href="c?x=1">here</a>
            <div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
            <span itemprop="price" content="12.50">$12</span><link itemprop="availability" href="https://schema.org/InStock">
            </div><img itemprop="image" src="/1.jpg"><img itemprop="image" src="/2.jpg"></div>"#;
        let expected = json!([{"type": "https://schema.org/Product", "properties": {
            "name": "Tea pot",
            "url": "https://shop.example/a/c?x=1",
            "offers": {"type": "https://schema.org/Offer", "properties": {
                "price": "12.50", "availability": "https://schema.org/InStock"}},
            "image": ["https://shop.example/1.jpg", "https://shop.example/2.jpg"]}}]);
        assert_eq!(read(html), expected);
    }

    #[test]
    fn a_missing_address_is_not_that_of_the_page() {
        let html = r#"<div itemscope><img itemprop=image data-src=/k.jpg><link itemprop=availability content=InStock>
            <a itemprop=url>x</a><object itemprop=logo></object></div>"#;
        let expected = json!([{"properties": {
            "image": "https://shop.example/k.jpg", "availability": "InStock", "url": "", "logo": ""}}]);
        assert_eq!(read(html), expected);
    }

    #[test]
    fn a_reference_brings_properties_from_elsewhere() {
        let html = r#"<div itemscope itemref="a b"></div><p id="a">Name: <span itemprop="name">Amanda</span></p>
            <div id="b" itemprop="band" itemscope itemref="c"></div><p id="c"><i itemprop="size">12</i></p>"#;
        assert_eq!(
            read(html)[0],
            json!({"properties": {"name": "Amanda", "band": {"properties": {"size": "12"}}}})
        );
    }

    #[test]
    fn references_in_a_circle_come_to_an_end() {
        let html = r#"<div itemscope id="a" itemref="b" itemprop="x"></div><div itemscope id="b" itemref="a" itemprop="y"></div>"#;
        assert_eq!(read(html), json!([{"properties": {"y": {"value": ""}}}]));
    }

    #[test]
    fn several_items_may_refer_to_one() {
        let html = r#"<p itemscope itemref="s" id="x"></p><p itemscope itemref="s"></p>
            <div id="s" itemprop="seller" itemscope><input itemprop="code" value="7"></div>"#;
        let seller = json!({"properties": {"seller": {"properties": {"code": "7"}}}});
        assert_eq!(read(html), json!([seller, seller]));
    }
}
