//! `PooledBrowser`: one browser of the pool, from its launch on, and the places of contexts in it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared};
use tokio::sync::Notify;
use tokio::time::timeout;

use super::cdp::browser::GetVersion;
use super::cdp::target::SetAutoAttach;
use super::cdp::{BROWSER_SESSION, Connection};
use super::launch::BrowserProcess;
use super::profile_folder;
use super::router::EventRouter;
use crate::error::Error;

/// Contexts that share one browser before another one is started.
pub(super) const CONTEXTS_PER_BROWSER: usize = 8;
/// Contexts after which a browser is retired, so that what it leaks goes with it.
pub(super) const CONTEXTS_IN_LIFE: usize = 300;
/// How long a browser without contexts is kept for the next one.
const IDLE_LIFETIME: Duration = Duration::from_secs(20);
/// The longest wait for the version of a browser that was slow. One that does not even give that hangs.
const VERSION_TIMEOUT: Duration = Duration::from_secs(10);

/// A browser that has answered. Dropping it ends the connection, and a browser that we launched.
pub(super) struct ConnectedBrowser {
    pub(super) connection: Connection,
    pub(super) version: String,
    /// Absent for one that was reached at an endpoint.
    process: Option<BrowserProcess>,
    /// Whether it runs on this machine, from where it reaches our proxies.
    pub(super) is_local: bool,
    pub(super) router: Arc<EventRouter>,
}

impl ConnectedBrowser {
    /// A browser at an endpoint.
    pub(super) fn remote(connection: Connection, version: String, is_local: bool) -> Arc<ConnectedBrowser> {
        Self::new(connection, version, None, is_local)
    }

    /// A browser that we launched.
    pub(super) fn launched(process: BrowserProcess, version: String) -> Arc<ConnectedBrowser> {
        Self::new(process.connection.clone(), version, Some(process), true)
    }

    fn new(
        connection: Connection,
        version: String,
        process: Option<BrowserProcess>,
        is_local: bool,
    ) -> Arc<ConnectedBrowser> {
        let router = EventRouter::new(&connection);
        connection.send(BROWSER_SESSION, &SetAutoAttach::PAUSED);
        Arc::new(ConnectedBrowser {
            connection,
            version,
            process,
            is_local,
            router,
        })
    }

    /// The pid of a browser that we launched and that has not ended.
    pub(super) fn pid(&self) -> Option<u32> {
        let process = self.process.as_ref().filter(|_| !self.connection.is_closed());
        process.map(BrowserProcess::pid)
    }

    /// Ends the connection, and a browser that we launched, whoever still has it.
    fn end(&self) {
        if let Some(process) = &self.process {
            // A process that hangs does not notice the end of the connection. Its pid is its own until it is dropped.
            profile_folder::kill(process.pid());
        }
        self.connection.close();
    }
}

impl Drop for ConnectedBrowser {
    fn drop(&mut self) {
        self.connection.close();
    }
}

/// A launch that all who wait for it share.
pub(super) type SharedLaunch = Shared<BoxFuture<'static, Result<Arc<ConnectedBrowser>, Error>>>;

/// A browser that is being launched or runs.
pub(super) struct PooledBrowser {
    launch: SharedLaunch,
    load: Mutex<Load>,
    /// Told of places that have become free.
    changed: Arc<Notify>,
}

struct Load {
    contexts: usize,
    /// All contexts so far.
    served: usize,
    /// Whether it has kept a run waiting for too long.
    is_slow: bool,
    idle_since: Instant,
}

impl Load {
    fn is_worn_out(&self) -> bool {
        self.is_slow || self.served >= CONTEXTS_IN_LIFE
    }
}

impl PooledBrowser {
    pub(super) fn new(
        launch: BoxFuture<'static, Result<Arc<ConnectedBrowser>, Error>>,
        changed: Arc<Notify>,
    ) -> Arc<PooledBrowser> {
        Arc::new(PooledBrowser {
            launch: launch.shared(),
            load: Mutex::new(Load {
                contexts: 0,
                served: 0,
                is_slow: false,
                idle_since: Instant::now(),
            }),
            changed,
        })
    }

