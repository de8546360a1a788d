//! Microformats: version 2, and the classic ones in its terms. <https://microformats.org/wiki/microformats2-parsing>
//!
//! Items and properties are marked by classes such as `h-entry` and `p-name`, classic ones by `hentry` and `entry-title`.

mod classes;
mod implied;
mod moments;
mod values;

use serde_json::{Map, Value, json};

use self::classes::{ItemClasses, PropertyKind};
use self::values::value;
use crate::dom::{Edge, Node};
use crate::page::Page;

/// The deepest nesting of items; what lies deeper belongs to the one above.
const MAX_DEPTH: usize = 20;
/// The most items that are read.
const MAX_ITEMS: usize = 5_000;

/// Every item that is not inside another one: `{"type": [class], "properties": {name: [value]}, "children": [item]}`.
pub fn microformats(page: &Page) -> Vec<Value> {
    let mut out = Vec::new();
    let mut stack: Vec<MicroformatItem<'_>> = Vec::new();
    let mut count = 0;
    let mut template: Option<Node<'_>> = None;
    for edge in page.dom().root().traverse() {
        match edge {
            Edge::Open(node) if template.is_none() && node.is("template") => template = Some(node),
            Edge::Open(node) if template.is_none() && has_marks(node, &stack) => {
                let outer = stack.last().map(|item| &item.classes);
                let is_full = stack.len() >= MAX_DEPTH || count >= MAX_ITEMS;
                match ItemClasses::of(node, outer).filter(|_| !is_full) {
                    Some(classes) => {
                        count += 1;
                        stack.push(MicroformatItem::new(node, classes));
                    }
                    None => {
                        if let Some(item) = stack.last_mut() {
                            item.read_properties(page, node);
                        }
                    }
                }
            }
            Edge::Open(_) => {}
            Edge::Close(node) => {
                if template == Some(node) {
                    template = None;
                }
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

/// Whether an element may be an item or state a property.
fn has_marks(node: Node<'_>, stack: &[MicroformatItem<'_>]) -> bool {
    node.is_element() && (!node.class().is_empty() || (!stack.is_empty() && node.attr("rel").is_some()))
}

/// An item being read.
struct MicroformatItem<'a> {
    node: Node<'a>,
    classes: ItemClasses<'a>,
    properties: Map<String, Value>,
    children: Vec<Value>,
    /// Whether a `p-`, `e-` or nested item was found: then no name is implied.
    has_text: bool,
    has_url: bool,
    has_nested: bool,
    /// The day of the last moment.
    date: Option<String>,
}

impl<'a> MicroformatItem<'a> {
    fn new(node: Node<'a>, classes: ItemClasses<'a>) -> MicroformatItem<'a> {
        MicroformatItem {
            node,
            classes,
            properties: Map::new(),
            children: Vec::new(),
            has_text: false,
            has_url: false,
            has_nested: false,
            date: None,
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

    fn read_properties(&mut self, page: &Page, node: Node<'a>) {
        for (kind, name) in self.classes.properties(node) {
            match kind {
                PropertyKind::Text | PropertyKind::Markup => self.has_text = true,
                PropertyKind::Link => self.has_url = true,
                PropertyKind::Time => {}
            }
            let value = value(page, node, kind, self.date.as_deref());
            if let Some(day) = value.as_str().and_then(moments::day)
                && kind == PropertyKind::Time
            {
                self.date = Some(day.to_owned());
            }
            self.add(name, value);
        }
    }

    fn finish(mut self, page: &Page) -> Value {
        self.imply(page);
        let mut out = Map::new();
        out.insert("type".to_owned(), json!(self.classes.types));
        out.insert("properties".to_owned(), Value::Object(self.properties));
        if !self.node.id_attr().is_empty() {
            out.insert("id".to_owned(), json!(self.node.id_attr()));
        }
        if !self.children.is_empty() {
            out.insert("children".to_owned(), Value::Array(self.children));
        }
        Value::Object(out)
    }

    /// Adds what version 2 reads from the form of an item.
    fn imply(&mut self, page: &Page) {
        if self.classes.is_classic() {
            return;
        }
        let is_bare = !self.has_nested;
        if !self.has_text && is_bare && !self.properties.contains_key("name") {
            self.add("name", json!(implied::name(page, self.node)));
        }
        if self.has_url || !is_bare {
            return;
        }
        if !self.properties.contains_key("photo")
            && let Some(image) = implied::image(page, self.node)
        {
            self.add("photo", image);
        }
        if !self.properties.contains_key("url")
            && let Some(link) = implied::link(page, self.node)
        {
            self.add("url", link);
        }
    }
}

/// Files a finished item as a property of the outer one, or among its children.
fn nest<'a>(page: &Page, outer: &mut MicroformatItem<'a>, item: MicroformatItem<'a>) {
    let node = item.node;
    let names = outer.classes.properties(node);
    let finished = item.finish(page);
    outer.has_nested = true;
    if names.is_empty() {
        outer.children.push(finished);
        return;
    }
    for (kind, name) in names {
        let own = |name: &str| finished.pointer(&format!("/properties/{name}/0")).cloned();
        let mut filed = finished.clone();
        let Some(map) = filed.as_object_mut() else {
            continue;
        };
        let read = || value(page, node, kind, outer.date.as_deref());
        match kind {
            PropertyKind::Text => {
                map.insert("value".to_owned(), own("name").unwrap_or_else(read));
            }
            PropertyKind::Link => {
                map.insert("value".to_owned(), own("url").unwrap_or_else(read));
            }
            PropertyKind::Time => {
                map.insert("value".to_owned(), read());
            }
            PropertyKind::Markup => {
                if let Value::Object(markup) = read() {
                    map.extend(markup);
                }
            }
        }
        outer.add(name, filed);
    }
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

    #[test]
    fn classic_formats_are_read_in_the_names_of_version_2() {
        let html = r#"<div class="hproduct"><h2 class="fn">Kettle</h2><span class="price">12 zł</span>
            <span class="brand vcard"><b class="fn org">Acme</b></span><a class="url" href="/k">more</a></div>"#;
        let page = Page::new(html, "https://a.example/".parse().ok());
        let brand =
            json!({"type": ["h-card"], "properties": {"name": ["Acme"], "org": ["Acme"]}, "value": "Acme"});
        let expected = json!([{"type": ["h-product"], "properties": {"name": ["Kettle"], "price": ["12 zł"],
            "brand": [brand], "url": ["https://a.example/k"]}}]);
        assert_eq!(Value::Array(microformats(&page)), expected);
    }

    #[test]
    fn a_value_is_put_together_from_its_pieces() {
        let html = r#"<div class="h-event"><b class="p-name">Party</b><p class="dt-start">
            <abbr class="value" title="2009-06-26">26 June</abbr>, from <span class="value">7pm</span></p>
            <p class="dt-end">to <span class="value">22:00</span></p></div><template><p class="h-card">x</p></template>"#;
        let page = Page::new(html, None);
        let expected = json!([{"type": ["h-event"], "properties": {"name": ["Party"],
            "start": ["2009-06-26 19:00"], "end": ["2009-06-26 22:00"]}}]);
        assert_eq!(Value::Array(microformats(&page)), expected);
    }
}
