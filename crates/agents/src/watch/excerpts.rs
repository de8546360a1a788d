//! Excerpts of two long blocks: the parts around what differs, without noise.

use std::ops::Range;

use wire::monitors::BlockChange;

use super::alignment::{Gap, gaps};
use super::noise;

/// Most characters of a block in a change.
pub(super) const MAX_BLOCK: usize = 1_000;
/// Least characters for one place that differs.
const LEAST: usize = 120;
/// Most words of two blocks that are aligned, apart from what both begin and end with.
const MAX_WORDS: usize = 2_000;

/// Both blocks; of long ones the parts around what differs.
pub(super) fn block_change(before: &str, after: &str) -> BlockChange {
    let is_long = |text: &str| text.chars().count() > MAX_BLOCK;
    if !is_long(before) && !is_long(after) {
        return BlockChange {
            before: before.to_owned(),
            after: after.to_owned(),
        };
    }
    let (old, new) = (words(before), words(after));
    let places: Vec<Place> = gaps(&old, &new, MAX_WORDS)
        .into_iter()
        .filter(|gap| !is_noise(&old, &new, gap))
        .flat_map(|gap| ends(&old, &new, gap))
        .collect();
    let part = |text: &str, words: &[&str], range: fn(&Place) -> Range<usize>| match is_long(text) {
        true => excerpt(words, &places, range),
        false => text.to_owned(),
    };
    BlockChange {
        before: part(before, &old, |place| place.gap.old.clone()),
        after: part(after, &new, |place| place.gap.new.clone()),
    }
}

/// Words of both blocks that differ.
struct Place {
    gap: Gap,
    /// Characters that the first words of both have in common.
    same: usize,
}

impl Place {
    fn new(old: &[&str], new: &[&str], gap: Gap) -> Self {
        let first = old[gap.old.clone()].first().zip(new[gap.new.clone()].first());
        let common =
            |(one, other): (&&str, &&str)| one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
        Self {
            same: first.map_or(0, common),
            gap,
        }
    }
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

fn is_noise(old: &[&str], new: &[&str], gap: &Gap) -> bool {
    let clean = |words: &[&str]| noise::without(&words.join(" "));
    clean(&old[gap.old.clone()]) == clean(&new[gap.new.clone()])
}

/// Of a place that is too long to be aligned its first and its last words, since there may be two edits.
fn ends(old: &[&str], new: &[&str], gap: Gap) -> Vec<Place> {
    let last = Gap {
        old: gap.old.end.saturating_sub(1).max(gap.old.start)..gap.old.end,
        new: gap.new.end.saturating_sub(1).max(gap.new.start)..gap.new.end,
    };
    let is_long = gap.old.len().max(gap.new.len()) > MAX_WORDS;
    let first = Place::new(old, new, gap);
    match is_long {
        true => vec![first, Place::new(old, new, last)],
        false => vec![first],
    }
}

/// The parts of a text around its places.
fn excerpt(words: &[&str], places: &[Place], range: fn(&Place) -> Range<usize>) -> String {
    let share = (MAX_BLOCK / places.len().max(1)).max(LEAST);
    let length = |word: &str| word.chars().count() + 1;
    let (mut text, mut done) = (String::new(), 0);
    for place in places {
        let start = range(place).start;
        let (mut from, mut left) = (start, (share / 4).saturating_sub(place.same));
        while from > done && length(words[from - 1]) < left {
            from -= 1;
            left -= length(words[from]);
        }
        let (mut to, mut left) = (from, share);
        while to < words.len() && left > 0 {
            left = left.saturating_sub(length(words[to]));
            to += 1;
        }
        // What two places have in common is shown once.
        let from = from.max(done);
        if from >= to {
            continue;
        }
        // A word may be a whole text, in scripts without spaces.
        let skipped = if from == start {
            place.same.saturating_sub(share / 4)
        } else {
            0
        };
        let is_whole = from == done && skipped == 0;
        text.push_str(if is_whole { " " } else { " … " });
        text.extend(words[from..to].join(" ").chars().skip(skipped).take(share));
        done = to;
    }
    if done < words.len() {
        text.push_str(" …");
    }
    locale::truncate_chars(text.trim(), MAX_BLOCK).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_long_blocks_every_place_that_differs_is_shown_and_noise_is_not() {
        let filler = "many words ".repeat(300);
        for (old, new) in [
            ("costs 49 EUR", "costs 39 EUR"),
            ("价格四十九欧元", "价格三十九欧元"),
        ] {
            let block = |token: &str, advertisement: &str, tail: &str| {
                format!(
                    "[a](https://a.example/?sid={token}) {filler} {advertisement} {filler} {tail} {filler}"
                )
            };
            let change = block_change(
                &block("a1b2c3", "Sleep well", old),
                &block("d4e5f6", "Winter tyres", new),
            );
            for (text, wanted) in [
                (&change.before, ["Sleep well", old]),
                (&change.after, ["Winter tyres", new]),
            ] {
                assert!(wanted.iter().all(|it| text.contains(it)), "{text}");
                assert!(!text.contains("a.example"), "{text}");
                assert!(text.chars().count() <= MAX_BLOCK);
            }
        }
        let spaceless = "字".repeat(3_000);
        let change = block_change(
            &format!("{spaceless}甲{spaceless}"),
            &format!("{spaceless}乙{spaceless}"),
        );
        assert!(change.before.contains('甲') && change.after.contains('乙'));
        let short = block_change("one", "two");
        assert_eq!((short.before.as_str(), short.after.as_str()), ("one", "two"));
    }

    #[test]
    fn a_place_too_long_to_be_aligned_is_shown_by_its_ends() {
        let text = |word: &str| (0..5_000).map(|at| format!("{word}{at} ")).collect::<String>();
        let change = block_change(&text("one"), &text("two"));
        assert!(
            change.before.starts_with("one0 ") && change.before.ends_with("one4999"),
            "{}",
            change.before
        );
        assert!(
            change.after.starts_with("two0 ") && change.after.ends_with("two4999"),
            "{}",
            change.after
        );
    }
}
