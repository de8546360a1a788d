//! `ChromiumTab`: what a tab holds, and how it sends commands and waits for changes of its state.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use net::proxy::TrafficBudget;
use serde::de::DeserializeOwned;
use tokio::time::Instant;
use url::Url;

use super::browser_context::BrowserContext;
use super::cdp::runtime::TerminateExecution;
use super::cdp::{BROWSER_SESSION, CdpCommand, PendingResponse};
use super::failure::{SCRIPT_TIMEOUT, TabFailure};
use super::pool::BrowserPool;
use super::state::ContextState;
use super::tracker::ContextTracker;
use crate::browser::{BrowserEvent, Profile};
use crate::error::Error;
use crate::local_storage::StorageItems;
use crate::snapshot::Ref;

/// A tab of Chromium, with the further tabs that its pages open.
pub(super) struct ChromiumTab {
    pub(super) pool: Arc<BrowserPool>,
    pub(super) profile: Profile,
    /// What its pages may load, whichever browser they are in.
    pub(super) budget: Arc<TrafficBudget>,
    /// Gone when the browser is, until it is needed again.
    pub(super) context: Option<BrowserContext>,
    /// The index of the endpoint it is at.
    pub(super) endpoint: usize,
    /// The last ref given out.
    pub(super) last_ref: u32,
    pub(super) ref_ranges: Vec<RefRange>,
    /// The page to open again when the browser is lost.
    pub(super) url: Option<Url>,
    pub(super) news: Vec<BrowserEvent>,
    /// Titles of the tabs, by number.
    pub(super) titles: HashMap<u32, String>,
    /// Cookies that the browser has, as far as is known.
    pub(super) cookies: Vec<net::Cookie>,
    /// Cookies of the jar that the browser did not take.
    pub(super) refused_cookies: Vec<net::Cookie>,
    pub(super) pending_origins: PendingOrigins,
    pub(super) listeners: KnownListeners,
    pub(super) is_closed: bool,
}

/// Origins whose storage the context does not have yet.
pub(super) type PendingOrigins = BTreeMap<String, StorageItems>;

/// The elements of an isolated world that it knows to listen for clicks.
#[derive(Default)]
pub(super) struct KnownListeners {
    pub(super) world: i64,
    pub(super) nodes: HashSet<i64>,
}

/// A range of refs, and the document whose elements they are.
#[derive(Debug, Clone)]
pub(super) struct RefRange {
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) frame: String,
    pub(super) world: i64,
}

impl ChromiumTab {
    /// A tab without a context yet.
    pub(super) fn new(pool: Arc<BrowserPool>, profile: Profile) -> ChromiumTab {
        ChromiumTab {
            budget: TrafficBudget::new(pool.settings.traffic),
            pool,
            profile,
            context: None,
            endpoint: 0,
            last_ref: 0,
            ref_ranges: Vec::new(),
            url: None,
            news: Vec::new(),
            titles: HashMap::new(),
            cookies: Vec::new(),
            refused_cookies: Vec::new(),
            pending_origins: PendingOrigins::new(),
            listeners: KnownListeners::default(),
            is_closed: false,
        }
    }

    pub(super) fn tracker(&self) -> Result<&Arc<ContextTracker>, TabFailure> {
        let context = self.context.as_ref();
        context
            .map(|context| &context.tracker)
            .ok_or(TabFailure::Disconnected)
    }

    /// The session of the current page.
    pub(super) fn session(&self) -> Result<String, TabFailure> {
        let state = self.tracker()?.state();
        let session = state.page().map(|page| page.session.clone());
        session.ok_or(TabFailure::DocumentGone)
    }

    /// The main frame of the current page.
    pub(super) fn main_frame(&self) -> Result<String, TabFailure> {
        let state = self.tracker()?.state();
        let target = state.page().map(|page| page.target.clone());
        target.ok_or(TabFailure::DocumentGone)
    }

    /// Sends a command and waits for its response. Ends early when no response can come any more.
    pub(super) async fn execute<C: CdpCommand>(
        &self,
        session: &str,
        command: &C,
    ) -> Result<C::Response, TabFailure> {
        self.execute_within(session, command, SCRIPT_TIMEOUT).await
    }

    /// As [`execute`](Self::execute), and terminates the page's scripts when they keep it from answering.
    pub(super) async fn execute_or_terminate<C: CdpCommand>(
        &self,
        session: &str,
        command: &C,
    ) -> Result<C::Response, TabFailure> {
        let result = self.execute(session, command).await;
        if matches!(result, Err(TabFailure::Unresponsive)) {
            let connection = &self.tracker()?.connection;
            connection.send(session, &TerminateExecution {});
        }
        result
    }

