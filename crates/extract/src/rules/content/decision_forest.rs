//! DecisionForest: probabilities from sums of small decision trees, read from a compact file.
//!
//! The file (`weights.bin`, written by `tools/train/content.py`) holds the weights of the kinds of page (kinds and pieces
//! of evidence, `u16` each, then for each kind an `f32` for each piece and one more; the same again for pages without a
//! public address), then the forests one after the other, all numbers little-endian: the columns and the trees of the
//! forest (`u16` each), then for each tree its splits (`u8`), for each split its column (`u16`), its threshold (`f32`) and
//! where to go when the value is at most the threshold, and when it is more (`u8` each; below 128 another split of the tree, else 128 + a leaf), then one `f32` for each leaf.

use std::sync::OnceLock;

/// How much the evidence speaks for one of the learned kinds of page, as a logarithm. Pages with a public address and pages
/// without one are weighed apart: an address outweighs most of the rest, and its absence says nothing.
pub(crate) fn kind_logit(kind: usize, evidence: &[f32], has_address: bool) -> f32 {
    let row = weights().and_then(|weights| {
        let models = [&weights.kinds_without_address, &weights.kinds];
        models[usize::from(has_address)].get(kind)
    });
    let Some(row) = row else { return 0.0 };
    row.iter()
        .zip(evidence.iter().chain([&1.0]))
        .map(|(weight, value)| weight * value)
        .sum()
}

/// The weights of the kinds of page, and of the two passes.
pub(crate) struct Weights {
    /// For each learned kind a number for each piece of evidence, and one more.
    kinds: Vec<Vec<f32>>,
    /// The same for pages without a public address.
    kinds_without_address: Vec<Vec<f32>>,
    pub(crate) first: DecisionForest,
    pub(crate) second: DecisionForest,
}

/// The weights that are part of the program; none when the file does not fit this program.
pub(crate) fn weights() -> Option<&'static Weights> {
    static WEIGHTS: OnceLock<Option<Weights>> = OnceLock::new();
    WEIGHTS
        .get_or_init(|| {
            let mut bytes = Bytes(include_bytes!("weights.bin"));
            let (kinds, evidence) = (bytes.short()?, bytes.short()?);
            let mut row = || {
                (0..=evidence)
                    .map(|_| bytes.float())
                    .collect::<Option<Vec<f32>>>()
            };
            let mut model = || (0..kinds).map(|_| row()).collect::<Option<Vec<_>>>();
            Some(Weights {
                kinds: model()?,
                kinds_without_address: model()?,
                first: DecisionForest::read(&mut bytes)?,
                second: DecisionForest::read(&mut bytes)?,
            })
        })
        .as_ref()
}

/// A split of a tree: is the number in this column at most the threshold?
#[derive(Clone, Copy, Debug)]
struct TreeSplit {
    threshold: f32,
    column: u16,
    /// The next split, or [`LEAF`] and a leaf, for yes and no.
    yes: u16,
    no: u16,
}

/// Marks a leaf in a split's answers.
const LEAF: u16 = 1 << 15;

/// Trees whose answers are added up.
#[derive(Debug)]
pub(crate) struct DecisionForest {
    /// How many numbers a row has.
    pub(crate) columns: usize,
    splits: Vec<TreeSplit>,
    leaves: Vec<f32>,
    roots: Vec<u16>,
}

impl DecisionForest {
    /// The probability of a row, 0 to 1.
    pub(crate) fn probability(&self, row: &[f32]) -> f32 {
        let sum: f32 = self.roots.iter().map(|root| self.walk(*root, row)).sum();
        1.0 / (1.0 + (-sum).exp())
    }

    fn walk(&self, root: u16, row: &[f32]) -> f32 {
        let mut at = root;
        while at & LEAF == 0 {
            let Some(split) = self.splits.get(usize::from(at)) else {
                return 0.0;
            };
            let value = row.get(usize::from(split.column)).copied().unwrap_or(0.0);
            at = if value <= split.threshold {
                split.yes
            } else {
                split.no
            };
        }
        self.leaves.get(usize::from(at & !LEAF)).copied().unwrap_or(0.0)
    }

