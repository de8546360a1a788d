//! Pool of browsers: few processes, shared by many runs, each run in a browser context of its own.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use futures_util::FutureExt as _;
use net::proxy::TrafficBudget;
use net::{CancellationToken, Client};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tracing::Instrument as _;

use super::browser_context::{BrowserContext, ContextPlace};
use super::cdp::{CdpError, Connection};
use super::endpoint::{self, EndpointFailure};
use super::launch::{LaunchOptions, launch};
use super::pooled_browser::{
    BrowserClaim, CONTEXTS_PER_BROWSER, ConnectedBrowser, PooledBrowser, SharedLaunch,
};
use super::profile_folder::ProfileSweep;
use super::settings::ChromiumSettings;
use crate::browser::{BrowserEvent, Profile};
use crate::error::Error;

/// Time between two checks whether a browser has been idle for too long.
const RETIREMENT_CHECK: Duration = Duration::from_secs(5);
/// Browsers that may end, one after the other, while a context is created in them.
pub(super) const CONTEXT_ATTEMPTS: usize = 3;

pub(super) struct BrowserPool {
    pub(super) client: Client,
    pub(super) settings: ChromiumSettings,
    state: Mutex<PoolState>,
    /// Told of each place that becomes free, and of each browser that ends.
    changed: Arc<Notify>,
    /// Contexts that may exist at once.
    slots: Arc<Semaphore>,
    /// Removes once what dead processes left behind.
    sweep: Arc<ProfileSweep>,
}

#[derive(Default)]
struct PoolState {
    browsers: Vec<Arc<PooledBrowser>>,
    /// Ends the launches under way.
    stopping: CancellationToken,
}

impl BrowserPool {
    pub(super) fn new(client: Client, settings: ChromiumSettings) -> Arc<BrowserPool> {
        let slots = settings.browsers.max(1) * CONTEXTS_PER_BROWSER;
        let sweep = Arc::<ProfileSweep>::default();
        if settings.endpoints.is_empty() {
            sweep.start(settings.folder.clone());
        }
        Arc::new(BrowserPool {
            client,
            settings,
            state: Mutex::default(),
            changed: Arc::default(),
            slots: Arc::new(Semaphore::new(slots)),
            sweep,
        })
    }

    fn state(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts or reaches a browser and gives its name and version.
    pub(super) async fn check(self: &Arc<Self>) -> Result<String, Error> {
        let slot = self.slot().await?;
        let (place, _) = self.place(slot, 0, &mut Vec::new()).await?;
        Ok(place.browser.version.clone())
    }

    pub(super) fn processes(&self) -> Vec<u32> {
        let state = self.state();
        let connected = state.browsers.iter().filter_map(|browser| browser.connected());
        connected.filter_map(|browser| browser.pid()).collect()
    }

    /// Ends every browser, those that are being launched too.
    pub(super) fn stop(&self) {
        let stopped = std::mem::take(&mut *self.state());
        stopped.stopping.cancel();
        for browser in &stopped.browsers {
            browser.stop();
        }
        self.changed.notify_waiters();
    }

    /// A context for a run, and the index of its endpoint. Endpoints before `first` are not tried; `news` gets what was
    /// tried.
    pub(super) async fn context(
        self: &Arc<Self>,
        profile: &Profile,
        budget: &Arc<TrafficBudget>,
        first: usize,
        news: &mut Vec<BrowserEvent>,
    ) -> Result<(BrowserContext, usize), Error> {
        let slot = self.slot().await?;
        // A browser may end between being chosen and being used; then another one is.
        for _ in 0..CONTEXT_ATTEMPTS {
            let (place, index) = self.place(slot.clone(), first, news).await?;
            let (client, profile, budget) = (self.client.clone(), profile.clone(), budget.clone());
            let creating = BrowserContext::create(place, client, profile, budget);
            // In a task of its own: where the caller no longer waits, it still comes to its end.
            let created = tokio::spawn(creating.in_current_span()).await;
            let created = created.map_err(|why| {
                Error::Unavailable(format!("the creation of a context ended early ({why})"))
            })?;
            match created {
                Ok(context) => return Ok((context, index)),
                Err(CdpError::Disconnected) => {}
                Err(CdpError::Refused(why)) => {
                    return Err(Error::Unavailable(format!("it gives no new context ({why})")));
                }
                Err(CdpError::Unreadable) => {
                    return Err(Error::Unavailable("its answers cannot be read".into()));
                }
            }
        }
        Err(Error::Unavailable(
            "browsers end as soon as they are started".into(),
        ))
    }

    async fn slot(&self) -> Result<Arc<OwnedSemaphorePermit>, Error> {
        let slot = self.slots.clone().acquire_owned().await;
        slot.map(Arc::new)
            .map_err(|_| Error::Unavailable("the engine is closing".into()))
    }

    /// A place for a context in a browser that has answered, and the index of its endpoint.
    async fn place(
        self: &Arc<Self>,
        slot: Arc<OwnedSemaphorePermit>,
        first: usize,
        news: &mut Vec<BrowserEvent>,
    ) -> Result<(ContextPlace, usize), Error> {
        let (browser, claim, index) = if self.settings.endpoints.is_empty() {
            let claim = self.claim().await;
            (claim.connected().await?, Some(claim), 0)
        } else {
            let (connection, version, index) = self.connect_endpoint(first, news).await?;
            let is_local = self.settings.endpoints.get(index).is_some_and(endpoint::is_local);
            (
                ConnectedBrowser::remote(connection, version, is_local),
                None,
                index,
            )
        };
        let place = ContextPlace {
            browser,
            claim,
            _slot: slot,
        };
        Ok((place, index))
    }

    /// Claims a place in a browser, as soon as there is one.
    async fn claim(self: &Arc<Self>) -> BrowserClaim {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            // A change between the look and the wait ends the wait too.
            changed.as_mut().enable();
            if let Some(claim) = self.try_claim() {
                return claim;
            }
            changed.await;
        }
    }

