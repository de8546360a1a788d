//! CandidatePool: candidates for the records of a page, each set of spans once.

use std::collections::HashSet;

use super::flat_tree::{FlatTree, Span};

/// Most candidates that are weighed; the heaviest are kept.
const MOST: usize = 160;
/// Text of one record beyond this many characters does not make a candidate heavier.
const ENOUGH_CHARS: u32 = 600;
/// Fewest repetitions of something before it can be a list.
pub(super) const FEWEST: usize = 2;

/// Where candidates are gathered, each set once.
pub(super) struct CandidatePool<'o, 'a> {
    /// The page.
    pub(super) tree: &'o FlatTree<'a>,
    seen: HashSet<u64>,
    found: Vec<(u64, Vec<Span>)>,
}

impl<'o, 'a> CandidatePool<'o, 'a> {
    /// An empty pool.
    pub(super) fn new(tree: &'o FlatTree<'a>) -> Self {
        CandidatePool {
            tree,
            seen: HashSet::new(),
            found: Vec::new(),
        }
    }

    /// The heaviest candidates, heaviest first.
    pub(super) fn into_candidates(mut self) -> Vec<Vec<Span>> {
        self.keep_heaviest();
        self.found.into_iter().map(|(_, spans)| spans).collect()
    }

    /// Takes a set of spans in document order, none inside another, unless it is too small or known.
    pub(super) fn add(&mut self, spans: impl Iterator<Item = Span>) {
        let mut weight = 0u64;
        let mut kept = Vec::new();
        for span in spans {
            let counts = self.tree.counts(span);
            if counts.words == 0 && (counts.images == 0 || counts.links == 0) {
                continue;
            }
            weight += u64::from(counts.chars.min(ENOUGH_CHARS) + 20 * counts.images.min(2));
            kept.push(span);
        }
        if kept.len() < FEWEST {
            return;
        }
        let print = kept.iter().fold(0, |hash: u64, span| {
            key(&[(hash >> 32) as u32, hash as u32, span.from, span.to])
        });
        if self.seen.insert(print) {
            self.found.push((weight, kept));
            if self.found.len() >= 4 * MOST {
                self.keep_heaviest();
            }
        }
    }

    /// The order of finding decides between equals, so the result is the same each time.
    fn keep_heaviest(&mut self) {
        self.found.sort_by_key(|candidate| std::cmp::Reverse(candidate.0));
        self.found.truncate(MOST);
    }

    /// Takes the subtrees at these places.
    pub(super) fn add_subtrees(&mut self, places: &[u32]) {
        let tree = self.tree;
        self.add(places.iter().map(|at| tree.subtree(*at)));
    }
}

/// One key from several numbers. Fast rather than safe: a page that makes two keys meet only
/// joins two sets of its own.
pub(super) fn key(parts: &[u32]) -> u64 {
    parts.iter().fold(0x9e37_79b9_7f4a_7c15, |hash: u64, part| {
        (hash.rotate_left(23) ^ u64::from(*part)).wrapping_mul(0xd6e8_feb8_6659_fd93)
    })
}
