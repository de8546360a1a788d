//! `Webhooks`: endpoints that are told of ends of runs, chosen events and changes: their addresses and secrets, and the log
//! of what was sent.

mod deliveries;
mod dispatcher;
mod message;
mod outbox;
mod retry;
mod signature;

use std::sync::Arc;

use data_encoding::HEXLOWER;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::Store;
use store::vault::{Record, RecordKey, RecordKind, RecordSummary, WriteCondition};
use tokio::sync::Notify;
use wire::Code;
use wire::tenancy::RotateRequest;
use wire::webhooks::{
    CreateWebhook, Delivery, DeliveryList, DeliveryState, Webhook, WebhookEvent, WebhookList,
    WebhookWithSecret,
};

use crate::due_index::to_millis;
use crate::error::ServiceError;
use deliveries::{Source, StoredDelivery};
pub(crate) use dispatcher::Dispatcher;
pub(crate) use outbox::OutboxLog;
pub use retry::DeliveryTimes;

/// Most endpoints of one owner.
const MAX_ENDPOINTS: usize = 20;
/// Most owners whose endpoints are looked after.
const MAX_OWNERS: usize = 10_000;
/// How often a change is tried again that another process got in between.
const TRIES: usize = 8;
/// Most deliveries in one answer.
const MAX_LISTED: usize = 200;
/// Names of owners who have endpoints.
const OWNERS: &str = "webhook-owners";
/// Longest data of a message that is not about a run, in bytes of JSON.
const MAX_DATA: usize = 48 << 10;

/// The endpoints of a store. Cheap to clone; clones are the same.
#[derive(Clone)]
pub struct Webhooks {
    store: Store,
    /// Tells the dispatcher of this process that something may be due.
    woken: Arc<Notify>,
}

/// What is kept of an endpoint in the clear.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct EndpointFacts {
    events: Vec<String>,
    description: String,
}

/// What is encrypted of an endpoint. Addresses of receivers often are secrets themselves.
#[derive(Clone, Serialize, Deserialize)]
struct EndpointSecrets {
    url: String,
    current: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    previous: Option<PreviousSecret>,
}

#[derive(Clone, Serialize, Deserialize)]
struct PreviousSecret {
    secret: String,
    until: Timestamp,
}

impl EndpointSecrets {
    /// The secrets that messages are signed with now.
    fn valid_at(&self, now: Timestamp) -> impl Iterator<Item = &str> {
        let previous = self.previous.as_ref().filter(|previous| now < previous.until);
        std::iter::once(self.current.as_str()).chain(previous.map(|previous| previous.secret.as_str()))
    }
}

/// An endpoint and what it wants to be told of.
#[derive(Debug, Clone)]
pub(crate) struct Subscriber {
    id: String,
    events: Vec<String>,
}

impl Subscriber {
    fn wants(&self, event: &str) -> bool {
        self.events.iter().any(|name| name == event)
    }
}

fn key(owner: &str, id: &str) -> RecordKey {
    RecordKey {
        owner: owner.to_owned(),
        kind: RecordKind::Webhook,
        name: id.to_owned(),
    }
}

fn unknown() -> ServiceError {
    ServiceError::new(Code::NotFound, "there is no webhook of this id")
}

fn unknown_delivery() -> ServiceError {
    ServiceError::new(
        Code::NotFound,
        "there is no delivery of this id at this webhook; old ones are deleted",
    )
}

fn busy() -> ServiceError {
    let text = "somebody else is changing the same; send the request again";
    ServiceError::new(Code::Conflict, text)
}

/// Whether a text can be an id that [`new_id`] made.
pub(crate) fn is_id(text: &str, prefix: &str) -> bool {
    let digits = text.strip_prefix(prefix);
    digits.is_some_and(|digits| {
        digits.len() == 32
            && digits
                .bytes()
                .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    })
}

/// A prefix and 128 random bits.
pub(crate) fn new_id(prefix: &str) -> Result<String, ServiceError> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(|error| ServiceError::new(Code::Internal, error.to_string()))?;
    Ok(format!("{prefix}{}", HEXLOWER.encode(&random)))
}

fn facts(summary: &RecordSummary) -> EndpointFacts {
    serde_json::from_str(&summary.facts).unwrap_or_default()
}

fn secrets(record: &Record) -> Result<EndpointSecrets, ServiceError> {
    let unreadable = || {
        let text = "the webhook is encrypted with a key that is missing: delete it and create it again";
        ServiceError::new(Code::SecretUnreadable, text)
    };
    let value = record.value.as_ref().map_err(|error| {
        tracing::error!(%error, "a webhook cannot be decrypted");
        unreadable()
    })?;
    serde_json::from_str(value).map_err(|_| unreadable())
}

/// An endpoint as its owner sees it, also one whose address cannot be read.
fn shown(record: &Record) -> Webhook {
    let EndpointFacts { events, description } = facts(&record.summary);
    let (url, error) = match secrets(record) {
        Ok(secrets) => (Some(secrets.url), None),
        Err(error) => (None, Some(error.message)),
    };
    Webhook {
        id: record.summary.name.clone(),
        url,
        events,
        description,
        created_at: record.summary.created_at,
        error,
    }
}

