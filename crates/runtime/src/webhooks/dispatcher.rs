//! `Dispatcher`: sends the deliveries that are due.
//!
//! Of the servers on a store the one whose claim is written sends a try; the claim of a server that died runs out, and the
//! next try is another one. A message may so arrive twice, under the same id, and never be lost.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use agents::delivery::{DeliveryOutcome, OutgoingMessage};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use wire::webhooks::{DeliveryAttempt, DeliveryState};

use super::deliveries::{CLAIM, DUE, Source, StoredDelivery};
use super::message::Message;
use super::retry::DeliveryTimes;
use super::{Webhooks, deliveries, key, message, secrets, signature};
use crate::diagnostics::millis;
use crate::due_index::{DueEntry, FailedEntries, to_millis};
use crate::error::ServiceError;
use crate::fault;
use crate::service::Service;
use crate::tenants::policy::SharedTenantServices;

/// How often the store is asked where nothing else says that something may be due.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Messages that one process sends at once.
const MAX_AT_ONCE: usize = 16;
/// Messages that one process sends to one endpoint at once, so that a slow receiver delays nobody else.
const MAX_PER_ENDPOINT: usize = 2;
/// Most due deliveries of one endpoint that wait; more are dead letters.
const MAX_WAITING: usize = 500;
/// How soon a delivery is looked at again whose run goes on, and how old it may get.
const NOT_YET: SignedDuration = SignedDuration::from_secs(2);
const TOO_OLD: SignedDuration = SignedDuration::from_hours(72);
/// How long an entry without a delivery is left to whoever may be writing the delivery.
const ORPHAN: SignedDuration = SignedDuration::from_mins(2);
/// After how many ended deliveries the log of their endpoint is shortened.
const TIDY_EVERY: usize = 20;

/// Sends deliveries in one process. Cheap to clone; clones are the same.
#[derive(Clone)]
pub(crate) struct Dispatcher(Arc<DispatcherInner>);

