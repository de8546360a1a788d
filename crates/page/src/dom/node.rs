//! A node of the tree: its place, kind, attributes and text.

use super::arena::{Attr, Dom, NONE, NodeData, NodeId, NodeKind};
use crate::tag;
use html5ever::{LocalName, local_name};
use std::fmt;

/// A node of a [`Dom`]: two words, copied freely.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    dom: &'a Dom,
    id: u32,
}

impl<'a> Node<'a> {
    #[inline]
    pub(super) fn new(dom: &'a Dom, id: u32) -> Node<'a> {
        Node { dom, id }
    }

    #[inline]
    fn some(dom: &'a Dom, id: u32) -> Option<Node<'a>> {
        ((id as usize) < dom.nodes.len()).then_some(Node { dom, id })
    }

    #[inline]
    pub(super) fn raw(self) -> u32 {
        self.id
    }

    #[inline]
    pub(super) fn data(self) -> &'a NodeData {
        self.dom.data(self.id)
    }

    /// The handle of this node.
    #[inline]
    pub fn id(self) -> NodeId {
        NodeId(self.id)
    }

    /// The tree this node is of.
    #[inline]
    pub fn dom(self) -> &'a Dom {
        self.dom
    }

    /// The node this one lies in; none for the document.
    #[inline]
    pub fn parent(self) -> Option<Node<'a>> {
        Node::some(self.dom, self.data().parent)
    }

    /// The first node inside.
    #[inline]
    pub fn first_child(self) -> Option<Node<'a>> {
        (self.data().last != NONE).then_some(Node {
            dom: self.dom,
            id: self.id + 1,
        })
    }

    /// The last node directly inside.
    #[inline]
    pub fn last_child(self) -> Option<Node<'a>> {
        Node::some(self.dom, self.data().last)
    }

    /// The node after this one in the same parent.
    #[inline]
    pub fn next_sibling(self) -> Option<Node<'a>> {
        Node::some(self.dom, self.data().next)
    }

    /// The node before this one in the same parent.
    #[inline]
    pub fn prev_sibling(self) -> Option<Node<'a>> {
        Node::some(self.dom, self.data().prev)
    }

    /// The nodes before this one in the same parent, nearest first.
    pub fn siblings_before(self) -> impl Iterator<Item = Node<'a>> {
        std::iter::successors(self.prev_sibling(), |node| node.prev_sibling())
    }

    /// The nodes after this one in the same parent, nearest first.
    pub fn siblings_after(self) -> impl Iterator<Item = Node<'a>> {
        std::iter::successors(self.next_sibling(), |node| node.next_sibling())
    }

    /// One past the id of the last node inside: `id()..end()` is this node's subtree.
    #[inline]
    pub fn end(self) -> NodeId {
        NodeId(self.data().end)
    }

    /// Whether this is an element.
    #[inline]
    pub fn is_element(self) -> bool {
        !matches!(self.data().kind, NodeKind::Document | NodeKind::Text)
    }

    /// Whether this is an element of HTML (and not of SVG or MathML).
    #[inline]
    pub fn is_html(self) -> bool {
        self.data().kind == NodeKind::Html
    }

    /// Whether this is a text node.
    #[inline]
    pub fn is_text(self) -> bool {
        self.data().kind == NodeKind::Text
    }

    /// The local name in lower case (`"div"`), `""` when this is no element. Names of SVG keep
    /// their own spelling (`"linearGradient"`).
    #[inline]
    pub fn tag(self) -> &'a str {
        &self.data().name
    }

    /// The interned local name, empty when this is no element.
    #[inline]
    pub(crate) fn local(self) -> &'a LocalName {
        &self.data().name
    }

    /// Whether this is an element of that tag.
    #[inline]
    pub fn is(self, tag: &str) -> bool {
        self.is_element() && self.tag() == tag
    }

    /// The value of an attribute. Names of HTML attributes are lower case.
    #[inline]
    pub fn attr(self, name: &str) -> Option<&'a str> {
        self.attr_data()
            .iter()
            .find(|attr| &*attr.name == name)
            .map(|attr| self.slice(attr.from, attr.to))
    }

    /// The value of an attribute by its interned name: one comparison of words an attribute.
    #[inline]
    pub(crate) fn attr_local(self, name: &LocalName) -> Option<&'a str> {
        self.attr_data()
            .iter()
            .find(|attr| attr.name == *name)
            .map(|attr| self.slice(attr.from, attr.to))
    }

    /// Whether the element has an attribute of one of the interned names.
    pub(crate) fn has_attr_of(self, names: &[LocalName]) -> bool {
        self.attr_data().iter().any(|attr| names.contains(&attr.name))
    }

    /// Every attribute, name and value, in the order of the page.
    #[inline]
    pub fn attrs(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.attr_data()
            .iter()
            .map(move |attr| (&*attr.name, self.slice(attr.from, attr.to)))
    }

    #[inline]
    fn attr_data(self) -> &'a [Attr] {
        let data = self.data();
        match data.kind {
            NodeKind::Document | NodeKind::Text => &[],
            _ => self
                .dom
                .attrs
                .get(data.from as usize..data.to as usize)
                .unwrap_or(&[]),
        }
    }

    #[inline]
    fn slice(self, from: u32, to: u32) -> &'a str {
        self.dom.text.get(from as usize..to as usize).unwrap_or("")
    }

    /// The `id` attribute, `""` when there is none.
    #[inline]
    pub fn id_attr(self) -> &'a str {
        self.attr_local(&local_name!("id")).unwrap_or("")
    }

    /// The `class` attribute as written, `""` when there is none.
    #[inline]
    pub fn class(self) -> &'a str {
        self.attr_local(&local_name!("class")).unwrap_or("")
    }

    /// The class names.
    pub fn classes(self) -> impl Iterator<Item = &'a str> {
        self.class().split_ascii_whitespace()
    }

    /// Whether this is one of the class names, by exact case.
    pub fn has_class(self, name: &str) -> bool {
        self.classes().any(|class| class == name)
    }

    /// The text of a text node as the page has it; none for any other node.
    #[inline]
    pub fn text_value(self) -> Option<&'a str> {
        let data = self.data();
        (data.kind == NodeKind::Text).then(|| self.slice(data.from, data.to))
    }

    /// All text inside as the page has it, also of scripts and styles, put together.
    pub fn raw_text(self) -> String {
        if let Some(text) = self.text_value() {
            return text.to_owned();
        }
        self.descendants().filter_map(Node::text_value).collect()
    }

    /// Whether this is an element that a browser sets as a block (by its tag alone).
    #[inline]
    pub fn is_block(self) -> bool {
        self.is_element() && tag::is_block(self.local())
    }

    /// Whether this element never shows its text (`script`, `style`, `template`, `head` ...). A template shows only as a
    /// declared shadow root.
    pub fn is_hidden_by_tag(self) -> bool {
        if *self.local() == local_name!("template") {
            return self.attr("shadowrootmode").is_none();
        }
        self.is_element() && tag::is_hidden(self.local())
    }

    /// Whether the `hidden` attribute or the inline style says that the element is not shown, or shown in a box of one pixel.
    pub fn is_hidden_by_attribute(self) -> bool {
        self.attr_data().iter().any(|attr| {
            attr.name == local_name!("hidden")
                || (attr.name == local_name!("style") && hides(self.slice(attr.from, attr.to)))
        })
    }

    /// This element or the nearest one around it of that tag.
    pub fn closest(self, tag: &str) -> Option<Node<'a>> {
        std::iter::successors(Some(self), |node| node.parent()).find(|node| node.is(tag))
    }

    /// Whether this node is that one or lies in it.
    pub fn is_inside(self, outer: NodeId) -> bool {
        let outer = self.dom.node(outer);
        outer.id <= self.id && self.id < outer.data().end
    }
}

