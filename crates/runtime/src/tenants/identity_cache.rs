//! `IdentityCache`: keys and tenants that were read a moment ago.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::records::{ApiKey, Tenant};

/// How long what was read is taken to be as it was. Another process's change holds after this time, one of this process
/// at once.
pub(super) const FRESH: Duration = Duration::from_secs(1);
/// Most keys that are kept, and as many tenants.
const MAX_KEPT: usize = 10_000;

/// Keys and tenants apart, so that all keys of a tenant need one read of the tenant.
#[derive(Default)]
pub(super) struct IdentityCache(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    keys: HashMap<String, Recent<ApiKey>>,
    tenants: HashMap<String, Recent<Tenant>>,
    changes: u64,
}

struct Recent<T> {
    value: Arc<T>,
    read_at: Instant,
}

/// How many changes had been made when a read began. What was read is not kept when there was one since.
#[derive(Clone, Copy)]
pub(super) struct ReadBegan(u64);

impl IdentityCache {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The key of an id, when it was read a moment ago.
    pub(super) fn key(&self, id: &str) -> Option<Arc<ApiKey>> {
        fresh(&self.kept().keys, id)
    }

    /// The tenant of a name, when it was read a moment ago.
    pub(super) fn tenant(&self, name: &str) -> Option<Arc<Tenant>> {
        fresh(&self.kept().tenants, name)
    }

    /// To be called before a read whose result is to be kept.
    pub(super) fn begin_read(&self) -> ReadBegan {
        ReadBegan(self.kept().changes)
    }

    /// Keeps a key.
    pub(super) fn keep_key(&self, began: ReadBegan, key: &Arc<ApiKey>) {
        let mut kept = self.kept();
        if kept.changes == began.0 {
            keep(&mut kept.keys, &key.id, key);
        }
    }

    /// Keeps a tenant.
    pub(super) fn keep_tenant(&self, began: ReadBegan, tenant: &Arc<Tenant>) {
        let mut kept = self.kept();
        if kept.changes == began.0 {
            keep(&mut kept.tenants, &tenant.name, tenant);
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
        kept.changes += 1;
        kept.keys.remove(id);
    }

    /// Forgets everything, since a tenant was changed.
    pub(super) fn forget_all(&self) {
        let mut kept = self.kept();
        kept.changes += 1;
        kept.keys.clear();
        kept.tenants.clear();
    }
}

fn fresh<T>(kept: &HashMap<String, Recent<T>>, name: &str) -> Option<Arc<T>> {
    let found = kept.get(name)?;
    (found.read_at.elapsed() < FRESH).then(|| Arc::clone(&found.value))
}

fn keep<T>(kept: &mut HashMap<String, Recent<T>>, name: &str, value: &Arc<T>) {
    if kept.len() >= MAX_KEPT {
        kept.clear();
    }
    let recent = Recent {
        value: Arc::clone(value),
        read_at: Instant::now(),
    };
    kept.insert(name.to_owned(), recent);
}
