//! Brave Search. Format: <https://api-dashboard.search.brave.com/app/documentation/web-search>.

use std::sync::Arc;

use async_trait::async_trait;
use net::{Client, Request};

use crate::error::Error;
use crate::http_provider::{HttpProvider, results};
use crate::port::{SearchProvider, SearchQuery, SearchResults};
use crate::settings::ProviderSettings;

const ENDPOINT: &str = "https://api.search.brave.com/res/v1/web/search";
/// Most results of one request.
const MAX_RESULTS: usize = 20;

struct Brave(HttpProvider);

pub(super) fn build(settings: &ProviderSettings, client: Client) -> Result<Arc<dyn SearchProvider>, Error> {
    Ok(Arc::new(Brave(HttpProvider::with_key(
        "brave", ENDPOINT, settings, client,
    )?)))
}

#[async_trait]
impl SearchProvider for Brave {
    fn name(&self) -> &str {
        self.0.engine
    }

    async fn search(&self, query: &SearchQuery) -> Result<SearchResults, Error> {
        let count = query.count.clamp(1, MAX_RESULTS).to_string();
        let url = self.0.address(&[("q", &query.text), ("count", &count)]);
        let headers = [
            ("x-subscription-token", &*self.0.key("")),
            ("accept", "application/json"),
        ];
        let answer = self.0.json(query, Request::get(url), &headers).await?;
        let hits = self
            .0
            .hits(&answer, "/web/results", ["url", "title", "description"])?;
        Ok(results(hits, query.count))
    }
}