fn written(value: &impl Serialize) -> Result<String, ServiceError> {
    serde_json::to_string(value).map_err(|error| ServiceError::new(Code::Internal, error.to_string()))
}

impl Webhooks {
    pub(crate) fn new(store: Store, woken: Arc<Notify>) -> Self {
        Self { store, woken }
    }

    /// Registers an endpoint, whose address was checked. Its secret is in the answer and nowhere else.
    ///
    /// # Errors
    /// When the owner has as many as may be, or the store fails.
    pub async fn create(
        &self,
        owner: &str,
        request: CreateWebhook,
    ) -> Result<WebhookWithSecret, ServiceError> {
        let CreateWebhook {
            url,
            events,
            description,
        } = request;
        let id = new_id("whk_")?;
        let current = signature::new_secret()?;
        let facts = written(&EndpointFacts { events, description })?;
        let value = written(&EndpointSecrets {
            url,
            current: current.clone(),
            previous: None,
        })?;
        // Before the endpoint, so that the owner of an endpoint is always found.
        self.store
            .records
            .put(OWNERS, &format!("o.{owner}"), String::new(), 0)
            .await?;
        let condition = WriteCondition::Absent { limit: MAX_ENDPOINTS };
        let key = key(owner, &id);
        self.store.vault.write(&key, &facts, &value, condition).await?;
        let record = self.record(owner, &id).await?;
        Ok(WebhookWithSecret {
            webhook: shown(&record),
            secret: current,
            previous_until: None,
        })
    }

    async fn record(&self, owner: &str, id: &str) -> Result<Record, ServiceError> {
        if !is_id(id, "whk_") {
            return Err(unknown());
        }
        self.store.vault.read(&key(owner, id)).await?.ok_or_else(unknown)
    }

    /// An endpoint.
    ///
    /// # Errors
    /// When the owner has none of this id.
    pub async fn get(&self, owner: &str, id: &str) -> Result<Webhook, ServiceError> {
        Ok(shown(&self.record(owner, id).await?))
    }

