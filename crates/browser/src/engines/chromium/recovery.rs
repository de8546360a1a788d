//! Recovery: opening of a tab's context and pages, and their replacement after a crash or a lost browser.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::cdp::BROWSER_SESSION;
use super::cdp::page::GetFrameTree;
use super::cdp::target::{CloseTarget, CreateTarget};
use super::failure::TabFailure;
use super::pool::{BrowserPool, CONTEXT_ATTEMPTS};
use super::tab::ChromiumTab;
use crate::browser::{BrowserEvent, Profile};
use crate::diagnostics::millis_since;
use crate::error::Error;

/// The longest waits for a new, empty page. One that does not answer within the first is closed, and another one opened.
const NEW_PAGE_TIMEOUTS: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(20)];

/// Crashes in a row after which a page is given up.
pub(super) const MAX_CRASHES: usize = 3;

impl ChromiumTab {
    /// A tab with an empty page.
    pub(super) async fn open(pool: Arc<BrowserPool>, profile: Profile) -> Result<ChromiumTab, Error> {
        let mut tab = ChromiumTab::new(pool, profile);
        tab.open_context(0).await?;
        Ok(tab)
    }

    /// Opens a context in a browser, at an endpoint from `first` on, with an empty page in it.
    async fn open_context(&mut self, first: usize) -> Result<(), Error> {
        let own_waits = self.profile.own_waits.clone();
        let _wait = own_waits.begin();
        let is_launched = self.pool.settings.endpoints.is_empty();
        let mut attempts = 0;
        loop {
            // Boxed: the futures of a tab are nested deeply.
            Box::pin(self.enter_browser(first)).await?;
            attempts += 1;
            match self.open_page().await {
                // The browser hangs, or was ended since it did so for another run. Endpoints are tried once each.
                Err(TabFailure::Unresponsive | TabFailure::Disconnected)
                    if is_launched && attempts < CONTEXT_ATTEMPTS => {}
                opened => return opened.map_err(no_page),
            }
        }
    }

