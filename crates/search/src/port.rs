//! The port `SearchProvider`: queries, and the pages that a provider finds.

use async_trait::async_trait;
use net::CancellationToken;
use url::Url;

use crate::error::Error;

/// A search provider.
///
/// Promises: hits come best first, at most as many as asked for, each page once; every address is http, https or, from
/// a local index, file; a wait ends with the query's token; no error names a key.
#[async_trait]
pub trait SearchProvider: Send + Sync {
    /// The provider's name, as in the configuration.
    fn name(&self) -> &str;

    /// Searches once.
    ///
    /// # Errors
    /// When the provider cannot be asked or its answer cannot be read.
    async fn search(&self, query: &SearchQuery) -> Result<SearchResults, Error>;
}

/// A search query.
#[derive(Debug, Clone)]
pub struct SearchQuery {
    /// The search terms.
    pub text: String,
    /// Most hits.
    pub count: usize,
    /// Whether cached answers are ignored.
    pub fresh: bool,
    /// Ends the search.
    pub cancel: CancellationToken,
}

impl SearchQuery {
    /// A query for these terms.
    pub fn new(text: impl Into<String>, count: usize) -> SearchQuery {
        SearchQuery {
            text: text.into(),
            count,
            fresh: false,
            cancel: CancellationToken::new(),
        }
    }
}

/// The results of a search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchResults {
    /// Best first.
    pub hits: Vec<SearchHit>,
    /// Whether the answer is cached from an earlier search.
    pub kept: bool,
}

/// One page that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchHit {
    /// Its address.
    pub url: Url,
    /// Its title, as plain text.
    pub title: String,
    /// What the provider shows of it, as plain text.
    pub snippet: String,
    /// The text of the page, where the engine has it and the page need not be fetched.
    pub text: Option<String>,
}
