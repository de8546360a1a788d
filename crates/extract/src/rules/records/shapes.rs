//! Similarity of records by their tags and classes.

use std::collections::HashMap;
use std::rc::Rc;

use foldhash::fast::RandomState;

use super::flat_tree::{FlatTree, Span};

/// Most pairs of records that are compared.
const PAIRS: usize = 10;
/// Most elements of a record that make its shape.
const ELEMENTS: usize = 80;

/// Mean overlap of the shapes (tags and classes by depth) of records a given step apart.
pub(super) fn alikeness(tree: &FlatTree<'_>, shapes: &mut SpanShapes, spans: &[Span], apart: usize) -> f32 {
    let pairs = spans.len().saturating_sub(apart);
    // Neighbours, not every tenth: in a list of alternating rows those would all be of one kind.
    let step = pairs.div_ceil(PAIRS).max(1);
    let overlaps = spans
        .windows(apart + 1)
        .step_by(step)
        .filter_map(|window| match window {
            [a, .., b] => Some(overlap(&shapes.of(tree, *a), &shapes.of(tree, *b))),
            _ => None,
        });
    let (sum, n) = overlaps.fold((0.0, 0.0), |(sum, n), shared| (sum + shared, n + 1.0));
    if n > 0.0 { sum / n } else { 0.0 }
}

/// The shapes of the spans of one tree, each made once for all candidates that share the record.
#[derive(Debug, Default)]
pub(super) struct SpanShapes(HashMap<Span, Rc<[u32]>, RandomState>);

impl SpanShapes {
    /// The [`shape`] of a span of the tree.
    fn of(&mut self, tree: &FlatTree<'_>, span: Span) -> Rc<[u32]> {
        Rc::clone(self.0.entry(span).or_insert_with(|| shape(tree, span).into()))
    }
}

/// The tags and classes of a record by depth, sorted.
pub(super) fn shape(tree: &FlatTree<'_>, span: Span) -> Vec<u32> {
    let top = tree.element(span.from).map_or(0, |element| element.depth);
    let mut shape = Vec::new();
    for at in (span.from..span.to).take(ELEMENTS) {
        let Some(element) = tree.element(at) else { break };
        let region = u32::from(element.depth.saturating_sub(top).min(255)) << 24;
        shape.push(region | (element.tag & 0xff_ffff));
        // The class of the record itself often only counts: odd, even, last.
        if at > span.from {
            shape.extend(
                tree.tokens(at)
                    .first()
                    .map(|token| region | 0x80_0000 | (token & 0x7f_ffff)),
            );
        }
    }
    shape.sort_unstable();
    shape
}

/// What two shapes share, as a part of both together.
pub(super) fn overlap(a: &[u32], b: &[u32]) -> f32 {
    let (mut at, mut to, mut shared) = (0, 0, 0usize);
    while let (Some(x), Some(y)) = (a.get(at), b.get(to)) {
        shared += usize::from(x == y);
        at += usize::from(x <= y);
        to += usize::from(y <= x);
    }
    shared as f32 / (a.len() + b.len() - shared).max(1) as f32
}

/// How often, on average, the most frequent kind of child with text repeats within a record:
/// a record with many alike parts is rather a list itself.
pub(super) fn inner_repetition(tree: &FlatTree<'_>, spans: &[Span]) -> f32 {
    let mut sum = 0.0;
    for span in spans.iter().take(PAIRS) {
        let mut keys: Vec<(u32, u32)> = (span.from..span.to)
            .take(ELEMENTS)
            .filter(|at| tree.counts(tree.subtree(*at)).words >= 4)
            .filter_map(|at| Some((tree.element(at)?.tag, tree.tokens(at).first().copied()?)))
            .collect();
        keys.sort_unstable();
        sum += keys
            .chunk_by(|a, b| a == b)
            .map(|group| group.len())
            .max()
            .unwrap_or(1) as f32;
    }
    sum / spans.len().clamp(1, PAIRS) as f32
}

/// How far the records fall into parts that are alike and each lead somewhere: the cells of
/// a row of products. Such a record is rather several records.
pub(super) fn parts(tree: &FlatTree<'_>, known_shapes: &mut SpanShapes, spans: &[Span]) -> f32 {
    let mut sum = 0.0;
    for span in spans.iter().take(PAIRS) {
        let mut level: Vec<u32> = tree.neighbours(*span).collect();
        while let [only] = level.as_slice() {
            level = tree
                .children(*only)
                .filter(|at| tree.counts(tree.subtree(*at)).words > 0)
                .collect();
        }
        let shapes: Vec<Option<Rc<[u32]>>> = level
            .iter()
            .take(PAIRS)
            .map(|at| tree.subtree(*at))
            .map(|span| (tree.counts(span).links > 0).then(|| known_shapes.of(tree, span)))
            .collect();
        let alike = shapes
            .windows(2)
            .filter(|pair| matches!(pair, [Some(a), Some(b)] if overlap(a, b) >= 0.7))
            .count();
        sum += alike as f32 / shapes.len().saturating_sub(1).max(1) as f32;
    }
    sum / spans.len().clamp(1, PAIRS) as f32
}
