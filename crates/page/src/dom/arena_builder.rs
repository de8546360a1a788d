//! The tree sink that html5ever's tree builder writes to: it links nodes, then puts them into document order.
//!
//! The tree builder follows the parsing rules of the HTML standard
//! (<https://html.spec.whatwg.org/multipage/parsing.html>); it moves nodes about for foster
//! parents and misnested formatting, so the order is only known at the end.

use super::arena::{Attr, Dom, MAX_ELEMENTS, NONE, NodeData, NodeKind, Truncation};
use super::protected_email;
use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, Namespace, QualName, local_name, ns};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::sync::OnceLock;

/// The handle of comments and other nodes that are not kept.
const NOT_KEPT: u32 = NONE;

/// The sink of the tree builder.
pub(super) struct ArenaSink {
    tree: RefCell<ArenaBuilder>,
    /// Elements made so far, to notice markup that makes more elements than it has tags.
    made: Cell<usize>,
    allowed: usize,
    over: Cell<bool>,
    body: Cell<bool>,
}

struct ArenaBuilder {
    nodes: Vec<NodeData>,
    attrs: Vec<Attr>,
    text: String,
    /// Elements that hide a mail address, with the place of the attribute that has it.
    addresses: Vec<(u32, u32)>,
    address_name: LocalName,
}

/// The name of an element, by value: nothing of the tree stays borrowed.
#[derive(Debug)]
pub(super) struct SinkElemName {
    namespace: &'static Namespace,
    local: LocalName,
}

impl ElemName for SinkElemName {
    fn ns(&self) -> &Namespace {
        self.namespace
    }

    fn local_name(&self) -> &LocalName {
        &self.local
    }
}

static HTML: Namespace = ns!(html);
static SVG: Namespace = ns!(svg);
static MATHML: Namespace = ns!(mathml);
static NO_NAMESPACE: Namespace = ns!();

impl ArenaSink {
    /// A sink for a page of that many bytes.
    pub(super) fn new(bytes: usize) -> ArenaSink {
        let document = NodeData::new(NodeKind::Document, local_name!(""), 0, 0);
        let mut nodes = Vec::with_capacity(bytes / 48 + 16);
        nodes.push(document);
        // A tag takes three bytes or more; only misnested formatting makes elements beyond that.
        let allowed = (bytes / 3 + 10_000).min(MAX_ELEMENTS);
        ArenaSink {
            tree: RefCell::new(ArenaBuilder {
                nodes,
                attrs: Vec::new(),
                text: String::with_capacity(bytes / 2),
                addresses: Vec::new(),
                address_name: LocalName::from(protected_email::ATTRIBUTE),
            }),
            made: Cell::new(0),
            allowed,
            over: Cell::new(false),
            body: Cell::new(false),
        }
    }

    /// How many elements were made so far.
    pub(super) fn made(&self) -> usize {
        self.made.get()
    }

    /// Whether the body has begun.
    pub(super) fn has_body(&self) -> bool {
        self.body.get()
    }

    /// Whether there are more elements than the budget allows.
    pub(super) fn is_over(&self) -> bool {
        self.over.get()
    }

    /// The tree in document order.
    pub(super) fn into_dom(self, truncation: Option<Truncation>, flattened: usize) -> Dom {
        self.tree.into_inner().into_dom(truncation, flattened)
    }
}

impl ArenaBuilder {
    fn at(&mut self, id: u32) -> &mut NodeData {
        &mut self.nodes[id as usize]
    }

    fn add(&mut self, node: NodeData) -> u32 {
        let id = self.nodes.len() as u32;
        self.nodes.push(node);
        id
    }

    fn write(&mut self, text: &str) -> (u32, u32) {
        let from = self.text.len() as u32;
        self.text.push_str(text);
        (from, self.text.len() as u32)
    }

    /// Adds attributes of the element `owner`, which need not exist yet.
    fn add_attrs(&mut self, owner: u32, attrs: Vec<Attribute>) -> (u32, u32) {
        let from = self.attrs.len() as u32;
        for attr in attrs {
            let name = match &attr.name.prefix {
                Some(prefix) => LocalName::from(format!("{prefix}:{}", attr.name.local)),
                None => attr.name.local,
            };
            if name == self.address_name {
                self.addresses.push((owner, self.attrs.len() as u32));
            }
            let (start, end) = self.write(&attr.value);
            self.attrs.push(Attr {
                name,
                from: start,
                to: end,
            });
        }
        (from, self.attrs.len() as u32)
    }

    fn detach(&mut self, id: u32) {
        let (parent, prev, next) = {
            let node = self.at(id);
            let links = (node.parent, node.prev, node.next);
            (node.parent, node.prev, node.next) = (NONE, NONE, NONE);
            links
        };
        if prev != NONE {
            self.at(prev).next = next;
        } else if parent != NONE {
            self.at(parent).end = next;
        }
        if next != NONE {
            self.at(next).prev = prev;
        } else if parent != NONE {
            self.at(parent).last = prev;
        }
    }

