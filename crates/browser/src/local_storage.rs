//! `LocalStorage`: the local storage of a run's pages, by origin.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Items of one origin, by key.
pub type StorageItems = BTreeMap<String, String>;

/// Local storage by origin, cheap to clone; all clones share it. Tabs begin with it and write to it what their pages have
/// changed.
#[derive(Clone, Default)]
pub struct LocalStorage(Arc<Mutex<BTreeMap<String, StorageItems>>>);

impl fmt::Debug for LocalStorage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "LocalStorage({} origins)", self.lock().len())
    }
}

impl LocalStorage {
    /// Most origins; further ones are not kept.
    pub const ORIGINS: usize = 100;

    /// Everything, by origin.
    pub fn all(&self) -> BTreeMap<String, StorageItems> {
        self.lock().clone()
    }

    /// Replaces the items of an origin.
    pub fn set(&self, origin: &str, items: StorageItems) {
        let mut all = self.lock();
        let is_new = !all.contains_key(origin);
        if !is_new || (!items.is_empty() && all.len() < Self::ORIGINS) {
            all.insert(origin.to_owned(), items);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, StorageItems>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
