//! `BrowserContext`: the part of a browser that belongs to one run.

use std::sync::Arc;
use std::time::Duration;

use net::Client;
use net::proxy::{Proxy, ProxyConfig, TrafficBudget};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use super::cast_frames;
use super::cdp::target::{CreateBrowserContext, DisposeBrowserContext};
use super::cdp::{BROWSER_SESSION, CdpError};
use super::pooled_browser::{BrowserClaim, ConnectedBrowser};
use super::screencast;
use super::tracker::ContextTracker;
use crate::browser::Profile;

/// The longest wait for a new context.
const CONTEXT_TIMEOUT: Duration = Duration::from_secs(20);

/// A browser context of one run: its own cookies, storage and proxy. Dropping it disposes of it.
pub(super) struct BrowserContext {
    place: ContextPlace,
    pub(super) tracker: Arc<ContextTracker>,
    /// Absent where the browser runs on another machine, from where it cannot reach us.
    pub(super) proxy: Option<Proxy>,
}

/// The browser of a context, and its right to be there.
pub(super) struct ContextPlace {
    pub(super) browser: Arc<ConnectedBrowser>,
    /// Absent at an endpoint, where each context has a connection of its own.
    pub(super) claim: Option<BrowserClaim>,
    pub(super) _slot: Arc<OwnedSemaphorePermit>,
}

impl ContextPlace {
    /// Keeps further contexts from a browser that has not answered in time.
    fn retire_browser(&self) {
        match &self.claim {
            Some(claim) => claim.retire(),
            // The connection is that of this context alone.
            None => self.browser.connection.close(),
        }
    }
}

impl BrowserContext {
    /// Creates a context. To be run to its end: what the browser has made by then is disposed of by dropping the result.
    pub(super) async fn create(
        place: ContextPlace,
        client: Client,
        profile: Profile,
        budget: Arc<TrafficBudget>,
    ) -> Result<BrowserContext, CdpError> {
        let mut proxy = None;
        if place.browser.is_local {
            let config = ProxyConfig {
                gate: profile.gate.as_ref().map(|gate| gate.0.clone()),
                granted: profile.granted.clone(),
                budget,
            };
            let client = profile.client.as_ref().unwrap_or(&client);
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
        let connection = &place.browser.connection;
        let creating = connection.call(BROWSER_SESSION, &command).receive();
        let Ok(created) = timeout(CONTEXT_TIMEOUT, creating).await else {
            // It would be chosen again, and keep the next run waiting too.
            place.retire_browser();
            return Err(match place.claim {
                Some(_) => CdpError::Disconnected,
                None => CdpError::Refused("it does not answer".into()),
            });
        };
        let id = created?.browser_context_id;
        let (sender, frames) = cast_frames::channel();
        let sender = profile.screencast.as_ref().map(|_| sender);
        let tracker = ContextTracker::new(connection.clone(), id.clone(), &profile, proxy.as_ref(), sender);
        if let Some(cast) = &profile.screencast {
            screencast::spawn(&tracker, cast, frames);
        }
        place.browser.router.add(&id, &tracker);
        let context = BrowserContext {
            place,
            tracker,
            proxy,
        };
        // A tracker that is added after the connection's end is not told of it.
        match context.place.browser.connection.is_closed() {
            true => Err(CdpError::Disconnected),
            false => Ok(context),
        }
    }

    /// Keeps further contexts from its browser, which has not answered in time.
    pub(super) fn retire_browser(&self) {
        self.place.retire_browser();
    }
}

#[cfg(test)]
impl BrowserContext {
    pub(super) fn browser(&self) -> &Arc<ConnectedBrowser> {
        &self.place.browser
    }
}

impl Drop for BrowserContext {
    fn drop(&mut self) {
        let browser_context_id = self.tracker.context_id.as_str();
        let dispose = DisposeBrowserContext { browser_context_id };
        self.place.browser.connection.send(BROWSER_SESSION, &dispose);
        self.place.browser.router.remove(browser_context_id);
    }
}
