//! Hunks: the places where two texts differ, without blocks that have only moved.

use std::collections::HashMap;

use super::alignment::{Gap, gaps};

/// Most blocks on each side that are aligned in order; of longer differences only what is new and what is gone is told.
const MAX_ALIGNED: usize = 2_000;
/// What stands between two blocks that are the same: gone blocks and new ones, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Hunk {
    /// What stands before it, for telling places apart.
    pub(super) anchor: String,
    /// Where it is in both texts.
    pub(super) gap: Gap,
    pub(super) removed: Vec<usize>,
    pub(super) added: Vec<usize>,
    /// How many pairs of a gone block and a new one were found to be noise, and left out.
    pub(super) matched: usize,
}

impl Hunk {
    /// Blocks of a text that differ whatever stands in another one.
    pub(super) fn of(blocks: std::ops::Range<usize>) -> Self {
        Self {
            removed: blocks.clone().collect(),
            gap: Gap {
                old: blocks,
                new: 0..0,
            },
            ..Self::default()
        }
    }
}

/// Where two texts without noise differ, apart from blocks that have moved.
pub(super) fn content_hunks(old: &[String], new: &[String]) -> Vec<Hunk> {
    let mut hunks = hunks(old, new);
    leave_out_moved(&mut hunks, old, new);
    hunks
}

/// Blocks that are gone in one place and new in another have moved, which is no change of what is said. Nor are blocks
/// that were noise alone.
fn leave_out_moved(hunks: &mut [Hunk], old: &[String], new: &[String]) {
    let mut gone: HashMap<&str, usize> = HashMap::new();
    for at in hunks.iter().flat_map(|hunk| &hunk.removed) {
        *gone.entry(old[*at].as_str()).or_default() += 1;
    }
    let mut moved: HashMap<&str, usize> = HashMap::new();
    for hunk in hunks.iter_mut() {
        hunk.added.retain(|at| {
            let text = new[*at].as_str();
            match gone.get_mut(text) {
                Some(left) if *left > 0 => {
                    *left -= 1;
                    *moved.entry(text).or_default() += 1;
                    false
                }
                _ => !text.is_empty(),
            }
        });
    }
    for hunk in hunks.iter_mut() {
        hunk.removed.retain(|at| {
            let text = old[*at].as_str();
            match moved.get_mut(text) {
                Some(left) if *left > 0 => {
                    *left -= 1;
                    false
                }
                _ => !text.is_empty(),
            }
        });
    }
}

/// Where two lists differ.
fn hunks(old: &[String], new: &[String]) -> Vec<Hunk> {
    let anchor_of = |gap: &Gap| {
        gap.old
            .start
            .checked_sub(1)
            .map_or_else(String::new, |at| short(&old[at]))
    };
    let hunk = |gap: Gap| Hunk {
        anchor: anchor_of(&gap),
        removed: gap.old.clone().collect(),
        added: gap.new.clone().collect(),
        gap,
        matched: 0,
    };
    let parted = |gap: Gap| {
        if gap.old.len() <= MAX_ALIGNED && gap.new.len() <= MAX_ALIGNED {
            return vec![hunk(gap)];
        }
        // One place each, so that no pairs are made of what does not belong together.
        let mut removed = hunk(gap);
        let added = Hunk {
            anchor: format!("{}+", removed.anchor),
            gap: removed.gap.clone(),
            removed: Vec::new(),
            added: std::mem::take(&mut removed.added),
            matched: 0,
        };
        vec![removed, added]
    };
    gaps(old, new, MAX_ALIGNED).into_iter().flat_map(parted).collect()
}

/// A text as the name of a place.
fn short(text: &str) -> String {
    locale::truncate_chars(text, 80).to_owned()
}
