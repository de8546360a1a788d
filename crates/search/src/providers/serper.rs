//! Serper: Google's results. Format: <https://serper.dev>.

use std::sync::Arc;

use async_trait::async_trait;
use net::Client;
use serde_json::json;

use crate::error::Error;
use crate::http_provider::{HttpProvider, results};
use crate::port::{SearchProvider, SearchQuery, SearchResults};
use crate::settings::ProviderSettings;

const ENDPOINT: &str = "https://google.serper.dev/search";
/// Most results of one request.
const MAX_RESULTS: usize = 100;

struct Serper(HttpProvider);

pub(super) fn build(settings: &ProviderSettings, client: Client) -> Result<Arc<dyn SearchProvider>, Error> {
    Ok(Arc::new(Serper(HttpProvider::with_key(
        "serper", ENDPOINT, settings, client,
    )?)))
}

#[async_trait]
impl SearchProvider for Serper {
    fn name(&self) -> &str {
        self.0.engine
    }

    async fn search(&self, query: &SearchQuery) -> Result<SearchResults, Error> {
        let body = json!({"q": query.text, "num": query.count.clamp(1, MAX_RESULTS)});
        let headers = [("x-api-key", &*self.0.key(""))];
        let answer = self.0.json(query, self.0.post(&body), &headers).await?;
        let hits = self.0.hits(&answer, "/organic", ["link", "title", "snippet"])?;
        Ok(results(hits, query.count))
    }
}
