//! `TabFailure`: why a command to a page has no result.

use std::time::Duration;

use super::cdp::CdpError;
use crate::error::Error;

/// The longest wait for an injected script. The script of a page that is busy for longer is terminated.
pub(super) const SCRIPT_TIMEOUT: Duration = Duration::from_secs(10);

/// Why a command to a page has no result.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TabFailure {
    /// The document is gone: the tab has navigated, or closed.
    DocumentGone,
    /// The page's own scripts keep it from answering.
    Unresponsive,
    /// The page's process ended.
    Crashed,
    /// The browser ended.
    Disconnected,
    /// The page is blocked by its open dialog.
    DialogOpen,
    /// The caller's token was cancelled.
    Cancelled,
    /// The browser refused, and says why.
    Refused(String),
}

impl From<TabFailure> for Error {
    fn from(failure: TabFailure) -> Error {
        match failure {
            TabFailure::DocumentGone => Error::Crashed("it went elsewhere in the middle of the action"),
            TabFailure::Unresponsive => Error::Timeout {
                what: "an answer of the page, whose scripts were busy and have been stopped,".into(),
                seconds: SCRIPT_TIMEOUT.as_secs(),
            },
            TabFailure::Crashed => Error::Crashed("its process crashed"),
            TabFailure::Disconnected => Error::Crashed("the browser ended"),
            TabFailure::DialogOpen => Error::Asked("a question came up in the middle of the action".into()),
            TabFailure::Cancelled => Error::Cancelled,
            TabFailure::Refused(why) => Error::Browser(why),
        }
    }
}

impl From<CdpError> for TabFailure {
    fn from(error: CdpError) -> TabFailure {
        match error {
            CdpError::Disconnected => TabFailure::Disconnected,
            CdpError::Unreadable => TabFailure::Refused("an answer was larger than allowed".into()),
            CdpError::Refused(why) if DOCUMENT_GONE.iter().any(|part| why.contains(part)) => {
                TabFailure::DocumentGone
            }
            CdpError::Refused(why) => TabFailure::Refused(why),
        }
    }
}

/// How the browser says that a document, a frame or a tab no longer exists.
const DOCUMENT_GONE: &[&str] = &[
    "Cannot find context",
    "context was destroyed",
    "navigated or closed",
    "Session with given id not found",
    "No frame for given id",
    "Frame with the given id was not found",
    "Target closed",
    "No target with given id",
    "not attached to an active page",
    "Internal error",
];