    /// Puts a node between two neighbours (either may be `NONE`) under a parent.
    fn link(&mut self, id: u32, parent: u32, prev: u32, next: u32) {
        let node = self.at(id);
        (node.parent, node.prev, node.next) = (parent, prev, next);
        if prev == NONE {
            self.at(parent).end = id;
        } else {
            self.at(prev).next = id;
        }
        if next == NONE {
            self.at(parent).last = id;
        } else {
            self.at(next).prev = id;
        }
    }

    fn put(&mut self, parent: u32, prev: u32, next: u32, child: NodeOrText<u32>) {
        match child {
            NodeOrText::AppendNode(NOT_KEPT) => {}
            NodeOrText::AppendNode(id) => {
                self.detach(id);
                self.link(id, parent, prev, next);
            }
            NodeOrText::AppendText(text) => {
                // Text grows in place only while it is the last thing written: moving it would
                // cost time in the square of its length.
                let end = self.text.len() as u32;
                if prev != NONE && self.at(prev).kind == NodeKind::Text && self.at(prev).to == end {
                    self.text.push_str(&text);
                    self.at(prev).to = self.text.len() as u32;
                } else {
                    let (from, to) = self.write(&text);
                    let id = self.add(NodeData::new(NodeKind::Text, local_name!(""), from, to));
                    self.link(id, parent, prev, next);
                }
            }
        }
    }

    /// Replaces the placeholders of protected mail addresses by the addresses.
    fn show_addresses(&mut self) {
        for (id, attr) in std::mem::take(&mut self.addresses) {
            let value = self
                .attrs
                .get(attr as usize)
                .map(|attr| attr.from as usize..attr.to as usize);
            let address = value
                .and_then(|range| self.text.get(range))
                .and_then(protected_email::decode);
            let child = self.at(id).end;
            if let Some(address) = address
                && child != NONE
                && self.at(child).kind == NodeKind::Text
                && self.at(child).next == NONE
            {
                (self.at(child).from, self.at(child).to) = self.write(&address);
            }
        }
    }

    /// Puts the nodes into document order, unless they are in it already, as those of most pages.
    fn into_dom(mut self, truncation: Option<Truncation>, flattened: usize) -> Dom {
        self.show_addresses();
        let ArenaBuilder {
            mut nodes,
            attrs,
            mut text,
            ..
        } = self;
        text.shrink_to_fit();
        if preorder(&nodes).zip(0..).any(|(id, place)| id != place) || preorder(&nodes).count() < nodes.len()
        {
            nodes = reorder(nodes);
        }
        for (id, node) in nodes.iter_mut().enumerate() {
            node.end = id as u32 + 1;
        }
        for id in (1..nodes.len()).rev() {
            let (end, parent) = (nodes[id].end, nodes[id].parent);
            if let Some(parent) = nodes.get_mut(parent as usize) {
                parent.end = parent.end.max(end);
            }
        }
        let find = |fits: fn(&LocalName) -> bool| {
            let found = nodes
                .iter()
                .position(|node| node.kind == NodeKind::Html && fits(&node.name));
            found.map_or(NONE, |id| id as u32)
        };
        let head = find(|name| *name == local_name!("head"));
        let body = find(|name| matches!(*name, local_name!("body") | local_name!("frameset")));
        Dom {
            nodes,
            attrs,
            text,
            head,
            body,
            truncation,
            flattened,
            marks_of_notes: OnceLock::new(),
            tag_index: OnceLock::new(),
        }
    }
}

/// The nodes of a tree that is being built, in document order. What hangs on nothing is left out.
fn preorder(nodes: &[NodeData]) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(0u32), |at| {
        let mut node = nodes.get(*at as usize)?;
        if node.end != NONE {
            return Some(node.end);
        }
        while node.next == NONE {
            node = nodes.get(node.parent as usize)?;
        }
        Some(node.next)
    })
}

fn reorder(mut nodes: Vec<NodeData>) -> Vec<NodeData> {
    let mut fresh = vec![NONE; nodes.len()];
    let mut order = Vec::with_capacity(nodes.len());
    for (id, place) in preorder(&nodes).zip(0..) {
        fresh[id as usize] = place;
        order.push(id);
    }
    let fresh_of = |id: u32| fresh.get(id as usize).copied().unwrap_or(NONE);
    let mut sorted = Vec::with_capacity(order.len());
    for id in order {
        let node = &mut nodes[id as usize];
        let name = std::mem::replace(&mut node.name, local_name!(""));
        sorted.push(NodeData {
            parent: fresh_of(node.parent),
            prev: fresh_of(node.prev),
            next: fresh_of(node.next),
            last: fresh_of(node.last),
            name,
            ..*node
        });
    }
    sorted
}

