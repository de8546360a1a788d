//! Near-duplicate sources, and the numbers in which near copies differ.

use std::collections::{BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::citations::{NumberMention, numbers};
use super::state::{NumberConflict, ResearchSource};
use super::text::words;

/// Words of one shingle.
const SHINGLE: usize = 5;
/// Shingles remembered of one text.
const SKETCH: usize = 256;
/// From this share of common shingles on, one text is a copy of the other.
const COPY: f64 = 0.5;
/// Texts with fewer shingles are too short to be told copies.
const LEAST: usize = 12;
/// Most numbers named of one conflict.
const NAMED: usize = 4;

/// The shingles of a text, its numbers masked, smallest hashes first: the same few for the same text.
struct MinHash {
    smallest: BTreeSet<u64>,
}

fn sketch(text: &str) -> MinHash {
    let masked: Vec<String> = words(text)
        .into_iter()
        .map(|word| {
            if word.chars().all(|sign| sign.is_ascii_digit()) {
                "#".to_owned()
            } else {
                word
            }
        })
        .collect();
    let mut all: Vec<u64> = masked
        .windows(SHINGLE)
        .map(|window| {
            let mut hasher = DefaultHasher::new();
            window.hash(&mut hasher);
            hasher.finish()
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    all.truncate(SKETCH);
    MinHash {
        smallest: all.into_iter().collect(),
    }
}

/// Share of the smallest shingles of both together that both have.
fn likeness(left: &MinHash, right: &MinHash) -> f64 {
    let union: BTreeSet<u64> = left
        .smallest
        .union(&right.smallest)
        .copied()
        .take(SKETCH)
        .collect();
    let both = union
        .iter()
        .filter(|it| left.smallest.contains(it) && right.smallest.contains(it))
        .count();
    super::citations::ratio(both, union.len())
}

/// Whether two pages are called the same: pages of one shop are alike, too, and are about different things.
fn same_subject(left: &ResearchSource, right: &ResearchSource) -> bool {
    let parts = |source: &ResearchSource| -> (BTreeSet<String>, BTreeSet<String>) {
        let digits = |text: &String| text.chars().any(|sign| sign.is_ascii_digit());
        words(&source.title).into_iter().partition(digits)
    };
    let ((left_numbers, left), (right_numbers, right)) = (parts(left), parts(right));
    let both = left.intersection(&right).count();
    let shorter = left.len().min(right.len());
    left_numbers == right_numbers && super::citations::ratio(both, shorter.max(1)) >= 0.7
}

/// Sources that are copies of others, each with the first of its kind; and copies that differ from it in numbers.
pub(crate) fn find(sources: &[ResearchSource]) -> (Vec<(usize, usize)>, Vec<NumberConflict>) {
    let sketches: Vec<MinHash> = sources.iter().map(|source| sketch(&source.text)).collect();
    let (mut copies, mut conflicts): (Vec<(usize, usize)>, Vec<NumberConflict>) = (Vec::new(), Vec::new());
    for (at, (source, own)) in sources.iter().zip(&sketches).enumerate() {
        if own.smallest.len() < LEAST {
            continue;
        }
        let is_copy = |(first, other): &(&ResearchSource, &MinHash)| {
            !copies.iter().any(|(copy, _)| *copy == first.id)
                && other.smallest.len() >= LEAST
                && same_subject(first, source)
                && likeness(own, other) >= COPY
        };
        let Some((first, _)) = sources.iter().zip(&sketches).take(at).find(is_copy) else {
            continue;
        };
        copies.push((source.id, first.id));
        let numbers = differing(&first.text, &source.text);
        if !numbers.0.is_empty() && !numbers.1.is_empty() {
            conflicts.push(NumberConflict {
                left: first.id,
                right: source.id,
                numbers,
            });
        }
    }
    (copies, conflicts)
}

/// The numbers that only one of two texts has.
fn differing(left: &str, right: &str) -> (Vec<String>, Vec<String>) {
    let (left, right) = (numbers(left), numbers(right));
    let only = |ours: &[NumberMention], theirs: &[NumberMention]| {
        let mut seen = HashSet::new();
        ours.iter()
            .filter(|it| {
                !theirs
                    .iter()
                    .any(|other| it.is_stated_by(other) || other.is_stated_by(it))
            })
            .map(|it| it.text.clone())
            .filter(|it| seen.insert(it.clone()))
            .take(NAMED)
            .collect::<Vec<_>>()
    };
    (only(&left, &right), only(&right, &left))
}

impl NumberConflict {
    /// The conflict in one sentence, for people and models.
    pub(crate) fn told(&self, name: impl Fn(usize) -> String) -> String {
        format!(
            "{} and {} are near copies of one another that differ in numbers ({} against {}); at most one of them is right, and they do not confirm each other.",
            name(self.left),
            name(self.right),
            self.numbers.0.join(", "),
            self.numbers.1.join(", "),
        )
    }

    /// Whether a sentence takes a side: it says a number that only one of the two has.
    pub(crate) fn touches(&self, sentence: &str) -> bool {
        let said = numbers(sentence);
        let sides = [&self.numbers.0, &self.numbers.1];
        sides.iter().any(|side| {
            side.iter()
                .flat_map(|it| numbers(it))
                .any(|number| said.iter().any(|it| it.is_stated_by(&number)))
        })
    }
}
