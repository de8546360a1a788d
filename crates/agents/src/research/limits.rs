//! ResearchLimits: what one research run may spend.

/// What runs of this process may spend on one question. What is not set comes from the mode's table.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ResearchLimits {
    /// Tokens, read and written together.
    pub tokens: Option<u64>,
    /// Millionths of a dollar.
    pub micro_dollars: Option<u64>,
    /// Seconds.
    pub seconds: Option<u64>,
}
