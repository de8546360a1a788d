//! `Watcher`: does the checks that are due.
//!
//! Of the servers on a store the one whose claim is written does a check; the claim of a server that died runs out, and the
//! same slot is done again. A version is written once, and told under the same id whoever tells it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agents::watch::{self, Comparison, WatchedContent};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use wire::Code;
use wire::monitors::{MonitorVersion, WatchTarget};
use wire::stamp::iso;
use wire::webhooks::WebhookEvent;

use super::check_account::CheckAccount;
use super::claim::Claim;
use super::records::{self, DUE, StoredMonitor};
use super::{Monitors, run_check};
use crate::due_index::{DueEntry, FailedEntries, to_millis};
use crate::error::ServiceError;
use crate::fault;
use crate::service::Service;
use crate::tenants::Tenants;
use crate::tenants::policy::SharedTenantServices;

/// How often the store is asked where nothing else says that something may be due.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Checks that one process does at once.
const MAX_AT_ONCE: usize = 4;
/// How long one reading of what is watched may take. A check reads up to `watch::MAX_FURTHER_READINGS` times more.
const READING: Duration = Duration::from_secs(120);
/// How long an entry without a monitor is left to whoever may be writing the monitor.
const ORPHAN: SignedDuration = SignedDuration::from_mins(2);

/// Does checks in one process. Cheap to clone; clones are the same.
#[derive(Clone)]
pub(crate) struct Watcher(Arc<WatcherInner>);

struct WatcherInner {
    service: Service,
    services: SharedTenantServices,
    monitors: Monitors,
    tenants: Tenants,
    /// Monitors that are being checked, and whether that is done here: a run is done by workers.
    checking: Mutex<HashMap<String, bool>>,
    failed: FailedEntries,
}

impl Watcher {
    pub(crate) fn new(service: Service, services: SharedTenantServices, tenants: Tenants) -> Self {
        Self(Arc::new(WatcherInner {
            monitors: service.monitors(),
            service,
            services,
            tenants,
            checking: Mutex::default(),
            failed: FailedEntries::default(),
        }))
    }

    fn checking(&self) -> MutexGuard<'_, HashMap<String, bool>> {
        self.0.checking.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does what is due until the process closes.
    pub(crate) async fn run(self, closing: CancellationToken, tasks: TaskTracker) {
        loop {
            let woken = self.0.monitors.woken.notified();
            tokio::pin!(woken);
            // From here on nothing that wakes is missed.
            woken.as_mut().enable();
            if let Err(error) = self.round(&closing, &tasks).await {
                tracing::error!(%error, "monitors cannot be looked up");
            }
            tokio::select! {
                () = closing.cancelled() => return,
                () = woken => {}
                () = tokio::time::sleep(POLL_INTERVAL) => {}
            }
        }
    }

    /// Begins the checks that are due, as far as there is room.
    async fn round(&self, closing: &CancellationToken, tasks: &TaskTracker) -> Result<(), ServiceError> {
        let now = to_millis(Timestamp::now());
        let mut entries = DUE.scan(self.0.service.store(), now);
        while let Some(entry) = entries.next().await? {
            if self.checking().values().filter(|is_here| **is_here).count() >= MAX_AT_ONCE {
                return Ok(());
            }
            if self.checking().contains_key(&entry.key) || self.0.failed.has(&entry.key) {
                continue;
            }
            let claimed = self.claim(&entry, now).await;
            if let Some(claim) = self.0.failed.unless_failed(&entry.key, claimed)? {
                self.begin(entry.key, claim, closing, tasks);
            }
        }
        Ok(())
    }

    /// Begins a check.
    fn begin(&self, key: String, claim: Claim, closing: &CancellationToken, tasks: &TaskTracker) {
        let is_here = run_check::job(claim.monitor()).is_none();
        self.checking().insert(key.clone(), is_here);
        let (this, closing) = (self.clone(), closing.clone());
        tasks.spawn(async move {
            // Boxed, as a check holds the states of everything that it may read.
            if let Err(error) = fault::caught(Box::pin(this.check(claim, &closing))).await {
                tracing::error!(%error, "a check cannot be written down");
            }
            this.checking().remove(&key);
            this.0.monitors.woken.notify_waiters();
        });
    }

    /// Claims the monitor of an entry, if it is due by its own word and no server has claimed it. An entry without one is
    /// removed.
    async fn claim(&self, entry: &DueEntry, now: Timestamp) -> Result<Option<Claim>, ServiceError> {
        let store = self.0.service.store();
        let Some((monitor, revision)) = records::get(store, &entry.key).await? else {
            if now > entry.due + ORPHAN {
                DUE.remove(store, entry.due, &entry.key).await?;
            }
            return Ok(None);
        };
        if monitor.claimed_until.is_some_and(|until| now < until) {
            return Ok(None);
        }
        if monitor.paused || monitor.due != entry.due {
            DUE.remove(store, entry.due, &entry.key).await?;
            return Ok(None);
        }
        Claim::take(store, monitor, revision).await
    }

