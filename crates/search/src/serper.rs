//! Serper: Google's results. Format: <https://serper.dev>.

use std::sync::Arc;

use async_trait::async_trait;
use net::Client;
use serde_json::json;

use super::ask::Provider;
use super::{Error, Found, Query, Search, Settings, tidy};

const ADDRESS: &str = "https://google.serper.dev/search";
/// Most results of one request.
const MOST: usize = 100;

struct Serper(Provider);

pub(super) fn build(settings: &Settings, client: Client) -> Result<Arc<dyn Search>, Error> {
    Ok(Arc::new(Serper(Provider::with_key(
        "serper", ADDRESS, settings, client,
    )?)))
}

#[async_trait]
impl Search for Serper {
    fn name(&self) -> &str {
        self.0.engine
    }

    async fn search(&self, query: &Query) -> Result<Found, Error> {
        let body = json!({"q": query.text, "num": query.count.clamp(1, MOST)});
        let headers = [("x-api-key", &*self.0.key(""))];
        let answer = self.0.json(query, self.0.post(&body), &headers).await?;
        let hits = self.0.hits(&answer, "/organic", ["link", "title", "snippet"])?;
        Ok(tidy(hits, query.count))
    }
}
