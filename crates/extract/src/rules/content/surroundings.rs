//! Blocks that a tag or a class name marks as something beside the content: menus, footers, advertisements, recommendations.

use std::collections::HashSet;

use super::super::vocabulary::{class_bit, class_bits};
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

/// Keeps every block that is not marked as something beside the content, also what is hidden until a reader opens it, such as
/// a tab.
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
        let is_unseen = element.tag == BlockTag::Unseen;
        left_out.push(is_inside || is_unseen || (!holders.contains(&id) && is_marked(id, element)));
    }
    for (block, is_kept) in outline.blocks.iter().zip(&mut *kept) {
        *is_kept |= !left_out.get(block.element as usize).copied().unwrap_or(true);
    }
    complete_lines(outline, kept);
}

/// Keeps a line as a whole where a part of it is kept.
fn complete_lines(outline: &BlockOutline<'_>, kept: &mut [bool]) {
    let mut has_lines = vec![false; outline.elements.len()];
    for element in outline.elements.iter().filter(|element| element.breaks) {
        if let Some(parent) = has_lines.get_mut(element.parent as usize) {
            *parent = true;
        }
    }
    let elements = outline.elements.iter().zip(&has_lines);
    for (line, _) in elements.filter(|(element, has_lines)| element.breaks && !**has_lines) {
        if let Some(blocks) = kept.get_mut(line.from as usize..line.to as usize)
            && blocks.contains(&true)
        {
            blocks.fill(true);
        }
    }
}

/// Whether a tag or a class name says that an element is beside the content. `beside` are the bits of such names.
fn is_beside(outline: &BlockOutline<'_>, id: u32, element: &OutlineElement<'_>, beside: u64) -> bool {
    let marks = marks(element);
    let has = |group: &str| marks & class_bit(group) != 0;
    match element.tag {
        BlockTag::Nav | BlockTag::Footer | BlockTag::Aside | BlockTag::Dialog | BlockTag::Form => true,
        // Text itself; its class names tell how it looks.
        BlockTag::P | BlockTag::Heading(_) | BlockTag::Pre | BlockTag::Quote | BlockTag::FeatureTable => {
            false
        }
        // An article has a header of its own.
        _ if element.tag == BlockTag::Header || has("header") => !outline
            .around(id)
            .any(|(_, outer)| outer.tag == BlockTag::Article || outer.class_bits & class_bit("article") != 0),
        // What holds both the content and a bar beside it.
        _ if has("sidebar") && has("content") => false,
        _ => marks & beside != 0 || (element.unseen && has("overlay")),
    }
}

/// The class groups of an element's names, without those that a build has made (`css-5ad0f1`): they change with each build,
/// and what they seem to say is chance.
fn marks(element: &OutlineElement<'_>) -> u64 {
    if element.class_bits == 0 {
        return 0;
    }
    let is_made = |piece: &str| {
        let count = |is: fn(&u8) -> bool| piece.bytes().filter(is).count();
        count(u8::is_ascii_digit) > 0 && count(u8::is_ascii_alphabetic) > 0
    };
    let is_name = |attr: &str| matches!(attr, "class" | "id" | "role");
    let values = element
        .node
        .attrs()
        .filter(|(attr, _)| is_name(attr))
        .map(|(_, value)| value);
    let words = values.flat_map(str::split_ascii_whitespace);
    // A variant of a style (`hover:shadow`, `[.sidebar_&]:wide`) says how it looks when.
    let words = words.filter(|word| !word.contains([':', '[']));
    words.fold(0, |bits, word| {
        let pieces: Vec<&str> = word.split(['-', '_']).filter(|piece| !is_made(piece)).collect();
        bits | class_bits(&pieces.join("-"))
    })
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
