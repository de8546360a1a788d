//! BlockOutline: the elements of a page and its blocks of text as flat lists.
//!
//! The tree is read once into flat lists: the elements that can hold blocks, in document order, and the blocks, each
//! a run of siblings whose text is read as one piece. Everything later works on these lists.

use super::block::{BlockBuilder, TextBlock};
use super::element::{BlockTag, OutlineElement, elements};
use page::dom::{Dom, Node, NodeId};

/// Most blocks of a page that are read; what comes after is left out of the content.
const MAX_BLOCKS: usize = 60_000;

/// The page as lists of elements and blocks.
pub(crate) struct BlockOutline<'a> {
    pub(crate) elements: Vec<OutlineElement<'a>>,
    pub(crate) blocks: Vec<TextBlock>,
    /// The text of all blocks, one after the other.
    pub(crate) text: String,
    /// Whether the page is what it shows without scripts.
    pub(crate) reads_noscript: bool,
    /// The first node that is not read, where the page has more blocks than are.
    pub(crate) unread: Option<NodeId>,
}

impl<'a> BlockOutline<'a> {
    /// Reads the outline of a page. With `names` off, class names and the words of the text say nothing.
    pub(crate) fn read(dom: &'a Dom, names: bool) -> BlockOutline<'a> {
        BlockOutline::read_first(dom, names, MAX_BLOCKS)
    }

    /// Reads the outline of a page up to its first `most` blocks.
    pub(super) fn read_first(dom: &'a Dom, names: bool, most: usize) -> BlockOutline<'a> {
        let root = dom.body().unwrap_or(dom.root());
        let elements = elements(root, names);
        let mut outline = BlockOutline {
            elements,
            blocks: Vec::new(),
            text: String::new(),
            reads_noscript: false,
            unread: None,
        };
        outline.cut(root, names, most);
        outline.choose_noscript();
        outline
    }

    /// The words a block is made of, white space collapsed.
    pub(crate) fn text_of(&self, block: &TextBlock) -> &str {
        self.text
            .get(block.from as usize..block.to as usize)
            .unwrap_or("")
    }

    /// The element and those around it, nearest first.
    pub(crate) fn around(&self, element: u32) -> impl Iterator<Item = (u32, &OutlineElement<'a>)> + '_ {
        let mut at = element;
        std::iter::from_fn(move || {
            let id = at;
            let element = self.elements.get(id as usize)?;
            at = element.parent;
            Some((id, element))
        })
    }

    /// Cuts the text into blocks and records which ones each element holds.
    fn cut(&mut self, root: Node<'a>, names: bool, most: usize) {
        let mut index = 0usize;
        let mut open: Vec<(NodeId, u32)> = Vec::new();
        let mut builder = BlockBuilder::new(names);
        let mut walk = root.descendants();
        let mut next = Some(root);
        while let Some(node) = next {
            while let Some(&(end, id)) = open.last() {
                if node.id() < end {
                    break;
                }
                open.pop();
                self.close(id, &mut builder, most);
            }
            if let Some(text) = node.text_value() {
                if builder.is_top(node) {
                    builder.top(node.id());
                }
                builder.push(text, &mut self.text);
            } else if let Some(element) = self
                .elements
                .get(index)
                .filter(|element| element.node == node)
                .copied()
            {
                let id = index as u32;
                index += 1;
                if element.tag == BlockTag::Image
                    || element.tag == BlockTag::Unseen && matches!(node.tag(), "iframe" | "video")
                {
                    builder.image();
                }
                if element.tag == BlockTag::Unseen {
                    if builder.is_top(node) {
                        builder.top(node.id());
                    }
                    walk.leave_out(node);
                    // What lies inside a part of a line that is not read has been listed.
                    while self
                        .elements
                        .get(index)
                        .is_some_and(|element| element.node.id() < node.end())
                    {
                        index += 1;
                    }
                } else {
                    if element.breaks {
                        self.flush(&mut builder, most);
                        builder.enter(id, node);
                    } else if builder.is_top(node) {
                        builder.top(node.id());
                    }
                    builder.open(&element);
                    if element.tag == BlockTag::Break && builder.second_break() {
                        self.flush(&mut builder, most);
                    }
                    if let Some(element) = self.elements.get_mut(index - 1) {
                        element.from = self.blocks.len() as u32;
                    }
                    open.push((node.end(), id));
                }
            }
            next = walk.next();
        }
        while let Some((_, id)) = open.pop() {
            self.close(id, &mut builder, most);
        }
        self.flush(&mut builder, most);
    }

    fn close(&mut self, id: u32, builder: &mut BlockBuilder, most: usize) {
        let Some(element) = self.elements.get(id as usize).copied() else {
            return;
        };
        if element.breaks {
            self.flush(builder, most);
            builder.close(&element);
            match self.elements.get(element.parent as usize) {
                Some(parent) => builder.enter(element.parent, parent.node),
                None => builder.enter(id, element.node),
            }
        } else {
            builder.close(&element);
        }
        if let Some(element) = self.elements.get_mut(id as usize) {
            element.to = self.blocks.len() as u32;
        }
    }

    fn flush(&mut self, builder: &mut BlockBuilder, most: usize) {
        let Some(block) = builder.finish(&mut self.text) else {
            return;
        };
        if self.blocks.len() < most {
            self.blocks.push(block);
        } else {
            self.unread.get_or_insert(block.first);
        }
    }

    /// `<noscript>` is what a page without scripts would show. Where it holds most of the words (pages drawn by
    /// scripts that carry a plain copy for crawlers) it is the page; elsewhere it is left out.
    fn choose_noscript(&mut self) {
        let inside: Vec<bool> = self
            .blocks
            .iter()
            .map(|block| {
                self.around(block.element)
                    .any(|(_, element)| element.tag == BlockTag::Noscript)
            })
            .collect();
        let words = |side: bool| -> u32 {
            self.blocks
                .iter()
                .zip(&inside)
                .filter(|(_, in_noscript)| **in_noscript == side)
                .map(|(block, _)| block.words)
                .sum()
        };
        self.reads_noscript = words(true) > 60 && words(true) > words(false);
        if self.reads_noscript || !inside.contains(&true) {
            return;
        }
        let mut kept = Vec::with_capacity(inside.len() + 1);
        let mut count = 0;
        for in_noscript in &inside {
            kept.push(count);
            count += u32::from(!in_noscript);
        }
        kept.push(count);
        for element in &mut self.elements {
            element.from = kept.get(element.from as usize).copied().unwrap_or(count);
            element.to = kept.get(element.to as usize).copied().unwrap_or(count);
        }
        let mut inside = inside.iter();
        self.blocks.retain(|_| !inside.next().copied().unwrap_or(false));
    }
}
