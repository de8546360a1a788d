//! SearXNG: a metasearch engine that one runs oneself. Its JSON format has to be switched on.
//! Format: <https://docs.searxng.org/dev/search_api.html>.

use std::sync::Arc;

use async_trait::async_trait;
use net::{Client, Request};

use super::ask::Provider;
use super::{Error, Found, Query, Search, Settings, tidy};

struct Searxng(Provider);

pub(super) fn build(settings: &Settings, client: Client) -> Result<Arc<dyn Search>, Error> {
    let mut provider = Provider::new("searxng", None, settings, client)?;
    // The address of the instance is what people know; the search is under it.
    if !provider.base.path().ends_with("/search") {
        let path = format!("{}/search", provider.base.path().trim_end_matches('/'));
        provider.base.set_path(&path);
    }
    Ok(Arc::new(Searxng(provider)))
}

#[async_trait]
impl Search for Searxng {
    fn name(&self) -> &str {
        self.0.engine
    }

    async fn search(&self, query: &Query) -> Result<Found, Error> {
        let url = self.0.address(&[("q", &query.text), ("format", "json")]);
        let answer = self.0.json(query, Request::get(url), &[]).await?;
        let hits = self.0.hits(&answer, "/results", ["url", "title", "content"])?;
        Ok(tidy(hits, query.count))
    }
}
