//! Deliveries as the store keeps them: what a message is about, how it stands, and when it is due.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::Store;
use store::blobs::Digest;
use wire::RunId;
use wire::webhooks::{Delivery, DeliveryAttempt, DeliveryState};

use crate::due_index::{DueIndex, to_millis};
use crate::error::ServiceError;

/// Deliveries in the order of their times.
pub(super) const DUE: DueIndex = DueIndex("webhook-due");
/// Most deliveries of an endpoint that are looked at.
pub(super) const MAX_KEPT: usize = 2_000;
/// Ended deliveries of an endpoint that stay in its log.
const MAX_ENDED: usize = 200;
/// Tries of a delivery that stay in the log.
const MAX_ATTEMPTS: usize = 20;
/// How long a server that has claimed a try has for it: longer than a receiver may take.
pub(super) const CLAIM: SignedDuration = SignedDuration::from_secs(60);

/// What a message is about. It is made from this when it is sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "of")]
pub(super) enum Source {
    /// The end of a run, which may be about to happen.
    RunEnd { run: RunId },
    /// An event of a run, which may be about to happen.
    RunEvent { run: RunId, seq: u64, name: String },
    /// Something whole.
    Whole {
        event: String,
        at: Timestamp,
        data: Value,
    },
}

/// A delivery as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredDelivery {
    pub(super) id: String,
    pub(super) owner: String,
    pub(super) endpoint: String,
    pub(super) source: Source,
    pub(super) event: Option<String>,
    pub(super) state: DeliveryState,
    pub(super) created_at: Timestamp,
    /// When it is tried, while it is pending.
    pub(super) due: Timestamp,
    /// Until when a server has claimed the try that is due.
    #[serde(default)]
    pub(super) claimed_until: Option<Timestamp>,
    /// Tries since it was last sent anew, and when the first of them was.
    pub(super) tries: u32,
    pub(super) began: Timestamp,
    #[serde(default)]
    pub(super) attempts: Vec<DeliveryAttempt>,
}

/// An id made of what is delivered where, so that whoever comes after a lost worker does not deliver it again.
pub(super) fn id_of(endpoint: &str, what: &str) -> String {
    let digest = Digest::of(format!("{endpoint}\n{what}").as_bytes()).to_string();
    format!("msg_{digest:.32}")
}

fn collection(endpoint: &str) -> String {
    format!("webhook-deliveries/{endpoint}")
}

impl StoredDelivery {
    /// A delivery that is due now.
    pub(super) fn new(owner: &str, endpoint: &str, what: &str, source: Source) -> Self {
        let now = to_millis(Timestamp::now());
        let event = match &source {
            Source::RunEnd { .. } => None,
            Source::RunEvent { name, .. } => Some(name.clone()),
            Source::Whole { event, .. } => Some(event.clone()),
        };
        Self {
            id: id_of(endpoint, what),
            owner: owner.to_owned(),
            endpoint: endpoint.to_owned(),
            source,
            event,
            state: DeliveryState::Pending,
            created_at: now,
            due: now,
            claimed_until: None,
            tries: 0,
            began: now,
            attempts: Vec::new(),
        }
    }

    /// The name in the index.
    pub(super) fn key(&self) -> String {
        format!("{}/{}", self.endpoint, self.id)
    }

    /// Adds a try to the log, which keeps the last ones.
    pub(super) fn note(&mut self, attempt: DeliveryAttempt) {
        self.attempts.push(attempt);
        let excess = self.attempts.len().saturating_sub(MAX_ATTEMPTS);
        self.attempts.drain(..excess);
    }

    /// The delivery as clients see it.
    pub(super) fn shown(self) -> Delivery {
        let run = match &self.source {
            Source::RunEnd { run } | Source::RunEvent { run, .. } => Some(run.to_string()),
            Source::Whole { .. } => None,
        };
        Delivery {
            id: self.id,
            event: self.event,
            run,
            state: self.state,
            created_at: self.created_at,
            next_attempt_at: Some(self.due).filter(|_| self.state == DeliveryState::Pending),
            attempts: self.attempts,
        }
    }
}

