//! SearXNG, a self-hosted metasearch engine. Its JSON format has to be switched on.
//! Format: <https://docs.searxng.org/dev/search_api.html>.

use std::sync::Arc;

use async_trait::async_trait;
use net::{Client, Request};

use crate::error::Error;
use crate::http_provider::{HttpProvider, results};
use crate::port::{SearchProvider, SearchQuery, SearchResults};
use crate::settings::ProviderSettings;

struct Searxng(HttpProvider);

pub(super) fn build(settings: &ProviderSettings, client: Client) -> Result<Arc<dyn SearchProvider>, Error> {
    let mut provider = HttpProvider::new("searxng", None, settings, client)?;
    // People configure the address of the instance; the search is below it.
    if !provider.base.path().ends_with("/search") {
        let path = format!("{}/search", provider.base.path().trim_end_matches('/'));
        provider.base.set_path(&path);
    }
    Ok(Arc::new(Searxng(provider)))
}

#[async_trait]
impl SearchProvider for Searxng {
    fn name(&self) -> &str {
        self.0.engine
    }

    async fn search(&self, query: &SearchQuery) -> Result<SearchResults, Error> {
        let url = self.0.address(&[("q", &query.text), ("format", "json")]);
        let answer = self.0.json(query, Request::get(url), &[]).await?;
        let hits = self.0.hits(&answer, "/results", ["url", "title", "content"])?;
        Ok(results(hits, query.count))
    }
}
