//! Refused: the answer of the policy to an action that may not happen.

use std::fmt;

/// An action that may not happen; nothing was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// What the model reads: that it was refused, and not how to get around it.
    pub reason: String,
    /// What the person may change, for events and logs only.
    pub remedy: String,
    /// A stable name of the rule, for diagnostics.
    pub rule: &'static str,
}

impl Refused {
    pub(crate) fn new(rule: &'static str, reason: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            remedy: remedy.into(),
            rule,
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.reason, self.remedy)
    }
}

impl std::error::Error for Refused {}
