//! Authentication by API key, compared in constant time, and the owner name of each key.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::HeaderMap;
use http::header::AUTHORIZATION;
use runtime::config::Secret;
use sha2::{Digest, Sha256};
use wire::Code;

use crate::response::ApiError;

/// Paths that tell nothing about anybody's runs, so that a probe needs no key.
const PUBLIC_PATHS: &[&str] = &["/healthz", "/readyz", "/openapi.json"];

/// The keys that the server takes, as hashes.
pub(crate) struct ApiKeys(Vec<[u8; 32]>);

/// Who asks. Without keys everybody is the same nobody, who sees every run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Caller(Option<String>);

impl Caller {
    /// The caller of this name.
    #[cfg(test)]
    pub(crate) fn of(name: Option<&str>) -> Self {
        Self(name.map(str::to_owned))
    }

    /// The caller where no keys are in use.
    pub(crate) fn nobody() -> Self {
        Self(None)
    }

    /// The owner whose runs the caller may see; none means all.
    pub(crate) fn sees(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// The owner of the runs the caller begins.
    pub(crate) fn name(&self) -> String {
        self.0.clone().unwrap_or_default()
    }
}

impl ApiKeys {
    pub(crate) fn new(keys: &[Secret]) -> Self {
        let keys = keys.iter().map(Secret::reveal).filter(|it| !it.is_empty());
        Self(keys.map(hash).collect())
    }

    /// Who presents this key; nobody when it is none of ours. Takes as long for a nearly right key as for any other:
    /// hashes are compared, all of them, to their ends.
    fn caller(&self, key: Option<&str>) -> Option<Caller> {
        if self.0.is_empty() {
            return Some(Caller(None));
        }
        let given = hash(key.unwrap_or_default());
        let known = self.0.iter().fold(false, |known, one| known | same(one, &given));
        known.then(|| Caller(Some(owner(&given))))
    }
}

fn hash(key: &str) -> [u8; 32] {
    Sha256::digest(key.as_bytes()).into()
}

fn same(one: &[u8; 32], other: &[u8; 32]) -> bool {
    let differing = one
        .iter()
        .zip(other)
        .fold(0, |all, (one, other)| all | (one ^ other));
    std::hint::black_box(differing) == 0
}

/// The name of a key's owner: the beginning of a hash of the key's hash, from which neither can be had.
fn owner(hash: &[u8; 32]) -> String {
    let name: [u8; 32] = Sha256::digest(hash).into();
    name.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, key) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}

/// Lets through who may come in, and tells the handlers who it is.
pub(crate) async fn check(State(keys): State<Arc<ApiKeys>>, mut request: Request, next: Next) -> Response {
    let caller = if PUBLIC_PATHS.contains(&request.uri().path()) {
        Some(Caller(None))
    } else {
        keys.caller(bearer(request.headers()))
    };
    match caller {
        Some(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        None => {
            let text = "a valid API key is needed; send it as 'Authorization: Bearer KEY'";
            ApiError::new(Code::Unauthorized, text).into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(keys: &[&str]) -> ApiKeys {
        let keys: Vec<Secret> = keys.iter().filter_map(|it| it.parse().ok()).collect();
        ApiKeys::new(&keys)
    }

    #[test]
    fn only_a_whole_key_opens_and_each_has_its_own_name() {
        let keys = keys(&["first-key-of-ours", "second-key-of-ours"]);
        let first = keys.caller(Some("first-key-of-ours"));
        let second = keys.caller(Some("second-key-of-ours"));
        assert!(first.is_some() && second.is_some() && first != second);
        assert!(!first.unwrap().name().contains("first"));
        for wrong in [
            None,
            Some(""),
            Some("first-key-of-our"),
            Some("first-key-of-ours "),
            Some("x"),
        ] {
            assert_eq!(keys.caller(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn without_keys_everybody_is_nobody() {
        for any in [None, Some(""), Some("whatever")] {
            assert_eq!(keys(&[]).caller(any), Some(Caller(None)));
        }
    }
}
