//! From what each block is worth to what is shown: the roots and the nodes to leave out.

use super::super::kind::Kind;
use super::Content;
use super::outline::{Outline, Tag};
use page::Page;
use page::dom::NodeSet;

/// Puts the content together from the blocks that are kept.
pub(crate) fn content(
    page: &Page,
    outline: &Outline<'_>,
    kind: Kind,
    chances: &[f32],
    kept: &[bool],
) -> Content {
    let mut content = Content {
        kind,
        roots: Vec::new(),
        skip: NodeSet::new(page.dom()),
        confidence: 0.0,
    };
    let mut counts = Vec::with_capacity(kept.len() + 1);
    let (mut count, mut words, mut sure) = (0u32, 0.0, 0.0);
    counts.push(0);
    for ((block, keep), chance) in outline.blocks.iter().zip(kept).zip(chances) {
        if *keep {
            count += 1;
            words += block.words as f32;
            sure += block.words as f32 * chance;
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
        if element.tag != Tag::Unseen && held(element.from, element.to) == count && element.breaks {
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
            .filter(move |element| element.tag == Tag::Noscript)
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
        if element.tag == Tag::Unseen || bare {
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