fn parsed(record: &store::records::Record) -> Result<StoredDelivery, ServiceError> {
    serde_json::from_str(&record.value).map_err(|error| {
        tracing::error!(%error, "a delivery cannot be read");
        ServiceError::new(wire::Code::Internal, "a delivery in the store cannot be read")
    })
}

/// A delivery of an endpoint, with its revision.
pub(super) async fn get(
    store: &Store,
    endpoint: &str,
    id: &str,
) -> Result<Option<(StoredDelivery, u64)>, ServiceError> {
    let found = store.records.get(&collection(endpoint), id).await?;
    found
        .map(|record| Ok((parsed(&record)?, record.revision)))
        .transpose()
}

/// Writes a delivery whose revision is `expected`; false when it has another one.
pub(super) async fn put(
    store: &Store,
    delivery: &StoredDelivery,
    expected: u64,
) -> Result<Option<u64>, ServiceError> {
    let value = serde_json::to_string(delivery)
        .map_err(|error| ServiceError::new(wire::Code::Internal, error.to_string()))?;
    let collection = collection(&delivery.endpoint);
    let written = store.records.put(&collection, &delivery.id, value, expected);
    Ok(written.await?)
}

/// Stores a new delivery; one of the same id stays as it is.
pub(super) async fn create(store: &Store, delivery: &StoredDelivery) -> Result<(), ServiceError> {
    DUE.add(store, delivery.due, &delivery.key()).await?;
    put(store, delivery, 0).await?;
    Ok(())
}

/// Writes a pending delivery with another time: the new entry of the index first, so that there always is one.
pub(super) async fn reschedule(
    store: &Store,
    delivery: &StoredDelivery,
    from: Timestamp,
    expected: u64,
) -> Result<bool, ServiceError> {
    let key = delivery.key();
    let is_pending = delivery.state == DeliveryState::Pending;
    if is_pending {
        DUE.add(store, delivery.due, &key).await?;
    }
    let written = put(store, delivery, expected).await?.is_some();
    if written && !(is_pending && delivery.due == from) {
        DUE.remove(store, from, &key).await?;
    }
    Ok(written)
}

/// Deletes a delivery and its entry.
pub(super) async fn delete(store: &Store, delivery: &StoredDelivery) -> Result<(), ServiceError> {
    let collection = collection(&delivery.endpoint);
    store.records.delete(&collection, &delivery.id).await?;
    DUE.remove(store, delivery.due, &delivery.key()).await?;
    Ok(())
}

/// The newest deliveries of an endpoint, [`MAX_KEPT`] at most, the newest first. Records that cannot be read are left out, and
/// logged.
pub(super) async fn list(store: &Store, endpoint: &str) -> Result<Vec<StoredDelivery>, ServiceError> {
    let collection = collection(endpoint);
    let (mut newest, mut after) = (Vec::new(), String::new());
    loop {
        let records = store.records.list(&collection, &after, MAX_KEPT).await?;
        newest.extend(records.iter().filter_map(|record| parsed(record).ok()));
        newest.sort_by(|one: &StoredDelivery, other| {
            (other.created_at, &other.id).cmp(&(one.created_at, &one.id))
        });
        newest.truncate(MAX_KEPT);
        match records.last() {
            Some(last) if records.len() == MAX_KEPT => after.clone_from(&last.name),
            _ => return Ok(newest),
        }
    }
}

/// Gives every pending delivery of an endpoint its entry in the index again, and shortens its log.
pub(super) async fn tidy(store: &Store, endpoint: &str) -> Result<(), ServiceError> {
    let all = list(store, endpoint).await?;
    for delivery in all.iter().filter(|it| it.state == DeliveryState::Pending) {
        DUE.add(store, delivery.due, &delivery.key()).await?;
    }
    delete_oldest(store, all).await
}

/// Shortens the log of an endpoint: deletes the oldest ended deliveries beyond those that it keeps.
pub(super) async fn shorten(store: &Store, endpoint: &str) -> Result<(), ServiceError> {
    let all = list(store, endpoint).await?;
    delete_oldest(store, all).await
}

