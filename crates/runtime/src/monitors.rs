//! `Monitors`: pages, maps, scrapes and questions that are watched on a schedule, and the history of what has changed.

mod check_account;
mod claim;
mod records;
mod run_check;
mod schedule;
mod watcher;

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use store::Store;
use tokio::sync::Notify;
use wire::Code;
use wire::monitors::{CreateMonitor, Monitor, MonitorHistory, MonitorList, UpdateMonitor};

use crate::due_index::to_millis;
use crate::error::ServiceError;
use crate::webhooks::{is_id, new_id};
use records::{DUE, StoredMonitor};
pub(crate) use watcher::Watcher;

/// Most monitors of one owner.
const MAX_MONITORS: usize = 100;
/// How often a change is tried again that another process got in between.
const TRIES: usize = 8;
/// Most versions in one answer.
const MAX_LISTED: usize = 100;
/// When a client may ask again to check a monitor that is being checked.
const CHECKING: Duration = Duration::from_secs(2);

/// The monitors of a store. Cheap to clone; clones are the same.
#[derive(Clone)]
pub struct Monitors {
    store: Store,
    /// Tells the watcher of this process that something may be due.
    woken: Arc<Notify>,
}

fn unknown() -> ServiceError {
    ServiceError::new(Code::NotFound, "there is no monitor of this id")
}

fn busy() -> ServiceError {
    let text = "somebody else is changing the same; send the request again";
    ServiceError::new(Code::Conflict, text)
}

impl Monitors {
    pub(crate) fn new(store: Store, woken: Arc<Notify>) -> Self {
        Self { store, woken }
    }

    /// Begins to watch. The first check is due at once.
    ///
    /// # Errors
    /// Naming the schedule when it is none or never comes, or when the owner has as many monitors as may be.
    pub async fn create(&self, owner: &str, request: CreateMonitor) -> Result<Monitor, ServiceError> {
        let now = to_millis(Timestamp::now());
        schedule::next(&request.schedule, now, now)?;
        if records::count(&self.store, owner, MAX_MONITORS).await? >= MAX_MONITORS {
            let text =
                format!("there are {MAX_MONITORS} monitors already, which is the most; delete one first");
            return Err(ServiceError::new(Code::InvalidRequest, text));
        }
        let monitor = StoredMonitor {
            id: new_id("mon_")?,
            owner: owner.to_owned(),
            request,
            paused: false,
            created_at: now,
            due: now,
            slot: None,
            claimed_until: None,
            claims: 0,
            checked_at: None,
            checks: 0,
            version: 0,
            content: 0,
            error: None,
            volatility: agents::watch::Volatility::new(),
        };
        DUE.add(&self.store, now, &monitor.key()).await?;
        records::put(&self.store, &monitor, 0).await?;
        self.woken.notify_waiters();
        Ok(monitor.shown())
    }

    async fn stored(&self, owner: &str, id: &str) -> Result<(StoredMonitor, u64), ServiceError> {
        if !is_id(id, "mon_") {
            return Err(unknown());
        }
        let key = records::key(owner, id);
        records::get(&self.store, &key).await?.ok_or_else(unknown)
    }

    /// A monitor.
    ///
    /// # Errors
    /// When the owner has none of this id.
    pub async fn get(&self, owner: &str, id: &str) -> Result<Monitor, ServiceError> {
        Ok(self.stored(owner, id).await?.0.shown())
    }