    /// Claims a place in a browser that runs, or else in one that starts, or else in a new one, or else in the worn-out one with
    /// the fewest contexts. None when all are full.
    fn try_claim(self: &Arc<Self>) -> Option<BrowserClaim> {
        let mut state = self.state();
        let living = || state.browsers.iter().filter(|browser| !browser.has_ended());
        let claim = living()
            .filter(|browser| !browser.is_starting())
            .chain(living().filter(|browser| browser.is_starting()))
            .find_map(PooledBrowser::claim);
        if claim.is_some() {
            return claim;
        }
        // Worn-out browsers may have contexts for long: others take their places meanwhile, up to twice as many in all.
        let most = self.settings.browsers.max(1);
        let worn_out = living().filter(|browser| browser.is_worn_out()).count();
        if living().count() >= most + worn_out.min(most) {
            let mut worn_out: Vec<_> = living().filter(|browser| browser.is_worn_out()).collect();
            worn_out.sort_by_key(|browser| browser.contexts());
            return worn_out.into_iter().find_map(PooledBrowser::claim_worn_out);
        }
        let browser = self.start_browser(state.stopping.clone());
        let claim = browser.claim();
        state.browsers.push(browser);
        claim
    }

    fn start_browser(self: &Arc<Self>, stopping: CancellationToken) -> Arc<PooledBrowser> {
        let options = LaunchOptions {
            program: self.settings.program.clone(),
            sandbox: self.settings.sandbox,
            switches: self.settings.switches.clone(),
            base: self.settings.folder.clone(),
            process_bytes: self.settings.process_bytes,
        };
        let sweep = self.sweep.clone();
        let stopped = stopping.clone();
        let launching = async move {
            let launched = stopped.run_until_cancelled(launch_swept(sweep, options)).await;
            launched.unwrap_or_else(|| Err(Error::Unavailable("the engine was stopped".into())))
        };
        let browser = PooledBrowser::new(launching.boxed(), self.changed.clone());
        let attending = attend(
            Arc::downgrade(self),
            Arc::downgrade(&browser),
            browser.launch(),
            stopping,
        );
        tokio::spawn(attending);
        browser
    }

    /// Takes a browser out of the pool if it has been idle for a while. From then on nobody claims it. Returns whether.
    fn remove_idle(&self, browser: &Arc<PooledBrowser>) -> bool {
        let mut state = self.state();
        let is_idle = browser.is_idle();
        state
            .browsers
            .retain(|other| !is_idle || !Arc::ptr_eq(other, browser));
        is_idle
    }

    /// Tries the endpoints in order. Only one that refuses the connection or does not answer is skipped.
    async fn connect_endpoint(
        &self,
        first: usize,
        news: &mut Vec<BrowserEvent>,
    ) -> Result<(Connection, String, usize), Error> {
        self.settings.check_endpoints()?;
        let total = self.settings.endpoints.len();
        let mut last = "there is no further endpoint";
        for (index, url) in self.settings.endpoints.iter().enumerate().skip(first) {
            match endpoint::connect(&self.client, url).await {
                Ok((connection, version)) => {
                    news.push(BrowserEvent::EndpointConnected { index, total });
                    return Ok((connection, version, index));
                }
                Err(EndpointFailure::Unreachable(error)) => {
                    last = error;
                    if index + 1 < total {
                        news.push(BrowserEvent::EndpointCycle {
                            attempt: index + 1,
                            total,
                            error,
                        });
                    }
                }
                Err(EndpointFailure::Fatal(error)) => return Err(error),
            }
        }
        Err(Error::Unavailable(format!(
            "no endpoint answered (the last one: {last}); check HUNTSMAN_CDP_ENDPOINTS"
        )))
    }
}

/// Launches a browser once the folders of dead processes are gone: no two processes may use what one of them removes.
async fn launch_swept(
    sweep: Arc<ProfileSweep>,
    options: LaunchOptions,
) -> Result<Arc<ConnectedBrowser>, Error> {
    let base = options.base.clone();
    let swept = tokio::task::spawn_blocking(move || sweep.run(&base)).await;
    swept.map_err(|why| Error::Unavailable(format!("its folders cannot be cleared ({why})")))?;
    let (process, version) = launch(&options).await?;
    Ok(ConnectedBrowser::launched(process, version))
}

/// Launches a browser, ends it when it has been idle for a while or is to stop, and takes it out of the pool when it has
/// ended.
async fn attend(
    pool: Weak<BrowserPool>,
    browser: Weak<PooledBrowser>,
    launching: SharedLaunch,
    stopping: CancellationToken,
) {
    let connection = launching.await.map(|browser| browser.connection.clone());
    if let Ok(connection) = connection {
        let mut is_idle = false;
        while !is_idle {
            tokio::select! {
                () = connection.closed() => break,
                () = stopping.cancelled() => break,
                () = tokio::time::sleep(RETIREMENT_CHECK) => {}
            }
            let (Some(pool), Some(browser)) = (pool.upgrade(), browser.upgrade()) else {
                return;
            };
            is_idle = pool.remove_idle(&browser);
        }
        match browser.upgrade() {
            Some(browser) => browser.stop(),
            None => connection.close(),
        }
    }
    if let Some(pool) = pool.upgrade() {
        pool.state()
            .browsers
            .retain(|other| !std::ptr::eq(Arc::as_ptr(other), browser.as_ptr()));
        pool.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests;
