//! Errors of searches.

/// Why a search gave nothing. Texts are ready for clients and hold no key.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// There is no such engine.
    #[error("there is no search provider named {name:?}; HUNTSMAN_SEARCH_PROVIDER is one of: {known}, local")]
    Unknown {
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The engine needs a setting.
    #[error("the search provider {engine} needs {variable}")]
    Missing {
        /// The engine.
        engine: &'static str,
        /// What to set.
        variable: &'static str,
    },
    /// The provider did not take the key.
    #[error("the search provider {engine} refused the request (status {status}): {advice}")]
    Refused {
        /// The engine.
        engine: &'static str,
        /// HTTP status.
        status: u16,
        /// What to try.
        advice: &'static str,
    },
    /// The provider wants us to wait.
    #[error("the search provider {engine} takes no more requests for now; try again later")]
    Limited {
        /// The engine.
        engine: &'static str,
    },
    /// The answer is not what this engine answers.
    #[error("the answer of the search provider {engine} cannot be read: {why}")]
    Unreadable {
        /// The engine.
        engine: &'static str,
        /// What is wrong.
        why: &'static str,
    },
    /// The provider answered that it could not search.
    #[error("the search provider {engine} failed: {why}")]
    Failed {
        /// The engine.
        engine: &'static str,
        /// Its words.
        why: String,
    },
    /// The way there failed.
    #[error("the search provider {engine} cannot be reached: {error}")]
    Net {
        /// The engine.
        engine: &'static str,
        /// What happened.
        error: net::Error,
    },
    /// The local index failed.
    #[error("the local index cannot be searched: {0}")]
    Index(String),
}
