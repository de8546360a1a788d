//! `Error`: failures of navigations and actions, worded so that a model knows what to try.

use crate::action::NotCapable;
use crate::snapshot::Ref;

/// A failed navigation or action. Texts may be shown to a model and to a client as they are.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The page could not be fetched.
    #[error(transparent)]
    Net(#[from] net::Error),
    /// The address leads to a file that could not be read as a page.
    #[error("{0}")]
    File(sandbox::Error),
    /// The engine is not capable of the action.
    #[error(transparent)]
    NotCapable(#[from] NotCapable),
    /// The element is gone.
    #[error("{0} is no longer on the page; take a new snapshot and use a ref from it")]
    Stale(Ref),
    /// The tab never gave this ref out.
    #[error("{0} is not a ref of this tab; use one that the last snapshot shows")]
    UnknownRef(Ref),
    /// The element does not pass the checks of the action.
    #[error("{target} cannot take this action: {why}")]
    NotActionable {
        /// The element.
        target: Ref,
        /// The reason, and what to try.
        why: String,
    },
    /// A text that is no CSS selector.
    #[error("{0}; write a CSS selector such as `form input[name=q]`")]
    Selector(String),
    /// The action needs a page and the tab has none yet.
    #[error("the tab has no page yet; go to an address first")]
    NoPage,
    /// There is no page before, or after, the current one.
    #[error("there is no page to go {0} to")]
    NoHistory(&'static str),
    /// An open dialog blocks the page.
    #[error("the page asks first: {0}; answer its dialog")]
    Asked(String),
    /// Something did not happen in time.
    #[error("{what} did not happen within {seconds} s")]
    Timeout {
        /// What was waited for.
        what: String,
        /// How long, in seconds.
        seconds: u64,
    },
    /// What a request waits for did not come.
    #[error("{what} did not come within {seconds} s; the page shows {instead}")]
    WaitTimeout {
        /// What was waited for.
        what: String,
        /// How long, in seconds.
        seconds: u64,
        /// The title and the beginning of the text of the page.
        instead: String,
    },
    /// The page or the browser of the tab crashed.
    #[error("the browser lost the page ({0}); go to the address again")]
    Crashed(&'static str),
    /// No browser can be launched or reached.
    #[error("no browser can be used: {0}")]
    Unavailable(String),
    /// The operator's endpoint refused our credentials.
    #[error("the browser endpoint refused the credentials")]
    Unauthorized,
    /// The browser refused, and says why.
    #[error("the browser refused: {0}")]
    Browser(String),
    /// The caller's token was cancelled.
    #[error("the action was cancelled")]
    Cancelled,
}

impl Error {
    /// The stable name of the error, for clients and logs.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Net(why) => why.code(),
            Error::File(_) => "UNREADABLE_FILE",
            Error::NotCapable(_) => "NOT_CAPABLE",
            Error::Stale(_) => "STALE_REF",
            Error::UnknownRef(_) => "UNKNOWN_REF",
            Error::NotActionable { .. } => "NOT_ACTIONABLE",
            Error::Selector(_) => "BAD_SELECTOR",
            Error::NoPage => "NO_PAGE",
            Error::NoHistory(_) => "NO_HISTORY",
            Error::Asked(_) => "DIALOG_OPEN",
            Error::Timeout { .. } => "TIMEOUT",
            Error::WaitTimeout { .. } => "WAIT_TIMEOUT",
            Error::Crashed(_) => "PAGE_CRASHED",
            Error::Unavailable(_) => "BROWSER_UNAVAILABLE",
            Error::Unauthorized => "CDP_AUTH",
            Error::Browser(_) => "BROWSER_REFUSED",
            Error::Cancelled => "CANCELLED",
        }
    }
}