impl Dom {
    /// The document node.
    pub fn root(&self) -> Node<'_> {
        Node::new(self, 0)
    }

    /// The `<head>` element.
    pub fn head(&self) -> Option<Node<'_>> {
        Node::some(self, self.head)
    }

    /// The `<body>` element (or the `<frameset>` that stands for it).
    pub fn body(&self) -> Option<Node<'_>> {
        Node::some(self, self.body)
    }

    /// The node of an id of this tree. An id of another tree gives some node or the document.
    #[inline]
    pub fn node(&self, id: NodeId) -> Node<'_> {
        Node::some(self, id.0).unwrap_or(self.root())
    }

    /// Every node in document order, the document first.
    #[inline]
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = Node<'_>> + '_ {
        (0..self.nodes.len() as u32).map(|id| Node::new(self, id))
    }

    /// Every element of a tag (lower case), in document order.
    pub fn by_tag(&self, tag: &str) -> impl Iterator<Item = Node<'_>> + '_ {
        self.elements_of(tag).iter().map(|id| self.node(*id))
    }

    /// The node of a position in document order.
    #[inline]
    pub(crate) fn at(&self, id: u32) -> Node<'_> {
        Node::new(self, id)
    }
}

/// Whether an inline style hides what it is set on.
fn hides(style: &str) -> bool {
    let has = |word: &[u8]| {
        let mut places = style.as_bytes().windows(word.len());
        places.any(|place| place.eq_ignore_ascii_case(word))
    };
    if !has(b"none") && !has(b"hidden") {
        return false;
    }
    let style: String = style
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let is_in_a_point = || {
        let side = |name: &str| {
            let set = |value: &str| style.split(';').any(|rule| rule == format!("{name}:{value}"));
            set("0") || set("0px") || set("1px")
        };
        // What is for screen readers is clipped, and read.
        style.contains("overflow:hidden") && side("width") && side("height") && !style.contains("clip")
    };
    style.contains("display:none") || style.contains("visibility:hidden") || is_in_a_point()
}

impl PartialEq for Node<'_> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && std::ptr::eq(self.dom, other.dom)
    }
}

impl Eq for Node<'_> {}

impl std::hash::Hash for Node<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = self.text_value() {
            return write!(f, "{}:{text:?}", self.id);
        }
        write!(f, "{}:<{}", self.id, self.tag())?;
        for (name, value) in self.attrs() {
            write!(f, " {name}={value:?}")?;
        }
        f.write_str(">")
    }
}
