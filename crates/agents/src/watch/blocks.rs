//! Comparison of main texts by blocks: the longest common subsequence of blocks without noise.

use std::collections::HashMap;

use wire::monitors::{BlockChange, ContentChange};

use super::content::{Comparison, Volatility};
use super::noise;

/// Most blocks on each side that are aligned in order; of longer differences only what is new and what is gone is told.
const MAX_ALIGNED: usize = 2_000;
/// Most blocks of each kind in a change, and most characters of a block there.
const MAX_TOLD: usize = 50;
const MAX_BLOCK: usize = 1_000;
/// A place that has changed in so many checks in a row is noise until a check finds it unchanged.
const VOLATILE: u32 = 3;
/// Most places whose changes are counted.
const MAX_PLACES: usize = 200;

/// The blocks of a text in Markdown: a line is one, unless it is blank.
pub(super) fn split(markdown: &str) -> Vec<String> {
    let lines = markdown.lines().map(str::trim);
    lines.filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// What stands between two blocks that are the same: gone blocks and new ones, by their numbers.
#[derive(Debug, Default)]
struct Hunk {
    /// What stands before it, for telling places apart.
    anchor: String,
    removed: Vec<usize>,
    added: Vec<usize>,
}

/// Compares two texts.
pub(super) fn compare(before: &[String], after: &[String], volatility: &Volatility) -> Comparison {
    let clean =
        |blocks: &[String]| -> Vec<String> { blocks.iter().map(|block| noise::without(block)).collect() };
    let (old, new) = (clean(before), clean(after));
    let mut hunks = hunks(&old, &new);
    leave_out_moved(&mut hunks, &old, &new);
    let hunks: Vec<Hunk> = hunks.into_iter().flat_map(pairs).collect();
    let counted: Volatility = hunks
        .iter()
        .take(MAX_PLACES)
        .map(|hunk| {
            let times = volatility.get(&hunk.anchor).copied().unwrap_or(0);
            (hunk.anchor.clone(), times.saturating_add(1))
        })
        .collect();
    let mut hunks = hunks;
    hunks.retain(|hunk| counted.get(&hunk.anchor).is_none_or(|times| *times <= VOLATILE));
    Comparison {
        change: told(&hunks, before, after),
        volatility: counted,
    }
}

/// The parts of a hunk that are places of their own: each pair of a block and what replaces it, where there are as many
/// of both. So a block that changes every time does not hide an edit beside it. Nothing of an empty hunk.
fn pairs(hunk: Hunk) -> Vec<Hunk> {
    if hunk.removed.is_empty() && hunk.added.is_empty() {
        return Vec::new();
    }
    if hunk.removed.len() != hunk.added.len() {
        return vec![hunk];
    }
    let both = hunk.removed.iter().zip(&hunk.added).enumerate();
    both.map(|(number, (removed, added))| Hunk {
        anchor: format!("{} {number}", hunk.anchor),
        removed: vec![*removed],
        added: vec![*added],
    })
    .collect()
}

fn told(hunks: &[Hunk], before: &[String], after: &[String]) -> Option<ContentChange> {
    let block = |blocks: &[String], at: usize| {
        let text = blocks.get(at).map_or("", String::as_str);
        locale::truncate_chars(text, MAX_BLOCK).to_owned()
    };
    let (mut added, mut removed, mut changed) = (Vec::new(), Vec::new(), Vec::new());
    for hunk in hunks {
        let pairs = hunk.removed.len().min(hunk.added.len());
        for (old, new) in hunk.removed.iter().zip(&hunk.added) {
            changed.push(BlockChange {
                before: block(before, *old),
                after: block(after, *new),
            });
        }
        removed.extend(hunk.removed.iter().skip(pairs).map(|at| block(before, *at)));
        added.extend(hunk.added.iter().skip(pairs).map(|at| block(after, *at)));
    }
    let is_same = added.is_empty() && removed.is_empty() && changed.is_empty();
    added.truncate(MAX_TOLD);
    removed.truncate(MAX_TOLD);
    changed.truncate(MAX_TOLD);
    (!is_same).then_some(ContentChange::Text {
        added,
        removed,
        changed,
    })
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
    let same = old
        .iter()
        .zip(new)
        .take_while(|(one, other)| one == other)
        .count();
    let (old_rest, new_rest) = (&old[same..], &new[same..]);
    let tail = old_rest
        .iter()
        .rev()
        .zip(new_rest.iter().rev())
        .take_while(|(one, other)| one == other)
        .count();
    let (old_middle, new_middle) = (
        &old_rest[..old_rest.len() - tail],
        &new_rest[..new_rest.len() - tail],
    );
    let anchor_of = |at: usize| at.checked_sub(1).map_or_else(String::new, |at| short(&old[at]));
    if old_middle.len() > MAX_ALIGNED || new_middle.len() > MAX_ALIGNED {
        // One place each, so that no pairs are made of what does not belong together.
        let removed = Hunk {
            anchor: anchor_of(same),
            removed: (same..same + old_middle.len()).collect(),
            added: Vec::new(),
        };
        let added = Hunk {
            anchor: format!("{}+", anchor_of(same)),
            removed: Vec::new(),
            added: (same..same + new_middle.len()).collect(),
        };
        return vec![removed, added];
    }
    let mut hunks = Vec::new();
    let mut open = Hunk {
        anchor: anchor_of(same),
        ..Hunk::default()
    };
    for step in alignment(old_middle, new_middle) {
        match step {
            Step::Same(at) => {
                let next = Hunk {
                    anchor: short(&old[same + at]),
                    ..Hunk::default()
                };
                hunks.push(std::mem::replace(&mut open, next));
            }
            Step::Removed(at) => open.removed.push(same + at),
            Step::Added(at) => open.added.push(same + at),
        }
    }
    hunks.push(open);
    hunks
}

/// A text as the name of a place.
fn short(text: &str) -> String {
    locale::truncate_chars(text, 80).to_owned()
}

enum Step {
    Same(usize),
    Removed(usize),
    Added(usize),
}

/// The steps from one list to the other along a longest common subsequence.
fn alignment(old: &[String], new: &[String]) -> Vec<Step> {
    let width = new.len() + 1;
    let mut longest = vec![0_u16; (old.len() + 1) * width];
    for row in (0..old.len()).rev() {
        for column in (0..new.len()).rev() {
            longest[row * width + column] = match old[row] == new[column] {
                true => longest[(row + 1) * width + column + 1] + 1,
                false => longest[(row + 1) * width + column].max(longest[row * width + column + 1]),
            };
        }
    }
    let mut steps = Vec::new();
    let (mut row, mut column) = (0, 0);
    while row < old.len() || column < new.len() {
        if row < old.len() && column < new.len() && old[row] == new[column] {
            steps.push(Step::Same(row));
            (row, column) = (row + 1, column + 1);
        } else if column == new.len()
            || (row < old.len() && longest[(row + 1) * width + column] >= longest[row * width + column + 1])
        {
            steps.push(Step::Removed(row));
            row += 1;
        } else {
            steps.push(Step::Added(column));
            column += 1;
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(blocks: &[&str]) -> Vec<String> {
        blocks.iter().map(|block| (*block).to_owned()).collect()
    }

    fn change(before: &[&str], after: &[&str]) -> Option<ContentChange> {
        compare(&text(before), &text(after), &Volatility::new()).change
    }

    #[test]
    fn what_is_new_gone_and_replaced_is_told_and_noise_and_moves_are_not() {
        let before = ["# Kettles", "Price: 49.90", "As of 10:41", "One", "Two", "Three"];
        let after = [
            "# Kettles",
            "Price: 39.90",
            "As of 11:02",
            "Two",
            "Three",
            "One",
            "Four",
        ];
        let expected = ContentChange::Text {
            added: text(&["Four"]),
            removed: Vec::new(),
            changed: vec![BlockChange {
                before: "Price: 49.90".into(),
                after: "Price: 39.90".into(),
            }],
        };
        assert_eq!(change(&before, &after), Some(expected));
        assert_eq!(
            change(
                &before,
                &["# Kettles", "Price: 49.90", "As of 9:00", "Three", "One", "Two"]
            ),
            None
        );
        assert_eq!(change(&["a", "b"], &["b", "a", "12 views"]), None);
        assert!(change(&["a"], &[]).is_some());
    }

    #[test]
    fn a_place_that_changes_every_time_is_noise_until_it_rests() {
        let mut volatility = Volatility::new();
        let mut told = Vec::new();
        let page = |quote: &str, price: &str| text(&["# Shop", quote, "Kettle", price]);
        let mut before = page("Quote 0", "49");
        for check in 1..10 {
            let price = if check >= 7 { "39" } else { "49" };
            let quote = format!("Quote {}", "I".repeat(check));
            let after = page(&quote, price);
            let compared = compare(&before, &after, &volatility);
            told.push(compared.change.is_some());
            (before, volatility) = (after, compared.volatility);
        }
        assert_eq!(
            told,
            [true, true, true, false, false, false, true, false, false],
            "the price in check 7 is told"
        );
        let rested = compare(&before, &before.clone(), &volatility);
        assert_eq!(rested.volatility, Volatility::new());
    }

    #[test]
    fn long_texts_are_compared_in_bounded_memory() {
        let blocks = |from: usize| -> Vec<String> {
            (from..from + 9_000)
                .map(|n| format!("block number {n}"))
                .collect()
        };
        let compared = compare(&blocks(0), &blocks(4_500), &Volatility::new());
        let Some(ContentChange::Text { added, removed, .. }) = compared.change else {
            panic!("a change");
        };
        assert_eq!((added.len(), removed.len()), (MAX_TOLD, MAX_TOLD));
        assert_eq!(added[0], "block number 9000");
    }
}
