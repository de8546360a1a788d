//! Where are pages about this? The port `Search`, and the one place where its engines are named.

mod ask;
mod brave;
mod duckduckgo;
mod exa;
mod searxng;
mod serper;
mod shelf;
mod tavily;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use net::CancellationToken;
use url::Url;

use net::canonical;
pub use shelf::Shelf;

/// Finds pages.
///
/// Promises: hits come best first, at most as many as asked for, each page once; every address is http, https or, from
/// a local index, file; a wait ends with the query's token; no error names a key.
#[async_trait]
pub trait Search: Send + Sync {
    /// The engine's name, as in the configuration.
    fn name(&self) -> &str;

    /// Searches once.
    ///
    /// # Errors
    /// When the provider cannot be asked or its answer cannot be read.
    async fn search(&self, query: &Query) -> Result<Found, Error>;
}

/// What to search for.
#[derive(Debug, Clone)]
pub struct Query {
    /// The words.
    pub text: String,
    /// Most hits.
    pub count: usize,
    /// Whether the provider is asked even where an answer is kept.
    pub fresh: bool,
    /// Ends the search.
    pub cancel: CancellationToken,
}

impl Query {
    /// A search for these words.
    pub fn new(text: impl Into<String>, count: usize) -> Query {
        Query {
            text: text.into(),
            count,
            fresh: false,
            cancel: CancellationToken::new(),
        }
    }
}

/// What a search gave.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// Best first.
    pub hits: Vec<Hit>,
    /// Whether the answer was kept from an earlier search.
    pub kept: bool,
}

/// One page that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Its address.
    pub url: Url,
    /// Its title, as plain text.
    pub title: String,
    /// What the provider shows of it, as plain text.
    pub snippet: String,
    /// The text of the page, where the engine has it and the page need not be fetched.
    pub text: Option<String>,
}

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

/// What an operator sets about a provider.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The provider's address, when not the usual one.
    pub url: Option<Url>,
    /// The key.
    pub key: Option<Key>,
}

/// A key that does not show itself.
#[derive(Clone)]
pub struct Key(String);

impl Key {
    /// Wraps a key.
    pub fn new(key: impl Into<String>) -> Key {
        Key(key.into())
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}

type Build = fn(&Settings, net::Client) -> Result<Arc<dyn Search>, Error>;

/// Every engine that asks a provider.
const ENGINES: [(&str, Build); 6] = [
    ("searxng", searxng::build),
    ("brave", brave::build),
    ("tavily", tavily::build),
    ("exa", exa::build),
    ("serper", serper::build),
    ("duckduckgo", duckduckgo::build),
];

/// The engine of that name, keeping its answers for a while.
///
/// # Errors
/// When there is none, or it lacks a setting.
pub fn named(name: &str, settings: &Settings, client: net::Client) -> Result<Arc<dyn Search>, Error> {
    let wanted = name.trim().to_ascii_lowercase();
    let Some((_, build)) = ENGINES.iter().find(|(name, _)| *name == wanted) else {
        let known: Vec<&str> = ENGINES.iter().map(|(name, _)| *name).collect();
        return Err(Error::Unknown {
            name: wanted,
            known: known.join(", "),
        });
    };
    Ok(Arc::new(Shelf::new(build(settings, client)?, LIFE)))
}

/// How long an answer of a provider is kept.
const LIFE: Duration = Duration::from_secs(15 * 60);

/// Keeps the promises about hits: each page once, web addresses only, no more than asked for.
fn tidy(hits: impl IntoIterator<Item = Hit>, count: usize) -> Found {
    let mut seen = std::collections::HashSet::new();
    let hits = hits
        .into_iter()
        .filter(|hit| matches!(hit.url.scheme(), "http" | "https") && seen.insert(canonical(&hit.url)))
        .take(count)
        .collect();
    Found { hits, kept: false }
}
