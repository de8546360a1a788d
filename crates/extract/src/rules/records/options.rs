//! RecordOptions: the parts of the search for records that can be turned off.

/// Which parts of the search are on; all are, except to measure what one adds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordOptions {
    /// Look for records that span several siblings.
    pub runs: bool,
    /// Look for grids: records under neighbouring parents.
    pub cousins: bool,
    /// Look for lists cut into several containers.
    pub everywhere: bool,
    /// Leave out members that are no records.
    pub repair: bool,
    /// Read the fields of each record.
    pub fields: bool,
    /// Most groups that are given back.
    pub groups: usize,
}

impl Default for RecordOptions {
    fn default() -> Self {
        RecordOptions {
            runs: true,
            cousins: true,
            everywhere: true,
            repair: true,
            fields: true,
            groups: 10,
        }
    }
}
