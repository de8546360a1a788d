//! SiblingGroups: siblings that hold the same things, such as cards, teasers and entries of a list.
//!
//! Three or more siblings that each hold a linked heading or a linked picture mostly lead to other pages, wherever they stand. Groups
//! are made from tags and contents alone, so that they do not depend on class names.

use super::element::{BlockTag, NONE, OutlineElement};
use super::hashing::HashMap64;
use super::outline::BlockOutline;
use super::totals::{BlockSums, PageTotals, share};

/// What an element is or holds, bits.
const LINK: u8 = 1;
const HEADING: u8 = 1 << 1;
const LINKED_HEADING: u8 = 1 << 2;
const PICTURE: u8 = 1 << 3;

/// Elements of one parent with one tag that all hold links, or none of which does, and so on for headings and pictures.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SiblingGroup {
    /// How many siblings with text.
    pub(crate) members: f32,
    /// The sums over all members.
    pub(crate) sums: BlockSums,
    /// Which blocks: from the first of the first member to behind the last of the last.
    pub(crate) from: u32,
    pub(crate) to: u32,
    holds: u8,
}

impl SiblingGroup {
    /// Whether each member holds a linked heading.
    pub(crate) fn is_headed(&self) -> bool {
        self.holds & LINKED_HEADING != 0
    }

    /// Whether each member holds a picture.
    pub(crate) fn is_pictured(&self) -> bool {
        self.holds & PICTURE != 0
    }

    /// Whether there are three or more members that each hold a linked heading, or a link and a picture.
    pub(crate) fn is_teasers(&self) -> bool {
        self.members >= 3.0 && (self.is_headed() || self.holds & (LINK | PICTURE) == LINK | PICTURE)
    }

    /// The share of the members' words that reads like prose.
    pub(crate) fn prose(&self) -> f32 {
        share(self.sums.prose, self.sums.words)
    }
}

/// The groups of a page's elements.
pub(crate) struct SiblingGroups {
    groups: Vec<SiblingGroup>,
    /// For each element its group; [`NONE`] for elements without text.
    of_element: Vec<u32>,
}

impl SiblingGroups {
    /// Groups the elements of a page in one pass up and one down.
    pub(crate) fn read(outline: &BlockOutline<'_>, totals: &PageTotals) -> SiblingGroups {
        let holds = holdings(&outline.elements);
        let mut known: HashMap64<u64, u32> = HashMap64::default();
        let mut found = SiblingGroups {
            groups: Vec::new(),
            of_element: Vec::with_capacity(outline.elements.len()),
        };
        for (element, holds) in outline.elements.iter().zip(holds) {
            if element.from == element.to || !element.breaks {
                found.of_element.push(NONE);
                continue;
            }
            let key = u64::from(element.parent).wrapping_mul(0x9e37_79b9_7f4a_7c15)
                ^ (u64::from(holds) << 8 | u64::from(tag_code(element.tag)));
            let next = found.groups.len() as u32;
            let id = *known.entry(key).or_insert(next);
            if id == next {
                found.groups.push(SiblingGroup {
                    from: element.from,
                    holds,
                    ..SiblingGroup::default()
                });
            }
            if let Some(group) = found.groups.get_mut(id as usize) {
                group.members += 1.0;
                group.to = element.to;
                group.sums = group.sums.and(totals.of(element));
            }
            found.of_element.push(id);
        }
        found
    }

    /// All groups, in the order of their first members.
    pub(crate) fn all(&self) -> &[SiblingGroup] {
        &self.groups
    }

    /// The group of an element.
    pub(crate) fn of(&self, element: u32) -> Option<&SiblingGroup> {
        let group = self.of_element.get(element as usize)?;
        self.groups.get(*group as usize)
    }

    /// The nearest group of teasers around an element, itself included.
    pub(crate) fn teasers(&self, outline: &BlockOutline<'_>, element: u32) -> Option<&SiblingGroup> {
        outline
            .around(element)
            .filter_map(|(id, _)| self.of(id))
            .find(|group| group.is_teasers())
    }
}

/// A number for each tag; headings of all levels are alike.
fn tag_code(tag: BlockTag) -> u8 {
    match tag {
        BlockTag::Heading(_) => 1,
        BlockTag::Li => 2,
        BlockTag::Div => 3,
        BlockTag::Article => 4,
        BlockTag::Section => 5,
        BlockTag::P => 6,
        BlockTag::Link => 7,
        BlockTag::Cell => 8,
        BlockTag::Dt => 9,
        BlockTag::Dd => 10,
        BlockTag::Aside => 11,
        _ => 0,
    }
}

/// What each element is or holds.
fn holdings(elements: &[OutlineElement<'_>]) -> Vec<u8> {
    let mut holds: Vec<u8> = elements
        .iter()
        .map(|element| match element.tag {
            BlockTag::Link if element.node.attr("href").is_some() => LINK,
            BlockTag::Heading(_) => HEADING,
            BlockTag::Image => PICTURE,
            _ => 0,
        })
        .collect();
    for (at, element) in elements.iter().enumerate().rev() {
        let Some(own) = holds.get_mut(at) else { continue };
        let is_pair = matches!(element.tag, BlockTag::Link | BlockTag::Heading(_));
        if is_pair && *own & (LINK | HEADING) == LINK | HEADING {
            *own |= LINKED_HEADING;
        }
        let own = *own;
        if let Some(parent) = holds.get_mut(element.parent as usize) {
            *parent |= own;
        }
    }
    holds
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::Page;

    fn teasers(html: &str) -> Vec<f32> {
        let page = Page::new(html, None);
        let outline = BlockOutline::read(page.dom(), true);
        let totals = PageTotals::read(&outline);
        let groups = SiblingGroups::read(&outline, &totals);
        let of_block = |element| {
            groups
                .teasers(&outline, element)
                .map_or(0.0, |group| group.members)
        };
        outline
            .blocks
            .iter()
            .map(|block| of_block(block.element))
            .collect()
    }

    #[test]
    fn three_linked_headings_are_teasers_whatever_their_classes() {
        let card = |class: &str| {
            format!("<div class={class}><h3><a href=/x>Another story</a></h3><p>Its first line</div>")
        };
        let html = ["a", "b7", "c"].map(card).concat();
        assert_eq!(
            teasers(&format!("<p>Text of its own<div>{html}</div>")),
            [0.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0]
        );
    }

    #[test]
    fn sections_of_a_text_are_no_teasers() {
        let section = "<section><h2>A part</h2><p>With words and a <a href=/x>link</a></section>";
        assert_eq!(teasers(&section.repeat(4)), [0.0; 8]);
        let two = "<div><h3><a href=/x>Another story</a></h3></div>";
        assert_eq!(teasers(&two.repeat(2)), [0.0; 2]);
    }
}
