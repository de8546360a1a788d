//! Which blocks are kept: a chance that is high enough, and what common sense adds to it.

use super::super::kind::{LEARNED, Signals};
use super::super::words::mark;
use super::context::{Context, share};
use super::echo::{Hashes, Words, piece};
use super::outline::Outline;

/// The chance from which a block is kept, for pages of each learned kind. A lost line of a list costs more than a spare
/// one; an article suffers more from what is not of it.
const ENOUGH: [f32; LEARNED] = [0.52, 0.40, 0.35, 0.33, 0.35, 0.33, 0.45];
/// The chance from which a block is kept when nothing is known of the kind.
const ENOUGH_AT_ALL: f32 = 0.45;
/// Blocks with fewer words may repeat: prices, names, labels.
const LONG: usize = 12;
/// The share of a block's three-word pieces that makes it a copy of what was kept before.
const COPIED: f32 = 0.85;

/// Says of each block whether it is kept.
pub(crate) fn settle(
    outline: &Outline<'_>,
    context: &Context,
    words: &Words,
    signals: &Signals,
    chances: &[f32],
    strictness: f32,
) -> Vec<bool> {
    let known: f32 = signals.chances.iter().sum();
    let enough: f32 = signals
        .chances
        .iter()
        .zip(ENOUGH)
        .map(|(chance, threshold)| chance * threshold)
        .sum();
    let enough = strictness
        * if known > 0.5 {
            enough / known
        } else {
            ENOUGH_AT_ALL
        };
    let mut keep: Vec<bool> = (0..outline.blocks.len())
        .map(|at| chances.get(at).is_some_and(|chance| *chance >= enough))
        .collect();
    if signals.chances.first().is_some_and(|article| *article > 0.5) {
        drop_comments(outline, context, &mut keep);
    }
    drop_copies(outline, words, &mut keep);
    drop_last_headings(context, &mut keep);
    keep
}

/// Comments under an article are not of it, as long as there is an article without them.
fn drop_comments(outline: &Outline<'_>, context: &Context, keep: &mut [bool]) {
    let comment = mark("comment");
    let commented: Vec<bool> = outline
        .blocks
        .iter()
        .map(|block| {
            let near = outline
                .around(block.element)
                .find(|(_, element)| element.marks & comment != 0);
            near.is_some_and(|(_, element)| share(context.of(element).words, context.total.words) < 0.85)
        })
        .collect();
    let left: u32 = (outline.blocks.iter().zip(keep.iter()).zip(&commented))
        .filter(|((_, keep), commented)| **keep && !**commented)
        .map(|((block, _), _)| block.words)
        .sum();
    if left > 60 {
        for (keep, commented) in keep.iter_mut().zip(&commented) {
            *keep &= !commented;
        }
    }
}

/// What was kept before in other words of the page (copies for other screens, galleries, quotes of a whole post) is
/// not kept twice.
fn drop_copies(outline: &Outline<'_>, words: &Words, keep: &mut [bool]) {
    let mut seen = Hashes::default();
    for (at, keep) in keep.iter_mut().enumerate().take(outline.blocks.len()) {
        if !*keep {
            continue;
        }
        let own = words.of(at);
        let pieces = own.len().saturating_sub(2).max(1);
        let copied = own.windows(3).filter(|three| seen.contains(&piece(three))).count();
        if own.len() >= LONG && copied as f32 >= COPIED * pieces as f32 {
            *keep = false;
        } else {
            seen.extend(own.windows(3).map(piece));
        }
    }
}

/// A heading with nothing kept after it heads what was left out.
fn drop_last_headings(context: &Context, keep: &mut [bool]) {
    let kept: Vec<usize> = keep
        .iter()
        .enumerate()
        .filter(|(_, keep)| **keep)
        .map(|(at, _)| at)
        .collect();
    for at in kept.into_iter().skip(1).rev() {
        if context.heading.get(at).is_none_or(|level| *level < 2) {
            break;
        }
        if let Some(keep) = keep.get_mut(at) {
            *keep = false;
        }
    }
}
