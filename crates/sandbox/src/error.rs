//! Errors of tasks in the sandbox.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::limits::MAX_MEMORY;

/// Why a task gave no result. Texts may be shown to a model and to a client as they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Error {
    /// No child process can be started.
    #[error("no process can be started for this work: {0}")]
    Start(String),
    /// All children were busy for as long as a task may wait for one.
    #[error("too much work of this kind is waiting; try again later")]
    Busy,
    /// The task took longer than it may.
    #[error("it took longer than {} s; do less at once", .0.as_secs())]
    Timeout(Duration),
    /// The task needed more memory than it may.
    #[error("it needs more than {} MB of memory; do less at once", MAX_MEMORY >> 20)]
    Memory,
    /// The task recursed deeper than its stack.
    #[error("it is nested or recurses too deeply; nest less")]
    Depth,
    /// Something is larger than a task may read or return.
    #[error("{what} is more than the limit of {limit}")]
    TooLarge {
        /// What.
        what: String,
        /// The limit, with its unit.
        limit: String,
    },
    /// The program of the task, such as its query or pattern, is wrong.
    #[error("{0}")]
    Rejected(String),
    /// The task was begun and failed by itself.
    #[error("{0}")]
    Failed(String),
    /// The child ended for another reason.
    #[error("the process that did this work broke; change the input")]
    Crashed,
}

impl Error {
    /// A size above its limit in bytes.
    pub(crate) fn too_large(what: impl Into<String>, limit: usize) -> Error {
        Error::TooLarge {
            what: what.into(),
            limit: format!("{limit} bytes"),
        }
    }

    /// Whether the child that reported it goes on as if nothing had happened.
    pub(crate) fn leaves_child_intact(&self) -> bool {
        matches!(
            self,
            Error::TooLarge { .. } | Error::Rejected(_) | Error::Failed(_)
        )
    }
}
