//! Issues found in a plan, with their places as JSON pointers.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Most issues reported at once.
pub(crate) const MAX_ISSUES: usize = 100;

/// What kind of issue it is. Clients read the names, so a variant is never renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IssueCode {
    /// The text is longer than what is read.
    TooLarge,
    /// The plan is nested more deeply than what is read.
    TooDeep,
    /// The plan has more steps than a plan or this run may have.
    TooManySteps,
    /// The text is no JSON.
    NotJson,
    /// The JSON is no plan: it has no list of steps.
    NotAPlan,
    /// A key or value of the plan is missing, of the wrong type or contradicts another one.
    BadPlan,
    /// A key that plans and steps do not have.
    UnknownKey,
    /// `when` cannot be read.
    BadCondition,
    /// Two steps have the same name.
    DuplicateId,
    /// There is no such tool.
    UnknownTool,
    /// The grant forbids it.
    Denied,
    /// The tool needs a page, a model or a network that this run has not.
    Unavailable,
    /// The tool has no such parameter.
    UnknownParameter,
    /// A parameter that the tool requires is not given.
    MissingParameter,
    /// A parameter has the wrong type, format or value.
    BadParameter,
    /// A reference names nothing that is known by then, or something of the wrong type.
    BadReference,
    /// A reference names its own step.
    Cycle,
    /// No step gives what `expected_output` names.
    BadExpectedOutput,
}

impl fmt::Display for IssueCode {
    /// The name that clients read, such as `unknown_tool`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// An issue of a plan, worded for its author.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// JSON pointer to the place in the plan.
    pub path: String,
    /// What kind of issue it is.
    pub code: IssueCode,
    /// What is wrong and what to write instead.
    pub message: String,
}

impl Issue {
    pub(crate) fn new(path: impl Into<String>, code: IssueCode, message: impl Into<String>) -> Issue {
        Issue {
            path: path.into(),
            code,
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
        match self.0.iter().all(|it| it.code == IssueCode::Denied) {
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
