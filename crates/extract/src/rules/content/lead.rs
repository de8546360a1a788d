//! What Markdown of a page always holds: its title, and on the page of a product the price.

use super::super::vocabulary;
use super::block::TextBlock;
use super::element::BlockTag;
use super::metadata_overlap::MetadataOverlap;
use super::outline::BlockOutline;
use super::siblings::SiblingGroups;
use super::totals::PageTotals;

/// From this overlap with the page's title on, 0 to 1, a heading is the title.
const SAME_TITLE: f32 = 0.6;
/// Blocks after the title within which the price of a product stands.
const NEAR_TITLE: usize = 60;
/// Longest block that is a price, in words.
const PRICE_WORDS: u32 = 12;

/// Keeps the heading that is the page's title, when no kept block says the same. Returns its block, if the page has one.
pub(super) fn keep_title(totals: &PageTotals, overlap: &MetadataOverlap, kept: &mut [bool]) -> Option<usize> {
    let is_title = |at: &usize| {
        let alike = overlap.title.get(*at).copied().unwrap_or(0.0);
        let is_heading = totals.heading.get(*at).is_some_and(|level| *level > 0);
        is_heading && alike >= SAME_TITLE
    };
    let is_kept = |at: &usize| kept.get(*at).copied().unwrap_or(false);
    let all = || 0..kept.len();
    let found = all()
        .filter(is_title)
        .find(is_kept)
        .or_else(|| totals.first_h1.filter(is_title))
        .or_else(|| all().find(is_title))
        .or(totals.first_h1)?;
    *kept.get_mut(found)? = true;
    Some(found)
}

/// Keeps the first price after the title that does not belong to a teaser, when no price is kept near it.
pub(super) fn keep_price(
    outline: &BlockOutline<'_>,
    siblings: &SiblingGroups,
    title: usize,
    kept: &mut [bool],
) {
    let buying = vocabulary::class_bit("buy");
    let near = title + 1..kept.len().min(title + NEAR_TITLE);
    let is_price = |at: &usize| {
        outline.blocks.get(*at).is_some_and(|block| {
            let mut around = outline.around(block.element).take(3);
            block.shape.money > 0
                && block.words <= PRICE_WORDS
                && (block.class_bits & buying != 0
                    || around.any(|(_, element)| element.class_bits & buying != 0))
                && siblings.teasers(outline, block.element).is_none()
        })
    };
    let is_kept = |at: &usize| kept.get(*at).copied().unwrap_or(false);
    let found = near
        .clone()
        .filter(is_price)
        .find(is_kept)
        .or_else(|| near.clone().find(is_price));
    if let Some(kept) = found.and_then(|at| kept.get_mut(at)) {
        *kept = true;
    }
}

/// How many elements around a block are asked whether they are a table or preformatted text.
const AROUND: usize = 4;

/// Whether a block is a part of a table or of preformatted text, or a price. What is linked is often a teaser of another page.
pub(super) fn is_figure(outline: &BlockOutline<'_>, block: &TextBlock) -> bool {
    let is_price = block.shape.money > 0 && block.words <= PRICE_WORDS;
    let mut around = outline.around(block.element).take(AROUND);
    let mut is_in_figure = || {
        around.any(|(_, element)| matches!(element.tag, BlockTag::Pre | BlockTag::Cell | BlockTag::HeadCell))
    };
    block.links == 0 && (is_price || is_in_figure())
}
