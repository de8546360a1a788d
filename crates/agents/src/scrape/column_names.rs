//! `ColumnNames`: the names of the fields of pages, each once and no more than a table may have.

use std::collections::HashSet;

/// Most columns of a table whose columns nobody asked for. Beyond them, the empty cells of each line take a kilobyte and more.
pub const MAX_COLUMNS: usize = 1_000;

/// Names in the order of their first page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColumnNames {
    names: Vec<String>,
    known: HashSet<String>,
    is_cut: bool,
}

impl ColumnNames {
    /// Adds the names that are not there yet, as far as there is room.
    pub fn extend(&mut self, more: &[String]) {
        for name in more {
            if self.known.contains(name) {
                continue;
            }
            if self.names.len() == MAX_COLUMNS {
                self.is_cut = true;
                return;
            }
            self.known.insert(name.clone());
            self.names.push(name.clone());
        }
    }

    /// The names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether there were more names than a table may have.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }
}
