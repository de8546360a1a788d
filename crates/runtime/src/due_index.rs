//! `DueIndex`: names of stored things in the order of the time at which something is due with them.
//!
//! The things themselves say when they are due. An entry of the index that disagrees with its thing is removed by whoever
//! comes across it, and a thing without an entry gets one from a sweep.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use store::Store;
use tokio::time::Instant;
use wire::Code;

use crate::error::ServiceError;

/// Longest time in milliseconds that an entry spells: 13 digits last until the year 2286.
const DIGITS: usize = 13;
/// Entries that are read at once, and looked at in one scan.
const BATCH: usize = 128;
const MAX_SCANNED: usize = 4_096;
/// How long an entry is left alone with which something failed.
const REST: Duration = Duration::from_secs(60);

/// The entries of one collection of records.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DueIndex(pub(crate) &'static str);

/// A thing that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DueEntry {
    /// When.
    pub(crate) due: Timestamp,
    /// Its name.
    pub(crate) key: String,
    name: String,
}

fn spell(due: Timestamp, key: &str) -> String {
    format!("{:0DIGITS$}/{key}", due.as_millisecond().max(0))
}

/// The instant to the millisecond, as the index and the things keep it.
pub(crate) fn to_millis(at: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(at.as_millisecond()).unwrap_or(at)
}

impl DueIndex {
    /// Adds an entry; one that is there already stays.
    pub(crate) async fn add(self, store: &Store, due: Timestamp, key: &str) -> Result<(), store::Error> {
        let name = spell(due, key);
        store.records.put(self.0, &name, String::new(), 0).await?;
        Ok(())
    }

    /// Removes an entry.
    pub(crate) async fn remove(self, store: &Store, due: Timestamp, key: &str) -> Result<(), store::Error> {
        store.records.delete(self.0, &spell(due, key)).await?;
        Ok(())
    }

    /// The entries that are due by `now`, the earliest first.
    pub(crate) fn scan(self, store: &Store, now: Timestamp) -> DueScan<'_> {
        DueScan {
            index: self,
            store,
            now,
            after: String::new(),
            batch: Vec::new().into_iter(),
            unread: MAX_SCANNED,
        }
    }
}

fn read(name: String) -> Option<DueEntry> {
    let (due, key) = name.split_once('/')?;
    let due = Timestamp::from_millisecond(due.parse().ok()?).ok()?;
    let key = key.to_owned();
    Some(DueEntry { due, key, name })
}

/// One way through the entries that are due, at most [`MAX_SCANNED`] of them.
pub(crate) struct DueScan<'a> {
    index: DueIndex,
    store: &'a Store,
    now: Timestamp,
    after: String,
    batch: std::vec::IntoIter<DueEntry>,
    /// Entries that may still be read from the store.
    unread: usize,
}

impl DueScan<'_> {
    /// The next entry.
    pub(crate) async fn next(&mut self) -> Result<Option<DueEntry>, store::Error> {
        while self.batch.len() == 0 && self.unread > 0 {
            let limit = self.unread.min(BATCH);
            let records = self.store.records.list(self.index.0, &self.after, limit).await?;
            self.unread -= limit;
            if let Some(last) = records.last() {
                self.after.clone_from(&last.name);
            }
            let is_end = records.len() < limit;
            let mut entries: Vec<_> = records
                .into_iter()
                .filter_map(|record| read(record.name))
                .collect();
            let due = entries.partition_point(|entry| entry.due <= self.now);
            if is_end || due < entries.len() {
                self.unread = 0;
            }
            entries.truncate(due);
            self.batch = entries.into_iter();
        }
        Ok(self.batch.next())
    }
}

/// Keys of entries with which something has failed in this process. They rest for a minute, so that one of them that always
/// fails holds up no other and is logged now and then.
#[derive(Debug, Default)]
pub(crate) struct FailedEntries(Mutex<HashMap<String, Instant>>);

impl FailedEntries {
    fn resting(&self) -> MutexGuard<'_, HashMap<String, Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves an entry alone from now on.
    pub(crate) fn put_aside(&self, key: &str) {
        let now = Instant::now();
        let mut resting = self.resting();
        resting.retain(|_, until| now < *until);
        resting.insert(key.to_owned(), now + REST);
    }

    /// Whether an entry is left alone.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.resting()
            .get(key)
            .is_some_and(|until| Instant::now() < *until)
    }

    /// The outcome of a step with an entry, which is put aside where its own record is the reason why the step failed.
    ///
    /// # Errors
    /// When the store fails, so that no other entry would fare better.
    pub(crate) fn unless_failed<T: Default>(
        &self,
        key: &str,
        outcome: Result<T, ServiceError>,
    ) -> Result<T, ServiceError> {
        match outcome {
            Err(error) if error.code != Code::StoreUnavailable => {
                tracing::error!(key, %error, "an entry that is due is left alone for a minute");
                self.put_aside(key);
                Ok(T::default())
            }
            outcome => outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use store::engines::memory::InMemoryStore;

    use super::*;

    const DUE: DueIndex = DueIndex("due");

    #[tokio::test]
    async fn a_scan_goes_on_behind_its_batches_and_ends_with_what_is_not_due() {
        let store = InMemoryStore::open();
        let at = |second: i64| Timestamp::from_second(second).unwrap();
        for number in 0..300 {
            DUE.add(&store, at(number), &format!("thing/{number}"))
                .await
                .unwrap();
        }
        for (now, expected) in [(-1, 0), (0, 1), (127, 128), (128, 129), (255, 256), (400, 300)] {
            let mut scan = DUE.scan(&store, at(now));
            let mut keys = Vec::new();
            while let Some(entry) = scan.next().await.unwrap() {
                keys.push(entry.key);
            }
            let wanted: Vec<_> = (0..expected).map(|number| format!("thing/{number}")).collect();
            assert_eq!(keys, wanted, "at {now}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_failed_rests_for_a_minute_and_a_failed_store_is_told() {
        let failed = FailedEntries::default();
        let of = |code: Code| Err::<u8, _>(ServiceError::new(code, "no"));
        assert_eq!(failed.unless_failed("one", of(Code::Internal)), Ok(0));
        assert!(failed.unless_failed("two", of(Code::StoreUnavailable)).is_err());
        assert_eq!((failed.has("one"), failed.has("two")), (true, false));
        tokio::time::advance(REST).await;
        assert!(!failed.has("one"));
        failed.put_aside("two");
        assert_eq!(failed.resting().len(), 1, "what has rested is forgotten");
    }
}