    /// The endpoints of an owner.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list(&self, owner: &str) -> Result<WebhookList, ServiceError> {
        let mut webhooks = Vec::new();
        for summary in self.store.vault.list(owner, RecordKind::Webhook).await? {
            if let Some(record) = self.store.vault.read(&key(owner, &summary.name)).await? {
                webhooks.push(shown(&record));
            }
        }
        Ok(WebhookList { webhooks })
    }

    /// Deletes an endpoint with its log. What is due is not sent any more.
    ///
    /// # Errors
    /// When the owner has none of this id.
    pub async fn delete(&self, owner: &str, id: &str) -> Result<(), ServiceError> {
        self.record(owner, id).await?;
        self.store.vault.delete(&key(owner, id)).await?;
        deliveries::forget(&self.store, id).await
    }

    /// Makes a new secret. Messages are signed with the old one too for the grace.
    ///
    /// # Errors
    /// When the owner has none of this id.
    pub async fn rotate(
        &self,
        owner: &str,
        id: &str,
        request: RotateRequest,
    ) -> Result<WebhookWithSecret, ServiceError> {
        let current = signature::new_secret()?;
        let grace = SignedDuration::from_hours(i64::from(request.grace_hours));
        let until = to_millis(Timestamp::now() + grace);
        let key = key(owner, id);
        for _ in 0..TRIES {
            let record = self.record(owner, id).await?;
            let old = secrets(&record)?;
            let previous = (request.grace_hours > 0).then_some(PreviousSecret {
                secret: old.current,
                until,
            });
            let value = written(&EndpointSecrets {
                url: old.url,
                current: current.clone(),
                previous,
            })?;
            let condition = WriteCondition::Generation(record.summary.generation);
            let facts = &record.summary.facts;
            let written = self.store.vault.write(&key, facts, &value, condition);
            if written.await?.is_some() {
                return Ok(WebhookWithSecret {
                    webhook: shown(&record),
                    secret: current,
                    previous_until: (request.grace_hours > 0).then_some(until),
                });
            }
        }
        Err(busy())
    }

    /// The last deliveries to an endpoint, at most `limit` of them, in one state where it is given.
    ///
    /// # Errors
    /// When the owner has no such endpoint.
    pub async fn deliveries(
        &self,
        owner: &str,
        id: &str,
        state: Option<DeliveryState>,
        limit: usize,
    ) -> Result<DeliveryList, ServiceError> {
        self.record(owner, id).await?;
        let all = deliveries::list(&self.store, id).await?.into_iter();
        let wanted = all.filter(|delivery| state.is_none_or(|state| delivery.state == state));
        Ok(DeliveryList {
            deliveries: wanted
                .take(limit.clamp(1, MAX_LISTED))
                .map(StoredDelivery::shown)
                .collect(),
        })
    }

    /// Sends a delivery again, at once and with a whole day of tries before it.
    ///
    /// # Errors
    /// When there is none of this id, or it is being sent at this moment.
    pub async fn resend(&self, owner: &str, id: &str, delivery: &str) -> Result<Delivery, ServiceError> {
        self.record(owner, id).await?;
        if !is_id(delivery, "msg_") {
            return Err(unknown_delivery());
        }
        for _ in 0..TRIES {
            let found = deliveries::get(&self.store, id, delivery).await?;
            let (mut stored, revision) = found.ok_or_else(unknown_delivery)?;
            let (now, from) = (to_millis(Timestamp::now()), stored.due);
            if stored.claimed_until.is_some_and(|until| now < until) {
                let text = "this delivery is being sent at this moment; look at it again in a minute";
                return Err(ServiceError::new(Code::Conflict, text));
            }
            stored.state = DeliveryState::Pending;
            stored.claimed_until = None;
            (stored.tries, stored.began, stored.due) = (0, now, now);
            if deliveries::reschedule(&self.store, &stored, from, revision).await? {
                self.wake();
                return Ok(stored.shown());
            }
        }
        Err(busy())
    }

    /// Tells the endpoints of an owner that want it of something that has happened. The same `what` is told once.
    pub(crate) async fn announce(
        &self,
        owner: &str,
        event: WebhookEvent,
        what: &str,
        mut data: Value,
    ) -> Result<(), ServiceError> {
        if data.to_string().len() > MAX_DATA
            && let Some(fields) = data.as_object_mut()
        {
            fields.remove("change");
            fields.insert("change_omitted".into(), true.into());
        }
        let name = event.as_str();
        for subscriber in self.subscribers(owner).await?.iter().filter(|it| it.wants(name)) {
            let source = Source::Whole {
                event: name.to_owned(),
                at: Timestamp::now(),
                data: data.clone(),
            };
            self.enqueue(owner, &subscriber.id, what, source).await?;
        }
        self.wake();
        Ok(())
    }

    async fn subscribers(&self, owner: &str) -> Result<Vec<Subscriber>, ServiceError> {
        let endpoints = self.store.vault.list(owner, RecordKind::Webhook).await?;
        let subscriber = |summary: RecordSummary| Subscriber {
            events: facts(&summary).events,
            id: summary.name,
        };
        Ok(endpoints.into_iter().map(subscriber).collect())
    }

    async fn enqueue(
        &self,
        owner: &str,
        endpoint: &str,
        what: &str,
        source: Source,
    ) -> Result<(), ServiceError> {
        let delivery = StoredDelivery::new(owner, endpoint, what, source);
        deliveries::create(&self.store, &delivery).await
    }

    fn wake(&self) {
        self.woken.notify_waiters();
    }

    /// Goes over the deliveries of every endpoint: see [`deliveries::tidy`].
    pub(crate) async fn tidy(&self) -> Result<(), ServiceError> {
        for record in self.store.records.list(OWNERS, "", MAX_OWNERS).await? {
            let owner = record.name.strip_prefix("o.").unwrap_or_default();
            for subscriber in self.subscribers(owner).await? {
                deliveries::tidy(&self.store, &subscriber.id).await?;
            }
        }
        Ok(())
    }
}

/// Deletes the deliveries of every endpoint of a tenant that is deleted; the endpoints themselves are in the vault.
pub(crate) async fn forget(store: &Store, owner: &str) -> Result<(), ServiceError> {
    for summary in store.vault.list(owner, RecordKind::Webhook).await? {
        deliveries::forget(store, &summary.name).await?;
    }
    store.records.delete(OWNERS, &format!("o.{owner}")).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use store::engines::sqlite::{ProcessRole, Sqlite};

    use super::*;

    #[tokio::test]
    async fn an_endpoint_whose_key_is_missing_is_listed_beside_the_others_and_can_be_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let webhooks = || {
            let store = Sqlite::open(folder.path(), ProcessRole::Server, &[]).unwrap();
            Webhooks::new(store, Arc::default())
        };
        let request = |url: &str| CreateWebhook::parse(json!({"url": url}).to_string().as_bytes()).unwrap();
        let unreadable = "https://a.example/hook";
        let lost = webhooks()
            .create("ada", request(unreadable))
            .await
            .unwrap()
            .webhook;
        std::fs::remove_file(folder.path().join("secret.key")).unwrap();
        let webhooks = webhooks();
        let created = webhooks
            .create("ada", request("https://b.example/hook"))
            .await
            .unwrap();
        let listed = webhooks.list("ada").await.unwrap().webhooks;
        let of = |id: &str| listed.iter().find(|webhook| webhook.id == id).unwrap();
        assert_eq!((listed.len(), of(&created.webhook.id)), (2, &created.webhook));
        let shown = of(&lost.id);
        assert_eq!((&shown.url, &shown.events), (&None, &lost.events));
        assert!(shown.error.as_deref().unwrap().contains("delete it"), "{shown:?}");
        webhooks.delete("ada", &lost.id).await.unwrap();
        assert_eq!(webhooks.list("ada").await.unwrap().webhooks, [created.webhook]);
    }
}
