//! `DueIndex`: names of stored things in the order of the time at which something is due with them.
//!
//! The things themselves say when they are due. An entry of the index that disagrees with its thing is removed by whoever
//! comes across it, and a thing without an entry gets one from a sweep.

use jiff::Timestamp;
use store::Store;

/// Longest time in milliseconds that an entry spells: 13 digits last until the year 2286.
const DIGITS: usize = 13;

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

    /// At most `limit` entries after another one that are due by `now`, the earliest first.
    pub(crate) async fn due(
        self,
        store: &Store,
        now: Timestamp,
        after: Option<&DueEntry>,
        limit: usize,
    ) -> Result<Vec<DueEntry>, store::Error> {
        let after = after.map_or("", |entry| entry.name.as_str());
        let records = store.records.list(self.0, after, limit).await?;
        let read = |name: String| {
            let (due, key) = name.split_once('/')?;
            let due = Timestamp::from_millisecond(due.parse().ok()?).ok()?;
            let key = key.to_owned();
            Some(DueEntry { due, key, name })
        };
        let entries = records.into_iter().filter_map(|record| read(record.name));
        Ok(entries.take_while(|entry| entry.due <= now).collect())
    }
}