    fn load(&self) -> MutexGuard<'_, Load> {
        self.load.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The launch. It goes on only while somebody waits for it.
    pub(super) fn launch(&self) -> SharedLaunch {
        self.launch.clone()
    }

    /// The browser, once it has answered.
    pub(super) fn connected(&self) -> Option<&Arc<ConnectedBrowser>> {
        self.launch.peek()?.as_ref().ok()
    }

    pub(super) fn is_starting(&self) -> bool {
        self.launch.peek().is_none()
    }

    /// Whether it has ended, or was never there.
    pub(super) fn has_ended(&self) -> bool {
        let launched = self.launch.peek();
        launched.is_some_and(|launched| launched.as_ref().map_or(true, |it| it.connection.is_closed()))
    }

    /// The contexts in it.
    pub(super) fn contexts(&self) -> usize {
        self.load().contexts
    }

    /// Whether it has had as many contexts as it should, or was slow; it gets no more where another one can.
    pub(super) fn is_worn_out(&self) -> bool {
        self.load().is_worn_out()
    }

    /// Whether it has had no context for a while.
    pub(super) fn is_idle(&self) -> bool {
        let load = self.load();
        load.contexts == 0 && load.idle_since.elapsed() >= IDLE_LIFETIME
    }

    /// A place for one context; none when it is full or worn out.
    pub(super) fn claim(self: &Arc<Self>) -> Option<BrowserClaim> {
        self.claim_if(|load| !load.is_worn_out())
    }

    /// A place for one context in a worn-out browser; none when it is full, or ends since it has none.
    pub(super) fn claim_worn_out(self: &Arc<Self>) -> Option<BrowserClaim> {
        self.claim_if(|load| load.is_worn_out() && load.contexts > 0)
    }

    fn claim_if(self: &Arc<Self>, may_claim: impl FnOnce(&Load) -> bool) -> Option<BrowserClaim> {
        let mut load = self.load();
        if load.contexts >= CONTEXTS_PER_BROWSER || !may_claim(&load) {
            return None;
        }
        load.contexts += 1;
        load.served += 1;
        drop(load);
        Some(BrowserClaim {
            browser: self.clone(),
        })
    }

    /// Ends the browser, whatever is in it.
    pub(super) fn stop(&self) {
        if let Some(browser) = self.connected() {
            browser.end();
        }
    }
}

/// The right to one context in a browser. Dropping it frees the place, and ends a worn-out browser with the last of them.
pub(super) struct BrowserClaim {
    browser: Arc<PooledBrowser>,
}

impl BrowserClaim {
    /// Waits until the browser has answered.
    ///
    /// # Errors
    /// When it cannot be launched.
    pub(super) async fn connected(&self) -> Result<Arc<ConnectedBrowser>, Error> {
        self.browser.launch().await
    }

    /// Keeps further contexts from a browser that has not answered in time. It may only be slow, and has those of other runs:
    /// it is ended at once only if it does not give its version either.
    pub(super) fn retire(&self) {
        let browser = self.browser.clone();
        browser.load().is_slow = true;
        tokio::spawn(async move {
            let Some(connected) = browser.connected() else {
                return;
            };
            let version = connected.connection.call(BROWSER_SESSION, &GetVersion {});
            if timeout(VERSION_TIMEOUT, version.receive()).await.is_err() {
                connected.end();
            }
        });
    }
}

impl Drop for BrowserClaim {
    fn drop(&mut self) {
        let is_last = {
            let mut load = self.browser.load();
            load.contexts -= 1;
            load.idle_since = Instant::now();
            load.contexts == 0 && load.is_worn_out()
        };
        if is_last && let Some(browser) = self.browser.connected() {
            browser.connection.close();
        }
        self.browser.changed.notify_waiters();
    }
}