struct DispatcherInner {
    service: Service,
    webhooks: Webhooks,
    services: SharedTenantServices,
    times: Mutex<DeliveryTimes>,
    /// Deliveries that are being sent, with their endpoints.
    sending: Mutex<HashMap<String, String>>,
    failed: FailedEntries,
    /// Ended deliveries by endpoint, since its log was shortened.
    ended: Mutex<HashMap<String, usize>>,
    done: Notify,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Dispatcher {
    pub(crate) fn new(service: Service, services: SharedTenantServices) -> Self {
        Self(Arc::new(DispatcherInner {
            webhooks: service.webhooks(),
            service,
            services,
            times: Mutex::new(DeliveryTimes::default()),
            sending: Mutex::default(),
            failed: FailedEntries::default(),
            ended: Mutex::default(),
            done: Notify::new(),
        }))
    }

    /// Waits so long between tries from now on.
    pub(crate) fn keep(&self, times: DeliveryTimes) {
        *locked(&self.0.times) = times;
    }

    /// Sends what is due until the process closes. Tries that have begun are ended.
    pub(crate) async fn run(self, closing: CancellationToken, tasks: TaskTracker) {
        loop {
            let woken = self.0.webhooks.woken.notified();
            let done = self.0.done.notified();
            tokio::pin!(woken, done);
            // From here on nothing that wakes is missed.
            woken.as_mut().enable();
            done.as_mut().enable();
            if let Err(error) = self.round(&tasks).await {
                tracing::error!(%error, "deliveries cannot be looked up");
            }
            tokio::select! {
                () = closing.cancelled() => return,
                () = woken => {}
                () = done => {}
                () = tokio::time::sleep(POLL_INTERVAL) => {}
            }
        }
    }

    /// Begins to send what is due, as far as there is room.
    async fn round(&self, tasks: &TaskTracker) -> Result<(), ServiceError> {
        let store = self.0.service.store();
        let now = Timestamp::now();
        let mut waiting: HashMap<String, usize> = HashMap::new();
        let mut entries = DUE.scan(store, now);
        while let Some(entry) = entries.next().await? {
            if locked(&self.0.sending).len() >= MAX_AT_ONCE {
                return Ok(());
            }
            if !self.0.failed.has(&entry.key) {
                let begun = self.begin(&entry, now, &mut waiting, tasks).await;
                self.0.failed.unless_failed(&entry.key, begun)?;
            }
        }
        Ok(())
    }

    /// Begins to send a delivery, if it is due and there is room.
    async fn begin(
        &self,
        entry: &DueEntry,
        now: Timestamp,
        waiting: &mut HashMap<String, usize>,
        tasks: &TaskTracker,
    ) -> Result<(), ServiceError> {
        let Some((endpoint, id)) = entry.key.split_once('/') else {
            return Ok(());
        };
        let busy = {
            let sending = locked(&self.0.sending);
            if sending.contains_key(id) {
                return Ok(());
            }
            sending.values().filter(|other| *other == endpoint).count() >= MAX_PER_ENDPOINT
        };
        let place = waiting.entry(endpoint.to_owned()).or_default();
        *place += 1;
        let is_excess = *place > MAX_WAITING;
        if busy && !is_excess {
            return Ok(());
        }
        let Some((delivery, revision)) = self.current(entry, endpoint, id, now).await? else {
            return Ok(());
        };
        if is_excess {
            let why = format!("{MAX_WAITING} deliveries wait for this endpoint already");
            return self.bury(delivery, revision, &why).await;
        }
        let this = self.clone();
        let (key, id, endpoint) = (entry.key.clone(), id.to_owned(), endpoint.to_owned());
        locked(&self.0.sending).insert(id.clone(), endpoint);
        tasks.spawn(async move {
            if let Err(error) = fault::caught(this.deliver(delivery, revision)).await {
                tracing::error!(%error, "a delivery cannot be made or written down");
                this.0.failed.put_aside(&key);
            }
            locked(&this.0.sending).remove(&id);
            this.0.done.notify_waiters();
        });
        Ok(())
    }

    /// The delivery of an entry, if it is due by its own word and no other server has claimed it. An entry without a
    /// delivery is removed.
    async fn current(
        &self,
        entry: &DueEntry,
        endpoint: &str,
        id: &str,
        now: Timestamp,
    ) -> Result<Option<(StoredDelivery, u64)>, ServiceError> {
        let store = self.0.service.store();
        let found = deliveries::get(store, endpoint, id).await?;
        let Some((delivery, revision)) = found else {
            if now > entry.due + ORPHAN {
                DUE.remove(store, entry.due, &entry.key).await?;
            }
            return Ok(None);
        };
        if delivery.claimed_until.is_some_and(|until| now < until) {
            return Ok(None);
        }
        if delivery.state != DeliveryState::Pending || delivery.due != entry.due {
            DUE.remove(store, entry.due, &entry.key).await?;
            return Ok(None);
        }
        Ok(Some((delivery, revision)))
    }

    /// Makes the message, claims the try, sends it and writes down what came of it.
    async fn deliver(&self, mut delivery: StoredDelivery, revision: u64) -> Result<(), ServiceError> {
        let store = self.0.service.store();
        let (event, body) = match message::of(&self.0.service, &delivery).await? {
            Message::Ready { event, body } => (event, body),
            Message::NotYet => return self.wait(delivery, revision).await,
            Message::Never => return deliveries::delete(store, &delivery).await,
            Message::Gone(why) => return self.bury(delivery, revision, why).await,
        };
        let endpoint = store
            .vault
            .read(&key(&delivery.owner, &delivery.endpoint))
            .await?;
        let Some(endpoint) = endpoint else {
            return deliveries::delete(store, &delivery).await;
        };
        let of_end = matches!(delivery.source, Source::RunEnd { .. });
        if of_end && !super::facts(&endpoint.summary).events.contains(&event) {
            return deliveries::delete(store, &delivery).await;
        }
        let now = to_millis(Timestamp::now());
        if delivery.tries == 0 {
            delivery.began = now;
        }
        delivery.event = Some(event);
        delivery.tries += 1;
        delivery.claimed_until = Some(now + CLAIM);
        let Some(revision) = deliveries::put(store, &delivery, revision).await? else {
            return Ok(());
        };
        let began = Instant::now();
        let outcome = match secrets(&endpoint) {
            Ok(secrets) => {
                let headers = signature::headers(secrets.valid_at(now), &delivery.id, now, &body);
                let outgoing = OutgoingMessage {
                    url: &secrets.url,
                    headers: &headers,
                    body: &body,
                    time: locked(&self.0.times).receiver,
                };
                match self.0.services.of(&delivery.owner).await {
                    Ok(services) => agents::delivery::send(&services, &outgoing).await,
                    Err(error) => DeliveryOutcome::failed(error.message, false),
                }
            }
            Err(error) => DeliveryOutcome::failed(error.message, true),
        };
        delivery.note(DeliveryAttempt {
            at: now,
            status: outcome.status,
            error: outcome.error.clone(),
            millis: millis(began.elapsed()),
        });
        self.settle(delivery, revision, &outcome).await
    }

    /// Writes down what came of a try.
    async fn settle(
        &self,
        mut delivery: StoredDelivery,
        revision: u64,
        outcome: &DeliveryOutcome,
    ) -> Result<(), ServiceError> {
        let (from, now) = (delivery.due, Timestamp::now());
        delivery.claimed_until = None;
        let next = match &outcome.error {
            None => {
                delivery.state = DeliveryState::Delivered;
                None
            }
            Some(_) if outcome.is_final => None,
            Some(_) => locked(&self.0.times).next(
                delivery.tries,
                delivery.began,
                now,
                fastrand::f64(),
                outcome.retry_after,
            ),
        };
        if let Some(next) = next {
            delivery.due = to_millis(next);
        } else if outcome.error.is_some() {
            delivery.state = DeliveryState::Dead;
        }
        let (id, endpoint) = (delivery.id.clone(), delivery.endpoint.clone());
        tracing::info!(
            %id, %endpoint, tries = delivery.tries, state = delivery.state.as_str(), status = outcome.status,
            "a webhook was called"
        );
        if delivery.state == DeliveryState::Dead {
            tracing::warn!(%id, %endpoint, "a delivery is a dead letter");
        }
        let is_ended = delivery.state != DeliveryState::Pending;
        let written = deliveries::reschedule(self.0.service.store(), &delivery, from, revision).await?;
        if written && is_ended {
            self.shorten_log(&endpoint).await?;
        }
        Ok(())
    }

    /// Puts off a delivery of what has not happened yet.
    async fn wait(&self, mut delivery: StoredDelivery, revision: u64) -> Result<(), ServiceError> {
        let (from, now) = (delivery.due, to_millis(Timestamp::now()));
        if now > delivery.created_at + TOO_OLD {
            return deliveries::delete(self.0.service.store(), &delivery).await;
        }
        delivery.due = now + NOT_YET;
        deliveries::reschedule(self.0.service.store(), &delivery, from, revision).await?;
        Ok(())
    }

    /// Makes a dead letter of a delivery that is not tried.
    async fn bury(&self, mut delivery: StoredDelivery, revision: u64, why: &str) -> Result<(), ServiceError> {
        let from = delivery.due;
        delivery.state = DeliveryState::Dead;
        delivery.claimed_until = None;
        delivery.note(DeliveryAttempt {
            at: to_millis(Timestamp::now()),
            status: None,
            error: Some(why.to_owned()),
            millis: 0,
        });
        let endpoint = delivery.endpoint.clone();
        tracing::warn!(id = delivery.id, %endpoint, why, "a delivery is a dead letter");
        deliveries::reschedule(self.0.service.store(), &delivery, from, revision).await?;
        self.shorten_log(&endpoint).await
    }

    /// Shortens the log of an endpoint once in a while.
    async fn shorten_log(&self, endpoint: &str) -> Result<(), ServiceError> {
        let is_time = {
            let mut ended = locked(&self.0.ended);
            let count = ended.entry(endpoint.to_owned()).or_default();
            *count += 1;
            let is_time = *count >= TIDY_EVERY;
            if is_time {
                ended.remove(endpoint);
            }
            is_time
        };
        if is_time {
            deliveries::shorten(self.0.service.store(), endpoint).await?;
        }
        Ok(())
    }
}