    /// Reads one forest. Every answer leads on to a later split or to a leaf, so a walk always ends.
    fn read(bytes: &mut Bytes<'_>) -> Option<DecisionForest> {
        let columns = usize::from(bytes.short()?);
        let trees = bytes.short()?;
        let mut forest = DecisionForest {
            columns,
            splits: Vec::new(),
            leaves: Vec::new(),
            roots: Vec::new(),
        };
        for _ in 0..trees {
            let count = u16::from(bytes.byte()?);
            let (first, leaf) = (
                u16::try_from(forest.splits.len()).ok()?,
                u16::try_from(forest.leaves.len()).ok()?,
            );
            if first.checked_add(count)? >= LEAF || leaf.checked_add(count + 1)? >= LEAF {
                return None;
            }
            forest.roots.push(if count == 0 { LEAF | leaf } else { first });
            for own in 0..count {
                let (column, threshold) = (bytes.short()?, bytes.float()?);
                let mut answer = || {
                    let to = u16::from(bytes.byte()?);
                    match to.checked_sub(128) {
                        Some(to) => (to <= count).then_some(LEAF | (leaf + to)),
                        None => (to > own && to < count).then_some(first + to),
                    }
                };
                let (yes, no) = (answer()?, answer()?);
                if usize::from(column) >= columns {
                    return None;
                }
                forest.splits.push(TreeSplit {
                    threshold,
                    column,
                    yes,
                    no,
                });
            }
            for _ in 0..=count {
                forest.leaves.push(bytes.float()?);
            }
        }
        Some(forest)
    }
}

/// What is left of the file.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*head)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn short(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    fn float(&mut self) -> Option<f32> {
        self.take().map(f32::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(column: u16, yes: u8, no: u8) -> Vec<u8> {
        let mut file = vec![2, 0, 1, 0, 1];
        file.extend(column.to_le_bytes());
        file.extend(0.5f32.to_le_bytes());
        file.extend([yes, no]);
        file.extend((-3f32).to_le_bytes());
        file.extend(3f32.to_le_bytes());
        file
    }

    #[test]
    fn a_tree_asks_its_column_and_answers_with_a_leaf() {
        let forest = DecisionForest::read(&mut Bytes(&file(1, 128, 129))).unwrap();
        assert!(forest.probability(&[9.0, 0.5]) < 0.1);
        assert!(forest.probability(&[0.0, 0.6]) > 0.9);
    }

    #[test]
    fn a_file_that_points_nowhere_back_or_stops_early_is_refused() {
        assert!(
            DecisionForest::read(&mut Bytes(&file(2, 128, 129))).is_none(),
            "a column too many"
        );
        assert!(
            DecisionForest::read(&mut Bytes(&file(1, 0, 129))).is_none(),
            "a circle"
        );
        assert!(
            DecisionForest::read(&mut Bytes(&file(1, 128, 131))).is_none(),
            "a leaf too many"
        );
        let whole = file(1, 128, 129);
        assert!((0..whole.len()).all(|cut| DecisionForest::read(&mut Bytes(&whole[..cut])).is_none()));
    }

    #[test]
    fn the_weights_fit_the_numbers_they_were_learned_from() {
        let page = page::Page::new(
            "<h1>A title</h1><p>And a few words under it, as a page has them.</p>",
            None,
        );
        let analysis = super::super::ContentAnalysis::new(&page, &super::super::ContentOptions::default());
        let (first, whole) = analysis.first(false);
        let second = analysis.second(&whole, &[0.5, 0.5], false);
        let weights = weights().expect("weights.bin can be read");
        assert!(
            weights
                .kinds
                .iter()
                .all(|row| row.len() == analysis.signals.evidence.values.len() + 1)
        );
        assert_eq!(
            (weights.first.columns, weights.second.columns),
            (first.width, first.width + second.width)
        );
    }
}
