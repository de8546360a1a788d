//! Monitors, their versions and the content of the newest one, as the store keeps them.

use agents::watch::{Volatility, WatchedContent};
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use store::Store;
use store::records::{MAX_VALUE, Record};
use wire::Code;
use wire::monitors::{ContentChange, CreateMonitor, Monitor, MonitorVersion};

use super::schedule::{self, CheckTime};
use crate::due_index::DueIndex;
use crate::error::ServiceError;

/// Monitors in the order of their next checks.
pub(super) const DUE: DueIndex = DueIndex("monitor-due");
const MONITORS: &str = "monitors";
/// Records that are read at once.
const BATCH: usize = 256;
/// Versions and parts of content that are looked at of one monitor.
const MAX_PARTS: usize = 1_000;
/// Bytes of a part of a content, which is JSON in JSON and so may take twice the room.
const PART: usize = 24 << 10;

/// A monitor as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredMonitor {
    pub(super) id: String,
    pub(super) owner: String,
    pub(super) request: CreateMonitor,
    pub(super) paused: bool,
    pub(super) created_at: Timestamp,
    /// When the next check is due.
    pub(super) due: Timestamp,
    /// The regular time of that check, where it is due later; none of an older record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) slot: Option<Timestamp>,
    /// Until when a server has claimed it.
    pub(super) claimed_until: Option<Timestamp>,
    /// The number of the newest claim. Of all servers one has it.
    #[serde(default)]
    pub(super) claims: u64,
    pub(super) checked_at: Option<Timestamp>,
    pub(super) checks: u64,
    /// The number of the newest version.
    pub(super) version: u64,
    /// The number of the claim under which the newest content was written; of an older record, the number of its check.
    pub(super) content: u64,
    pub(super) error: Option<String>,
    pub(super) volatility: Volatility,
}

/// The name of a monitor in its collection and in the index.
pub(super) fn key(owner: &str, id: &str) -> String {
    format!("o.{owner}/{id}")
}

fn versions_of(id: &str) -> String {
    format!("monitor-versions/{id}")
}

fn content_of(id: &str) -> String {
    format!("monitor-content/{id}")
}

impl StoredMonitor {
    pub(super) fn key(&self) -> String {
        key(&self.owner, &self.id)
    }

    /// Claims it until then, under a number that no content has yet: a server of an earlier version may have died while it
    /// wrote one under the number of the next check.
    pub(super) fn claim(&mut self, until: Timestamp) {
        self.claimed_until = Some(until);
        let next_check = self.checks + 1;
        self.claims = self.claims.max(self.content).max(next_check) + 1;
    }

    /// Plans the next check after `now`, counted from the regular time of the check before.
    ///
    /// # Errors
    /// When the time of the schedule never comes.
    pub(super) fn plan_after(&mut self, before: Timestamp, now: Timestamp) -> Result<(), ServiceError> {
        let CheckTime { slot, due } = schedule::next(&self.request.schedule, before, now)?;
        self.due = due;
        self.slot = Some(slot);
        Ok(())
    }

    /// Makes a check due that no schedule says.
    pub(super) fn plan_at(&mut self, due: Timestamp) {
        self.due = due;
        self.slot = None;
    }

    /// The monitor as clients see it.
    pub(super) fn shown(self) -> Monitor {
        Monitor {
            id: self.id,
            request: self.request,
            next_check_at: (!self.paused).then_some(self.due),
            paused: self.paused,
            created_at: self.created_at,
            checked_at: self.checked_at,
            checks: self.checks,
            version: self.version,
            error: self.error,
        }
    }
}

fn parsed<T: DeserializeOwned>(text: &str) -> Result<T, ServiceError> {
    serde_json::from_str(text).map_err(|error| {
        tracing::error!(%error, "a record of a monitor cannot be read");
        ServiceError::new(Code::Internal, "a record of the monitor cannot be read")
    })
}

fn written(value: &impl Serialize) -> Result<String, ServiceError> {
    serde_json::to_string(value).map_err(|error| ServiceError::new(Code::Internal, error.to_string()))
}