    /// The monitors of an owner, by id.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list(&self, owner: &str) -> Result<MonitorList, ServiceError> {
        let monitors = records::list(&self.store, owner, MAX_MONITORS).await?;
        Ok(MonitorList {
            monitors: monitors.into_iter().map(StoredMonitor::shown).collect(),
        })
    }

    /// Changes what is given. A new schedule holds from now on. A check that goes on meanwhile has no effect: it is done again, unless
    /// the monitor is paused.
    ///
    /// # Errors
    /// When the owner has none of this id, or the schedule never comes.
    pub async fn update(
        &self,
        owner: &str,
        id: &str,
        update: UpdateMonitor,
    ) -> Result<Monitor, ServiceError> {
        self.change(owner, id, |monitor| {
            let now = to_millis(Timestamp::now());
            let UpdateMonitor {
                name,
                paused,
                schedule,
                conditions,
                when,
            } = update.clone();
            let resumes = monitor.paused && paused == Some(false);
            let has_schedule = schedule.is_some();
            monitor.request.name = name.unwrap_or(std::mem::take(&mut monitor.request.name));
            monitor.request.schedule = schedule.unwrap_or(std::mem::take(&mut monitor.request.schedule));
            monitor.request.conditions =
                conditions.unwrap_or(std::mem::take(&mut monitor.request.conditions));
            monitor.request.when = when.unwrap_or(std::mem::take(&mut monitor.request.when));
            monitor.paused = paused.unwrap_or(monitor.paused);
            if has_schedule || resumes {
                monitor.plan_after(now, now)?;
            }
            Ok(())
        })
        .await
    }

    /// Makes a check due at once.
    ///
    /// # Errors
    /// When the owner has none of this id, it is paused, or it is being checked.
    pub async fn check(&self, owner: &str, id: &str) -> Result<Monitor, ServiceError> {
        let due_now = |monitor: &mut StoredMonitor| {
            if monitor.paused {
                let text = "this monitor is paused: resume it first, with {\"paused\": false}";
                return Err(ServiceError::new(Code::Conflict, text));
            }
            if monitor
                .claimed_until
                .is_some_and(|until| Timestamp::now() < until)
            {
                let text =
                    "this monitor is being checked at this moment; send the request again in a few seconds";
                return Err(ServiceError::new(Code::Conflict, text).again_after(CHECKING));
            }
            monitor.plan_at(to_millis(Timestamp::now()));
            Ok(())
        };
        self.change(owner, id, due_now).await
    }

    /// Changes a monitor, and takes it from whoever checks it.
    async fn change(
        &self,
        owner: &str,
        id: &str,
        change: impl Fn(&mut StoredMonitor) -> Result<(), ServiceError>,
    ) -> Result<Monitor, ServiceError> {
        for _ in 0..TRIES {
            let (mut monitor, revision) = self.stored(owner, id).await?;
            let from = monitor.due;
            change(&mut monitor)?;
            if monitor.claimed_until.take().is_some() {
                monitor.claims += 1;
            }
            if records::reschedule(&self.store, &monitor, from, revision).await? {
                self.woken.notify_waiters();
                return Ok(monitor.shown());
            }
        }
        Err(busy())
    }

    /// Deletes a monitor with its history.
    ///
    /// # Errors
    /// When the owner has none of this id.
    pub async fn delete(&self, owner: &str, id: &str) -> Result<(), ServiceError> {
        if !is_id(id, "mon_") || !records::delete(&self.store, owner, id).await? {
            return Err(unknown());
        }
        Ok(())
    }

    /// The last versions of what is watched, the newest first, at most `limit` of them.
    ///
    /// # Errors
    /// When the owner has none of this id.
    pub async fn history(&self, owner: &str, id: &str, limit: usize) -> Result<MonitorHistory, ServiceError> {
        self.stored(owner, id).await?;
        let mut versions = records::versions(&self.store, id).await?;
        versions.reverse();
        versions.truncate(limit.clamp(1, MAX_LISTED));
        Ok(MonitorHistory { versions })
    }

    /// Gives every monitor its entry in the index again.
    pub(crate) async fn tidy(&self) -> Result<(), ServiceError> {
        records::index_all(&self.store).await
    }
}

/// Deletes the monitors of a tenant that is deleted.
pub(crate) async fn forget(store: &Store, owner: &str) -> Result<(), ServiceError> {
    records::delete_all(store, owner).await
}

#[cfg(test)]
mod tests {
    use store::engines::memory::InMemoryStore;

    use super::claim::Claim;
    use super::records::tests::stored;
    use super::*;

    #[tokio::test]
    async fn a_monitor_that_is_checked_can_be_changed_and_its_check_has_no_effect() {
        let store = InMemoryStore::open();
        let monitor = StoredMonitor {
            id: format!("mon_{}", "1".repeat(32)),
            ..stored()
        };
        let (owner, id) = (monitor.owner.clone(), monitor.id.clone());
        let revision = records::put(&store, &monitor, 0).await.unwrap().unwrap();
        let monitors = Monitors::new(store.clone(), Arc::default());
        let claim = Claim::take(&store, monitor, revision).await.unwrap().unwrap();
        let refused = monitors.check(&owner, &id).await.unwrap_err();
        assert_eq!(refused.code, Code::Conflict);
        assert!(records::is_due_still(&store, claim.monitor()).await.unwrap());
        let pause = UpdateMonitor {
            paused: Some(true),
            ..UpdateMonitor::default()
        };
        assert!(monitors.update(&owner, &id, pause).await.unwrap().paused);
        assert!(!records::is_due_still(&store, claim.monitor()).await.unwrap());
        assert!(!records::is_claimed(&store, claim.monitor()).await.unwrap());
        let checked = claim.monitor().clone();
        assert!(!claim.end(checked).await.unwrap());
        assert!(monitors.get(&owner, &id).await.unwrap().paused);
    }
}
