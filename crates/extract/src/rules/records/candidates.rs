//! Candidates for the records of a page: sets of alike elements.
//!
//! Four ways of being alike, each linear in the page: siblings that share a tag or a
//! class; cousins under neighbouring parents (the cells of a grid, lists in columns);
//! elements anywhere that share a class (one list cut into several containers); and runs
//! of siblings between two repetitions (`dt` and `dd`, or the two rows of one entry).

use super::candidate_pool::{CandidatePool, FEWEST, key};
use super::flat_tree::{FlatTree, Span};
use super::options::RecordOptions;
use super::sibling_runs;

/// Finds the candidates, heaviest first: each a set of spans in document order, none inside another, each
/// with something to see.
pub(super) fn find(tree: &FlatTree<'_>, options: &RecordOptions) -> Vec<Vec<Span>> {
    let mut pool = CandidatePool::new(tree);
    for parent in 0..tree.len() {
        let children: Vec<u32> = tree.children(parent).collect();
        if children.len() >= FEWEST {
            siblings(&mut pool, &children);
            if options.runs {
                sibling_runs::add_runs(&mut pool, &children);
            }
        }
    }
    if options.cousins {
        cousins(&mut pool);
    }
    if options.everywhere {
        everywhere(&mut pool);
    }
    let mut found = pool.into_candidates();
    found.retain(|spans| !sibling_runs::are_groups_of_rows(tree, spans));
    found
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
        pool.add_subtrees(&set);
    }
    let mut classed = Vec::new();
    for at in children {
        let tag = tag_of(tree, *at);
        classed.extend(tree.tokens(*at).iter().map(|token| (key(&[tag, *token]), *at)));
    }
    for set in sets(classed) {
        pool.add_subtrees(&set);
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
            pool.add_subtrees(&set);
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
        pool.add_subtrees(&outer);
    }
}