/// A monitor with its revision.
pub(super) async fn get(store: &Store, key: &str) -> Result<Option<(StoredMonitor, u64)>, ServiceError> {
    let found = store.records.get(MONITORS, key).await?;
    found
        .map(|record| Ok((parsed(&record.value)?, record.revision)))
        .transpose()
}

/// Writes a monitor whose revision is `expected`.
pub(super) async fn put(
    store: &Store,
    monitor: &StoredMonitor,
    expected: u64,
) -> Result<Option<u64>, ServiceError> {
    let value = written(monitor)?;
    Ok(store
        .records
        .put(MONITORS, &monitor.key(), value, expected)
        .await?)
}

/// Writes a monitor with another time: the new entry of the index first, so that there always is one.
pub(super) async fn reschedule(
    store: &Store,
    monitor: &StoredMonitor,
    from: Timestamp,
    expected: u64,
) -> Result<bool, ServiceError> {
    let key = monitor.key();
    if !monitor.paused {
        DUE.add(store, monitor.due, &key).await?;
    }
    let is_written = put(store, monitor, expected).await?.is_some();
    if is_written && (monitor.paused || monitor.due != from) {
        DUE.remove(store, from, &key).await?;
    }
    Ok(is_written)
}

async fn records_of(store: &Store, owner: &str, limit: usize) -> Result<Vec<Record>, ServiceError> {
    let prefix = key(owner, "");
    let mut records = store.records.list(MONITORS, &prefix, limit).await?;
    let own = records.partition_point(|record| record.name.starts_with(&prefix));
    records.truncate(own);
    Ok(records)
}

/// The monitors of an owner, by id. Records that cannot be read are left out, and logged.
pub(super) async fn list(
    store: &Store,
    owner: &str,
    limit: usize,
) -> Result<Vec<StoredMonitor>, ServiceError> {
    let records = records_of(store, owner, limit).await?;
    let monitors = records.iter().filter_map(|record| parsed(&record.value).ok());
    Ok(monitors.collect())
}

/// How many monitors an owner has, at most `limit`.
pub(super) async fn count(store: &Store, owner: &str, limit: usize) -> Result<usize, ServiceError> {
    Ok(records_of(store, owner, limit).await?.len())
}

/// Gives every monitor that can be read its entry in the index again.
pub(super) async fn index_all(store: &Store) -> Result<(), ServiceError> {
    let mut after = String::new();
    loop {
        let records = store.records.list(MONITORS, &after, BATCH).await?;
        let Some(last) = records.last() else {
            return Ok(());
        };
        after.clone_from(&last.name);
        for record in &records {
            let Ok(monitor) = parsed::<StoredMonitor>(&record.value) else {
                continue;
            };
            if !monitor.paused {
                DUE.add(store, monitor.due, &monitor.key()).await?;
            }
        }
    }
}

/// Deletes a monitor with everything that is its own, also one that cannot be read. False when there is none.
pub(super) async fn delete(store: &Store, owner: &str, id: &str) -> Result<bool, ServiceError> {
    let key = key(owner, id);
    let Some(record) = store.records.get(MONITORS, &key).await? else {
        return Ok(false);
    };
    store.records.delete(MONITORS, &key).await?;
    // The entry of one that cannot be read is removed by whoever comes across it.
    if let Ok(monitor) = parsed::<StoredMonitor>(&record.value) {
        DUE.remove(store, monitor.due, &key).await?;
    }
    delete_history(store, id).await?;
    Ok(true)
}

async fn delete_history(store: &Store, id: &str) -> Result<(), ServiceError> {
    for collection in [versions_of(id), content_of(id)] {
        for record in store.records.list(&collection, "", MAX_PARTS).await? {
            store.records.delete(&collection, &record.name).await?;
        }
    }
    Ok(())
}

/// Deletes what a check has written of a monitor that was deleted meanwhile.
pub(super) async fn clear_deleted(store: &Store, owner: &str, id: &str) -> Result<(), ServiceError> {
    match store.records.get(MONITORS, &key(owner, id)).await? {
        Some(_) => Ok(()),
        None => delete_history(store, id).await,
    }
}

/// Whether the check of a monitor for which it was claimed is still to be done, by whomever.
pub(super) async fn is_due_still(store: &Store, monitor: &StoredMonitor) -> Result<bool, ServiceError> {
    let stored = get(store, &monitor.key()).await?;
    Ok(stored.is_some_and(|(stored, _)| !stored.paused && stored.due == monitor.due))
}

