//! Exa. Format: <https://docs.exa.ai/reference/search>.

use std::sync::Arc;

use async_trait::async_trait;
use net::Client;
use serde_json::json;

use super::ask::{Provider, plain};
use super::{Error, Found, Query, Search, Settings, tidy};

const ADDRESS: &str = "https://api.exa.ai/search";
/// Most results of one request.
const MOST: usize = 25;

struct Exa(Provider);

pub(super) fn build(settings: &Settings, client: Client) -> Result<Arc<dyn Search>, Error> {
    Ok(Arc::new(Exa(Provider::with_key(
        "exa", ADDRESS, settings, client,
    )?)))
}

#[async_trait]
impl Search for Exa {
    fn name(&self) -> &str {
        self.0.engine
    }

    async fn search(&self, query: &Query) -> Result<Found, Error> {
        let contents = json!({"highlights": {"numSentences": 3, "highlightsPerUrl": 1}});
        let body = json!({
            "query": query.text, "numResults": query.count.clamp(1, MOST), "type": "auto", "contents": contents,
        });
        let headers = [("x-api-key", &*self.0.key(""))];
        let answer = self.0.json(query, self.0.post(&body), &headers).await?;
        let mut hits = self.0.hits(&answer, "/results", ["url", "title", "text"])?;
        // The words that fit stand in a list of their own, beside the address they belong to.
        let told = answer["results"].as_array().into_iter().flatten();
        for result in told {
            let address = result["url"].as_str().and_then(|it| it.parse().ok());
            let words = result["highlights"][0].as_str().map(plain);
            let hit = hits.iter_mut().find(|it| Some(&it.url) == address.as_ref());
            if let (Some(hit), Some(words)) = (hit, words) {
                hit.snippet = words;
            }
        }
        Ok(tidy(hits, query.count))
    }
}
