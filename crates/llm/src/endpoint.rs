//! Endpoint of a provider: address, model, key and quirks.

use serde::Deserialize;
use url::Url;

use crate::wires::wire::Wire;

/// A provider, ready to be asked.
#[derive(Clone)]
pub struct ModelEndpoint {
    /// Its name in messages.
    pub provider: String,
    /// The dialect it speaks.
    pub wire: Wire,
    /// What its paths are appended to.
    pub base_url: Url,
    /// The model to ask for.
    pub model: String,
    /// The key, if any. Never printed.
    pub key: Option<ApiKey>,
    /// The variable to name when the key is wrong.
    pub key_variable: String,
    /// Deviations from the dialect.
    pub quirks: Quirks,
    /// Tokens that the model reads and writes in one call.
    pub context_tokens: u32,
}

/// An API key that does not show itself.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key; surrounding blanks, which come from files and shells, are dropped.
    pub fn new(key: impl AsRef<str>) -> Self {
        Self(key.as_ref().trim().to_owned())
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(..)")
    }
}

impl std::fmt::Debug for ModelEndpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ModelEndpoint")
            .field("provider", &self.provider)
            .field("wire", &self.wire)
            .field("base_url", &self.base_url.as_str())
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}

/// How a provider deviates from the dialect it speaks. The defaults are the dialect's own.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Quirks {
    /// The field that bounds the answer.
    pub max_tokens_field: Option<String>,
    /// It refuses `stream_options`.
    pub no_stream_options: bool,
    /// It holds models to a JSON Schema.
    pub json_schema: bool,
    /// It calls tools.
    pub tools: bool,
    /// It reads images.
    pub images: bool,
    /// It makes several calls in one turn and lets us forbid it.
    pub parallel_calls: bool,
    /// It takes the name of one tool as the choice; otherwise only that tool is offered and a call demanded.
    pub named_choice: bool,
    /// It can demand a call at all.
    pub required_choice: bool,
    /// The header that carries the key instead of the dialect's own.
    pub key_header: Option<String>,
    /// A query appended to every URL, such as `api-version=...`.
    pub query: Option<String>,
    /// It knows `seed`.
    pub seed: bool,
    /// It knows `temperature`; some reasoning models refuse it.
    pub temperature: bool,
}

impl Default for Quirks {
    fn default() -> Self {
        Self {
            max_tokens_field: None,
            no_stream_options: false,
            json_schema: true,
            tools: true,
            images: true,
            parallel_calls: true,
            named_choice: true,
            required_choice: true,
            key_header: None,
            query: None,
            seed: true,
            temperature: true,
        }
    }
}

impl ModelEndpoint {
    /// The URL of a path below the base, with the provider's query.
    pub(crate) fn url(&self, path: &str, query: Option<&str>) -> Url {
        let mut url = self.base_url.clone();
        let base = url.path().trim_end_matches('/').to_owned();
        url.set_path(&format!("{base}{path}"));
        let parts: Vec<String> = [
            url.query().map(str::to_owned),
            self.quirks.query.clone(),
            query.map(str::to_owned),
        ]
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect();
        url.set_query(
            if parts.is_empty() {
                None
            } else {
                Some(parts.join("&"))
            }
            .as_deref(),
        );
        url
    }
}
