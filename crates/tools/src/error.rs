//! Errors of tools, worded so that a model knows what to try.

use std::time::Duration;

/// A tool that gave nothing. Texts may be shown to a model and to a client as they are.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// There is no such tool.
    #[error("there is no tool named {name}{hint}")]
    UnknownTool {
        /// The name that was asked for.
        name: String,
        /// `; did you mean ...?`, or nothing.
        hint: String,
    },
    /// The parameters do not fit the manifest.
    #[error("the parameters of {tool} do not fit: {}", issues.join("; "))]
    Params {
        /// Which tool.
        tool: String,
        /// Everything that is wrong with them.
        issues: Vec<String>,
    },
    /// A parameter fits the manifest and cannot be used all the same.
    #[error("parameter {name}: {why}")]
    Param {
        /// Which.
        name: &'static str,
        /// Why, and what to try.
        why: String,
    },
    /// The run's grant does not allow it.
    #[error("{what} is not allowed in this run: {why}")]
    Denied {
        /// What was asked for.
        what: String,
        /// The grant's reason.
        why: String,
    },
    /// The policy does not allow it.
    #[error("{}", .0.reason)]
    Refused(#[from] policy::Refused),
    /// Something the tool needs is not there.
    #[error("{what} is missing: {advice}")]
    Missing {
        /// What.
        what: &'static str,
        /// How to get it.
        advice: &'static str,
    },
    /// What the tool was to act on is not on the page, or not as it should be.
    #[error("{0}")]
    NotFound(String),
    /// It did not finish in time.
    #[error("{tool} did not finish within {} ms", limit.as_millis())]
    Timeout {
        /// Which tool.
        tool: String,
        /// Its limit.
        limit: Duration,
    },
    /// Its output is not what its manifest promises.
    #[error("the output of {tool} does not fit its schema: {}", issues.join("; "))]
    Output {
        /// Which tool.
        tool: String,
        /// Everything that is wrong with it.
        issues: Vec<String>,
    },
    /// More than the tool may read, make or compute.
    #[error("{what} is more than the limit of {limit}")]
    TooMuch {
        /// What.
        what: String,
        /// The limit, with its unit.
        limit: String,
    },
    /// The page or the tab failed.
    #[error(transparent)]
    Web(#[from] browser::Error),
    /// A plan that cannot run.
    #[error("{0}")]
    Plan(String),
    /// The model failed.
    #[error("the model failed: {0}")]
    Model(String),
    /// Anything else, in a sentence that says what to try.
    #[error("{0}")]
    Failed(String),
}

impl Error {
    /// A parameter that cannot be used.
    pub fn param(name: &'static str, why: impl Into<String>) -> Error {
        Error::Param {
            name,
            why: why.into(),
        }
    }

    /// The error of a task in the sandbox: of the parameter that is its program, where that is wrong, else of the work.
    pub(crate) fn of_sandbox(parameter: &'static str, work: &str, error: sandbox::Error) -> Error {
        use sandbox::Error as Cause;
        match error {
            Cause::Rejected(why) => Error::param(parameter, why),
            Cause::TooLarge { what, limit } => Error::TooMuch { what, limit },
            Cause::Memory => Error::TooMuch {
                what: format!("the memory for {work}"),
                limit: format!("{} MB; do less at once", sandbox::MAX_MEMORY >> 20),
            },
            Cause::Depth => Error::TooMuch {
                what: format!("the recursion of {work}"),
                limit: "its stack; nest less".into(),
            },
            Cause::Timeout(limit) => Error::Timeout {
                tool: format!("{work} (do less at once)"),
                limit,
            },
            other => Error::Failed(format!("{work} failed: {other}")),
        }
    }

    /// The stable name of the error, for clients and logs.
    pub fn code(&self) -> &'static str {
        match self {
            Error::UnknownTool { .. } => "UNKNOWN_TOOL",
            Error::Params { .. } | Error::Param { .. } => "BAD_TOOL_ARGS",
            Error::Denied { .. } | Error::Refused(_) => "POLICY_DENIED",
            Error::Missing { what: "a model", .. } => "MODEL_NOT_CONFIGURED",
            Error::Missing { .. } | Error::NotFound(_) | Error::TooMuch { .. } | Error::Failed(_) => {
                "TOOL_FAILED"
            }
            Error::Timeout { .. } => "TIMEOUT",
            Error::Output { .. } => "SCHEMA_MISMATCH",
            Error::Web(why) => why.code(),
            Error::Plan(_) => "INVALID_PLAN",
            Error::Model(_) => "MODEL_FAILED",
        }
    }
}

impl From<net::Error> for Error {
    fn from(error: net::Error) -> Error {
        Error::Web(browser::Error::Net(error))
    }
}

impl From<llm::Error> for Error {
    fn from(error: llm::Error) -> Error {
        Error::Model(error.to_string())
    }
}
