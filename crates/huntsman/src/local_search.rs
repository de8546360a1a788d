//! The search provider `local`: full-text search in the pages that `huntsman index` has read.

use async_trait::async_trait;
use search::{Error, SearchHit, SearchProvider, SearchQuery, SearchResults};
use store::index::{Index, IndexMatch};

/// The index behind the port.
pub(crate) struct LocalSearch(pub(crate) Index);

#[async_trait]
impl SearchProvider for LocalSearch {
    fn name(&self) -> &str {
        "local"
    }

    async fn search(&self, query: &SearchQuery) -> Result<SearchResults, Error> {
        let (index, words, count) = (self.0.clone(), query.text.clone(), query.count);
        let matches = tokio::task::spawn_blocking(move || index.search(&words, count)).await;
        let broken = |error: &dyn std::fmt::Display| {
            // What the engine says may name paths.
            tracing::error!(%error, "the local index cannot be searched");
            Error::Index("the operator's log says why".to_owned())
        };
        let matches = matches
            .map_err(|error| broken(&error))?
            .map_err(|error| broken(&error))?;
        Ok(SearchResults {
            hits: matches.into_iter().filter_map(hit).collect(),
            kept: false,
        })
    }
}

fn hit(found: IndexMatch) -> Option<SearchHit> {
    Some(SearchHit {
        url: found.url.parse().ok()?,
        title: found.title,
        snippet: found.snippet,
        text: Some(found.text),
    })
}
