//! `IdentityCache`: keys and tenants that were read a moment ago.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use store::Store;

use super::records::{self, ApiKey, Tenant};
use crate::error::ServiceError;

/// How long what was read is taken to be as it was. Another process's change holds after this time, one of this process
/// at once.
pub(super) const FRESH: Duration = Duration::from_secs(1);
/// Most keys that are kept, and as many tenants.
const MAX_KEPT: usize = 10_000;

/// Keys and tenants apart, so that all keys of a tenant need one read of the tenant. One cache serves all parts of a process:
/// what one of them changes, all see at once.
#[derive(Default)]
pub(crate) struct IdentityCache {
    kept: Mutex<Kept>,
    /// How many changes this process has made.
    changes: AtomicU64,
}

/// A tenant as the store has it.
#[derive(Clone)]
pub(super) struct StoredTenant {
    /// The tenant.
    pub(super) tenant: Arc<Tenant>,
    /// The revision of its record.
    pub(super) revision: u64,
}

#[derive(Default)]
struct Kept {
    keys: HashMap<String, Recent<Arc<ApiKey>>>,
    /// None for names that no tenant has.
    tenants: HashMap<String, Recent<Option<StoredTenant>>>,
}

struct Recent<T> {
    value: T,
    read_at: Instant,
}

/// When a read began, and how many changes had been made by then. What was read does not hold when there was one since.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReadBegan {
    changes: u64,
    at: Instant,
}

/// A key that is kept, with its tenant.
pub(super) struct CachedKey {
    /// The key.
    pub(super) key: Arc<ApiKey>,
    /// Its tenant, where there still is one.
    pub(super) tenant: Option<Arc<Tenant>>,
    /// When the older of both was read.
    pub(super) read: ReadBegan,
}

impl IdentityCache {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The key of an id and its tenant, when both were read a moment before; no tenant where the key's is gone.
    pub(super) fn key_with_tenant(&self, id: &str, began: ReadBegan) -> Option<CachedKey> {
        let kept = self.kept();
        let key = fresh(&kept.keys, id, began.at)?;
        let stored = fresh(&kept.tenants, &key.value.tenant, began.at)?;
        let tenant = stored.value.as_ref().map(|stored| Arc::clone(&stored.tenant));
        Some(CachedKey {
            key: Arc::clone(&key.value),
            tenant,
            read: ReadBegan {
                at: key.read_at.min(stored.read_at),
                ..began
            },
        })
    }

    /// The tenant of a name, read from the store unless that was done a moment ago.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn tenant(
        &self,
        store: &Store,
        name: &str,
    ) -> Result<Option<StoredTenant>, ServiceError> {
        let began = self.begin_read();
        if let Some(known) = fresh(&self.kept().tenants, name, began.at) {
            return Ok(known.value.clone());
        }
        let found = records::tenant(store, name).await?;
        let found = found.map(|(tenant, revision)| StoredTenant {
            tenant: Arc::new(tenant),
            revision,
        });
        let mut kept = self.kept();
        if self.is_unchanged_since(began) {
            keep(&mut kept.tenants, name, found.clone());
        }
        Ok(found)
    }

    /// To be called before a read whose result is to be kept.
    pub(super) fn begin_read(&self) -> ReadBegan {
        ReadBegan {
            changes: self.changes.load(Ordering::Acquire),
            at: Instant::now(),
        }
    }

    /// Whether this process has changed nothing since a read began. Holds as long as the lock on what is kept.
    fn is_unchanged_since(&self, began: ReadBegan) -> bool {
        self.changes.load(Ordering::Acquire) == began.changes
    }

    /// Whether what was read is still taken to be as it was.
    pub(super) fn is_current(&self, began: ReadBegan) -> bool {
        self.is_unchanged_since(began) && began.at.elapsed() < FRESH
    }

    /// Keeps a key.
    pub(super) fn keep_key(&self, began: ReadBegan, key: &Arc<ApiKey>) {
        let mut kept = self.kept();
        if self.is_unchanged_since(began) {
            keep(&mut kept.keys, &key.id, Arc::clone(key));
        }
    }

    /// Puts a key in the place of the same key, as fresh as that was.
    pub(super) fn replace_key(&self, key: ApiKey) {
        if let Some(kept) = self.kept().keys.get_mut(&key.id) {
            kept.value = Arc::new(key);
        }
    }

    /// Forgets a key that was changed.
    pub(super) fn forget_key(&self, id: &str) {
        let mut kept = self.kept();
        self.changes.fetch_add(1, Ordering::AcqRel);
        kept.keys.remove(id);
    }

    /// Forgets everything, since a tenant was changed.
    pub(super) fn forget_all(&self) {
        let mut kept = self.kept();
        self.changes.fetch_add(1, Ordering::AcqRel);
        kept.keys.clear();
        kept.tenants.clear();
    }
}

fn fresh<'a, T>(kept: &'a HashMap<String, Recent<T>>, name: &str, now: Instant) -> Option<&'a Recent<T>> {
    let found = kept.get(name)?;
    (now.duration_since(found.read_at) < FRESH).then_some(found)
}

fn keep<T>(kept: &mut HashMap<String, Recent<T>>, name: &str, value: T) {
    if kept.len() >= MAX_KEPT {
        kept.clear();
    }
    let recent = Recent {
        value,
        read_at: Instant::now(),
    };
    kept.insert(name.to_owned(), recent);
}
