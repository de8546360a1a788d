//! Iterators over the tree, none of them recursive.

use super::arena::Dom;
use super::node::Node;

/// A node as a walk meets it: before or after what is inside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edge<'a> {
    /// The walk enters the node.
    Open(Node<'a>),
    /// The walk has seen everything inside.
    Close(Node<'a>),
}

/// The nodes directly inside a node, from both ends.
#[derive(Clone, Debug)]
pub struct Children<'a> {
    front: Option<Node<'a>>,
    back: Option<Node<'a>>,
}

impl<'a> Children<'a> {
    #[inline]
    pub(super) fn new(node: Node<'a>) -> Self {
        Children {
            front: node.first_child(),
            back: node.last_child(),
        }
    }
}

impl<'a> Iterator for Children<'a> {
    type Item = Node<'a>;

    #[inline]
    fn next(&mut self) -> Option<Node<'a>> {
        let node = self.front?;
        if self.back == Some(node) {
            (self.front, self.back) = (None, None);
        } else {
            self.front = node.next_sibling();
        }
        Some(node)
    }
}

impl<'a> DoubleEndedIterator for Children<'a> {
    fn next_back(&mut self) -> Option<Node<'a>> {
        let node = self.back?;
        if self.front == Some(node) {
            (self.front, self.back) = (None, None);
        } else {
            self.back = node.prev_sibling();
        }
        Some(node)
    }
}

/// The nodes around a node, nearest first.
#[derive(Clone, Debug)]
pub struct Ancestors<'a>(Option<Node<'a>>);

impl<'a> Ancestors<'a> {
    #[inline]
    pub(super) fn new(node: Node<'a>) -> Self {
        Ancestors(node.parent())
    }
}

impl<'a> Iterator for Ancestors<'a> {
    type Item = Node<'a>;

    #[inline]
    fn next(&mut self) -> Option<Node<'a>> {
        let node = self.0?;
        self.0 = node.parent();
        Some(node)
    }
}

/// Every node inside a node in document order.
#[derive(Clone, Debug)]
pub struct Descendants<'a> {
    dom: &'a Dom,
    at: u32,
    end: u32,
}

impl<'a> Descendants<'a> {
    #[inline]
    pub(super) fn new(node: Node<'a>) -> Self {
        Descendants {
            dom: node.dom(),
            at: node.raw() + 1,
            end: node.data().end,
        }
    }

    /// Leaves out what lies inside `node`, when the walk has just met it.
    #[inline]
    pub fn leave_out(&mut self, node: Node<'a>) {
        self.at = self.at.max(node.data().end);
    }
}

impl<'a> Iterator for Descendants<'a> {
    type Item = Node<'a>;

    #[inline]
    fn next(&mut self) -> Option<Node<'a>> {
        if self.at >= self.end {
            return None;
        }
        let node = Node::new(self.dom, self.at);
        self.at += 1;
        Some(node)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.end.saturating_sub(self.at) as usize;
        (left, Some(left))
    }
}

impl<'a> DoubleEndedIterator for Descendants<'a> {
    fn next_back(&mut self) -> Option<Node<'a>> {
        if self.at >= self.end {
            return None;
        }
        self.end -= 1;
        Some(Node::new(self.dom, self.end))
    }
}

/// A node and every one inside, each as it opens and as it closes.
#[derive(Clone, Debug)]
pub struct Traverse<'a> {
    root: Node<'a>,
    next: Option<Edge<'a>>,
}

impl<'a> Traverse<'a> {
    #[inline]
    pub(super) fn new(root: Node<'a>) -> Self {
        Traverse {
            root,
            next: Some(Edge::Open(root)),
        }
    }

    /// Leaves out what lies inside the node that was opened last, and its closing.
    #[inline]
    pub fn leave_out(&mut self) {
        if let Some(edge) = self.next {
            let opened = match edge {
                Edge::Open(first) => first.parent(),
                Edge::Close(node) => Some(node),
            };
            self.next = opened.and_then(|node| self.after(node));
        }
    }

    #[inline]
    fn after(&self, node: Node<'a>) -> Option<Edge<'a>> {
        if node == self.root {
            return None;
        }
        match node.next_sibling() {
            Some(next) => Some(Edge::Open(next)),
            None => node.parent().map(Edge::Close),
        }
    }
}

impl<'a> Iterator for Traverse<'a> {
    type Item = Edge<'a>;

    #[inline]
    fn next(&mut self) -> Option<Edge<'a>> {
        let edge = self.next?;
        self.next = match edge {
            Edge::Open(node) => match node.first_child() {
                Some(child) => Some(Edge::Open(child)),
                None => Some(Edge::Close(node)),
            },
            Edge::Close(node) => self.after(node),
        };
        Some(edge)
    }
}

impl<'a> Node<'a> {
    /// The nodes directly inside.
    #[inline]
    pub fn children(self) -> Children<'a> {
        Children::new(self)
    }

    /// The nodes this one lies in, nearest first, up to the document.
    #[inline]
    pub fn ancestors(self) -> Ancestors<'a> {
        Ancestors::new(self)
    }

    /// Every node inside, in document order, without this one.
    #[inline]
    pub fn descendants(self) -> Descendants<'a> {
        Descendants::new(self)
    }

    /// This node and every one inside, each as it opens and as it closes.
    #[inline]
    pub fn traverse(self) -> Traverse<'a> {
        Traverse::new(self)
    }
}
