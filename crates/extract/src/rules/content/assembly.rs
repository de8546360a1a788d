//! From the blocks that are kept to roots in the page and nodes to leave out.

use super::super::page_kind::{LEARNED_KINDS, PageKind};
use super::element::{BlockTag, OutlineElement};
use super::outline::BlockOutline;
use page::Page;
use page::dom::{Node, NodeId, NodeSet};

/// The main content of a page.
#[derive(Clone, Debug)]
pub struct MainContent {
    /// What kind of page it is.
    pub kind: PageKind,
    /// Probability of the kind, 0 to 1; 1 where the markup declares it.
    pub kind_probability: f32,
    /// Probabilities of the learned kinds, in the order of [`PageKind::ALL`]; the markup has no say in them.
    pub kind_probabilities: [f32; LEARNED_KINDS],
    /// The elements that hold the content, in document order, none inside another. Empty when there is no content.
    pub roots: Vec<NodeId>,
    /// Nodes inside the roots that are no content.
    pub skip: NodeSet,
    /// The mean probability of the words kept, 0 to 1.
    pub confidence: f32,
    /// Whether the page goes on behind the last block that is read, within the element that holds the content.
    pub is_cut: bool,
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
        kind_probability: 0.0,
        kind_probabilities: [0.0; LEARNED_KINDS],
        roots: Vec::new(),
        skip: NodeSet::new(page.dom()),
        confidence: mean_probability(outline, probabilities, kept),
        is_cut: false,
    };
    let counts = KeptCounts::new(kept);
    let mut root = outline.elements.first().map(|element| (0, element));
    for (id, element) in outline.elements.iter().enumerate() {
        if element.tag != BlockTag::Unseen && counts.inside(element) == counts.all() && element.breaks {
            root = Some((id, element));
        }
    }
    let Some((root, top)) = root.filter(|_| counts.all() > 0) else {
        return content;
    };
    let noscripts = outline
        .elements
        .iter()
        .filter(|element| outline.reads_noscript && element.tag == BlockTag::Noscript)
        .filter(|element| element.node.is_inside(top.node.id()));
    content.roots = noscripts
        .filter(|element| counts.inside(element) > 0)
        .map(|element| element.node.id())
        .collect();
    if content.roots.is_empty() {
        content.roots.push(top.node.id());
    }
    let inside = outline.elements.iter().skip(root + 1);
    let inside = inside.take_while(|element| element.node.id() < top.node.end());
    skip_empty_elements(inside, &counts, &mut content.skip);
    if let Some(unread) = outline.unread {
        content.is_cut = top.node.id() < unread && unread < top.node.end();
        skip_from(page.dom().node(unread), &mut content.skip);
    }
    skip_blocks(page, outline, kept, &mut content.skip);
    skip_hidden_lines(outline, &mut content.skip);
    skip_cards_of_words(page, top.node, &mut content.skip);
    content
}

/// Longest hidden line that is left out, in words. What is longer is often shown when a reader asks for it.
const HIDDEN_WORDS: u32 = 12;

/// Leaves out lines that the page itself hides (`hidden`, `display:none`). A box of several blocks may be a tab or an answer that
/// opens, and what has an id may be shown by a script.
fn skip_hidden_lines(outline: &BlockOutline<'_>, skip: &mut NodeSet) {
    let is_line = |element: &&OutlineElement<'_>| {
        matches!(element.tag, BlockTag::P | BlockTag::Heading(_) | BlockTag::Li)
            && element.unseen
            && element.to == element.from + 1
            && element.node.id_attr().is_empty()
    };
    for element in outline.elements.iter().filter(is_line) {
        let block = outline.blocks.get(element.from as usize);
        if block.is_some_and(|block| block.words <= HIDDEN_WORDS) {
            skip.insert(element.node.id());
        }
    }
}

/// Fewest links of a card that is shown while the pointer is on a word.
const CARD_LINKS: usize = 3;
/// Most pictures of a page whose surroundings are looked at.
const MAX_PICTURES: usize = 400;

