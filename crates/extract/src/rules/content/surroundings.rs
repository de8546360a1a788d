//! Blocks that a tag or a class name marks as something beside the content: menus, footers, advertisements, recommendations.

use std::collections::HashSet;

use super::super::vocabulary::class_bit;
use super::element::{BlockTag, OutlineElement};
use super::outline::BlockOutline;
use super::totals::{PageTotals, share};

/// The class groups of elements beside the content.
const BESIDE: [&str; 9] = [
    "share",
    "related",
    "sidebar",
    "footer",
    "nav",
    "cookie",
    "consent",
    "ad",
    "newsletter",
];
/// From this share of the words of the page on, a mark is about the page as a whole, such as a class of its body.
const WHOLE: f32 = 0.5;

/// Keeps every block that is seen and not marked as something beside the content.
pub(super) fn keep_unmarked(outline: &BlockOutline<'_>, totals: &PageTotals, kept: &mut [bool]) {
    let beside = BESIDE.iter().fold(0, |bits, group| bits | class_bit(group));
    let is_marked = |id: u32, element: &OutlineElement<'_>| {
        is_beside(outline, id, element, beside)
            && share(totals.of(element).words, totals.total.words) < WHOLE
            && !has_title(totals, element)
    };
    let holders = holders_of_main(outline);
    // A parent stands before its children.
    let mut left_out: Vec<bool> = Vec::with_capacity(outline.elements.len());
    for (id, element) in (0..).zip(&outline.elements) {
        let is_inside = left_out.get(element.parent as usize).copied().unwrap_or(false);
        let is_unseen = (element.unseen && !is_streamed(element)) || element.tag == BlockTag::Unseen;
        left_out.push(is_inside || is_unseen || (!holders.contains(&id) && is_marked(id, element)));
    }
    for (block, is_kept) in outline.blocks.iter().zip(kept) {
        *is_kept |= !left_out.get(block.element as usize).copied().unwrap_or(true);
    }
}

/// Whether a tag or a class name says that an element is beside the content. `beside` are the bits of such names.
fn is_beside(outline: &BlockOutline<'_>, id: u32, element: &OutlineElement<'_>, beside: u64) -> bool {
    let has = |group: &str| element.class_bits & class_bit(group) != 0;
    match element.tag {
        BlockTag::Nav | BlockTag::Footer | BlockTag::Aside | BlockTag::Dialog | BlockTag::Form => true,
        // An article has a header of its own.
        _ if element.tag == BlockTag::Header || has("header") => !outline
            .around(id)
            .any(|(_, outer)| outer.tag == BlockTag::Article || outer.class_bits & class_bit("article") != 0),
        // What holds both the content and a bar beside it.
        _ if has("sidebar") && has("content") => false,
        _ => element.class_bits & beside != 0,
    }
}

/// Whether an element is a part of a page that React's server sends later and a script puts in its place: `<div hidden id="S:1">`.
fn is_streamed(element: &OutlineElement<'_>) -> bool {
    let node = element.node;
    node.attr("hidden").is_some() && node.attr("id").is_some_and(|id| id.starts_with("S:"))
}

/// The elements around the one that the page names as its main part.
fn holders_of_main(outline: &BlockOutline<'_>) -> HashSet<u32> {
    let mains = (0..)
        .zip(&outline.elements)
        .filter(|(_, element)| element.tag == BlockTag::Main);
    mains
        .flat_map(|(id, _)| outline.around(id).map(|(outer, _)| outer))
        .collect()
}

/// Whether the first heading of the first level is inside.
fn has_title(totals: &PageTotals, element: &OutlineElement<'_>) -> bool {
    let blocks = element.from as usize..element.to as usize;
    totals.first_h1.is_some_and(|at| blocks.contains(&at))
}
