//! Tavily. Format: <https://docs.tavily.com/documentation/api-reference/endpoint/search>.

use std::sync::Arc;

use async_trait::async_trait;
use net::Client;
use serde_json::json;

use super::ask::Provider;
use super::{Error, Found, Query, Search, Settings, tidy};

const ADDRESS: &str = "https://api.tavily.com/search";
/// Most results of one request.
const MOST: usize = 20;

struct Tavily(Provider);

pub(super) fn build(settings: &Settings, client: Client) -> Result<Arc<dyn Search>, Error> {
    Ok(Arc::new(Tavily(Provider::with_key(
        "tavily", ADDRESS, settings, client,
    )?)))
}

#[async_trait]
impl Search for Tavily {
    fn name(&self) -> &str {
        self.0.engine
    }

    async fn search(&self, query: &Query) -> Result<Found, Error> {
        let body =
            json!({"query": query.text, "max_results": query.count.clamp(1, MOST), "search_depth": "basic"});
        let headers = [("authorization", &*self.0.key("Bearer "))];
        let answer = self.0.json(query, self.0.post(&body), &headers).await?;
        let hits = self.0.hits(&answer, "/results", ["url", "title", "content"])?;
        Ok(tidy(hits, query.count))
    }
}
