//! Options of Markdown rendering.

use crate::dom::NodeSet;

/// What to keep of a page.
#[derive(Debug, Clone)]
pub struct MarkdownOptions {
    /// Nodes to leave out with all inside.
    pub skip: NodeSet,
    /// Whether links are written as links (else as their text).
    pub links: bool,
    /// Whether images are written (else left out).
    pub images: bool,
    /// Whether links and images are made absolute, as far as the page has a base.
    pub absolute: bool,
}

impl Default for MarkdownOptions {
    /// Everything, with absolute links.
    fn default() -> Self {
        MarkdownOptions {
            skip: NodeSet::default(),
            links: true,
            images: true,
            absolute: true,
        }
    }
}
