//! Candidates whose records span several siblings.
//!
//! Hacker News writes an entry as three rows, a definition list as `dt` and `dd`, an old
//! forum as heading and paragraph: no element holds the record, only the rhythm shows it.

use std::ops::RangeInclusive;

use super::candidate_pool::{CandidatePool, key};
use super::flat_tree::{FlatTree, Span};
use super::shapes::{overlap, shape};

/// Most ways of cutting one row of siblings.
const MOST_CUTS: usize = 6;
/// Most siblings in one record.
const LONGEST: usize = 12;

/// Cuts the children of one parent before each repetition of a tag or class.
pub(super) fn add_runs(pool: &mut CandidatePool<'_, '_>, children: &[u32]) {
    if children.len() < 4 {
        return;
    }
    let tree = pool.tree;
    let keys: Vec<u64> = children.iter().map(|at| sibling_key(tree, *at)).collect();
    let mut tried: Vec<u64> = Vec::new();
    for (at, start) in keys.iter().enumerate() {
        if tried.len() >= MOST_CUTS {
            break;
        }
        if tried.contains(start) {
            continue;
        }
        tried.push(*start);
        let starts: Vec<usize> = (at..keys.len())
            .filter(|index| keys.get(*index) == Some(start))
            .collect();
        // Records of one element each are what `candidates` finds anyway.
        if starts.len() < 2 || starts.len() * 2 > keys.len() - at + 1 {
            continue;
        }
        let mut lengths: Vec<usize> = starts
            .windows(2)
            .map(|pair| pair.last().unwrap_or(&0) - pair.first().unwrap_or(&0))
            .collect();
        lengths.sort_unstable();
        let middle = lengths.get(lengths.len() / 2).copied().unwrap_or(1);
        let longest = lengths.last().copied().unwrap_or(1);
        if !(2..=LONGEST).contains(&middle) || (middle == 2 && are_stripes(tree, children.get(at..))) {
            continue;
        }
        let spans = starts.iter().enumerate().filter_map(|(nth, from)| {
            let until = starts
                .get(nth + 1)
                .copied()
                .unwrap_or((from + longest).min(children.len()));
            let until = until.min(from + LONGEST * 2);
            let first = children.get(*from)?;
            let last = children.get(until.checked_sub(1)?)?;
            Some(Span {
                from: *first,
                to: tree.subtree(*last).to,
            })
        });
        let spans: Vec<Span> = spans.collect();
        pool.add(spans.into_iter());
    }
}

/// The share of neighbours among siblings that are built alike, from which all of them are rows of one list: the two rows of one
/// entry, a title and a line of facts, differ in what they hold.
const STRIPES: f32 = 0.75;
/// Fewest elements, with their classes, of rows that are compared as a whole.
const STRIPE_ELEMENTS: usize = 5;
/// Fewest columns of rows that are alike by their columns alone.
const STRIPE_COLUMNS: usize = 3;
/// Most siblings that are compared.
const COMPARED: usize = 12;

/// Whether siblings are the rows of one list, of which every second one has another class for its colour.
fn are_stripes(tree: &FlatTree<'_>, siblings: Option<&[u32]>) -> bool {
    let siblings: Vec<u32> = siblings
        .unwrap_or_default()
        .iter()
        .copied()
        .take(COMPARED)
        .collect();
    let rows: Vec<(Vec<u64>, Vec<u32>)> = siblings
        .iter()
        .map(|at| (columns(tree, *at), shape(tree, tree.subtree(*at))))
        .collect();
    // The line of facts below a title leads nowhere.
    let leads = |at: &u32| tree.counts(tree.subtree(*at)).links > 0;
    let leading: Vec<bool> = siblings.iter().map(leads).collect();
    if leading
        .windows(2)
        .all(|pair| matches!(pair, [one, next] if one != next))
    {
        return false;
    }
    let are_alike = |(columns, shape): &(Vec<u64>, Vec<u32>), next: &(Vec<u64>, Vec<u32>)| {
        (columns.len() >= STRIPE_COLUMNS && *columns == next.0)
            || (shape.len().min(next.1.len()) >= STRIPE_ELEMENTS && overlap(shape, &next.1) >= STRIPES)
    };
    let alike = rows
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if are_alike(a, b)))
        .count();
    rows.len() > 2 && alike as f32 >= STRIPES * (rows.len() - 1) as f32
}

/// The tag and the first class of each child of an element.
fn columns(tree: &FlatTree<'_>, at: u32) -> Vec<u64> {
    tree.children(at).map(|child| sibling_key(tree, child)).collect()
}

/// What makes siblings alike: the tag and the first class.
fn sibling_key(tree: &FlatTree<'_>, at: u32) -> u64 {
    let tag = tree.element(at).map_or(0, |element| element.tag);
    key(&[tag, tree.tokens(at).first().map_or(u32::MAX, |token| *token)])
}

/// Fewest and most rows of one entry of a table, and fewest entries.
const ENTRY_ROWS: RangeInclusive<usize> = 2..=6;
const FEWEST_ENTRIES: usize = 3;

/// Rows of a table that writes each entry as a `tbody` of several rows: the entries. Other records stay as they are, and so do the
/// entries of a table that has a `tbody` for each group of them.
pub(super) fn with_bodies(tree: &FlatTree<'_>, spans: Vec<Span>) -> Vec<Span> {
    let body_of = |span: &Span| {
        let parent = tree.element(span.from)?.parent;
        (tree.tag(span.from) == "tr" && tree.tag(parent) == "tbody").then_some(parent)
    };
    let Some(bodies) = spans.iter().map(body_of).collect::<Option<Vec<u32>>>() else {
        return spans;
    };
    let counts: Vec<(u32, usize)> = bodies
        .chunk_by(|a, b| a == b)
        .filter_map(|rows| Some((*rows.first()?, rows.len())))
        .collect();
    let usual = counts
        .iter()
        .filter(|(_, rows)| ENTRY_ROWS.contains(rows))
        .count();
    if counts.len() < FEWEST_ENTRIES || usual * 5 < counts.len() * 4 {
        return spans;
    }
    let entries: Vec<Span> = counts.into_iter().map(|(body, _)| tree.subtree(body)).collect();
    if are_groups_of_rows(tree, &entries) {
        return spans;
    }
    entries
}

/// Whether most of the elements are bodies of a table whose rows are alike: groups of entries, and no entries.
pub(super) fn are_groups_of_rows(tree: &FlatTree<'_>, spans: &[Span]) -> bool {
    let is_group = |span: &&Span| tree.tag(span.from) == "tbody" && has_alike_rows(tree, span.from);
    spans.iter().filter(is_group).count() * 2 > spans.len()
}

/// Whether the rows of a `tbody`, apart from a heading, are alike: each with as many cells, and all or none of them with a link.
fn has_alike_rows(tree: &FlatTree<'_>, body: u32) -> bool {
    let is_cell = |at: &u32| tree.tag(*at) == "td";
    let mut rows = tree
        .children(body)
        .filter(|row| tree.tag(*row) == "tr" && tree.children(*row).any(|at| is_cell(&at)))
        .map(|row| {
            let span = tree.subtree(row);
            let has_link = (span.from..span.to).any(|at| tree.tag(at) == "a");
            (tree.children(row).filter(is_cell).count(), has_link)
        });
    let first = rows.next();
    let others: Vec<(usize, bool)> = rows.collect();
    !others.is_empty() && others.iter().all(|row| Some(*row) == first)
}
