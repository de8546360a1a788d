//! The arena: nodes, attributes and text of a page in flat vectors.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use foldhash::fast::RandomState;
use html5ever::LocalName;

/// Deepest nesting that is kept, as in browsers. Deeper elements are left out, their text stays.
pub const MAX_DEPTH: usize = 512;
/// Most bytes of a page that are parsed.
pub const MAX_BYTES: usize = 32 << 20;
/// Most elements of a page that are kept.
pub const MAX_ELEMENTS: usize = 2_000_000;

/// No node: the end of every chain in the arena.
pub(super) const NONE: u32 = u32::MAX;

/// Handle of a node within its [`Dom`]. Ids grow in document order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The id as a position in document order, 0 for the document itself.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why the end of a page is not in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Truncation {
    /// The page is longer than [`MAX_BYTES`]; the rest was not parsed.
    Bytes,
    /// The page has more elements than [`MAX_ELEMENTS`], or its broken markup would have made
    /// far more elements than it has tags; the rest was not parsed.
    Elements,
}

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodeKind {
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
pub(super) struct NodeData {
    pub(super) parent: u32,
    pub(super) prev: u32,
    pub(super) next: u32,
    pub(super) last: u32,
    /// One past the last descendant. While the tree is built: the first child.
    pub(super) end: u32,
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) kind: NodeKind,
    /// An `annotation-xml` that holds HTML.
    pub(super) holds_html: bool,
    pub(super) name: LocalName,
}

impl NodeData {
    /// A node on its own.
    pub(super) fn new(kind: NodeKind, name: LocalName, from: u32, to: u32) -> NodeData {
        NodeData {
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
pub(super) struct Attr {
    pub(super) name: LocalName,
    pub(super) from: u32,
    pub(super) to: u32,
}

/// The elements of each tag, in document order.
pub(super) type TagIndex = HashMap<LocalName, Vec<NodeId>, RandomState>;

/// A parsed page: elements and text, in document order, immutable.
#[derive(Debug)]
pub struct Dom {
    pub(super) nodes: Vec<NodeData>,
    pub(super) attrs: Vec<Attr>,
    pub(super) text: String,
    pub(super) head: u32,
    pub(super) body: u32,
    pub(super) truncation: Option<Truncation>,
    pub(super) flattened: usize,
    /// The marks that stand before notes of the page, read when they are first asked for.
    pub(super) marks_of_notes: OnceLock<HashSet<String>>,
    /// The elements of each tag, read when one is first asked for.
    pub(super) tag_index: OnceLock<TagIndex>,
}

impl Dom {
    /// The number of nodes, with the document and all text nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the page has no node but the document.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 1
    }

    /// Why the end of the page is missing, if it is.
    pub fn truncation(&self) -> Option<Truncation> {
        self.truncation
    }

    /// How many elements were left out (their text was kept) for lying deeper than [`MAX_DEPTH`].
    pub fn flattened(&self) -> usize {
        self.flattened
    }

    /// The marks that stand before notes of the page, which are read once.
    pub(crate) fn marks_of_notes(&self, read: impl FnOnce() -> HashSet<String>) -> &HashSet<String> {
        self.marks_of_notes.get_or_init(read)
    }

    /// The elements of a tag (lower case), in document order. Rules ask for elements by tag more than a hundred times a page, so
    /// the tree, which never changes, is walked over once for all of them.
    pub(super) fn elements_of(&self, tag: &str) -> &[NodeId] {
        let index = self.tag_index.get_or_init(|| {
            let mut index = TagIndex::default();
            let elements = (0u32..).zip(&self.nodes);
            for (id, node) in
                elements.filter(|(_, node)| !matches!(node.kind, NodeKind::Document | NodeKind::Text))
            {
                match index.get_mut(&node.name) {
                    Some(known) => known.push(NodeId(id)),
                    None => drop(index.insert(node.name.clone(), vec![NodeId(id)])),
                }
            }
            index
        });
        index.get(&LocalName::from(tag)).map_or(&[], Vec::as_slice)
    }

    #[inline]
    pub(super) fn data(&self, id: u32) -> &NodeData {
        // Ids are made by this arena alone; a foreign one is caught in `Dom::node`.
        &self.nodes[id as usize]
    }
}