/// Whether a monitor is still claimed as it was when it had this state.
pub(super) async fn is_claimed(store: &Store, monitor: &StoredMonitor) -> Result<bool, ServiceError> {
    let stored = get(store, &monitor.key()).await?;
    Ok(stored.is_some_and(|(stored, _)| stored.claims == monitor.claims))
}

/// Deletes every monitor of an owner.
pub(super) async fn delete_all(store: &Store, owner: &str) -> Result<(), ServiceError> {
    let prefix = key(owner, "");
    loop {
        let records = records_of(store, owner, BATCH).await?;
        if records.is_empty() {
            return Ok(());
        }
        for record in records {
            let id = record.name.strip_prefix(&prefix).unwrap_or_default();
            delete(store, owner, id).await?;
        }
    }
}

/// The versions of a monitor, the oldest first.
pub(super) async fn versions(store: &Store, id: &str) -> Result<Vec<MonitorVersion>, ServiceError> {
    let records = store.records.list(&versions_of(id), "", MAX_PARTS).await?;
    records.iter().map(|record| parsed(&record.value)).collect()
}

/// Writes over whatever has this name: what a server that died has left.
async fn overwrite(store: &Store, collection: &str, name: &str, value: String) -> Result<(), ServiceError> {
    if store
        .records
        .put(collection, name, value.clone(), 0)
        .await?
        .is_none()
    {
        let present = store.records.get(collection, name).await?;
        let revision = present.map_or(0, |record| record.revision);
        store.records.put(collection, name, value, revision).await?;
    }
    Ok(())
}

/// Writes a version. A change that is too long for a record is told in part.
pub(super) async fn put_version(
    store: &Store,
    id: &str,
    version: &mut MonitorVersion,
) -> Result<(), ServiceError> {
    let mut value = written(version)?;
    while value.len() > MAX_VALUE * 3 / 4 {
        let Some(change) = version.change.as_mut() else {
            break;
        };
        if !shorten(change) {
            version.change = None;
        }
        version.truncated = true;
        value = written(version)?;
    }
    let name = format!("{:010}", version.version);
    overwrite(store, &versions_of(id), &name, value).await
}

/// Leaves out half of each list of a change; false when there is nothing to leave out.
fn shorten(change: &mut ContentChange) -> bool {
    fn halve<T>(list: &mut Vec<T>) -> bool {
        let is_long = list.len() > 1;
        list.truncate(list.len().div_ceil(2));
        is_long
    }
    match change {
        ContentChange::Text {
            added,
            removed,
            changed,
        } => halve(added) | halve(removed) | halve(changed),
        ContentChange::Item { fields } => halve(fields),
        ContentChange::Research { changes } => halve(changes),
        ContentChange::Records {
            added,
            removed,
            changed,
        } => halve(added) | halve(removed) | halve(changed),
    }
}

/// Deletes versions beyond the newest `keep`.
pub(super) async fn prune_versions(
    store: &Store,
    id: &str,
    newest: u64,
    keep: u64,
) -> Result<(), ServiceError> {
    let collection = versions_of(id);
    let oldest = format!("{:010}", newest.saturating_sub(keep) + 1);
    for record in store.records.list(&collection, "", MAX_PARTS).await? {
        if record.name < oldest {
            store.records.delete(&collection, &record.name).await?;
        }
    }
    Ok(())
}

/// The start of the names of the parts of a content, by the claim under which it was written.
fn parts_of(claim: u64) -> String {
    format!("{claim:010}.")
}

/// Writes the content that was read under a claim, in parts.
pub(super) async fn put_content(
    store: &Store,
    id: &str,
    claim: u64,
    content: &WatchedContent,
) -> Result<(), ServiceError> {
    let (text, prefix) = (written(content)?, parts_of(claim));
    let mut rest = text.as_str();
    let mut number = 0;
    while !rest.is_empty() {
        let (part, after) = rest.split_at(rest.floor_char_boundary(PART));
        let name = format!("{prefix}{number:04}");
        overwrite(store, &content_of(id), &name, part.to_owned()).await?;
        rest = after;
        number += 1;
    }
    Ok(())
}