async fn delete_oldest(store: &Store, newest_first: Vec<StoredDelivery>) -> Result<(), ServiceError> {
    let ended = newest_first
        .into_iter()
        .filter(|it| it.state != DeliveryState::Pending);
    for delivery in ended.skip(MAX_ENDED) {
        delete(store, &delivery).await?;
    }
    Ok(())
}

/// Deletes every delivery of an endpoint, also those that cannot be read: the dispatcher removes the entries of these.
pub(super) async fn forget(store: &Store, endpoint: &str) -> Result<(), ServiceError> {
    let collection = collection(endpoint);
    loop {
        let records = store.records.list(&collection, "", MAX_KEPT).await?;
        if records.is_empty() {
            return Ok(());
        }
        for record in records {
            store.records.delete(&collection, &record.name).await?;
            if let Ok(delivery) = parsed(&record) {
                DUE.remove(store, delivery.due, &delivery.key()).await?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use store::engines::memory::InMemoryStore;

    use super::*;

    /// As an earlier version has written them; a file that is never written anew.
    #[test]
    fn records_of_an_earlier_version_are_read_whole() {
        let earlier: Vec<Value> = serde_json::from_str(include_str!("records.json")).unwrap();
        for record in earlier {
            let read: StoredDelivery = serde_json::from_value(record.clone()).unwrap();
            assert_eq!(serde_json::to_value(read).unwrap(), record);
        }
    }

    #[tokio::test]
    async fn a_delivery_that_cannot_be_read_hides_no_other_and_is_deleted_with_its_endpoint() {
        let store = InMemoryStore::open();
        let source = Source::Whole {
            event: "monitor.changed".into(),
            at: Timestamp::now(),
            data: json!({}),
        };
        let delivery = StoredDelivery::new("ada", "whk_1", "a change", source);
        create(&store, &delivery).await.unwrap();
        let other = r#"{"of": "another version"}"#.to_owned();
        let collection = collection("whk_1");
        let written = store.records.put(&collection, "msg_0", other, 0);
        written.await.unwrap();
        DUE.remove(&store, delivery.due, &delivery.key()).await.unwrap();
        tidy(&store, "whk_1").await.unwrap();
        let mut due = DUE.scan(&store, delivery.due);
        let entry = due.next().await.unwrap();
        assert_eq!(entry.unwrap().key, delivery.key(), "it has its entry again");
        assert_eq!(list(&store, "whk_1").await.unwrap(), [delivery]);
        forget(&store, "whk_1").await.unwrap();
        let left = store.records.list(&collection, "", 9).await.unwrap();
        assert_eq!(left.len(), 0);
    }

    #[tokio::test]
    async fn a_long_log_shows_its_newest_deliveries() {
        let store = InMemoryStore::open();
        let source = |at| Source::Whole {
            event: "monitor.changed".into(),
            at,
            data: json!({}),
        };
        let began = Timestamp::from_second(1_764_000_000).unwrap();
        let mut wanted = Vec::new();
        for number in 0..MAX_KEPT + 9 {
            let at = began + SignedDuration::from_secs(i64::try_from(number).unwrap());
            let mut delivery = StoredDelivery::new("ada", "whk_1", &number.to_string(), source(at));
            (delivery.created_at, delivery.state) = (at, DeliveryState::Dead);
            put(&store, &delivery, 0).await.unwrap();
            wanted.push(delivery.id);
        }
        wanted.reverse();
        wanted.truncate(MAX_KEPT);
        let ids = async || -> Vec<String> {
            let listed = list(&store, "whk_1").await.unwrap();
            listed.into_iter().map(|delivery| delivery.id).collect()
        };
        assert!(ids().await == wanted);
        shorten(&store, "whk_1").await.unwrap();
        shorten(&store, "whk_1").await.unwrap();
        wanted.truncate(MAX_ENDED);
        assert!(ids().await == wanted);
    }
}
