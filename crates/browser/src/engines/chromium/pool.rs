//! Pool of browsers: few processes, shared by many runs, each run in a browser context of its own.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use net::Client;
use net::proxy::{Proxy, ProxyConfig, TrafficBudget};
use tokio::sync::{Mutex as AsyncMutex, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::cast_frames;
use super::cdp::target::{CreateBrowserContext, DisposeBrowserContext, SetAutoAttach};
use super::cdp::{BROWSER_SESSION, CdpError, Connection};
use super::endpoint::{self, EndpointFailure};
use super::launch::{BrowserProcess, LaunchOptions, launch};
use super::profile_folder::{self, ProfileSweep};
use super::router::EventRouter;
use super::screencast;
use super::settings::ChromiumSettings;
use super::tracker::ContextTracker;
use crate::browser::{BrowserEvent, Profile};
use crate::error::Error;

/// Contexts that share one browser before another one is started.
const CONTEXTS_PER_BROWSER: usize = 8;
/// Contexts after which a browser is retired, so that what it leaks goes with it.
const CONTEXTS_IN_LIFE: usize = 300;
/// How long a browser without contexts is kept for the next one.
const IDLE_LIFETIME: Duration = Duration::from_secs(20);
/// Time between two checks whether a browser is to be retired.
const RETIREMENT_CHECK: Duration = Duration::from_secs(5);
/// The longest wait for a new context.
const CONTEXT_TIMEOUT: Duration = Duration::from_secs(20);
/// Browsers that may end, one after the other, while a context is created in them.
const CONTEXT_ATTEMPTS: usize = 3;

pub(super) struct BrowserPool {
    pub(super) client: Client,
    pub(super) settings: ChromiumSettings,
    browsers: AsyncMutex<Vec<Arc<PooledBrowser>>>,
    /// Contexts that may exist at once.
    slots: Arc<Semaphore>,
    /// Removes once what dead processes left behind.
    sweep: Arc<ProfileSweep>,
}

/// One browser and the contexts in it.
pub(super) struct PooledBrowser {
    connection: Connection,
    version: String,
    /// Absent for one that was reached at an endpoint.
    process: Option<BrowserProcess>,
    /// Whether it runs on this machine, from where it reaches our proxies.
    is_local: bool,
    router: Arc<EventRouter>,
    contexts: AtomicUsize,
    served: AtomicUsize,
    idle_since: Mutex<Instant>,
}

/// A browser context of one run: its own cookies, storage and proxy. Dropping it disposes of it.
pub(super) struct BrowserContext {
    browser: Arc<PooledBrowser>,
    pub(super) tracker: Arc<ContextTracker>,
    /// Absent where the browser runs on another machine, from where it cannot reach us.
    pub(super) proxy: Option<Proxy>,
    _slot: OwnedSemaphorePermit,
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
            browsers: AsyncMutex::default(),
            slots: Arc::new(Semaphore::new(slots)),
            sweep,
        })
    }

    /// Starts or reaches a browser and gives its name and version.
    pub(super) async fn check(self: &Arc<Self>) -> Result<String, Error> {
        let (browser, _) = self.browser(0, &mut Vec::new()).await?;
        Ok(browser.version.clone())
    }

    pub(super) async fn processes(&self) -> Vec<u32> {
        let browsers = self.browsers.lock().await;
        browsers
            .iter()
            .filter(|browser| !browser.connection.is_closed())
            .filter_map(|browser| browser.process.as_ref().map(BrowserProcess::pid))
            .collect()
    }

    pub(super) async fn stop(&self) {
        for browser in self.browsers.lock().await.drain(..) {
            browser.connection.close();
            if let Some(pid) = browser.process.as_ref().map(BrowserProcess::pid) {
                profile_folder::kill(pid);
            }
        }
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
        let slot = self.slots.clone().acquire_owned().await;
        let slot = slot.map_err(|_| Error::Unavailable("the engine is closing".into()))?;
        // A browser may end between being chosen and being used; then another one is.
        for _ in 0..CONTEXT_ATTEMPTS {
            let (browser, index) = self.browser(first, news).await?;
            let error = match self.create_context(&browser, profile, budget).await {
                Ok((tracker, proxy)) => {
                    let context = BrowserContext {
                        browser,
                        tracker,
                        proxy,
                        _slot: slot,
                    };
                    return Ok((context, index));
                }
                Err(error) => error,
            };
            browser.release();
            match error {
                CdpError::Disconnected => {}
                CdpError::Refused(why) => {
                    return Err(Error::Unavailable(format!("it gives no new context ({why})")));
                }
                CdpError::Unreadable => {
                    return Err(Error::Unavailable("its answers cannot be read".into()));
                }
            }
        }
        Err(Error::Unavailable(
            "browsers end as soon as they are started".into(),
        ))
    }

    async fn create_context(
        &self,
        browser: &Arc<PooledBrowser>,
        profile: &Profile,
        budget: &Arc<TrafficBudget>,
    ) -> Result<(Arc<ContextTracker>, Option<Proxy>), CdpError> {
        let mut proxy = None;
        if browser.is_local {
            let config = ProxyConfig {
                gate: profile.gate.as_ref().map(|gate| gate.0.clone()),
                granted: profile.granted.clone(),
                budget: budget.clone(),
            };
            let client = profile.client.as_ref().unwrap_or(&self.client);
            let started = Proxy::start(client, config).await;
            proxy = Some(started.map_err(|why| CdpError::Refused(why.to_string()))?);
        } else if profile.client.is_some() {
            let why = "a browser on another machine loads pages by its own network, so neither geo_target nor the hosts of a \
                 tenant's policy can be had";
            return Err(CdpError::Refused(why.to_owned()));
        }
        let address = proxy.as_ref().map(Proxy::url);
        let command = CreateBrowserContext {
            dispose_on_detach: true,
            proxy_server: address.as_deref(),
            proxy_bypass_list: address.as_ref().map(|_| "<-loopback>"),
        };
        let connection = &browser.connection;
        let creating = connection.call(BROWSER_SESSION, &command).receive();
        let created = timeout(CONTEXT_TIMEOUT, creating).await;
        let created = created.map_err(|_| CdpError::Refused("it does not answer".into()))??;
        let id = created.browser_context_id;
        let (sender, frames) = cast_frames::channel();
        let sender = profile.screencast.as_ref().map(|_| sender);
        let tracker = ContextTracker::new(connection.clone(), id.clone(), profile, proxy.as_ref(), sender);
        if let Some(cast) = &profile.screencast {
            screencast::spawn(&tracker, cast, frames);
        }
        browser.router.add(&id, &tracker);
        Ok((tracker, proxy))
    }

    /// A browser with room for a context, or a new one; the context is counted.
    async fn browser(
        self: &Arc<Self>,
        first: usize,
        news: &mut Vec<BrowserEvent>,
    ) -> Result<(Arc<PooledBrowser>, usize), Error> {
        let mut browsers = self.browsers.lock().await;
        browsers.retain(|browser| !browser.connection.is_closed());
        if !self.settings.endpoints.is_empty() {
            let (connection, version, index) = self.connect_endpoint(first, news).await?;
            let is_local = self.settings.endpoints.get(index).is_some_and(endpoint::is_local);
            let browser = PooledBrowser::claimed(connection, version, None, is_local);
            return Ok((browser, index));
        }
        let usable =
            |browser: &&Arc<PooledBrowser>| browser.served.load(Ordering::Relaxed) < CONTEXTS_IN_LIFE;
        let load = |browser: &&Arc<PooledBrowser>| browser.contexts.load(Ordering::Relaxed);
        let mut usable_browsers = browsers.iter().filter(usable);
        let with_room = usable_browsers.find(|browser| load(browser) < CONTEXTS_PER_BROWSER);
        let is_full = browsers.len() >= self.settings.browsers.max(1);
        let least_loaded = || browsers.iter().min_by_key(load).filter(|_| is_full);
        if let Some(browser) = with_room.or_else(least_loaded) {
            browser.claim();
            return Ok((browser.clone(), 0));
        }
        // A launch waits for the sweep: no two processes may use what one of them removes.
        let (sweep, base) = (self.sweep.clone(), self.settings.folder.clone());
        let swept = tokio::task::spawn_blocking(move || sweep.run(&base)).await;
        swept.map_err(|why| Error::Unavailable(format!("its folders cannot be cleared ({why})")))?;
        let options = LaunchOptions {
            program: self.settings.program.clone(),
            sandbox: self.settings.sandbox,
            switches: self.settings.switches.clone(),
            base: self.settings.folder.clone(),
            process_bytes: self.settings.process_bytes,
        };
        let (process, version) = launch(&options).await?;
        let browser = PooledBrowser::claimed(process.connection.clone(), version, Some(process), true);
        browsers.push(browser.clone());
        tokio::spawn(retire(Arc::downgrade(self), Arc::downgrade(&browser)));
        Ok((browser, 0))
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

/// Ends a browser that has been idle for a while, or is worn out.
async fn retire(pool: Weak<BrowserPool>, browser: Weak<PooledBrowser>) {
    loop {
        tokio::time::sleep(RETIREMENT_CHECK).await;
        let (Some(pool), Some(browser)) = (pool.upgrade(), browser.upgrade()) else {
            return;
        };
        let mut browsers = pool.browsers.lock().await;
        let idle_since = *browser.idle_since.lock().unwrap_or_else(PoisonError::into_inner);
        let is_empty = browser.contexts.load(Ordering::Relaxed) == 0;
        let is_worn_out = browser.served.load(Ordering::Relaxed) >= CONTEXTS_IN_LIFE;
        let is_expired = is_worn_out || idle_since.elapsed() >= IDLE_LIFETIME;
        if browser.connection.is_closed() || (is_empty && is_expired) {
            browsers.retain(|other| !Arc::ptr_eq(other, &browser));
            browser.connection.close();
            return;
        }
    }
}

impl PooledBrowser {
    /// A browser in which one context is about to be created.
    fn claimed(
        connection: Connection,
        version: String,
        process: Option<BrowserProcess>,
        is_local: bool,
    ) -> Arc<PooledBrowser> {
        let router = EventRouter::new(&connection);
        connection.send(BROWSER_SESSION, &SetAutoAttach::PAUSED);
        Arc::new(PooledBrowser {
            connection,
            version,
            process,
            is_local,
            router,
            contexts: AtomicUsize::new(1),
            served: AtomicUsize::new(1),
            idle_since: Mutex::new(Instant::now()),
        })
    }

    fn claim(&self) {
        self.contexts.fetch_add(1, Ordering::Relaxed);
        self.served.fetch_add(1, Ordering::Relaxed);
    }

    fn release(&self) {
        *self.idle_since.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.contexts.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Drop for PooledBrowser {
    fn drop(&mut self) {
        self.connection.close();
    }
}

impl Drop for BrowserContext {
    fn drop(&mut self) {
        let browser_context_id = self.tracker.context_id.as_str();
        let dispose = DisposeBrowserContext { browser_context_id };
        self.browser.connection.send(BROWSER_SESSION, &dispose);
        self.browser.router.remove(browser_context_id);
        self.browser.release();
    }
}
