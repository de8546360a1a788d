//! A set of nodes of one tree, one bit each.

use super::arena::{Dom, NodeId};

/// A set of nodes of one [`Dom`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeSet {
    bits: Vec<u64>,
    len: usize,
}

impl NodeSet {
    /// An empty set with room for every node of `dom`.
    pub fn new(dom: &Dom) -> NodeSet {
        NodeSet {
            bits: vec![0; dom.len().div_ceil(64)],
            len: 0,
        }
    }

    /// Adds a node. Returns whether it is new.
    pub fn insert(&mut self, id: NodeId) -> bool {
        let (word, bit) = (id.index() / 64, 1 << (id.index() % 64));
        if word >= self.bits.len() {
            self.bits.resize(word + 1, 0);
        }
        let Some(bits) = self.bits.get_mut(word) else {
            return false;
        };
        let is_new = *bits & bit == 0;
        *bits |= bit;
        self.len += usize::from(is_new);
        is_new
    }

    /// Removes a node. Returns whether it was there.
    pub fn remove(&mut self, id: NodeId) -> bool {
        let (word, bit) = (id.index() / 64, 1 << (id.index() % 64));
        let Some(bits) = self.bits.get_mut(word) else {
            return false;
        };
        let was_there = *bits & bit != 0;
        *bits &= !bit;
        self.len -= usize::from(was_there);
        was_there
    }

    /// Whether the node is in the set.
    pub fn contains(&self, id: NodeId) -> bool {
        self.bits
            .get(id.index() / 64)
            .is_some_and(|bits| bits & (1 << (id.index() % 64)) != 0)
    }

    /// How many nodes are in the set.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no node is in the set.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds every node of another set.
    pub fn extend(&mut self, other: &NodeSet) {
        if other.bits.len() > self.bits.len() {
            self.bits.resize(other.bits.len(), 0);
        }
        for (mine, theirs) in self.bits.iter_mut().zip(&other.bits) {
            *mine |= theirs;
        }
        self.len = self.bits.iter().map(|bits| bits.count_ones() as usize).sum();
    }
}
