//! Settings of a provider, and its API key.

use url::Url;

/// Settings of a provider.
#[derive(Debug, Clone, Default)]
pub struct ProviderSettings {
    /// The endpoint, when it is not the provider's own.
    pub url: Option<Url>,
    /// The API key.
    pub key: Option<SearchApiKey>,
}

/// An API key; its debug output hides it.
#[derive(Clone)]
pub struct SearchApiKey(String);

impl SearchApiKey {
    /// Wraps a key.
    pub fn new(key: impl Into<String>) -> SearchApiKey {
        SearchApiKey(key.into())
    }

    /// The key itself, for a request.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for SearchApiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}