    pub(super) async fn execute_within<C: CdpCommand>(
        &self,
        session: &str,
        command: &C,
        timeout: Duration,
    ) -> Result<C::Response, TabFailure> {
        let reply = self.tracker()?.connection.call(session, command);
        self.response_within(session, reply, timeout).await
    }

    /// Waits for the response to a command that was sent before.
    pub(super) async fn response<T: DeserializeOwned>(
        &self,
        session: &str,
        pending: PendingResponse<T>,
    ) -> Result<T, TabFailure> {
        self.response_within(session, pending, SCRIPT_TIMEOUT).await
    }

    async fn response_within<T: DeserializeOwned>(
        &self,
        session: &str,
        pending: PendingResponse<T>,
        timeout: Duration,
    ) -> Result<T, TabFailure> {
        let tracker = self.tracker()?.clone();
        let deadline = Instant::now() + timeout;
        let mut response = std::pin::pin!(pending.receive());
        loop {
            // A response that has arrived counts, whatever has happened since.
            tokio::select! {
                biased;
                response = &mut response => return response.map_err(TabFailure::from),
                () = std::future::ready(()) => {}
            }
            let revision = {
                let state = tracker.state();
                if let Some(failure) = unanswerable(&state, session) {
                    return Err(failure);
                }
                state.revision
            };
            tokio::select! {
                biased;
                response = &mut response => return response.map_err(TabFailure::from),
                () = self.profile.cancel.cancelled() => return Err(TabFailure::Cancelled),
                () = tracker.changed_since(revision, deadline) => {}
            }
            if Instant::now() >= deadline {
                return Err(TabFailure::Unresponsive);
            }
        }
    }

    /// Waits until `check` finds what it looks for in the state; none after the deadline.
    pub(super) async fn wait_for_state<T>(
        &self,
        deadline: Instant,
        mut check: impl FnMut(&mut ContextState) -> Result<Option<T>, TabFailure>,
    ) -> Result<Option<T>, TabFailure> {
        let tracker = self.tracker()?.clone();
        loop {
            let revision = {
                let mut state = tracker.state();
                if let Some(value) = check(&mut state)? {
                    return Ok(Some(value));
                }
                state.revision
            };
            if Instant::now() >= deadline {
                return Ok(None);
            }
            tokio::select! {
                biased;
                () = self.profile.cancel.cancelled() => return Err(TabFailure::Cancelled),
                () = tracker.changed_since(revision, deadline) => {}
            }
        }
    }

    /// The isolated world of a frame, if it has one.
    pub(super) fn known_world(&self, frame: &str) -> Option<i64> {
        let state = self.tracker().ok()?.state();
        state.page()?.frames.get(frame)?.world
    }

    /// The frame whose document has the element of a ref, if it is still in the current tab.
    pub(super) fn frame_of(&self, target: Ref) -> Result<String, Error> {
        self.check_ref(target)?;
        let mut ranges = self.ref_ranges.iter();
        let range = ranges.find(|range| (range.first..=range.last).contains(&target.0));
        let range = range.ok_or(Error::Stale(target))?;
        match self.known_world(&range.frame) == Some(range.world) {
            true => Ok(range.frame.clone()),
            false => Err(Error::Stale(target)),
        }
    }

    /// Refuses a ref that was never given out.
    pub(super) fn check_ref(&self, target: Ref) -> Result<(), Error> {
        match (1..=self.last_ref).contains(&target.0) {
            true => Ok(()),
            false => Err(Error::UnknownRef(target)),
        }
    }

    /// Registers refs up to `last` that a script has given to elements of a frame.
    pub(super) fn register_refs(&mut self, last: u32, frame: &str) -> Result<(), TabFailure> {
        if last > self.last_ref {
            let world = self.known_world(frame).ok_or(TabFailure::DocumentGone)?;
            self.ref_ranges.push(RefRange {
                first: self.last_ref + 1,
                last,
                frame: frame.to_owned(),
                world,
            });
            self.last_ref = last;
        }
        Ok(())
    }

    pub(super) fn remember_title(&mut self, title: &str) {
        let current = self.tracker().map(|tracker| tracker.state().current);
        self.titles.insert(current.unwrap_or_default(), title.to_owned());
    }
}

/// Why no response of a session can be expected, if so.
fn unanswerable(state: &ContextState, session: &str) -> Option<TabFailure> {
    if state.is_disconnected {
        return Some(TabFailure::Disconnected);
    }
    match state.pages.iter().find(|page| page.has_session(session)) {
        Some(page) if page.is_crashed => Some(TabFailure::Crashed),
        Some(page) if page.dialog.is_some() => Some(TabFailure::DialogOpen),
        None if session != BROWSER_SESSION => Some(TabFailure::DocumentGone),
        _ => None,
    }
}