/// The content that was read under a claim.
///
/// # Errors
/// When its parts are not there or do not make one content.
pub(super) async fn content(store: &Store, id: &str, claim: u64) -> Result<WatchedContent, ServiceError> {
    let prefix = parts_of(claim);
    let records = store.records.list(&content_of(id), &prefix, MAX_PARTS).await?;
    let own = records
        .iter()
        .take_while(|record| record.name.starts_with(&prefix));
    let text: String = own.map(|record| record.value.as_str()).collect();
    parsed(&text)
}

/// Deletes the contents of other claims.
pub(super) async fn prune_content(store: &Store, id: &str, claim: u64) -> Result<(), ServiceError> {
    let (collection, prefix) = (content_of(id), parts_of(claim));
    let old = |record: &Record| !record.name.starts_with(&prefix);
    let records = store.records.list(&collection, "", MAX_PARTS).await?;
    for record in records.into_iter().filter(old) {
        store.records.delete(&collection, &record.name).await?;
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::json;
    use store::engines::memory::InMemoryStore;

    use super::*;

    /// A monitor that was never checked.
    pub(in super::super) fn stored() -> StoredMonitor {
        let monitor = json!({
            "id": "mon_1", "owner": "ada", "paused": false, "created_at": "2026-01-01T00:00:00Z",
            "due": "2026-01-02T00:00:00Z", "claimed_until": null, "checked_at": null, "checks": 0, "version": 0,
            "content": 0, "error": null, "volatility": {},
            "request": {"url": "https://shop.example/lamp", "part": "text", "schedule": {"every": 3600}, "conditions": []},
        });
        serde_json::from_value(monitor).unwrap()
    }

    /// As an earlier version has written it; a file that is never written anew.
    #[test]
    fn a_record_of_an_earlier_version_is_read_whole() {
        let earlier: serde_json::Value = serde_json::from_str(include_str!("record.json")).unwrap();
        let mut read: StoredMonitor = parsed(&earlier.to_string()).unwrap();
        let written = serde_json::to_value(&read).unwrap();
        for (field, value) in earlier.as_object().unwrap() {
            assert_eq!(&written[field], value, "{field}");
        }
        read.claim(read.due);
        assert!(
            read.claims > read.content.max(read.checks),
            "no content has its number"
        );
    }

    #[tokio::test]
    async fn a_content_whose_parts_do_not_make_one_is_an_error_and_no_absence() {
        let store = InMemoryStore::open();
        let content_of_one = WatchedContent::Text(vec!["a".into()]);
        put_content(&store, "mon_1", 7, &content_of_one).await.unwrap();
        assert_eq!(content(&store, "mon_1", 7).await.unwrap(), content_of_one);
        overwrite(&store, &content_of("mon_1"), "0000000007.0001", "]}".into())
            .await
            .unwrap();
        assert!(content(&store, "mon_1", 7).await.is_err());
        assert!(content(&store, "mon_1", 8).await.is_err());
    }

    #[tokio::test]
    async fn a_monitor_that_cannot_be_read_hides_no_other_and_can_be_deleted() {
        let store = InMemoryStore::open();
        let unread = key("ada", "mon_0");
        let written = store.records.put(MONITORS, &unread, "{}".into(), 0);
        written.await.unwrap();
        put(&store, &stored(), 0).await.unwrap();
        index_all(&store).await.unwrap();
        let mut due = DUE.scan(&store, stored().due);
        let entry = due.next().await.unwrap();
        assert_eq!(entry.unwrap().key, stored().key());
        assert_eq!(list(&store, "ada", 9).await.unwrap(), [stored()]);
        assert_eq!(count(&store, "ada", 9).await.unwrap(), 2);
        assert!(delete(&store, "ada", "mon_0").await.unwrap());
        assert!(!delete(&store, "ada", "mon_0").await.unwrap());
        store
            .records
            .put(MONITORS, &unread, "{}".into(), 0)
            .await
            .unwrap();
        delete_all(&store, "ada").await.unwrap();
        assert_eq!(count(&store, "ada", 9).await.unwrap(), 0);
    }
}