    /// Opens a context in a browser, without a page.
    async fn enter_browser(&mut self, first: usize) -> Result<(), Error> {
        // A former one is given up first: it counts.
        self.context = None;
        let cancel = self.profile.cancel.clone();
        let opening = self
            .pool
            .context(&self.profile, &self.budget, first, &mut self.news);
        let (context, endpoint) = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(Error::Cancelled),
            opened = opening => opened?,
        };
        self.context = Some(context);
        self.endpoint = endpoint;
        self.cookies.clear();
        self.refused_cookies.clear();
        self.pending_origins = self
            .profile
            .storage
            .as_ref()
            .map(|it| it.all())
            .unwrap_or_default();
        self.seed_local_storage().await?;
        Ok(())
    }

    /// Opens an empty page and makes it the current one. Leaves a browser that does not answer in time, so that the run goes on
    /// in another one.
    async fn open_page(&mut self) -> Result<(), TabFailure> {
        for timeout in NEW_PAGE_TIMEOUTS {
            let began = Instant::now();
            let opened = self.open_page_within(timeout).await;
            tracing::debug!(
                millis = millis_since(began.into_std()),
                is_ok = opened.is_ok(),
                "new page"
            );
            match opened {
                Err(TabFailure::Unresponsive) => {}
                opened => return opened,
            }
        }
        if let Some(context) = self.context.take() {
            // It would be chosen again, and keep the next run waiting too.
            context.retire_browser();
        }
        Err(TabFailure::Unresponsive)
    }

    /// Opens an empty page. One that does not answer in time is closed.
    async fn open_page_within(&mut self, timeout: Duration) -> Result<(), TabFailure> {
        let create = CreateTarget {
            url: "about:blank",
            browser_context_id: &self.tracker()?.context_id.clone(),
        };
        let target = self.execute_within(BROWSER_SESSION, &create, timeout).await?;
        let attached = self.wait_for_attached_page(&target.target_id, timeout).await;
        if matches!(attached, Err(TabFailure::Unresponsive)) {
            let target_id = &target.target_id;
            let connection = &self.tracker()?.connection;
            connection.send(BROWSER_SESSION, &CloseTarget { target_id });
        }
        attached
    }

    /// Makes a new page the current one, once it is attached and answers.
    async fn wait_for_attached_page(&self, target: &str, timeout: Duration) -> Result<(), TabFailure> {
        let attached = self.wait_for_state(Instant::now() + timeout, |state| {
            let page = state.pages.iter().find(|page| page.target == target);
            if let Some((number, session)) = page.map(|page| (page.number, page.session.clone())) {
                state.current = number;
                return Ok(Some(session));
            }
            match state.is_disconnected {
                true => Err(TabFailure::Disconnected),
                false => Ok(None),
            }
        });
        let session = attached.await?.ok_or(TabFailure::Unresponsive)?;
        // When this is answered, the page is initialized; an earlier navigation would miss that.
        let answered = self.execute_within(&session, &GetFrameTree {}, timeout).await;
        answered.map(drop)
    }

    /// Makes sure that there is a living page. A lost browser or a crashed page is replaced, and its address opened
    /// again; then all refs given out before are stale. Returns whether that happened.
    pub(super) async fn recover(&mut self) -> Result<bool, Error> {
        if self.is_closed {
            return Err(Error::NoPage);
        }
        if self.profile.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let (is_disconnected, is_crashed, is_gone) = match self.tracker() {
            Err(_) => (true, false, false),
            Ok(tracker) => {
                let state = tracker.state();
                let page = state.page();
                let is_crashed = page.is_some_and(|page| page.is_crashed);
                (state.is_disconnected, is_crashed, page.is_none())
            }
        };
        if is_disconnected {
            self.reconnect().await?;
        } else if is_crashed || is_gone {
            self.replace_page(is_crashed, is_gone).await?;
        }
        Ok(is_disconnected || is_crashed || is_gone)
    }

    /// Goes on in another browser.
    async fn reconnect(&mut self) -> Result<(), Error> {
        self.context = None;
        self.ref_ranges.clear();
        // The endpoints are tried once each; a browser of our own can always be launched again.
        let total = self.pool.settings.endpoints.len();
        let first = if total == 0 { 0 } else { self.endpoint + 1 };
        if first < total {
            self.news.push(BrowserEvent::EndpointCycle {
                attempt: first,
                total,
                error: "lost",
            });
        }
        self.open_context(first).await?;
        let url = self.url.clone();
        if let Some(url) = &url {
            self.navigate(url).await?;
        }
        self.news.push(BrowserEvent::Reconnected {
            url,
            index: self.endpoint,
            total: total.max(1),
        });
        Ok(())
    }

    /// Goes on in another tab when the current one was closed, and else opens the page again in a new one.
    async fn replace_page(&mut self, is_crashed: bool, is_gone: bool) -> Result<(), Error> {
        let tracker = self.tracker()?.clone();
        {
            let mut state = tracker.state();
            tracker.close_crashed(&mut state);
            if is_gone && state.select_last().is_some() {
                state.add_note("the tab was closed; the one before it is the current one");
                return Ok(());
            }
        }
        self.ref_ranges.clear();
        let mut crashes = 0;
        loop {
            match self.reopen().await {
                // The processes that new pages are given may have crashed with the other one.
                Err(Error::Crashed(_)) if crashes < MAX_CRASHES && !self.profile.cancel.is_cancelled() => {
                    crashes += 1;
                    tracker.close_crashed(&mut tracker.state());
                }
                opened => {
                    opened?;
                    break;
                }
            }
        }
        if is_crashed {
            tracker.state().add_note("the page crashed; it was opened again");
        }
        Ok(())
    }

    /// Opens the page again in a new tab.
    async fn reopen(&mut self) -> Result<(), Error> {
        self.open_page().await.map_err(no_page)?;
        if let Some(url) = self.url.clone() {
            self.navigate(&url).await?;
        }
        Ok(())
    }

    /// Forgets the refs of documents that are gone.
    pub(super) fn prune_refs(&mut self) {
        let worlds: HashSet<(String, i64)> = match self.tracker() {
            Ok(tracker) => {
                let state = tracker.state();
                let frames = state.pages.iter().flat_map(|page| page.frames.iter());
                frames
                    .filter_map(|(id, frame)| Some((id.clone(), frame.world?)))
                    .collect()
            }
            Err(_) => HashSet::new(),
        };
        self.ref_ranges
            .retain(|range| worlds.contains(&(range.frame.clone(), range.world)));
    }
}

/// Why there is no new page.
fn no_page(failure: TabFailure) -> Error {
    match failure {
        TabFailure::Unresponsive => Error::Unavailable("it opens no new page".into()),
        failure => failure.into(),
    }
}
