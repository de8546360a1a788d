//! Settings of a provider, and its API key.

use url::Url;

/// Settings of a provider.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The endpoint, when it is not the provider's own.
    pub url: Option<Url>,
    /// The API key.
    pub key: Option<Key>,
}

/// An API key; its debug output hides it.
#[derive(Clone)]
pub struct Key(String);

impl Key {
    /// Wraps a key.
    pub fn new(key: impl Into<String>) -> Key {
        Key(key.into())
    }

    /// The key itself, for a request.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}