impl TreeSink for ArenaSink {
    type Handle = u32;
    type Output = ArenaSink;
    type ElemName<'a> = SinkElemName;

    fn finish(self) -> ArenaSink {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> u32 {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a u32) -> SinkElemName {
        let tree = self.tree.borrow();
        match tree.nodes.get(*target as usize) {
            None => SinkElemName {
                namespace: &NO_NAMESPACE,
                local: local_name!(""),
            },
            Some(node) => {
                let namespace = match node.kind {
                    NodeKind::Html => &HTML,
                    NodeKind::Svg => &SVG,
                    NodeKind::Math => &MATHML,
                    NodeKind::Document | NodeKind::Text => &NO_NAMESPACE,
                };
                SinkElemName {
                    namespace,
                    local: node.name.clone(),
                }
            }
        }
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> u32 {
        let made = self.made.get() + 1;
        self.made.set(made);
        if made > self.allowed {
            self.over.set(true);
        }
        if matches!(name.local, local_name!("body") | local_name!("frameset")) {
            self.body.set(true);
        }
        let kind = match name.ns {
            ns!(svg) => NodeKind::Svg,
            ns!(mathml) => NodeKind::Math,
            _ => NodeKind::Html,
        };
        let mut tree = self.tree.borrow_mut();
        let owner = tree.nodes.len() as u32;
        let (from, to) = tree.add_attrs(owner, attrs);
        let mut node = NodeData::new(kind, name.local, from, to);
        node.holds_html = flags.mathml_annotation_xml_integration_point;
        tree.add(node)
    }

    fn create_comment(&self, _: StrTendril) -> u32 {
        NOT_KEPT
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> u32 {
        NOT_KEPT
    }

    fn append(&self, parent: &u32, child: NodeOrText<u32>) {
        let mut tree = self.tree.borrow_mut();
        let last = tree.at(*parent).last;
        tree.put(*parent, last, NONE, child);
    }

    fn append_based_on_parent_node(&self, element: &u32, prev_element: &u32, child: NodeOrText<u32>) {
        let has_parent = self.tree.borrow_mut().at(*element).parent != NONE;
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(prev_element, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    /// The contents of a template lie directly in the template element.
    fn get_template_contents(&self, target: &u32) -> u32 {
        *target
    }

    fn same_node(&self, x: &u32, y: &u32) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &u32, new_node: NodeOrText<u32>) {
        let mut tree = self.tree.borrow_mut();
        if let NodeOrText::AppendNode(id) = new_node
            && id != NOT_KEPT
        {
            tree.detach(id);
        }
        let (parent, prev) = {
            let node = tree.at(*sibling);
            (node.parent, node.prev)
        };
        if parent != NONE {
            tree.put(parent, prev, *sibling, new_node);
        }
    }

    fn add_attrs_if_missing(&self, target: &u32, attrs: Vec<Attribute>) {
        let mut tree = self.tree.borrow_mut();
        let (from, to) = (tree.at(*target).from as usize, tree.at(*target).to as usize);
        let missing: Vec<Attribute> = {
            let old = tree.attrs.get(from..to).unwrap_or(&[]);
            attrs
                .into_iter()
                .filter(|attr| old.iter().all(|known| known.name != attr.name.local))
                .collect()
        };
        if missing.is_empty() {
            return;
        }
        // The range has to stay in one piece, so it moves to the end. A page can repeat `<body>`
        // at will, but each repetition brings a new name and names are not without number.
        if to - from + missing.len() > 256 {
            return;
        }
        let start = tree.attrs.len();
        for index in from..to {
            let Some(Attr { name, from, to }) = tree.attrs.get(index) else {
                break;
            };
            let copy = Attr {
                name: name.clone(),
                from: *from,
                to: *to,
            };
            tree.attrs.push(copy);
        }
        let (_, end) = tree.add_attrs(*target, missing);
        let node = tree.at(*target);
        (node.from, node.to) = (start as u32, end);
    }

    fn remove_from_parent(&self, target: &u32) {
        self.tree.borrow_mut().detach(*target);
    }

    fn reparent_children(&self, node: &u32, new_parent: &u32) {
        let mut tree = self.tree.borrow_mut();
        let (first, last) = {
            let node = tree.at(*node);
            let ends = (node.end, node.last);
            (node.end, node.last) = (NONE, NONE);
            ends
        };
        if first == NONE {
            return;
        }
        let mut at = first;
        while at != NONE {
            tree.at(at).parent = *new_parent;
            at = tree.at(at).next;
        }
        let old_last = tree.at(*new_parent).last;
        tree.at(first).prev = old_last;
        if old_last == NONE {
            tree.at(*new_parent).end = first;
        } else {
            tree.at(old_last).next = first;
        }
        tree.at(*new_parent).last = last;
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &u32) -> bool {
        self.tree.borrow_mut().at(*handle).holds_html
    }
}
