//! FeatureTable: rows of numbers that describe blocks, and the names of their columns.

/// Rows of numbers, one a block, each `width` long.
#[derive(Default)]
pub(crate) struct FeatureTable {
    pub(crate) values: Vec<f32>,
    pub(crate) width: usize,
    /// What each column is called; filled by the first row.
    pub(crate) names: Vec<String>,
    naming: bool,
    row: usize,
}

impl FeatureTable {
    /// An empty table; with `naming` it also keeps the names of its columns.
    pub(crate) fn new(naming: bool) -> FeatureTable {
        FeatureTable {
            naming,
            ..FeatureTable::default()
        }
    }

    /// Adds a number to the current row.
    pub(crate) fn put(&mut self, name: &str, value: f32) {
        if self.row == 0 {
            self.width += 1;
            if self.naming {
                self.names.push(name.to_owned());
            }
        }
        self.values.push(value);
    }

    /// Adds a number whose name is made only where names are kept.
    pub(crate) fn put_named(&mut self, name: impl FnOnce() -> String, value: f32) {
        if self.naming && self.row == 0 {
            self.put(&name(), value);
        } else {
            self.put("", value);
        }
    }

    /// Adds a yes or no to the current row.
    pub(crate) fn flag(&mut self, name: &str, value: bool) {
        self.put(name, f32::from(u8::from(value)));
    }

    /// Ends the row.
    pub(crate) fn end(&mut self) {
        self.row += 1;
    }

    /// The rows in order.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &[f32]> {
        self.values.chunks_exact(self.width.max(1))
    }
}
