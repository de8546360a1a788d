//! `IssuerKeys`: the public keys of the issuer, read when they are needed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::sync::Mutex;
use url::Url;

use super::refusal::TokenRefusal;
use super::signed_token::{PublicKey, SignedToken};

/// How long keys are taken to be the issuer's.
const FRESH: Duration = Duration::from_secs(3600);
/// How soon keys are read again for a token that none of them has signed, and after a failure.
const AGAIN: Duration = Duration::from_secs(30);
/// Most keys of an issuer.
const MAX_KEYS: usize = 64;

/// Reads documents of the issuer.
#[async_trait]
pub trait FetchDocument: Send + Sync {
    /// The body of a document.
    ///
    /// # Errors
    /// One sentence that says why it could not be had.
    async fn fetch(&self, url: &Url) -> Result<Vec<u8>, String>;
}

/// Metadata of an issuer, as RFC 8414 and OpenID Connect Discovery write it.
#[derive(Deserialize)]
struct Metadata {
    issuer: String,
    jwks_uri: Url,
}

#[derive(Deserialize)]
struct KeySet {
    keys: Vec<serde_json::Value>,
}

pub(super) struct IssuerKeys {
    issuer: Url,
    fetch: Box<dyn FetchDocument>,
    kept: Mutex<Option<Kept>>,
}

/// What was read last, and when.
#[derive(Clone)]
struct Kept {
    keys: Result<Arc<[PublicKey]>, String>,
    read_at: Instant,
}

impl IssuerKeys {
    pub(super) fn new(issuer: Url, fetch: Box<dyn FetchDocument>) -> Self {
        Self {
            issuer,
            fetch,
            kept: Mutex::new(None),
        }
    }

    /// Whether the issuer has signed a token. Keys are read anew where none that is kept has, since issuers change theirs.
    pub(super) async fn verify(&self, token: &SignedToken<'_>) -> Result<bool, TokenRefusal> {
        for oldest in [FRESH, AGAIN] {
            let keys = self.keys(oldest).await?;
            let mut named = keys.iter().filter(|key| token.may_be_of(key)).peekable();
            // A wrong signature by a key that is known is no reason to ask for others.
            if named.peek().is_some() {
                return Ok(named.any(|key| token.is_signed_by(key)));
            }
        }
        Ok(false)
    }

    /// The keys, no older than `oldest`. Who comes while they are read waits for them.
    async fn keys(&self, oldest: Duration) -> Result<Arc<[PublicKey]>, TokenRefusal> {
        let mut kept = self.kept.lock().await;
        let is_fresh = |kept: &&Kept| {
            let oldest = if kept.keys.is_ok() { oldest } else { AGAIN };
            kept.read_at.elapsed() < oldest
        };
        let keys = match kept.as_ref().filter(is_fresh) {
            Some(known) => known.keys.clone(),
            None => {
                let read = self.read().await;
                if let Err(error) = &read {
                    tracing::warn!(%error, "the keys of the token issuer were not read");
                }
                // Old keys are better than none while the issuer does not answer.
                let read = read.or_else(|error| match kept.as_ref() {
                    Some(Kept { keys: Ok(keys), .. }) => Ok(Arc::clone(keys)),
                    _ => Err(error),
                });
                *kept = Some(Kept {
                    keys: read.clone(),
                    read_at: Instant::now(),
                });
                read
            }
        };
        keys.map_err(|_| TokenRefusal::Unavailable("the keys of the token issuer cannot be read now".into()))
    }

    /// Makes what was read so much older.
    #[cfg(test)]
    pub(super) async fn age(&self, by: Duration) {
        if let Some(kept) = self.kept.lock().await.as_mut() {
            kept.read_at = kept.read_at.checked_sub(by).unwrap_or(kept.read_at);
        }
    }

    async fn read(&self) -> Result<Arc<[PublicKey]>, String> {
        let metadata = self.metadata().await?;
        if metadata.issuer.trim_end_matches('/') != self.issuer.as_str().trim_end_matches('/') {
            return Err(format!("its metadata are those of {}", metadata.issuer));
        }
        if metadata.jwks_uri.origin() != self.issuer.origin() && metadata.jwks_uri.scheme() != "https" {
            return Err("its keys are at an address without https".into());
        }
        let set: KeySet = self.document(&metadata.jwks_uri).await?;
        // Keys of kinds that are not known are no fault of the set.
        let keys = set.keys.into_iter().take(MAX_KEYS);
        Ok(keys.filter_map(|key| serde_json::from_value(key).ok()).collect())
    }

    /// The metadata of RFC 8414, else those of OpenID Connect.
    async fn metadata(&self) -> Result<Metadata, String> {
        let path = self.issuer.path().trim_end_matches('/');
        let at = |path: String| {
            let mut url = self.issuer.clone();
            url.set_path(&path);
            url
        };
        let oauth = at(format!("/.well-known/oauth-authorization-server{path}"));
        let openid = at(format!("{path}/.well-known/openid-configuration"));
        match self.document(&oauth).await {
            Ok(metadata) => Ok(metadata),
            Err(first) => {
                let second = self.document(&openid).await;
                second.map_err(|second| format!("{oauth}: {first}; {openid}: {second}"))
            }
        }
    }

    async fn document<T: DeserializeOwned>(&self, url: &Url) -> Result<T, String> {
        let body = self.fetch.fetch(url).await?;
        serde_json::from_slice(&body).map_err(|error| error.to_string())
    }
}
