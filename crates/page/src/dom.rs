//! The parsed page as an immutable tree: a compact arena in document order.
//!
//! Nodes lie in one vector in pre-order, so a subtree is a range of ids: walking it is a
//! scan, and asking whether a node lies inside another is two comparisons. Comments,
//! processing instructions and the doctype are not kept; text on both sides of a comment is
//! one text node.

mod arena;
mod arena_builder;
mod char_reference;
mod depth_limiter;
mod node;
mod node_set;
mod parse;
mod protected_email;
mod selector;
#[cfg(test)]
mod tests;
mod tokenizer;
mod traversal;

pub use arena::{Dom, MAX_BYTES, MAX_DEPTH, MAX_ELEMENTS, NodeId, Truncation};
pub use node::Node;
pub use node_set::NodeSet;
pub use selector::bounds::{MAX_COMBINATORS, MAX_MATCH_STEPS, MAX_SELECTOR_BYTES, MAX_SELECTOR_DEPTH};
pub use selector::{SelectedNodes, Selector};
pub use traversal::{Ancestors, Children, Descendants, Edge, Traverse};