    /// Reads what is watched, compares it, and writes down what came of it.
    async fn check(&self, mut claim: Claim, closing: &CancellationToken) -> Result<(), ServiceError> {
        let store = self.0.service.store();
        let mut monitor = claim.monitor().clone();
        let now = to_millis(Timestamp::now());
        monitor.checks += 1;
        monitor.checked_at = Some(now);
        let versions = monitor.version;
        let work = async {
            tokio::select! {
                // A fault met in what is watched is told as other errors, and the monitor is checked again in its time.
                taken = fault::caught(self.read_and_take(&mut monitor, now)) => Some(taken),
                () = closing.cancelled() => None,
            }
        };
        let taken = match claim.hold(work).await {
            Some(Some(taken)) => taken,
            // A successor does the check.
            Some(None) => return claim.release().await,
            None => {
                let id = &claim.monitor().id;
                tracing::info!(
                    monitor = id,
                    "a check is given up, since its monitor was written by another"
                );
                return claim.give_up().await;
            }
        };
        if !records::is_claimed(store, &monitor).await? {
            return claim.give_up().await;
        }
        match taken {
            Ok(()) => {
                if monitor.error.take().is_some() {
                    tracing::info!(monitor = monitor.id, "a monitor reads again what it watches");
                }
            }
            Err(error) => {
                tracing::warn!(
                    monitor = monitor.id,
                    code = error.code.as_str(),
                    "a check gave nothing"
                );
                self.fail(&mut monitor, &error, now).await?;
            }
        }
        let slot = monitor.slot.unwrap_or(monitor.due);
        monitor.plan_after(slot, to_millis(Timestamp::now()))?;
        let (id, content, version) = (monitor.id.clone(), monitor.content, monitor.version);
        let keep = u64::from(monitor.request.keep.unwrap_or(1));
        if claim.end(monitor).await? {
            records::prune_content(store, &id, content).await?;
            if version > versions {
                records::prune_versions(store, &id, version, keep).await?;
            }
        }
        Ok(())
    }

    async fn read_and_take(&self, monitor: &mut StoredMonitor, now: Timestamp) -> Result<(), ServiceError> {
        let mut account = CheckAccount::open(&self.0.tenants, &self.0.services, monitor).await?;
        let (content, truncated) = self.read(monitor, &mut account).await?;
        self.take(monitor, &mut account, content, truncated, now).await
    }

    /// Reads what is watched, on the account of the owner.
    async fn read(
        &self,
        monitor: &StoredMonitor,
        account: &mut CheckAccount,
    ) -> Result<(WatchedContent, bool), ServiceError> {
        let services = &account.services;
        if let Some(job) = run_check::job(monitor) {
            let admitted = account.admitted.clone();
            let content = run_check::run_of_slot(&self.0.service, services, monitor, job, admitted);
            return content.await.map(|content| (content, false));
        }
        let reading = async {
            match monitor.request.target() {
                WatchTarget::Map(request) => watch::read_map(services, request).await,
                WatchTarget::Page(_) | WatchTarget::Scrape(_) | WatchTarget::Research(_) => {
                    let was_read = monitor.version > 0;
                    watch::read(services, &monitor.request.url, monitor.request.part, was_read).await
                }
            }
        };
        let read = tokio::time::timeout(READING, reading).await;
        account.meter.page();
        let late = || {
            let text = format!("what is watched did not come within {} s", READING.as_secs());
            ServiceError::new(Code::NavigationTimeout, text)
        };
        read.map_err(|_| late())?.map_err(ServiceError::from)
    }

    /// Compares a content with the one before, and makes a version of it where it has changed.
    async fn take(
        &self,
        monitor: &mut StoredMonitor,
        account: &mut CheckAccount,
        content: WatchedContent,
        truncated: bool,
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        let store = self.0.service.store();
        let request = &monitor.request;
        // A field of a condition may be gone later on: that is a change like others.
        let conditions = match monitor.version {
            0 => request.conditions.as_slice(),
            _ => &[],
        };
        if let Some(text) = watch::unknown_field(&content, request.key.as_deref(), conditions) {
            return Err(ServiceError::new(Code::InvalidRequest, text));
        }
        let before = match monitor.version {
            0 => None,
            _ => match records::content(store, &monitor.id, monitor.content).await {
                Ok(before) => Some(before),
                Err(error) if error.code == Code::StoreUnavailable => return Err(error),
                Err(_) => {
                    self.put_content(monitor, &content).await?;
                    let text = "what was seen before cannot be read: whether it has changed since is not known, and changes \
                                from now on are told";
                    return Err(ServiceError::new(Code::Internal, text));
                }
            },
        };
        let compared = match before {
            Some(before) if before == content => {
                monitor.volatility = watch::Volatility::new();
                return Ok(());
            }
            Some(before) => Some(self.compared(monitor, account, before, &content).await?),
            None => None,
        };
        let matched = match &compared {
            Some(compared) => matches(monitor, account, &content, compared).await?,
            None => false,
        };
        // Reading and comparing take their time: of a monitor that was deleted meanwhile nothing is kept or told.
        if !records::is_claimed(store, monitor).await? {
            return Ok(());
        }
        self.put_content(monitor, &content).await?;
        let change = match compared {
            Some(Comparison {
                change, volatility, ..
            }) => {
                monitor.volatility = volatility;
                match change {
                    Some(change) => Some(change),
                    None => return Ok(()),
                }
            }
            None => None,
        };
        monitor.version += 1;
        let mut version = MonitorVersion {
            version: monitor.version,
            at: now,
            change,
            matched,
            truncated,
        };
        records::put_version(store, &monitor.id, &mut version).await?;
        if matched {
            self.announce(monitor, &version).await?;
        }
        Ok(())
    }

