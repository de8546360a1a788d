//! `complete`, `done`, `error`: how a run ends.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `complete`: the final result, also of a failure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AutomateComplete {
    /// Whether the task was done.
    pub success: bool,
    /// The answer; null when there is none.
    pub final_answer: Option<String>,
    /// Counters.
    pub stats: TaskStats,
    /// Why it was not done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<TaskFailure>,
    /// Whether the answer was judged good or taken for want of a better one. An addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation_outcome: Option<ValidationOutcome>,
}

/// How an answer came to be the final one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ValidationOutcome {
    /// The judge accepted it.
    Accepted,
    /// The attempts were used up.
    ForceAccepted,
}

/// Counters of a finished run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskStats {
    /// Turns of the loop.
    pub iterations: u32,
    /// Actions done, without `done` and `abort`.
    pub actions: u32,
    /// Milliseconds since the epoch.
    pub start_time: i64,
    /// Milliseconds since the epoch.
    pub end_time: i64,
    /// Milliseconds between the two.
    pub duration_ms: i64,
}

/// Why a run has no success.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskFailure {
    /// Which class.
    pub code: FailureCode,
    /// In words.
    pub message: String,
}

/// The four classes of failure that the contract knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FailureCode {
    /// Cancelled, given up, or stopped for repeating itself.
    TaskAborted,
    /// Out of turns.
    MaxIterations,
    /// Too many errors.
    MaxErrors,
    /// Anything else.
    TaskFailed,
}

/// `done`: nothing follows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AutomateDone {}

/// `error`: the run broke; neither `complete` nor `done` follows. The recorder adds `error.timestamp`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AutomateError {
    /// What happened.
    pub error: AutomateErrorInfo,
    /// Always false.
    pub success: False,
}

impl AutomateError {
    /// An error with this code and text.
    #[must_use]
    pub fn new(code: crate::Code, message: impl Into<String>) -> Self {
        let error = AutomateErrorInfo {
            code: code.as_str().into(),
            message: message.into(),
            recoverable: Some(code.retryable()),
        };
        Self {
            error,
            success: False,
        }
    }
}

/// What happened. Texts hold no page content and no secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AutomateErrorInfo {
    /// One of [`crate::Code`].
    pub code: String,
    /// In words.
    pub message: String,
    /// Whether the same request may work later. An addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recoverable: Option<bool>,
}

/// A boolean that is never true.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct False;

impl Serialize for False {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bool(false)
    }
}

impl<'de> Deserialize<'de> for False {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match bool::deserialize(from)? {
            false => Ok(Self),
            true => Err(serde::de::Error::custom("an error is never a success")),
        }
    }
}

impl JsonSchema for False {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "False".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "boolean", "const": false })
    }
}
