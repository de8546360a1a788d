//! Tavily. Format: <https://docs.tavily.com/documentation/api-reference/endpoint/search>.

use std::sync::Arc;

use async_trait::async_trait;
use net::Client;
use serde_json::json;

use crate::error::Error;
use crate::http_provider::{HttpProvider, results};
use crate::port::{SearchProvider, SearchQuery, SearchResults};
use crate::settings::ProviderSettings;

const ENDPOINT: &str = "https://api.tavily.com/search";
/// Most results of one request.
const MAX_RESULTS: usize = 20;

struct Tavily(HttpProvider);

pub(super) fn build(settings: &ProviderSettings, client: Client) -> Result<Arc<dyn SearchProvider>, Error> {
    Ok(Arc::new(Tavily(HttpProvider::with_key(
        "tavily", ENDPOINT, settings, client,
    )?)))
}

#[async_trait]
impl SearchProvider for Tavily {
    fn name(&self) -> &str {
        self.0.engine
    }

    async fn search(&self, query: &SearchQuery) -> Result<SearchResults, Error> {
        let body = json!({"query": query.text, "max_results": query.count.clamp(1, MAX_RESULTS), "search_depth": "basic"});
        let headers = [("authorization", &*self.0.key("Bearer "))];
        let answer = self.0.json(query, self.0.post(&body), &headers).await?;
        let hits = self.0.hits(&answer, "/results", ["url", "title", "content"])?;
        Ok(results(hits, query.count))
    }
}
