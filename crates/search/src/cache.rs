//! Cache of answers: a repeated query is not paid for twice.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::Instant;
use tracing::field::Empty;
use tracing::{Instrument as _, debug_span};

use crate::error::Error;
use crate::port::{SearchProvider, SearchQuery, SearchResults};

/// Most cached answers.
const MAX_ENTRIES: usize = 512;

/// A provider with a cache.
pub struct CachedProvider {
    provider: Arc<dyn SearchProvider>,
    lifetime: Duration,
    answers: Mutex<HashMap<(String, usize), (Instant, SearchResults)>>,
}

impl CachedProvider {
    /// Caches the answers of `provider` for `lifetime`.
    pub fn new(provider: Arc<dyn SearchProvider>, lifetime: Duration) -> CachedProvider {
        CachedProvider {
            provider,
            lifetime,
            answers: Mutex::default(),
        }
    }
}

#[async_trait]
impl SearchProvider for CachedProvider {
    fn name(&self) -> &str {
        self.provider.name()
    }

    async fn search(&self, query: &SearchQuery) -> Result<SearchResults, Error> {
        let key = (query.text.trim().to_lowercase(), query.count);
        if !query.fresh {
            let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((until, found)) = answers.get(&key)
                && *until > Instant::now()
            {
                return Ok(SearchResults {
                    kept: true,
                    ..found.clone()
                });
            }
        }
        let span = debug_span!(
            "search",
            provider = self.provider.name(),
            hits = Empty,
            error = Empty
        );
        let found = self.provider.search(query).instrument(span.clone()).await;
        match &found {
            Ok(found) => span.record("hits", found.hits.len()),
            Err(_) => span.record("error", "SEARCH_FAILED"),
        };
        let found = found?;
        // That nothing was found costs little to ask again, and may be a failure that the provider does not tell.
        if found.hits.is_empty() {
            return Ok(found);
        }
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.len() >= MAX_ENTRIES {
            let now = Instant::now();
            answers.retain(|_, (until, _)| *until > now);
            if answers.len() >= MAX_ENTRIES {
                answers.clear();
            }
        }
        answers.insert(key, (Instant::now() + self.lifetime, found.clone()));
        Ok(found)
    }
}
