//! Load state: waiting until no navigation, no relevant request and no change of the page is under way.

use std::time::Duration;

use serde::de::IgnoredAny;
use tokio::time::Instant;

use super::failure::TabFailure;
use super::state::{ContextState, PageState};
use super::tab::ChromiumTab;
use crate::error::Error;

/// The longest wait for a page to finish loading once it shows something.
const LOAD_TIMEOUT: Duration = Duration::from_secs(12);
/// A request older than this is a line kept open, and not waited for.
const REQUEST_AGE: Duration = Duration::from_millis(1500);
/// The longest wait for requests in all.
const REQUESTS_TIMEOUT: Duration = Duration::from_secs(4);
/// The longest wait for a page that does not stop changing, in milliseconds.
const STABLE_TIMEOUT: u64 = 700;
/// The longest wait for an event of a navigation, and of a request, before the state is checked again.
const NAVIGATION_CHECK: Duration = Duration::from_millis(500);
const REQUEST_CHECK: Duration = Duration::from_millis(200);

/// The state of a tab before something is done to it.
#[derive(Debug, Clone)]
pub(super) struct Baseline {
    page: u32,
    document_count: u64,
    same_document_navigations: u64,
    url: String,
    open_tabs: Vec<u32>,
}

impl Baseline {
    /// Whether the tab has navigated since.
    pub(super) fn is_left(&self, page: &PageState) -> bool {
        page.number != self.page
            || page.document_count != self.document_count
            || page.same_document_navigations != self.same_document_navigations
    }
}

impl ChromiumTab {
    /// The present state.
    pub(super) fn baseline(&self) -> Result<Baseline, TabFailure> {
        let state = self.tracker()?.state();
        let page = state.page().ok_or(TabFailure::DocumentGone)?;
        Ok(Baseline {
            page: page.number,
            document_count: page.document_count,
            same_document_navigations: page.same_document_navigations,
            url: page.url.clone(),
            open_tabs: state.pages.iter().map(|page| page.number).collect(),
        })
    }

    /// Waits until everything that began since the baseline has ended. Returns whether another document, address or
    /// tab is the current one.
    pub(super) async fn wait_for_idle(&mut self, baseline: &Baseline) -> Result<bool, Error> {
        let began = Instant::now();
        let tracker = self.tracker()?.clone();
        let mut switched = false;
        let mut was_stable = false;
        loop {
            let now = Instant::now();
            let (revision, wait) = {
                let mut state = tracker.state();
                switched |= follow_tabs(&mut state, baseline);
                if state.is_disconnected {
                    return Err(TabFailure::Disconnected.into());
                }
                let page = state.page().ok_or(TabFailure::DocumentGone)?;
                if page.is_crashed {
                    return Err(TabFailure::Crashed.into());
                }
                if page.dialog.is_some() {
                    break;
                }
                (state.revision, network_wait(page, began, self.profile.patience))
            };
            if let Some(wait) = wait {
                was_stable = false;
                tokio::select! {
                    biased;
                    () = self.profile.cancel.cancelled() => return Err(Error::Cancelled),
                    () = tracker.changed_since(revision, now + wait) => {}
                }
                continue;
            }
            if was_stable {
                break;
            }
            match self.wait_for_stable(STABLE_TIMEOUT).await {
                Ok(()) => was_stable = true,
                // A page that goes from address to address is never at rest.
                Err(TabFailure::DocumentGone) if began.elapsed() >= self.profile.patience => {
                    let seconds = self.profile.patience.as_secs();
                    let what = "the end of its redirects".to_owned();
                    return Err(Error::Timeout { what, seconds });
                }
                Err(TabFailure::DocumentGone | TabFailure::DialogOpen) => {}
                Err(failure) => return Err(failure.into()),
            }
        }
        let state = tracker.state();
        let page = state.page().ok_or(TabFailure::DocumentGone)?;
        if page.number != baseline.page {
            return Ok(switched);
        }
        let has_other_document = page.document_count != baseline.document_count;
        let has_other_address = page.same_document_navigations != baseline.same_document_navigations
            && without_fragment(&page.url) != without_fragment(&baseline.url);
        Ok(switched || has_other_document || has_other_address)
    }

    /// Waits until everything under way has ended.
    pub(super) async fn wait_for_load(&mut self) -> Result<(), Error> {
        let baseline = self.baseline()?;
        self.wait_for_idle(&baseline).await.map(drop)
    }

    /// Waits until a frame is drawn and the page no longer changes, at most so many milliseconds.
    pub(super) async fn wait_for_stable(&self, millis: u64) -> Result<(), TabFailure> {
        let call = format!("huntsman.waitForStable({millis})");
        self.run::<IgnoredAny>(&self.main_frame()?, &call).await.map(drop)
    }
}

/// How long to wait for the next event, while navigations or requests are under way.
fn network_wait(page: &PageState, began: Instant, navigation_timeout: Duration) -> Option<Duration> {
    let now = Instant::now();
    let elapsed = now - began;
    if page.is_navigating(now) && elapsed < navigation_timeout {
        Some(NAVIGATION_CHECK)
    } else if page.is_loading && !page.is_loaded && elapsed < LOAD_TIMEOUT {
        Some(LOAD_TIMEOUT - elapsed)
    } else if page.pending_requests(now, REQUEST_AGE) > 0 && elapsed < REQUESTS_TIMEOUT {
        Some(REQUEST_CHECK)
    } else {
        None
    }
}

/// Makes a tab current that the page has opened, or another one when the current one was closed. Returns whether.
fn follow_tabs(state: &mut ContextState, baseline: &Baseline) -> bool {
    let opened = state.pages.iter_mut().rev();
    let mut opened = opened.filter(|page| !page.is_adopted && !baseline.open_tabs.contains(&page.number));
    if let Some(page) = opened.next() {
        page.is_adopted = true;
        let number = page.number;
        let before = std::mem::replace(&mut state.current, number);
        state.add_note(format!(
            "a new tab was opened and is the current one (tab {number}; the one before is tab {before})"
        ));
        return true;
    }
    if state.page().is_none()
        && let Some(number) = state.select_last()
    {
        state.add_note(format!("the tab was closed; tab {number} is the current one"));
        return true;
    }
    false
}

fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or_default()
}