/// Leaves out the cards that stand within a sentence, behind a name, until the pointer is on it: a picture and several links.
fn skip_cards_of_words(page: &Page, root: Node<'_>, skip: &mut NodeSet) {
    let pictures = page.dom().by_tag("img").take(MAX_PICTURES);
    for picture in pictures.filter(|picture| picture.is_inside(root.id())) {
        let inline = picture
            .ancestors()
            .take_while(|above| matches!(above.tag(), "span" | "a"));
        let Some(card) = inline.last().filter(|card| card.is("span")) else {
            continue;
        };
        let is_in_sentence = card.parent().is_some_and(|around| {
            around.is("p")
                && around
                    .children()
                    .any(|node| node.text_value().is_some_and(|text| text.trim().len() > 1))
        });
        // The word itself stands before the card.
        let within = card
            .children()
            .find(|node| node.is("span") && (picture.is_inside(node.id())));
        let card = within.unwrap_or(card);
        let links = card
            .descendants()
            .filter(|inner| inner.is("a"))
            .take(CARD_LINKS)
            .count();
        if is_in_sentence && links == CARD_LINKS {
            skip.insert(card.id());
        }
    }
}

/// The mean probability of the words kept, 0 to 1.
fn mean_probability(outline: &BlockOutline<'_>, probabilities: &[f32], kept: &[bool]) -> f32 {
    let (mut words, mut sum) = (0.0, 0.0);
    for ((block, _), probability) in outline
        .blocks
        .iter()
        .zip(kept)
        .zip(probabilities)
        .filter(|((_, keep), _)| **keep)
    {
        words += block.words as f32;
        sum += block.words as f32 * probability;
    }
    if words > 0.0 { sum / words } else { 0.0 }
}

/// Running counts of the blocks kept.
struct KeptCounts(Vec<u32>);

impl KeptCounts {
    fn new(kept: &[bool]) -> KeptCounts {
        let mut count = 0;
        let counts = kept.iter().map(|keep| {
            count += u32::from(*keep);
            count
        });
        KeptCounts(std::iter::once(0).chain(counts).collect())
    }

    fn all(&self) -> u32 {
        self.0.last().copied().unwrap_or(0)
    }

    fn inside(&self, element: &OutlineElement<'_>) -> u32 {
        let before = |block: u32| self.0.get(block as usize).copied().unwrap_or(self.all());
        before(element.to).saturating_sub(before(element.from))
    }
}

/// Leaves out elements that nobody sees, and those of which no block is kept.
fn skip_empty_elements<'e>(
    elements: impl Iterator<Item = &'e OutlineElement<'e>>,
    counts: &KeptCounts,
    skip: &mut NodeSet,
) {
    let mut skipped_until: Option<NodeId> = None;
    for element in elements {
        if skipped_until.is_some_and(|end| element.node.id() < end) {
            continue;
        }
        let dropped = element.breaks && element.from != element.to && counts.inside(element) == 0;
        if element.tag == BlockTag::Unseen || dropped {
            skip.insert(element.node.id());
            skipped_until = Some(element.node.end());
        }
    }
}

/// Leaves out a node and all behind it.
fn skip_from(node: Node<'_>, skip: &mut NodeSet) {
    skip.insert(node.id());
    for around in std::iter::once(node).chain(node.ancestors()) {
        let behind = std::iter::successors(around.next_sibling(), |node| node.next_sibling());
        for node in behind {
            skip.insert(node.id());
        }
    }
}

/// Leaves out the nodes of the blocks that are not kept.
fn skip_blocks(page: &Page, outline: &BlockOutline<'_>, kept: &[bool], skip: &mut NodeSet) {
    let dropped = outline.blocks.iter().zip(kept).filter(|(_, keep)| !**keep);
    for (block, _) in dropped {
        let siblings = std::iter::successors(Some(page.dom().node(block.first)), |node| node.next_sibling());
        for node in siblings.take_while(|node| node.id() <= block.last) {
            skip.insert(node.id());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::content;

    #[test]
    fn what_stands_behind_the_last_block_that_is_read_is_left_out() {
        let page = Page::new(
            "<main><p>One mill.</p><div><p>Two mills.</p><p>Three mills.</p></div><p>Four <b>mills</b>.</p><ul><li>Five mills.</li></ul></main>",
            None,
        );
        let read = |most: usize| {
            let outline = BlockOutline::read_first(page.dom(), true, most);
            let kept = vec![true; outline.blocks.len()];
            let found = assemble(&page, &outline, PageKind::Article, &[], &kept);
            let text = content::text(&page, &found);
            let words: Vec<&str> = text.split_whitespace().collect();
            (words.join(" "), found.is_cut)
        };
        assert_eq!(read(2), ("One mill. Two mills.".to_owned(), true));
        assert_eq!(read(3), ("One mill. Two mills. Three mills.".to_owned(), true));
        let (whole, is_cut) = read(5);
        assert!(whole.ends_with("Five mills.") && !is_cut, "{whole}");
    }
}
