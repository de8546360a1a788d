//! Snapshots of pages, their text for a model, and the diffs between them.

mod diff;
mod element;
mod text;

pub use diff::{ViewBudget, ViewDiff, ViewUpdate};
pub use element::{Ref, Snapshot, SnapshotElement};
pub use text::{LinkStyle, SnapshotView};

#[cfg(test)]
mod tests;
