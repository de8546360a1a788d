//! The parsed page as a tree that never changes: a compact arena in document order.
//!
//! Nodes lie in one vector in pre-order, so a subtree is a range of ids: walking it is a
//! scan, and asking whether a node lies inside another is two comparisons. Comments,
//! processing instructions and the doctype are not kept; text on both sides of a comment is
//! one text node.

mod email;
mod gate;
mod node;
mod reference;
mod select;
mod set;
#[cfg(test)]
mod tests;
mod tokens;
mod tree;
mod walk;

pub use node::Node;
pub use select::Selector;
pub use set::NodeSet;
pub use walk::{Ancestors, Children, Descendants, Edge, Selected, Traverse};

use html5ever::LocalName;

/// Deepest nesting that is kept, as in browsers. Deeper elements are left out, their text stays.
pub const MAX_DEPTH: usize = 512;
/// Most bytes of a page that are parsed.
pub const MAX_BYTES: usize = 32 << 20;
/// Most elements of a page that are kept.
pub const MAX_ELEMENTS: usize = 2_000_000;

/// No node: the end of every chain in the arena.
const NONE: u32 = u32::MAX;

/// Handle of a node within its [`Dom`]. Ids grow in document order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The id as a position in document order, 0 for the document itself.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why a part of the page is not in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cut {
    /// The page is longer than [`MAX_BYTES`]; the rest was not parsed.
    Bytes,
    /// The page has more elements than [`MAX_ELEMENTS`], or its broken markup would have made
    /// far more elements than it has tags; the rest was not parsed.
    Elements,
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Document,
    /// An element of HTML.
    Html,
    /// An element of SVG.
    Svg,
    /// An element of MathML.
    Math,
    Text,
}

/// One node. Links are ids or `NONE`; `from..to` is a range of `Dom::attrs` for an element
/// and of `Dom::text` for a text node.
#[derive(Debug)]
struct Data {
    parent: u32,
    prev: u32,
    next: u32,
    last: u32,
    /// One past the last descendant. While the tree is built: the first child.
    end: u32,
    from: u32,
    to: u32,
    kind: Kind,
    /// An `annotation-xml` that holds HTML.
    holds_html: bool,
    name: LocalName,
}

impl Data {
    /// A node on its own.
    fn new(kind: Kind, name: LocalName, from: u32, to: u32) -> Data {
        Data {
            parent: NONE,
            prev: NONE,
            next: NONE,
            last: NONE,
            end: NONE,
            from,
            to,
            kind,
            holds_html: false,
            name,
        }
    }
}

/// One attribute; `from..to` is a range of `Dom::text`.
#[derive(Debug)]
struct Attr {
    name: LocalName,
    from: u32,
    to: u32,
}

/// A parsed page: elements and text, in document order, immutable.
#[derive(Debug)]
pub struct Dom {
    nodes: Vec<Data>,
    attrs: Vec<Attr>,
    text: String,
    head: u32,
    body: u32,
    cut: Option<Cut>,
    flattened: usize,
}

impl Dom {
    /// Parses a page as a browser with scripting off would, in time linear in its length.
    ///
    /// Never fails: markup of any kind has a tree. What exceeds [`MAX_BYTES`] or
    /// [`MAX_ELEMENTS`] is left out, see [`Dom::cut`].
    pub fn parse(html: &str) -> Dom {
        gate::parse(html)
    }

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
    pub fn node(&self, id: NodeId) -> Node<'_> {
        Node::some(self, id.0).unwrap_or(self.root())
    }

    /// The number of nodes, with the document and all text nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the page has no node but the document.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 1
    }

    /// Every node in document order, the document first.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = Node<'_>> + '_ {
        (0..self.nodes.len() as u32).map(|id| Node::new(self, id))
    }

    /// Every element that the selector matches, in document order.
    pub fn select<'a>(&'a self, selector: &'a Selector) -> Selected<'a> {
        self.root().select(selector)
    }

    /// Every element of a tag (lower case), in document order.
    pub fn by_tag(&self, tag: &str) -> impl Iterator<Item = Node<'_>> + '_ {
        let name = LocalName::from(tag);
        self.nodes().filter(move |node| *node.local() == name)
    }

    /// Why the end of the page is missing, if it is.
    pub fn cut(&self) -> Option<Cut> {
        self.cut
    }

    /// How many elements were left out (their text was kept) for lying deeper than [`MAX_DEPTH`].
    pub fn flattened(&self) -> usize {
        self.flattened
    }

    /// The node of a position in document order.
    pub(crate) fn at(&self, id: u32) -> Node<'_> {
        Node::new(self, id)
    }

    fn data(&self, id: u32) -> &Data {
        // Ids are made by this arena alone; a foreign one is caught in `Dom::node`.
        &self.nodes[id as usize]
    }
}
