//! From the blocks that are kept to roots in the page and nodes to leave out.

use super::super::page_kind::PageKind;
use super::element::BlockTag;
use super::outline::BlockOutline;
use page::Page;
use page::dom::{NodeId, NodeSet};

/// The main content of a page.
#[derive(Clone, Debug)]
pub struct MainContent {
    /// What kind of page it is.
    pub kind: PageKind,
    /// The elements that hold the content, in document order, none inside another. Empty when there is no content.
    pub roots: Vec<NodeId>,
    /// Nodes inside the roots that are no content.
    pub skip: NodeSet,
    /// The mean probability of the words kept, 0 to 1.
    pub confidence: f32,
}

/// Puts the content together from the blocks that are kept.
pub(crate) fn assemble(
    page: &Page,
    outline: &BlockOutline<'_>,
    kind: PageKind,
    probabilities: &[f32],
    kept: &[bool],
) -> MainContent {
    let mut content = MainContent {
        kind,
        roots: Vec::new(),
        skip: NodeSet::new(page.dom()),
        confidence: 0.0,
    };
    let mut counts = Vec::with_capacity(kept.len() + 1);
    let (mut count, mut words, mut sure) = (0u32, 0.0, 0.0);
    counts.push(0);
    for ((block, keep), probability) in outline.blocks.iter().zip(kept).zip(probabilities) {
        if *keep {
            count += 1;
            words += block.words as f32;
            sure += block.words as f32 * probability;
        }
        counts.push(count);
    }
    if count == 0 {
        return content;
    }
    content.confidence = if words > 0.0 { sure / words } else { 0.0 };
    let held = |from: u32, to: u32| {
        let at = |block: u32| counts.get(block as usize).copied().unwrap_or(count);
        at(to).saturating_sub(at(from))
    };
    let mut root = 0;
    for (id, element) in outline.elements.iter().enumerate() {
        if element.tag != BlockTag::Unseen && held(element.from, element.to) == count && element.breaks {
            root = id;
        }
    }
    let Some(top) = outline.elements.get(root) else {
        return content;
    };
    let plain = |node| {
        outline
            .elements
            .iter()
            .filter(move |element| element.tag == BlockTag::Noscript)
            .filter(move |element| element.node.is_inside(node))
            .filter(|element| held(element.from, element.to) > 0)
    };
    content.roots = plain(top.node.id()).map(|element| element.node.id()).collect();
    if content.roots.is_empty() {
        content.roots.push(top.node.id());
    }
    let mut left_out = top.node.id();
    for element in outline.elements.iter().skip(root + 1) {
        if element.node.id() >= top.node.end() {
            break;
        }
        if element.node.id() < left_out {
            continue;
        }
        let empty = element.from == element.to;
        let bare = element.breaks && !empty && held(element.from, element.to) == 0;
        if element.tag == BlockTag::Unseen || bare {
            content.skip.insert(element.node.id());
            left_out = element.node.end();
        }
    }
    for (block, keep) in outline.blocks.iter().zip(kept) {
        if *keep {
            continue;
        }
        let mut at = Some(page.dom().node(block.first));
        while let Some(node) = at {
            if node.id() > block.last {
                break;
            }
            content.skip.insert(node.id());
            at = node.next_sibling();
        }
    }
    content
}
