//! What providers over HTTP share: one request, and its answer as text or JSON.

use std::collections::HashSet;
use std::time::Duration;

use net::{Client, Limits, Request, canonical};
use page::Page;
use serde_json::Value;
use url::Url;

use crate::error::Error;
use crate::port::{SearchHit, SearchQuery, SearchResults};
use crate::settings::{ProviderSettings, SearchApiKey};

/// Longest time for one search.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Most bytes of an answer.
const MAX_BYTES: usize = 4 * 1024 * 1024;
/// Most characters kept of a title and of a snippet.
const MAX_CHARS: usize = 600;

/// A provider's endpoint.
#[derive(Clone)]
pub(super) struct HttpProvider {
    pub(super) engine: &'static str,
    pub(super) client: Client,
    pub(super) base: Url,
    key: Option<SearchApiKey>,
    /// Whether the operator named the address, so that it may be in a private network.
    granted: bool,
}

impl HttpProvider {
    /// The endpoint of the settings, else the default one.
    pub(super) fn new(
        engine: &'static str,
        default: Option<&str>,
        settings: &ProviderSettings,
        client: Client,
    ) -> Result<HttpProvider, Error> {
        let default = default.and_then(|address| Url::parse(address).ok());
        let base = settings.url.clone().or(default).ok_or(Error::Missing {
            engine,
            variable: "HUNTSMAN_SEARCH_URL",
        })?;
        Ok(HttpProvider {
            engine,
            client,
            base,
            key: settings.key.clone(),
            granted: settings.url.is_some(),
        })
    }

    /// Like [`HttpProvider::new`], with a required key.
    pub(super) fn with_key(
        engine: &'static str,
        default: &str,
        settings: &ProviderSettings,
        client: Client,
    ) -> Result<HttpProvider, Error> {
        if settings.key.is_none() {
            let variable = "HUNTSMAN_SEARCH_API_KEY";
            return Err(Error::Missing { engine, variable });
        }
        HttpProvider::new(engine, Some(default), settings, client)
    }

    /// The key after a prefix, for a header.
    pub(super) fn key(&self, prefix: &str) -> String {
        let key = self.key.as_ref().map(SearchApiKey::expose);
        format!("{prefix}{}", key.unwrap_or_default())
    }

    /// The endpoint with a query.
    pub(super) fn address(&self, pairs: &[(&str, &str)]) -> Url {
        let mut url = self.base.clone();
        url.query_pairs_mut().extend_pairs(pairs);
        url
    }

    /// A request with a JSON body.
    pub(super) fn post(&self, body: &Value) -> Request {
        Request::post(self.base.clone(), "application/json", body.to_string())
    }

    /// Sends a request with these headers and reads the answer's text.
    pub(super) async fn text(
        &self,
        query: &SearchQuery,
        mut request: Request,
        headers: &[(&str, &str)],
    ) -> Result<String, Error> {
        let engine = self.engine;
        let net = |error| Error::Net { engine, error };
        for (name, value) in headers {
            request = request.header(name, value).map_err(net)?;
        }
        request.granted = self.granted;
        request.is_own_service = self.granted;
        request.no_cache = query.fresh;
        request.cancel = query.cancel.clone();
        request.limits = Some(Limits {
            total: TIMEOUT,
            first_byte: TIMEOUT,
            body_bytes: MAX_BYTES,
            ..self.client.limits().clone()
        });
        let response = self.client.fetch(request).await.map_err(net)?;
        match response.status.as_u16() {
            200..=299 => Ok(page::charset::decode(&response.body, response.header("content-type")).text),
            429 => Err(Error::Limited { engine }),
            status @ 401..=403 => Err(Error::Refused {
                engine,
                status,
                advice: match engine {
                    "searxng" => "the instance has to allow JSON (settings.yml, search.formats)",
                    "duckduckgo" => "it takes us for a robot; use another provider",
                    _ => "check HUNTSMAN_SEARCH_API_KEY and its credit",
                },
            }),
            status => Err(net(net::Error::Upstream { status })),
        }
    }

    /// Sends a request and reads the answer's JSON.
    pub(super) async fn json(
        &self,
        query: &SearchQuery,
        request: Request,
        headers: &[(&str, &str)],
    ) -> Result<Value, Error> {
        let text = self.text(query, request, headers).await?;
        serde_json::from_str(&text).map_err(|_| Error::Unreadable {
            engine: self.engine,
            why: "it is no JSON",
        })
    }

    /// The hits of a list in an answer, read by the field names of the provider.
    ///
    /// # Errors
    /// When the answer holds no hit and says that the search failed, or is no object.
    pub(super) fn hits(
        &self,
        answer: &Value,
        list: &str,
        [url, title, snippet]: [&str; 3],
    ) -> Result<Vec<SearchHit>, Error> {
        let hits = answer.pointer(list).and_then(Value::as_array);
        // A provider that found nothing may leave the list out, but then it answers an object all the same.
        if hits.is_none() && !answer.is_object() {
            return Err(Error::Unreadable {
                engine: self.engine,
                why: "it holds no list of results",
            });
        }
        // Without a hit, a complaint tells that nothing was searched; with hits it is a remark.
        if hits.is_none_or(Vec::is_empty)
            && let Some(why) = complaint(answer)
        {
            return Err(Error::Failed {
                engine: self.engine,
                why: plain(&why),
            });
        }
        let read = |hit: &Value| {
            Some(SearchHit {
                url: hit[url].as_str()?.parse().ok()?,
                title: plain(hit[title].as_str().unwrap_or_default()),
                snippet: plain(hit[snippet].as_str().unwrap_or_default()),
                text: None,
            })
        };
        Ok(hits.into_iter().flatten().filter_map(read).collect())
    }
}

/// What an answer without results says of its failure.
fn complaint(answer: &Value) -> Option<String> {
    let mut places = ["/error/message", "/error/detail", "/error", "/message", "/detail"].into_iter();
    places.find_map(|place| {
        let text = answer.pointer(place)?.as_str()?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    })
}

/// Plain text of what may be marked up, in one line and of bounded length.
pub(super) fn plain(text: &str) -> String {
    let text = if text.contains(['<', '&']) {
        Page::new(text, None).dom().root().text()
    } else {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    text.chars().take(MAX_CHARS).collect()
}

/// Results that keep the port's promises: each page once, web addresses only, at most `count`.
pub(super) fn results(hits: impl IntoIterator<Item = SearchHit>, count: usize) -> SearchResults {
    let mut seen = HashSet::new();
    let hits = hits
        .into_iter()
        .filter(|hit| matches!(hit.url.scheme(), "http" | "https") && seen.insert(canonical(&hit.url)))
        .take(count)
        .collect();
    SearchResults { hits, kept: false }
}
