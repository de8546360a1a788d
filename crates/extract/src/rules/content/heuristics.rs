//! Probability of each block by hand-set weights, without the learned forest.

use super::super::vocabulary;
use super::block::TextBlock;
use super::element::BlockTag;
use super::metadata_overlap::MetadataOverlap;
use super::outline::BlockOutline;
use super::totals::{PageTotals, is_prose, share};

/// Class groups of boilerplate.
#[rustfmt::skip]
const BOILERPLATE: &[&str] = &[
    "comment", "share", "related", "sidebar", "footer", "nav", "cookie", "overlay", "ad", "newsletter", "breadcrumb", "tags",
    "pagination", "filter", "search", "language",
];

/// Phrase groups of boilerplate. A short block that says one of them is rather none of the content.
#[rustfmt::skip]
const BOILERPLATE_PHRASES: [&str; 8] = [
    "cookie", "copyright", "share", "subscribe", "comment", "related", "action", "account",
];

/// How likely each block is content, by hand-set weights: prose lifts, links, boilerplate tags and names lower, and what
/// stands next to prose inside the element around most of the prose is lifted with it.
pub(crate) fn probabilities(
    outline: &BlockOutline<'_>,
    totals: &PageTotals,
    overlap: &MetadataOverlap,
) -> Vec<f32> {
    let boilerplate = BOILERPLATE
        .iter()
        .fold(0, |bits, name| bits | vocabulary::class_bit(name));
    let phrases = BOILERPLATE_PHRASES
        .iter()
        .fold(0, |bits, name| bits | vocabulary::phrase_bit(name));
    let blocks = outline.blocks.iter().enumerate();
    let own: Vec<f32> = blocks
        .map(|(at, block)| {
            let mut score = score(outline, totals, overlap, boilerplate, at, block);
            if block.shape.phrase_bits & phrases != 0 && block.words < 12 {
                score -= 1.0;
            }
            1.0 / (1.0 + (-score).exp())
        })
        .collect();
    (0..own.len())
        .map(|at| {
            let near = own
                .get(at.saturating_sub(2)..(at + 3).min(own.len()))
                .unwrap_or(&[]);
            let mean = near.iter().sum::<f32>() / near.len().max(1) as f32;
            0.65 * own.get(at).copied().unwrap_or(0.0) + 0.35 * mean
        })
        .collect()
}

/// The score of one block by itself; above 0 it is rather content.
fn score(
    outline: &BlockOutline<'_>,
    totals: &PageTotals,
    overlap: &MetadataOverlap,
    boilerplate: u64,
    at: usize,
    block: &TextBlock,
) -> f32 {
    let words = block.words as f32;
    let mut score = if is_prose(block) { 2.0 } else { -0.5 };
    score -= 3.0 * share(block.link_words as f32, words);
    score -= share((block.button_words + block.label_words) as f32, words);
    let top = outline.elements.get(totals.top as usize);
    let is_inside = top.is_some_and(|top| (top.from..top.to).contains(&(at as u32)));
    score += if is_inside { 2.0 } else { -1.5 };
    if totals.heading.get(at).is_some_and(|level| *level > 0) {
        score += 1.0;
    }
    let mut near = 1.0f32;
    for (_, element) in outline.around(block.element) {
        if share(totals.of(element).words, totals.total.words) > 0.6 {
            break;
        }
        match element.tag {
            BlockTag::Nav | BlockTag::Footer => score -= 4.0,
            BlockTag::Aside | BlockTag::Form => score -= 2.0,
            BlockTag::Article | BlockTag::Main => score += 1.0,
            _ => {}
        }
        if element.class_bits & boilerplate != 0 {
            score -= 2.0 * near;
            near *= 0.7;
        }
    }
    if overlap.body.get(at).is_some_and(|covered| *covered > 0.7) {
        score += 3.0;
    }
    score
}
