//! API keys, compared in constant time, and the owner name of each key.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use data_encoding::HEXLOWER;
use runtime::config::Secret;
use runtime::tenants::audit::Actor;
use runtime::tenants::{CheckedKey, Identity, Tenants, key_text};
use sha2::{Digest, Sha256};
use wire::Code;
use wire::tenancy::Scope;

use crate::response::ApiError;

/// The other end of a connection. Cheap to clone; clones are the same one.
#[derive(Clone)]
pub(crate) struct Peer(Arc<PeerInner>);

struct PeerInner {
    address: IpAddr,
    /// The key that the connection's last request showed, so that the next one with the same key is not checked anew.
    last_key: Mutex<Option<CheckedKey>>,
}

impl Peer {
    pub(crate) fn new(address: IpAddr) -> Self {
        Self(Arc::new(PeerInner {
            address,
            last_key: Mutex::default(),
        }))
    }

    /// Its address.
    pub(crate) fn address(&self) -> IpAddr {
        self.0.address
    }

    fn last_key(&self) -> MutexGuard<'_, Option<CheckedKey>> {
        self.0.last_key.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whose key this is, where it is the one that was shown last and still opens.
    pub(crate) fn known_key(&self, tenants: &Tenants, key: &str) -> Option<Identity> {
        let last = self.last_key();
        let known = last.as_ref().filter(|last| tenants.still_opens(last, key));
        known.map(|known| known.identity().clone())
    }

    /// Remembers a key that was found right.
    pub(crate) fn remember_key(&self, key: CheckedKey) {
        *self.last_key() = Some(key);
    }
}

/// The keys of the environment, as hashes, with whom they stand for.
pub(crate) struct ApiKeys(Vec<([u8; 32], Identity)>);

/// Who asks. Without keys everybody is the same nobody, who sees every run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Caller(Option<Identity>);

impl Caller {
    /// The caller whose key was presented; none is nobody.
    pub(crate) fn new(identity: Option<Identity>) -> Self {
        Self(identity)
    }

    /// The caller of this name.
    #[cfg(test)]
    pub(crate) fn of(name: Option<&str>) -> Self {
        Self(name.map(Identity::of_environment))
    }

    /// The caller where no keys are in use.
    pub(crate) fn nobody() -> Self {
        Self(None)
    }

    /// The owner whose runs the caller may see; none means all.
    pub(crate) fn sees(&self) -> Option<&str> {
        self.0.as_ref().map(|identity| identity.tenant.name.as_str())
    }

    /// The owner of the runs the caller begins.
    pub(crate) fn name(&self) -> String {
        self.sees().unwrap_or_default().to_owned()
    }

    /// The caller's key and tenant, where keys are in use.
    pub(crate) fn identity(&self) -> Option<&Identity> {
        self.0.as_ref()
    }

    /// The caller as the audit log names it.
    pub(crate) fn actor(&self) -> Actor {
        let identity = self.0.as_ref();
        Actor {
            key: identity.map_or_else(String::new, |identity| identity.key.id.clone()),
            tenant: identity.map(|identity| identity.tenant.name.clone()),
        }
    }

    /// Refuses a caller whose key has none of these scopes. Nobody has all but [`Scope::Admin`].
    pub(crate) fn require(&self, any_of: &[Scope]) -> Result<(), ApiError> {
        let missing = self.missing(any_of);
        missing.map_or(Ok(()), |text| Err(ApiError::new(Code::Forbidden, text)))
    }

    /// Why the caller may not do what needs one of these scopes; none where it may.
    pub(crate) fn missing(&self, any_of: &[Scope]) -> Option<String> {
        let has = |scope: &Scope| match &self.0 {
            Some(identity) => identity.key.scopes.contains(scope),
            None => *scope != Scope::Admin,
        };
        if any_of.is_empty() || any_of.iter().any(has) {
            return None;
        }
        let names: Vec<&str> = any_of.iter().map(|scope| scope.as_str()).collect();
        Some(format!(
            "this needs a key with the scope {}; the operator makes one with `huntsman key create`",
            names.join(" or ")
        ))
    }
}

impl ApiKeys {
    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn new(keys: &[Secret]) -> Self {
        let keys = keys.iter().map(Secret::reveal).filter(|it| !it.is_empty());
        let known = |key: &str| (hash(key), Identity::of_environment(&owner(&hash(key))));
        Self(keys.map(known).collect())
    }

    /// Who presents this key; nobody when it is none of ours. Takes as long for a nearly right key as for any other:
    /// hashes are compared, all of them, to their ends.
    pub(crate) fn caller(&self, key: Option<&str>) -> Option<Caller> {
        let given = hash(key.unwrap_or_default());
        let known = self.0.iter().fold(None, |known, (one, identity)| {
            if key_text::same(one, &given) {
                Some(identity)
            } else {
                known
            }
        });
        known.map(|identity| Caller(Some(identity.clone())))
    }
}

fn hash(key: &str) -> [u8; 32] {
    Sha256::digest(key.as_bytes()).into()
}

/// The name of a key's owner: the beginning of a hash of the key's hash, from which neither can be had.
fn owner(hash: &[u8; 32]) -> String {
    let name = Sha256::digest(hash);
    HEXLOWER.encode(name.get(..8).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse as _;

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
    fn a_missing_scope_is_named_and_nobody_administers() {
        let caller = Caller::of(Some("0123456789abcdef"));
        assert!(caller.require(&[Scope::Automate]).is_ok());
        for caller in [caller, Caller::of(None)] {
            let refused = caller.require(&[Scope::Admin]).unwrap_err().into_response();
            assert_eq!(refused.status().as_u16(), 403);
        }
    }
}
