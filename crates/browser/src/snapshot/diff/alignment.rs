//! Alignment of the lines of two views: which lines stayed, changed, moved or are gone.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::super::element::Ref;
use super::super::text::ViewRow;

/// How far a line without a ref is searched for, in lines.
const SEARCH_DISTANCE: usize = 16;

/// A line of the page as it was at the last view; the text is there if the reader knows it.
#[derive(Debug, Clone)]
pub(super) struct KnownLine {
    /// Hash of all that the line says, but for the focus.
    pub(super) content: u64,
    /// Hash of its role and depth.
    pub(super) kind: u64,
    pub(super) target: Option<Ref>,
    pub(super) line: Option<Box<str>>,
}

/// How a line of the page relates to those of the last view, by their indexes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineOrigin {
    /// The same line.
    Same(usize),
    /// Another line with the same ref, in the same place.
    Changed(usize),
    /// A line with the same ref, in another place.
    Moved(usize),
    /// Another line of the same kind without a ref, in the same place.
    Replaced(usize),
    New,
}

impl LineOrigin {
    pub(super) fn index(self) -> Option<usize> {
        match self {
            Self::Same(old) | Self::Changed(old) | Self::Moved(old) | Self::Replaced(old) => Some(old),
            Self::New => None,
        }
    }
}

impl KnownLine {
    /// A line that has not been shown yet. The focus is not part of its content: only one element has it.
    pub(super) fn of(row: &ViewRow<'_>) -> Self {
        let node = row.node;
        let mut hasher = DefaultHasher::new();
        (row.depth, row.level, &node.role, &node.name, &node.value).hash(&mut hasher);
        (&node.link, node.target).hash(&mut hasher);
        for state in node.states.iter().filter(|state| *state != "focused") {
            state.hash(&mut hasher);
        }
        let mut kind = DefaultHasher::new();
        (row.depth, &node.role).hash(&mut kind);
        KnownLine {
            content: hasher.finish(),
            kind: kind.finish(),
            target: node.target,
            line: None,
        }
    }
}

/// Finds the lines of the last view in the present ones. Returns the origin of each present line, and which of the old
/// ones are gone.
pub(super) fn align(old: &[KnownLine], new: &[KnownLine]) -> (Vec<LineOrigin>, Vec<usize>) {
    let equal = |(a, b): &(&KnownLine, &KnownLine)| a.content == b.content;
    let head = old.iter().zip(new).take_while(equal).count();
    let most = old.len().min(new.len()) - head;
    let both = old.iter().rev().zip(new.iter().rev());
    let tail = both.take(most).take_while(equal).count();
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    // A line with a ref is unique, so that it says where old and new meet again.
    let places: HashMap<Ref, usize> = (head..old_end)
        .filter_map(|at| Some((old.get(at)?.target?, at)))
        .collect();
    let present: HashSet<Ref> = (head..new_end).filter_map(|at| new.get(at)?.target).collect();
    let target = |at: usize| old.get(at).and_then(|line| line.target);
    let count = |rows: &[KnownLine], from: usize, content: u64| {
        let near = rows.iter().skip(from).take(SEARCH_DISTANCE);
        near.filter(|line| line.content == content).count()
    };
    let stays = |at: usize| target(at).is_some_and(|target| present.contains(&target));
    let mut origins: Vec<LineOrigin> = (0..head).map(LineOrigin::Same).collect();
    let mut gone = Vec::new();
    let mut moved: HashSet<usize> = HashSet::new();
    let (mut at, mut next) = (head, head);
    for (nth, row) in new.iter().enumerate().take(new_end).skip(head) {
        while moved.contains(&at) {
            at += 1;
        }
        let same = |place: &usize| old.get(*place).is_some_and(|line| line.content == row.content);
        // Lines up to the next one that stays have gone, unless the present line has come from behind that one.
        while next < old_end && (next < at || !stays(next) || moved.contains(&next)) {
            next += 1;
        }
        let reach = old_end.min(next + 1);
        let place = match row.target {
            Some(target) => places.get(&target).copied(),
            None => (at..reach.min(at + SEARCH_DISTANCE)).find(same),
        };
        origins.push(match place {
            Some(place) if !(at..reach).contains(&place) => {
                moved.insert(place);
                LineOrigin::Moved(place)
            }
            Some(place) => {
                gone.extend((at..place).filter(|at| !moved.contains(at)));
                at = place + 1;
                if same(&place) {
                    LineOrigin::Same(place)
                } else {
                    LineOrigin::Changed(place)
                }
            }
            None => match old.get(at).filter(|_| at < old_end && at < next) {
                // A line instead of another one, unless that one only comes later.
                Some(before)
                    if row.target.is_none()
                        && before.kind == row.kind
                        && count(new, nth, before.content) < count(old, at, before.content) =>
                {
                    at += 1;
                    LineOrigin::Replaced(at - 1)
                }
                _ => LineOrigin::New,
            },
        });
    }
    gone.extend((at..old_end).filter(|at| !moved.contains(at)));
    origins.extend((old_end..old.len()).map(LineOrigin::Same));
    (origins, gone)
}
