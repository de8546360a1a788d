//! Brave Search. Format: <https://api-dashboard.search.brave.com/app/documentation/web-search>.

use std::sync::Arc;

use async_trait::async_trait;
use net::{Client, Request};

use super::ask::Provider;
use super::{Error, Found, Query, Search, Settings, tidy};

const ADDRESS: &str = "https://api.search.brave.com/res/v1/web/search";
/// Most results of one request.
const MOST: usize = 20;

struct Brave(Provider);

pub(super) fn build(settings: &Settings, client: Client) -> Result<Arc<dyn Search>, Error> {
    Ok(Arc::new(Brave(Provider::with_key(
        "brave", ADDRESS, settings, client,
    )?)))
}

#[async_trait]
impl Search for Brave {
    fn name(&self) -> &str {
        self.0.engine
    }

    async fn search(&self, query: &Query) -> Result<Found, Error> {
        let count = query.count.clamp(1, MOST).to_string();
        let url = self.0.address(&[("q", &query.text), ("count", &count)]);
        let headers = [
            ("x-subscription-token", &*self.0.key("")),
            ("accept", "application/json"),
        ];
        let answer = self.0.json(query, Request::get(url), &headers).await?;
        let hits = self
            .0
            .hits(&answer, "/web/results", ["url", "title", "description"])?;
        Ok(tidy(hits, query.count))
    }
}
