//! Selection of the blocks to keep: a threshold, then rules against comments, copies and empty headings.

use super::super::page_kind::{KindSignals, LEARNED_KINDS};
use super::super::vocabulary::class_bit;
use super::hashing::HashSet64;
use super::outline::BlockOutline;
use super::repetition::{BlockWords, trigram};
use super::totals::{PageTotals, share};

/// The probability from which a block is kept, for pages of each learned kind. A lost line of a list costs more than a spare
/// one; an article suffers more from what is not of it.
const ENOUGH: [f32; LEARNED_KINDS] = [0.52, 0.40, 0.35, 0.33, 0.35, 0.33, 0.45];
/// The probability from which a block is kept when nothing is known of the kind.
const ENOUGH_AT_ALL: f32 = 0.45;
/// Blocks with fewer words may repeat: prices, names, labels.
const LONG: usize = 12;
/// The share of a block's three-word pieces that makes it a copy of what was kept before.
const COPIED: f32 = 0.85;

/// Whether each block is kept.
pub(crate) fn select(
    outline: &BlockOutline<'_>,
    totals: &PageTotals,
    words: &BlockWords,
    signals: &KindSignals,
    probabilities: &[f32],
    strictness: f32,
) -> Vec<bool> {
    let known: f32 = signals.probabilities.iter().sum();
    let enough: f32 = signals
        .probabilities
        .iter()
        .zip(ENOUGH)
        .map(|(probability, threshold)| probability * threshold)
        .sum();
    let enough = strictness
        * if known > 0.5 {
            enough / known
        } else {
            ENOUGH_AT_ALL
        };
    let mut is_kept: Vec<bool> = (0..outline.blocks.len())
        .map(|at| {
            probabilities
                .get(at)
                .is_some_and(|probability| *probability >= enough)
        })
        .collect();
    if signals
        .probabilities
        .first()
        .is_some_and(|article| *article > 0.5)
    {
        drop_comments(outline, totals, &mut is_kept);
    }
    drop_copies(outline, words, &mut is_kept);
    drop_last_headings(totals, &mut is_kept);
    is_kept
}

/// Comments under an article are not of it, as long as there is an article without them.
fn drop_comments(outline: &BlockOutline<'_>, totals: &PageTotals, is_kept: &mut [bool]) {
    let comment = class_bit("comment");
    let commented: Vec<bool> = outline
        .blocks
        .iter()
        .map(|block| {
            let near = outline
                .around(block.element)
                .find(|(_, element)| element.class_bits & comment != 0);
            near.is_some_and(|(_, element)| share(totals.of(element).words, totals.total.words) < 0.85)
        })
        .collect();
    let left: u32 = (outline.blocks.iter().zip(is_kept.iter()).zip(&commented))
        .filter(|((_, is_kept), commented)| **is_kept && !**commented)
        .map(|((block, _), _)| block.words)
        .sum();
    if left > 60 {
        for (is_kept, commented) in is_kept.iter_mut().zip(&commented) {
            *is_kept &= !commented;
        }
    }
}

/// What was kept before in other words of the page (copies for other screens, galleries, quotes of a whole post) is
/// not kept twice.
fn drop_copies(outline: &BlockOutline<'_>, words: &BlockWords, is_kept: &mut [bool]) {
    let mut seen = HashSet64::default();
    for (at, is_kept) in is_kept.iter_mut().enumerate().take(outline.blocks.len()) {
        if !*is_kept {
            continue;
        }
        let own = words.of(at);
        let trigrams = own.len().saturating_sub(2).max(1);
        let copied = own
            .windows(3)
            .filter(|three| seen.contains(&trigram(three)))
            .count();
        if own.len() >= LONG && copied as f32 >= COPIED * trigrams as f32 {
            *is_kept = false;
        } else {
            seen.extend(own.windows(3).map(trigram));
        }
    }
}

/// A heading with nothing kept after it heads what was left out.
fn drop_last_headings(totals: &PageTotals, is_kept: &mut [bool]) {
    let kept_at: Vec<usize> = is_kept
        .iter()
        .enumerate()
        .filter(|(_, is_kept)| **is_kept)
        .map(|(at, _)| at)
        .collect();
    for at in kept_at.into_iter().skip(1).rev() {
        if totals.heading.get(at).is_none_or(|level| *level < 2) {
            break;
        }
        if let Some(is_kept) = is_kept.get_mut(at) {
            *is_kept = false;
        }
    }
}
