//! SearXNG, a self-hosted metasearch engine. Its JSON format has to be switched on.
//! Format: <https://docs.searxng.org/dev/search_api.html>.

use std::sync::Arc;

use async_trait::async_trait;
use net::{Client, Request};
use serde_json::Value;

use crate::error::Error;
use crate::http_provider::{HttpProvider, plain, results};
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
        let silent = unresponsive(&answer);
        if hits.is_empty() && !silent.is_empty() {
            return Err(Error::Failed {
                engine: self.0.engine,
                why: plain(&format!(
                    "these of its engines did not answer: {}",
                    silent.join(", ")
                )),
            });
        }
        Ok(results(hits, query.count))
    }
}

/// The engines behind the instance that did not answer, each with its reason: `[["google", "CAPTCHA"]]`.
fn unresponsive(answer: &Value) -> Vec<String> {
    let engines = answer["unresponsive_engines"].as_array().into_iter().flatten();
    let texts = engines.map(|engine| {
        let words = engine.as_array().into_iter().flatten().filter_map(Value::as_str);
        words.collect::<Vec<_>>().join(": ")
    });
    texts.filter(|text| !text.is_empty()).collect()
}
