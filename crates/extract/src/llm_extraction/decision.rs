//! CompletionState, from which a mode decides on the next question, and NextQuestion, its decision.

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextQuestion {
    /// Ask for these fields.
    Ask {
        /// Which fields.
        fields: Vec<String>,
        /// Whether further facts are welcome.
        more: bool,
    },
    /// Ask no more.
    Done,
}

/// What a mode decides by.
#[derive(Debug, Clone, PartialEq)]
pub struct CompletionState {
    /// Questions so far.
    pub asked: u32,
    /// Questions that may follow the first one.
    pub retries: u32,
    /// Wanted fields that are open.
    pub open: Vec<String>,
    /// Required fields that are open and not known to be unavailable.
    pub missing: Vec<String>,
    /// Whether entries of a list are wanted and part of the page was not shown yet.
    pub entries_open: bool,
    /// Whether the request names its fields, and part of the page was not shown yet.
    pub named_unread: bool,
    /// Questions in a row that filled nothing.
    pub idle: u32,
    /// Whether it was asked for further facts when nothing required was missing.
    pub discovered: bool,
    /// Whether the last question had no answer that could be used.
    pub unusable: bool,
}
