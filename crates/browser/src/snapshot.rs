//! Snapshots of pages, their text for a model, and the diffs between them.

mod diff;
mod element;
mod text;

pub use diff::{Budget, Shown, Told};
pub use element::{Element, Ref, Snapshot};
pub use text::{Links, View};

#[cfg(test)]
mod tests;
