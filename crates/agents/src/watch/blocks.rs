//! Comparison of main texts by blocks: the longest common subsequence of blocks without noise.

use wire::monitors::ContentChange;

use super::confirmation;
use super::contents::{ChangedValues, Comparison, Volatility};
use super::excerpts::{MAX_BLOCK, block_change};
use super::hunks::{Hunk, content_hunks};
use super::noise;

/// Most blocks of each kind in a change.
const MAX_TOLD: usize = 50;
/// A place that has changed in so many checks in a row is noise until a check finds it unchanged.
const VOLATILE: u32 = 3;
/// Most places whose changes are counted.
const MAX_PLACES: usize = 200;

/// The blocks of a text in Markdown: a line is one, unless it is blank.
pub(super) fn split(markdown: &str) -> Vec<String> {
    let lines = markdown.lines().map(str::trim);
    lines.filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// The key of a block without its noise and marks; none where nothing is left.
fn key(block: &str) -> Option<u64> {
    let plain: String = noise::without(block)
        .chars()
        .filter(|c| c.is_alphanumeric())
        .collect();
    // FNV-1a (Fowler, Noll and Vo 1991), which is the same in every process.
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    (!plain.is_empty()).then(|| plain.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}

/// The keys of the blocks of a text in Markdown.
pub(super) fn keys(markdown: &str) -> impl Iterator<Item = u64> {
    markdown.lines().filter_map(|line| key(line.trim()))
}

/// The main text of a page, and the keys of all blocks that the page shows where they are known.
type ShownText<'a> = (&'a [String], Option<&'a [u64]>);

/// Compares two texts. `again` are further readings of the later one: what differs there is noise.
pub(super) fn compare(
    before: ShownText<'_>,
    after: ShownText<'_>,
    again: &[ShownText<'_>],
    volatility: &Volatility,
) -> Comparison {
    let clean =
        |blocks: &[String]| -> Vec<String> { blocks.iter().map(|block| noise::without(block)).collect() };
    let (old, new) = (clean(before.0), clean(after.0));
    let mut hunks = content_hunks(&old, &new);
    for again in again {
        let has =
            |shown: Option<&[u64]>, key: u64| shown.is_some_and(|keys| keys.binary_search(&key).is_ok());
        let is_shown = |block: &str| key(block).is_some_and(|key| has(after.1, key) && has(again.1, key));
        confirmation::leave_out_unconfirmed(&mut hunks, &old, &new, &clean(again.0), is_shown);
    }
    if let (Some(shown_before), Some(shown_after)) = (before.1, after.1) {
        let count = |shown: &[u64], key: u64| {
            shown.partition_point(|it| *it <= key) - shown.partition_point(|it| *it < key)
        };
        // Whether the page shows a block, and as often as it did.
        let stays = |block: &str| {
            let times = key(block).map(|key| (count(shown_before, key), count(shown_after, key)));
            times.is_some_and(|(before, after)| before == after && after > 0)
        };
        for hunk in &mut hunks {
            hunk.added.retain(|at| !stays(&new[*at]));
            hunk.removed.retain(|at| !stays(&old[*at]));
        }
    }
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
    let change = told(&hunks, before.0, after.0);
    Comparison {
        changed: change.iter().map(|_| ChangedValues::of_text(after.0)).collect(),
        change,
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
        gap: hunk.gap.clone(),
        removed: vec![*removed],
        added: vec![*added],
        matched: 0,
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
            changed.push(block_change(&before[*old], &after[*new]));
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

#[cfg(test)]
mod tests {
    use wire::monitors::BlockChange;

    use super::*;

    fn text(blocks: &[&str]) -> Vec<String> {
        blocks.iter().map(|block| (*block).to_owned()).collect()
    }

    fn change(before: &[&str], after: &[&str]) -> Option<ContentChange> {
        compare(
            (&text(before), None),
            (&text(after), None),
            &[],
            &Volatility::new(),
        )
        .change
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
            let compared = compare((&before, None), (&after, None), &[], &volatility);
            told.push(compared.change.is_some());
            (before, volatility) = (after, compared.volatility);
        }
        assert_eq!(
            told,
            [true, true, true, false, false, false, true, false, false],
            "the price in check 7 is told"
        );
        let rested = compare((&before, None), (&before, None), &[], &volatility);
        assert_eq!(rested.volatility, Volatility::new());
    }

    #[test]
    fn long_texts_are_compared_in_bounded_memory() {
        let blocks = |from: usize| -> Vec<String> {
            (from..from + 9_000)
                .map(|n| format!("block number {n}"))
                .collect()
        };
        let compared = compare(
            (&blocks(0), None),
            (&blocks(4_500), None),
            &[],
            &Volatility::new(),
        );
        let Some(ContentChange::Text { added, removed, .. }) = compared.change else {
            panic!("a change");
        };
        assert_eq!((added.len(), removed.len()), (MAX_TOLD, MAX_TOLD));
        assert_eq!(added[0], "block number 9000");
    }
}