    /// Keeps the newest content, under the number of the claim, so that the content before stays until the monitor says
    /// otherwise.
    async fn put_content(
        &self,
        monitor: &mut StoredMonitor,
        content: &WatchedContent,
    ) -> Result<(), ServiceError> {
        records::put_content(self.0.service.store(), &monitor.id, monitor.claims, content).await?;
        monitor.content = monitor.claims;
        Ok(())
    }

    /// Compares a content with the one before. A change of a page or a map is looked for again at once: what does not stay
    /// the same from one reading to the next is noise. What a run gave is compared as it is, and answers by a model.
    async fn compared(
        &self,
        monitor: &StoredMonitor,
        account: &mut CheckAccount,
        before: WatchedContent,
        content: &WatchedContent,
    ) -> Result<Comparison, ServiceError> {
        if let WatchTarget::Research(request) = monitor.request.target() {
            let changes = watch::differences(&account.services, &request.query, &before, content).await?;
            return Ok(Comparison::of_answers(changes, content));
        }
        let is_run = run_check::job(monitor).is_some();
        let mut again = Vec::new();
        loop {
            let compared = compare(monitor, before.clone(), content.clone(), again.clone()).await?;
            if compared.change.is_none() || is_run || again.len() == watch::MAX_FURTHER_READINGS {
                return Ok(compared);
            }
            match self.read(monitor, account).await {
                Ok((further, _)) => again.push(further),
                // It was read a moment ago; what it said then is told.
                Err(_) => return Ok(compared),
            }
        }
    }

    async fn announce(&self, monitor: &StoredMonitor, version: &MonitorVersion) -> Result<(), ServiceError> {
        let what = format!("{} {}", monitor.id, version.version);
        let data = json!({
            "monitor": monitor.id, "name": monitor.request.name, "url": monitor.request.subject(),
            "version": version.version, "at": iso(version.at), "change": version.change,
        });
        let webhooks = self.0.service.webhooks();
        webhooks
            .announce(&monitor.owner, WebhookEvent::MonitorChanged, &what, data)
            .await
    }

    /// Notes that a check gave nothing; the first of several in a row is told.
    async fn fail(
        &self,
        monitor: &mut StoredMonitor,
        error: &ServiceError,
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        let was_well = monitor.error.replace(error.message.clone()).is_none();
        if !was_well {
            return Ok(());
        }
        let what = format!("{} failed {}", monitor.id, monitor.checks);
        let data = json!({
            "monitor": monitor.id, "name": monitor.request.name, "url": monitor.request.subject(),
            "at": iso(now), "code": error.code.as_str(), "error": error.message,
        });
        let webhooks = self.0.service.webhooks();
        webhooks
            .announce(&monitor.owner, WebhookEvent::MonitorFailed, &what, data)
            .await
    }
}

/// Whether a change is what the owner waits for: by rules first, then by a model.
async fn matches(
    monitor: &StoredMonitor,
    account: &CheckAccount,
    content: &WatchedContent,
    compared: &Comparison,
) -> Result<bool, ServiceError> {
    let Some(change) = &compared.change else {
        return Ok(false);
    };
    if !watch::hold(&monitor.request.conditions, &compared.changed) {
        return Ok(false);
    }
    for condition in &monitor.request.when {
        if !watch::holds(&account.services, condition, content, change).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Compares two contents off the threads that wait for the network.
async fn compare(
    monitor: &StoredMonitor,
    before: WatchedContent,
    after: WatchedContent,
    again: Vec<WatchedContent>,
) -> Result<Comparison, ServiceError> {
    let (key, volatility) = (monitor.request.key.clone(), monitor.volatility.clone());
    let work = move || watch::compare(&before, &after, &again, key.as_deref(), &volatility);
    let compared = tokio::task::spawn_blocking(work).await;
    compared.map_err(|_| ServiceError::new(Code::Internal, "two versions cannot be compared"))
}
