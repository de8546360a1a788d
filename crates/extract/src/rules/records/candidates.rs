//! Candidates for the records of a page: sets of alike elements.
//!
//! Four ways of being alike, each linear in the page: siblings that share a tag or a
//! class; cousins under neighbouring parents (the cells of a grid, lists in columns);
//! elements anywhere that share a class (one list cut into several containers); and runs
//! of siblings between two repetitions (`dt` and `dd`, or the two rows of one entry).

use std::collections::HashSet;

use super::flat_tree::{FlatTree, Span};
use super::options::RecordOptions;

/// Most candidates that are weighed; the heaviest are kept.
const MOST: usize = 160;
/// Text of one record beyond this many characters does not make a candidate heavier.
const ENOUGH_CHARS: u32 = 600;
/// Fewest repetitions of something before it can be a list.
const FEWEST: usize = 2;

/// Finds the candidates, heaviest first: each a set of spans in document order, none inside another, each
/// with something to see.
pub(super) fn find(tree: &FlatTree<'_>, options: &RecordOptions) -> Vec<Vec<Span>> {
    let mut pool = CandidatePool {
        tree,
        seen: HashSet::new(),
        found: Vec::new(),
    };
    for parent in 0..tree.len() {
        let children: Vec<u32> = tree.children(parent).collect();
        if children.len() >= FEWEST {
            siblings(&mut pool, &children);
            if options.runs {
                super::sibling_runs::offer(&mut pool, &children);
            }
        }
    }
    if options.cousins {
        cousins(&mut pool);
    }
    if options.everywhere {
        everywhere(&mut pool);
    }
    pool.keep_heaviest();
    pool.found.into_iter().map(|candidate| candidate.1).collect()
}

/// Where candidates are gathered, each set once.
pub(super) struct CandidatePool<'o, 'a> {
    /// The page.
    pub(super) tree: &'o FlatTree<'a>,
    seen: HashSet<u64>,
    found: Vec<(u64, Vec<Span>)>,
}

impl CandidatePool<'_, '_> {
    /// Takes a set of spans in document order, none inside another, unless it is too small or known.
    pub(super) fn offer(&mut self, spans: impl Iterator<Item = Span>) {
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

    fn offer_subtrees(&mut self, places: &[u32]) {
        let tree = self.tree;
        self.offer(places.iter().map(|at| tree.subtree(*at)));
    }
}

/// Sets of equal keys, in the order of their first member.
fn sets(mut keyed: Vec<(u64, u32)>) -> Vec<Vec<u32>> {
    keyed.sort_unstable();
    let mut sets: Vec<Vec<u32>> = keyed
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|set| set.len() >= FEWEST)
        .map(|set| set.iter().map(|member| member.1).collect())
        .collect();
    sets.sort_unstable_by_key(|set| set.first().copied());
    sets
}

/// One key from several numbers. Fast rather than safe: a page that makes two keys meet only
/// joins two sets of its own.
pub(super) fn key(parts: &[u32]) -> u64 {
    parts.iter().fold(0x9e37_79b9_7f4a_7c15, |hash: u64, part| {
        (hash.rotate_left(23) ^ u64::from(*part)).wrapping_mul(0xd6e8_feb8_6659_fd93)
    })
}

fn tag_of(tree: &FlatTree<'_>, at: u32) -> u32 {
    tree.element(at).map_or(0, |element| element.tag)
}

fn siblings(pool: &mut CandidatePool<'_, '_>, children: &[u32]) {
    let tree = pool.tree;
    let tagged = children
        .iter()
        .map(|at| (u64::from(tag_of(tree, *at)), *at))
        .collect();
    for set in sets(tagged) {
        pool.offer_subtrees(&set);
    }
    let mut classed = Vec::new();
    for at in children {
        let tag = tag_of(tree, *at);
        classed.extend(tree.tokens(*at).iter().map(|token| (key(&[tag, *token]), *at)));
    }
    for set in sets(classed) {
        pool.offer_subtrees(&set);
    }
}

/// Elements of one tag whose parents have one tag and share a parent: the cells of a grid.
fn cousins(pool: &mut CandidatePool<'_, '_>) {
    let tree = pool.tree;
    let mut keyed = Vec::new();
    for at in 1..tree.len() {
        let Some(element) = tree.element(at).filter(|element| element.parent != 0) else {
            continue;
        };
        let Some(parent) = tree.element(element.parent) else {
            continue;
        };
        keyed.push((key(&[element.tag, parent.tag, parent.parent]), at));
    }
    for set in sets(keyed) {
        let parent = |at: &u32| tree.element(*at).map(|element| element.parent);
        if set.first().and_then(parent) != set.last().and_then(parent) {
            pool.offer_subtrees(&set);
        }
    }
}

/// Elements of one tag and class, wherever they are; of nested ones the outermost.
fn everywhere(pool: &mut CandidatePool<'_, '_>) {
    let tree = pool.tree;
    let mut keyed = Vec::new();
    for at in 0..tree.len() {
        let tag = tag_of(tree, at);
        keyed.extend(tree.tokens(at).iter().map(|token| (key(&[tag, *token]), at)));
    }
    for set in sets(keyed) {
        let mut outer: Vec<u32> = Vec::new();
        let mut end = 0;
        for at in set {
            if at >= end {
                end = tree.subtree(at).to;
                outer.push(at);
            }
        }
        pool.offer_subtrees(&outer);
    }
}
