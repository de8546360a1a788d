//! Which browser a tab gets: few processes, shared by many runs, each run in a context of its own.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError, Weak};
use std::time::Duration;

use net::Client;
use net::proxy::{Proxy, ProxyConfig};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::{Mutex as AsyncMutex, OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::Settings;
use super::endpoint;
use super::folder;
use super::launch::{Launched, Start, launch};
use super::watch::Watch;
use super::wire::{Connection, Events, Fault};
use crate::browser::{News, Profile};
use crate::error::Error;

/// Runs that share one browser before another one is started.
const CONTEXTS: usize = 8;
/// Runs after which a browser is let go, so that what it leaks goes with it.
const SERVED: usize = 300;
/// How long a browser without runs is kept for the next one.
const IDLE: Duration = Duration::from_secs(20);

pub(super) struct Pool {
    pub(super) client: Client,
    pub(super) settings: Settings,
    browsers: AsyncMutex<Vec<Arc<Shared>>>,
    /// Runs that may have a context at once.
    slots: Arc<Semaphore>,
    swept: Once,
}

/// One browser and the contexts in it.
pub(super) struct Shared {
    pub(super) connection: Connection,
    pub(super) version: String,
    launched: Option<Launched>,
    hub: Arc<Hub>,
    contexts: AtomicUsize,
    served: AtomicUsize,
    idle_since: Mutex<Instant>,
}

/// Whose events are whose.
#[derive(Default)]
struct Hub {
    by_context: Mutex<HashMap<String, Weak<Watch>>>,
    by_session: Mutex<HashMap<String, Weak<Watch>>>,
    connection: Mutex<Option<Connection>>,
}

/// A context of one run: its own cookies, storage and way out. Dropping it disposes of all that.
pub(super) struct Context {
    pub(super) browser: Arc<Shared>,
    pub(super) id: String,
    pub(super) watch: Arc<Watch>,
    /// Absent where the browser is too far away to come back to us.
    pub(super) proxy: Option<Proxy>,
    _slot: OwnedSemaphorePermit,
}

#[derive(Deserialize)]
struct Created {
    #[serde(rename = "browserContextId")]
    id: String,
}

impl Pool {
    pub(super) fn new(client: Client, settings: Settings) -> Arc<Pool> {
        let slots = settings.browsers.max(1) * CONTEXTS;
        Arc::new(Pool {
            client,
            settings,
            browsers: AsyncMutex::default(),
            slots: Arc::new(Semaphore::new(slots)),
            swept: Once::new(),
        })
    }

    pub(super) async fn check(self: &Arc<Self>) -> Result<String, Error> {
        let (browser, _) = self.browser(0, &mut Vec::new()).await?;
        Ok(browser.version.clone())
    }

    pub(super) async fn processes(&self) -> Vec<u32> {
        let browsers = self.browsers.lock().await;
        browsers
            .iter()
            .filter(|browser| !browser.connection.is_over())
            .filter_map(|browser| browser.launched.as_ref().map(Launched::pid))
            .collect()
    }

    pub(super) async fn stop(&self) {
        for browser in self.browsers.lock().await.drain(..) {
            browser.connection.close();
            if let Some(pid) = browser.launched.as_ref().map(Launched::pid) {
                folder::kill(pid);
            }
        }
    }

    /// A context for a run. Endpoints before `first` are not tried; the news tell what was tried. Returns
    /// which endpoint it was.
    pub(super) async fn context(
        self: &Arc<Self>,
        profile: &Profile,
        first: usize,
        news: &mut Vec<News>,
    ) -> Result<(Context, usize), Error> {
        let slot = self.slots.clone().acquire_owned().await;
        let slot = slot.map_err(|_| Error::Unavailable("the engine is closing".into()))?;
        // A browser may die between being chosen and being asked; then another one is.
        for _ in 0..3 {
            let (browser, index) = self.browser(first, news).await?;
            match self.enter(&browser, profile).await {
                Ok((id, watch, proxy)) => {
                    let context = Context {
                        browser,
                        id,
                        watch,
                        proxy,
                        _slot: slot,
                    };
                    return Ok((context, index));
                }
                Err(Fault::Lost) => browser.leave(),
                Err(Fault::Refused(why)) => {
                    browser.leave();
                    return Err(Error::Unavailable(format!("it gives no new context ({why})")));
                }
                Err(Fault::Unreadable) => {
                    browser.leave();
                    return Err(Error::Unavailable("its answers cannot be read".into()));
                }
            }
        }
        Err(Error::Unavailable(
            "browsers end as soon as they are started".into(),
        ))
    }

    async fn enter(
        &self,
        browser: &Arc<Shared>,
        profile: &Profile,
    ) -> Result<(String, Arc<Watch>, Option<Proxy>), Fault> {
        let near = browser.launched.is_some() || self.settings.endpoints.iter().all(endpoint::is_here);
        let proxy = match near {
            true => {
                let config = ProxyConfig {
                    gate: profile.gate.as_ref().map(|gate| gate.0.clone()),
                    granted: profile.granted.clone(),
                    token: None,
                };
                let started = Proxy::start(&self.client, config).await;
                Some(started.map_err(|why| Fault::Refused(why.to_string()))?)
            }
            false => None,
        };
        let mut asked = json!({"disposeOnDetach": true});
        if let Some(proxy) = &proxy {
            asked["proxyServer"] = proxy.url().into();
            asked["proxyBypassList"] = "<-loopback>".into();
        }
        let connection = &browser.connection;
        let created: Created = connection
            .call("", "Target.createBrowserContext", asked)
            .read()
            .await?;
        let watch = Watch::new(connection.clone(), created.id.clone(), profile);
        browser.hub.add(&created.id, &watch);
        Ok((created.id, watch, proxy))
    }

    /// The browser with most room, or a new one. It is counted as entered.
    async fn browser(
        self: &Arc<Self>,
        first: usize,
        news: &mut Vec<News>,
    ) -> Result<(Arc<Shared>, usize), Error> {
        let mut browsers = self.browsers.lock().await;
        browsers.retain(|browser| !browser.connection.is_over());
        if !self.settings.endpoints.is_empty() {
            let (connection, version, index) = self.reach(first, news).await?;
            let browser = Shared::new(connection, version, None);
            browser.contexts.fetch_add(1, Ordering::Relaxed);
            return Ok((browser, index));
        }
        let usable = |browser: &&Arc<Shared>| browser.served.load(Ordering::Relaxed) < SERVED;
        let load = |browser: &&Arc<Shared>| browser.contexts.load(Ordering::Relaxed);
        let roomy = browsers
            .iter()
            .filter(usable)
            .find(|browser| load(browser) < CONTEXTS);
        let full = browsers.len() >= self.settings.browsers.max(1);
        let least = || browsers.iter().min_by_key(load).filter(|_| full);
        if let Some(browser) = roomy.or_else(least) {
            browser.contexts.fetch_add(1, Ordering::Relaxed);
            browser.served.fetch_add(1, Ordering::Relaxed);
            return Ok((browser.clone(), 0));
        }
        let base = self.settings.folder.clone();
        self.swept.call_once(|| {
            folder::sweep(Path::new(&base));
        });
        let start = Start {
            program: self.settings.program.clone(),
            sandbox: self.settings.sandbox,
            switches: self.settings.switches.clone(),
            base,
        };
        let (launched, version) = launch(&start).await?;
        let browser = Shared::new(launched.connection.clone(), version, Some(launched));
        browser.contexts.fetch_add(1, Ordering::Relaxed);
        browser.served.fetch_add(1, Ordering::Relaxed);
        browsers.push(browser.clone());
        tokio::spawn(retire(Arc::downgrade(self), Arc::downgrade(&browser)));
        Ok((browser, 0))
    }

    /// Tries the endpoints in order. Only one that refuses or does not answer is passed over.
    async fn reach(&self, first: usize, news: &mut Vec<News>) -> Result<(Connection, String, usize), Error> {
        let total = self.settings.endpoints.len();
        let mut last = "there is no further endpoint";
        for (index, url) in self.settings.endpoints.iter().enumerate().skip(first) {
            match endpoint::connect(&self.client, url).await {
                Ok((connection, version)) => {
                    news.push(News::EndpointConnected { index, total });
                    return Ok((connection, version, index));
                }
                Err(endpoint::Failure::Unreachable(error)) => {
                    last = error;
                    if index + 1 < total {
                        news.push(News::EndpointCycle {
                            attempt: index + 1,
                            total,
                            error,
                        });
                    }
                }
                Err(endpoint::Failure::Fatal(error)) => return Err(error),
            }
        }
        Err(Error::Unavailable(format!(
            "no endpoint answered (the last one: {last}); check HUNTSMAN_CDP_ENDPOINTS"
        )))
    }
}

/// Lets a browser go when it has had no runs for a while, or has had enough of them.
async fn retire(pool: Weak<Pool>, browser: Weak<Shared>) {
    loop {
        tokio::time::sleep(Duration::from_secs(5)).await;
        let (Some(pool), Some(browser)) = (pool.upgrade(), browser.upgrade()) else {
            return;
        };
        let mut browsers = pool.browsers.lock().await;
        let idle = *browser.idle_since.lock().unwrap_or_else(PoisonError::into_inner);
        let empty = browser.contexts.load(Ordering::Relaxed) == 0;
        let tired = browser.served.load(Ordering::Relaxed) >= SERVED || idle.elapsed() >= IDLE;
        if browser.connection.is_over() || (empty && tired) {
            browsers.retain(|other| !Arc::ptr_eq(other, &browser));
            browser.connection.close();
            return;
        }
    }
}

impl Shared {
    fn new(connection: Connection, version: String, launched: Option<Launched>) -> Arc<Shared> {
        let hub = Arc::new(Hub::default());
        *hub.connection.lock().unwrap_or_else(PoisonError::into_inner) = Some(connection.clone());
        let events: Arc<dyn Events> = hub.clone();
        connection.listen(Arc::downgrade(&events));
        let attach = json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true});
        drop(connection.call("", "Target.setAutoAttach", attach));
        Arc::new(Shared {
            connection,
            version,
            launched,
            hub,
            contexts: AtomicUsize::new(0),
            served: AtomicUsize::new(0),
            idle_since: Mutex::new(Instant::now()),
        })
    }

    fn leave(&self) {
        *self.idle_since.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.contexts.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.connection.close();
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        let disposed = json!({"browserContextId": self.id});
        drop(
            self.browser
                .connection
                .call("", "Target.disposeBrowserContext", disposed),
        );
        self.browser.hub.remove(&self.id);
        self.browser.leave();
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attached {
    session_id: String,
    target_info: TargetInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TargetInfo {
    target_id: String,
    r#type: String,
    #[serde(default)]
    browser_context_id: String,
    #[serde(default)]
    opener_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Detached {
    session_id: String,
}

impl Hub {
    fn add(&self, context: &str, watch: &Arc<Watch>) {
        locked(&self.by_context).insert(context.to_owned(), Arc::downgrade(watch));
    }

    fn remove(&self, context: &str) {
        let removed = locked(&self.by_context).remove(context);
        let gone = removed.and_then(|watch| watch.upgrade());
        locked(&self.by_session).retain(|_, watch| match (watch.upgrade(), &gone) {
            (Some(watch), Some(gone)) => !Arc::ptr_eq(&watch, gone),
            (watch, _) => watch.is_some(),
        });
    }

    fn attached(&self, parent: &str, params: &RawValue) {
        let Ok(attached) = serde_json::from_str::<Attached>(params.get()) else {
            return;
        };
        let info = attached.target_info;
        let by_parent = locked(&self.by_session).get(parent).and_then(Weak::upgrade);
        let by_context = || {
            locked(&self.by_context)
                .get(&info.browser_context_id)
                .and_then(Weak::upgrade)
        };
        let watch = by_parent.or_else(by_context);
        let page = parent.is_empty() && info.r#type == "page";
        let frame = !parent.is_empty() && info.r#type == "iframe";
        let session = attached.session_id;
        match watch {
            Some(watch) if page || frame => {
                locked(&self.by_session).insert(session.clone(), Arc::downgrade(&watch));
                watch.attached(parent, &session, &info.target_id, page, info.opener_id.as_deref());
            }
            // Workers, and pages of nobody: they go on, and nobody looks.
            _ => {
                if let Some(connection) = locked(&self.connection).as_ref() {
                    drop(connection.call(&session, "Runtime.runIfWaitingForDebugger", json!({})));
                    let detach = json!({"sessionId": session});
                    drop(connection.call(parent, "Target.detachFromTarget", detach));
                }
            }
        }
    }

    fn everyone(&self) -> Vec<Arc<Watch>> {
        locked(&self.by_context)
            .values()
            .filter_map(Weak::upgrade)
            .collect()
    }
}

impl Events for Hub {
    fn event(&self, session: &str, method: &str, params: &RawValue) {
        match method {
            "Target.attachedToTarget" => return self.attached(session, params),
            "Target.detachedFromTarget" => {
                let Ok(detached) = serde_json::from_str::<Detached>(params.get()) else {
                    return;
                };
                let watch = locked(&self.by_session).remove(&detached.session_id);
                if let Some(watch) = watch.and_then(|watch| watch.upgrade()) {
                    watch.detached(&detached.session_id);
                }
                return;
            }
            _ => {}
        }
        if session.is_empty() {
            // Downloads are told for the whole browser; each run knows its own.
            if method.starts_with("Browser.download") {
                for watch in self.everyone() {
                    watch.download(method, params);
                }
            }
            return;
        }
        let watch = locked(&self.by_session).get(session).and_then(Weak::upgrade);
        if let Some(watch) = watch {
            watch.event(session, method, params);
        }
    }

    fn lost(&self) {
        for watch in self.everyone() {
            watch.lost();
        }
        locked(&self.connection).take();
    }
}
