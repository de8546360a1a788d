//! Exa. Format: <https://docs.exa.ai/reference/search>.

use std::sync::Arc;

use async_trait::async_trait;
use net::Client;
use serde_json::json;

use crate::error::Error;
use crate::http_provider::{HttpProvider, plain, results};
use crate::port::{SearchProvider, SearchQuery, SearchResults};
use crate::settings::ProviderSettings;

const ENDPOINT: &str = "https://api.exa.ai/search";
/// Most results of one request.
const MAX_RESULTS: usize = 25;

struct Exa(HttpProvider);

pub(super) fn build(settings: &ProviderSettings, client: Client) -> Result<Arc<dyn SearchProvider>, Error> {
    Ok(Arc::new(Exa(HttpProvider::with_key(
        "exa", ENDPOINT, settings, client,
    )?)))
}

#[async_trait]
impl SearchProvider for Exa {
    fn name(&self) -> &str {
        self.0.engine
    }

    async fn search(&self, query: &SearchQuery) -> Result<SearchResults, Error> {
        let contents = json!({"highlights": {"numSentences": 3, "highlightsPerUrl": 1}});
        let body = json!({
            "query": query.text, "numResults": query.count.clamp(1, MAX_RESULTS), "type": "auto", "contents": contents,
        });
        let headers = [("x-api-key", &*self.0.key(""))];
        let answer = self.0.json(query, self.0.post(&body), &headers).await?;
        let mut hits = self.0.hits(&answer, "/results", ["url", "title", "text"])?;
        // The highlights stand beside the address they belong to.
        let listed = answer["results"].as_array().into_iter().flatten();
        for result in listed {
            let address = result["url"].as_str().and_then(|address| address.parse().ok());
            let highlight = result["highlights"][0].as_str().map(plain);
            let hit = hits.iter_mut().find(|hit| Some(&hit.url) == address.as_ref());
            if let (Some(hit), Some(highlight)) = (hit, highlight) {
                hit.snippet = highlight;
            }
        }
        Ok(results(hits, query.count))
    }
}
