//! From a page to Markdown that keeps its structure and that its text cannot inject into.
//!
//! CommonMark with the tables and strikethrough of GitHub's dialect
//! (<https://github.github.com/gfm/>). One pass over the arena in document order, without
//! recursion; time and output are linear in the page.

mod code;
mod escape;
mod image;
mod link;
mod list;
mod math;
mod pieces;
mod table;
#[cfg(test)]
mod tests;
mod walk;
mod writer;

use crate::Page;
use crate::dom::{Node, NodeSet};

/// What to keep of a page.
#[derive(Debug, Clone)]
pub struct Options {
    /// Nodes to leave out with all inside.
    pub skip: NodeSet,
    /// Whether links are written as links (else as their text).
    pub links: bool,
    /// Whether images are written (else left out).
    pub images: bool,
    /// Whether links and images are made absolute, as far as the page has a base.
    pub absolute: bool,
}

impl Default for Options {
    /// Everything, with absolute links.
    fn default() -> Self {
        Options {
            skip: NodeSet::default(),
            links: true,
            images: true,
            absolute: true,
        }
    }
}

/// The Markdown of some parts of a page, one after the other.
pub fn render(page: &Page, roots: &[Node<'_>], options: &Options) -> String {
    let mut walk = walk::Walk::new(page, options);
    for root in roots {
        walk.run_root(*root);
    }
    walk.finish()
}

/// The Markdown of the whole body.
pub fn render_page(page: &Page) -> String {
    let root = page.dom().body().unwrap_or(page.dom().root());
    render(page, &[root], &Options::default())
}
