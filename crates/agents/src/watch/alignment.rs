//! Alignment of two lists along a longest common subsequence.

use std::ops::Range;

/// Places of two lists that face each other and differ.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Gap {
    /// In the first list.
    pub(super) old: Range<usize>,
    /// In the second list.
    pub(super) new: Range<usize>,
}

/// The places where two lists differ. What both begin and end with is left out first; of what remains, more than `limit`
/// entries of a list make one gap of everything.
pub(super) fn gaps<T: PartialEq>(old: &[T], new: &[T], limit: usize) -> Vec<Gap> {
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
    let old_middle = &old_rest[..old_rest.len() - tail];
    let new_middle = &new_rest[..new_rest.len() - tail];
    let at = |old: Range<usize>, new: Range<usize>| Gap {
        old: old.start + same..old.end + same,
        new: new.start + same..new.end + same,
    };
    let all = at(0..old_middle.len(), 0..new_middle.len());
    if old_middle.len() > limit || new_middle.len() > limit {
        return vec![all];
    }
    let mut gaps = Vec::new();
    let mut from = (0, 0);
    let ends = (old_middle.len(), new_middle.len());
    for (row, column) in common(old_middle, new_middle).into_iter().chain([ends]) {
        if (row, column) != from {
            gaps.push(at(from.0..row, from.1..column));
        }
        from = (row + 1, column + 1);
    }
    gaps
}

/// The places of a longest common subsequence.
fn common<T: PartialEq>(old: &[T], new: &[T]) -> Vec<(usize, usize)> {
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
    let mut places = Vec::new();
    let (mut row, mut column) = (0, 0);
    while row < old.len() && column < new.len() {
        if old[row] == new[column] {
            places.push((row, column));
            (row, column) = (row + 1, column + 1);
        } else if longest[(row + 1) * width + column] >= longest[row * width + column + 1] {
            row += 1;
        } else {
            column += 1;
        }
    }
    places
}
