//! One node and what can be asked of it.

use super::{Ancestors, Children, Data, Descendants, Dom, Kind, NONE, NodeId, Selected, Selector, Traverse};
use crate::{tag, text};
use html5ever::LocalName;
use std::fmt;

/// A node of a [`Dom`]: two words, copied freely.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    dom: &'a Dom,
    id: u32,
}

impl<'a> Node<'a> {
    pub(super) fn new(dom: &'a Dom, id: u32) -> Node<'a> {
        Node { dom, id }
    }

    pub(super) fn some(dom: &'a Dom, id: u32) -> Option<Node<'a>> {
        ((id as usize) < dom.nodes.len()).then_some(Node { dom, id })
    }

    pub(super) fn raw(self) -> u32 {
        self.id
    }

    pub(super) fn data(self) -> &'a Data {
        self.dom.data(self.id)
    }

    /// The handle of this node.
    pub fn id(self) -> NodeId {
        NodeId(self.id)
    }

    /// The tree this node is of.
    pub fn dom(self) -> &'a Dom {
        self.dom
    }

    /// The node this one lies in; none for the document.
    pub fn parent(self) -> Option<Node<'a>> {
        Node::some(self.dom, self.data().parent)
    }

    /// The first node inside.
    pub fn first_child(self) -> Option<Node<'a>> {
        (self.data().last != NONE).then_some(Node {
            dom: self.dom,
            id: self.id + 1,
        })
    }

    /// The last node directly inside.
    pub fn last_child(self) -> Option<Node<'a>> {
        Node::some(self.dom, self.data().last)
    }

    /// The node after this one in the same parent.
    pub fn next_sibling(self) -> Option<Node<'a>> {
        Node::some(self.dom, self.data().next)
    }

    /// The node before this one in the same parent.
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

    /// The nodes directly inside.
    pub fn children(self) -> Children<'a> {
        Children::new(self)
    }

    /// The nodes this one lies in, nearest first, up to the document.
    pub fn ancestors(self) -> Ancestors<'a> {
        Ancestors::new(self)
    }

    /// Every node inside, in document order, without this one.
    pub fn descendants(self) -> Descendants<'a> {
        Descendants::new(self)
    }

    /// This node and every one inside, each as it opens and as it closes.
    pub fn traverse(self) -> Traverse<'a> {
        Traverse::new(self)
    }

    /// One past the id of the last node inside: `id()..end()` is this node's subtree.
    pub fn end(self) -> NodeId {
        NodeId(self.data().end)
    }

    /// Whether this is an element.
    pub fn is_element(self) -> bool {
        !matches!(self.data().kind, Kind::Document | Kind::Text)
    }

    /// Whether this is an element of HTML (and not of SVG or MathML).
    pub fn is_html(self) -> bool {
        self.data().kind == Kind::Html
    }

    /// Whether this is a text node.
    pub fn is_text(self) -> bool {
        self.data().kind == Kind::Text
    }

    /// The local name in lower case (`"div"`), `""` when this is no element. Names of SVG keep
    /// their own spelling (`"linearGradient"`).
    pub fn tag(self) -> &'a str {
        &self.data().name
    }

    /// The interned local name, empty when this is no element.
    pub(crate) fn local(self) -> &'a LocalName {
        &self.data().name
    }

    /// Whether this is an element of that tag.
    pub fn is(self, tag: &str) -> bool {
        self.is_element() && self.tag() == tag
    }

    /// The value of an attribute. Names of HTML attributes are lower case.
    pub fn attr(self, name: &str) -> Option<&'a str> {
        self.attr_data()
            .iter()
            .find(|it| &*it.name == name)
            .map(|it| self.slice(it.from, it.to))
    }

    /// The value of an attribute by its interned name: one comparison of words an attribute.
    pub(crate) fn attr_local(self, name: &LocalName) -> Option<&'a str> {
        self.attr_data()
            .iter()
            .find(|it| it.name == *name)
            .map(|it| self.slice(it.from, it.to))
    }

    /// Every attribute, name and value, in the order of the page.
    pub fn attrs(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.attr_data()
            .iter()
            .map(move |it| (&*it.name, self.slice(it.from, it.to)))
    }

    fn attr_data(self) -> &'a [super::Attr] {
        let data = self.data();
        match data.kind {
            Kind::Document | Kind::Text => &[],
            _ => self
                .dom
                .attrs
                .get(data.from as usize..data.to as usize)
                .unwrap_or(&[]),
        }
    }

    fn slice(self, from: u32, to: u32) -> &'a str {
        self.dom.text.get(from as usize..to as usize).unwrap_or("")
    }

    /// The `id` attribute, `""` when there is none.
    pub fn id_attr(self) -> &'a str {
        self.attr_local(&html5ever::local_name!("id")).unwrap_or("")
    }

    /// The `class` attribute as written, `""` when there is none.
    pub fn class(self) -> &'a str {
        self.attr_local(&html5ever::local_name!("class")).unwrap_or("")
    }

    /// The class names.
    pub fn classes(self) -> impl Iterator<Item = &'a str> {
        self.class().split_ascii_whitespace()
    }

    /// Whether this is one of the class names, by exact case.
    pub fn has_class(self, name: &str) -> bool {
        self.classes().any(|it| it == name)
    }

    /// The text of a text node as the page has it; none for any other node.
    pub fn text_value(self) -> Option<&'a str> {
        let data = self.data();
        (data.kind == Kind::Text).then(|| self.slice(data.from, data.to))
    }

    /// The text a reader sees, on one line: without scripts, styles, templates and `<noscript>`,
    /// white space collapsed, blocks separated by a space.
    pub fn text(self) -> String {
        text::one_line(self)
    }

    /// All text inside as the page has it, also of scripts and styles, put together.
    pub fn raw_text(self) -> String {
        if let Some(text) = self.text_value() {
            return text.to_owned();
        }
        self.descendants().filter_map(Node::text_value).collect()
    }

    /// Whether this is an element that a browser sets as a block (by its tag alone).
    pub fn is_block(self) -> bool {
        self.is_element() && tag::is_block(self.local())
    }

    /// Whether this element never shows its text (`script`, `style`, `template`, `head` ...).
    pub fn is_hidden_by_tag(self) -> bool {
        self.is_element() && tag::is_unseen(self)
    }

    /// Every element inside that the selector matches, in document order.
    pub fn select(self, selector: &'a Selector) -> Selected<'a> {
        Selected::new(self, selector)
    }

    /// Whether the selector matches this element.
    pub fn matches(self, selector: &Selector) -> bool {
        selector.matches(self)
    }

    /// This element or the nearest one around it of that tag.
    pub fn closest(self, tag: &str) -> Option<Node<'a>> {
        std::iter::once(self)
            .chain(self.ancestors())
            .find(|node| node.is(tag))
    }

    /// Whether this node is that one or lies in it.
    pub fn is_inside(self, outer: NodeId) -> bool {
        let outer = self.dom.node(outer);
        outer.id <= self.id && self.id < outer.data().end
    }
}

impl PartialEq for Node<'_> {
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
