//! Issues found in a plan, with their places as JSON pointers.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Most issues reported at once.
pub(crate) const MAX_ISSUES: usize = 100;

/// The code of a tool that there is not.
pub(crate) const UNKNOWN_TOOL: &str = "unknown_tool";
/// The code of what the grant forbids.
pub(crate) const DENIED: &str = "denied";

/// An issue of a plan, worded for its author.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// JSON pointer to the place in the plan.
    pub path: String,
    /// What kind of issue: `unknown_tool`, `missing_parameter`, `bad_reference` ...
    pub code: String,
    /// What is wrong and what to write instead.
    pub message: String,
}

impl Issue {
    pub(crate) fn new(path: impl Into<String>, code: &str, message: impl Into<String>) -> Issue {
        Issue {
            path: path.into(),
            code: code.to_owned(),
            message: message.into(),
        }
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// Everything that is wrong with a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub struct Issues(pub Vec<Issue>);

impl fmt::Display for Issues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the plan cannot run:")?;
        for issue in self.0.iter().take(MAX_ISSUES) {
            write!(f, "\n- {issue}")?;
        }
        Ok(())
    }
}

impl Issues {
    /// The stable error code for clients: `POLICY_DENIED` when the grant alone forbids the plan.
    pub fn code(&self) -> &'static str {
        match self.0.iter().all(|it| it.code == DENIED) {
            true if !self.0.is_empty() => "POLICY_DENIED",
            _ => "INVALID_PLAN",
        }
    }

    pub(crate) fn of(issue: Issue) -> Issues {
        Issues(vec![issue])
    }
}

/// Escapes a key as a part of a JSON pointer (RFC 6901).
pub(crate) fn pointer(key: &str) -> String {
    shorten(key).replace('~', "~0").replace('/', "~1")
}

/// Shortens a name for a message.
pub(crate) fn shorten(text: &str) -> String {
    locale::truncate(text, 80)
}
