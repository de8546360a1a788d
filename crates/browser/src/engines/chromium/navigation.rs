//! Navigation: to an address, within the history, and what is read of the page that it leads to.

use std::time::Duration;

use net::RobotsMode;
use page::Page;
use serde::Deserialize;
use tokio::time::Instant;
use url::Url;

use super::super::meta_refresh;
use super::cdp::page::{GetNavigationHistory, NavigatePage, NavigateToHistoryEntry, Navigated, StopLoading};
use super::failure::TabFailure;
use super::load_state::Baseline;
use super::onward::Onward;
use super::state::{DocumentStatus, PageState};
use super::tab::ChromiumTab;
use crate::browser::{ActionEffect, PageWarning, Visit};
use crate::error::Error;
use crate::fetch::page_quality::{self, ResponseFacts};

/// How long an empty page with scripts is given to render something.
const RENDER_TIMEOUT: Duration = Duration::from_secs(3);
/// The longest wait for an event while an empty page renders.
const RENDER_CHECK: Duration = Duration::from_millis(250);

/// The document as an injected script describes it.
#[derive(Deserialize)]
struct DocumentInfo {
    title: String,
    url: String,
    /// Characters of visible text.
    text: usize,
    /// The source, of a document with little text only.
    html: String,
    scripts: bool,
    r#type: String,
    /// The content of an element that makes the document lead on, and the base of its addresses.
    refresh: Option<(String, String)>,
    /// Whether little is shown and a script sets another address.
    sets_address: bool,
}

impl DocumentInfo {
    fn onward(&self) -> Onward {
        let refresh = self.refresh.as_ref();
        match refresh.and_then(|(content, base)| meta_refresh::target_of(content, base)) {
            Some(url) => Onward::Refresh(url),
            None if self.sets_address => Onward::Script,
            None => Onward::Nowhere,
        }
    }
}

const DOCUMENT_INFO: &str = "huntsman.documentInfo()";

impl ChromiumTab {
    /// Navigates the current tab to an address, once more when the connection was lost before the page had ended.
    pub(super) async fn navigate(&mut self, url: &Url) -> Result<Visit, Error> {
        match self.navigate_once(url).await {
            Err(Error::Net(net::Error::Incomplete)) => self.navigate_once(url).await,
            visited => visited,
        }
    }

    /// Whether an address may be opened: by the network's guard, and by its site's robots.txt where the profile obeys that.
    ///
    /// # Errors
    /// What forbids it.
    pub(super) async fn check_address(&self, url: &Url) -> Result<(), Error> {
        let granted = self.profile.grants(url);
        let client = self.profile.client.as_ref().unwrap_or(&self.pool.client);
        client.screen(url, granted)?;
        if self.profile.robots == RobotsMode::Obey {
            client.obey_robots(url, granted).await?;
        }
        Ok(())
    }

    async fn navigate_once(&mut self, url: &Url) -> Result<Visit, Error> {
        self.check_address(url).await?;
        self.import_local_storage().await;
        self.export_cookies().await?;
        let (session, baseline) = (self.session()?, self.baseline()?);
        while self.take_proxy_failure(url).is_some() {}
        let command = NavigatePage {
            url: url.as_str(),
            transition_type: "typed",
        };
        let timeout = self.profile.patience;
        let navigated = match self.request_navigation(&session, &command).await {
            Err(TabFailure::Unresponsive) => {
                self.tracker()?.connection.send(&session, &StopLoading {});
                return Err(timed_out("an answer of the server", timeout));
            }
            Err(TabFailure::DialogOpen) => {
                let dialog = self.open_dialog();
                return match dialog.is_some_and(|dialog| dialog.kind == "beforeunload") {
                    true => Err(self.dialog_error()),
                    false => self.blocked_visit(),
                };
            }
            navigated => navigated?,
        };
        if navigated.is_download {
            self.url.get_or_insert_with(|| url.clone());
            return Ok(Visit {
                url: url.clone(),
                status: None,
                title: String::new(),
                warnings: vec![PageWarning::NotAPage],
            });
        }
        if let Some(text) = navigated.error_text {
            let error = self.navigation_error(url, &text);
            return Err(self.redirected(url, error));
        }
        if let Some(loader) = navigated.loader_id {
            self.wait_for_commit(&loader, timeout).await?;
        }
        self.wait_for_idle(&baseline).await?;
        let visit = self.arrive().await;
        let visit = visit.map_err(|error| self.redirected(url, error))?;
        self.check_whole()?;
        Ok(visit)
    }

    /// Fails when the connection was lost before the document had ended.
    fn check_whole(&self) -> Result<(), Error> {
        let tracker = self.tracker()?;
        let is_incomplete = tracker.state().page().is_some_and(PageState::is_incomplete);
        match is_incomplete && !tracker.is_budget_spent() {
            true => Err(Error::Net(net::Error::Incomplete)),
            false => Ok(()),
        }
    }

    /// Requests a navigation, again where the browser has lost the password of its proxy.
    async fn request_navigation(
        &self,
        session: &str,
        command: &NavigatePage<'_>,
    ) -> Result<Navigated, TabFailure> {
        let timeout = self.profile.patience;
        let navigated = self.execute_within(session, command, timeout).await?;
        let tracker = self.tracker()?;
        match (&navigated.error_text, &tracker.proxy) {
            (Some(text), Some(proxy)) if text.ends_with("ERR_INVALID_AUTH_CREDENTIALS") => {
                proxy.renew(&tracker.connection, session);
                tracker
                    .site_headers
                    .initialize(&tracker.connection, session, true);
                self.execute_within(session, command, timeout).await
            }
            _ => Ok(navigated),
        }
    }

    /// Waits until the document of a loader is the current one.
    async fn wait_for_commit(&self, loader: &str, timeout: Duration) -> Result<(), Error> {
        let committed = self.wait_for_state(Instant::now() + timeout, |state| {
            if state.is_disconnected {
                return Err(TabFailure::Disconnected);
            }
            let page = state.page().ok_or(TabFailure::DocumentGone)?;
            let is_done = page.loader == loader || page.is_crashed || page.dialog.is_some();
            Ok(is_done.then_some(()))
        });
        committed.await?.ok_or_else(|| timed_out("the page", timeout))
    }

    /// Goes back (-1) or forward (1) in the tab's history.
    pub(super) async fn navigate_history(&mut self, offset: i64) -> Result<Visit, Error> {
        let (session, baseline) = (self.session()?, self.baseline()?);
        let history = self.execute(&session, &GetNavigationHistory {}).await?;
        let index = usize::try_from(history.current_index + offset).ok();
        let entry = index.and_then(|index| Some((index, history.entries.get(index)?)));
        // Every tab begins with an empty page that was not navigated to.
        let entry = entry.filter(|(index, entry)| !(*index == 0 && entry.url == "about:blank"));
        let (_, entry) = entry.ok_or(Error::NoHistory(if offset < 0 { "back" } else { "forward" }))?;
        let command = NavigateToHistoryEntry { entry_id: entry.id };
        self.execute(&session, &command).await?;
        self.wait_for_departure(&baseline).await?;
        self.wait_for_idle(&baseline).await?;
        let visit = self.read_visit().await?;
        self.check_whole()?;
        Ok(visit)
    }

    /// Waits until the tab has left the page of the baseline.
    async fn wait_for_departure(&self, baseline: &Baseline) -> Result<(), Error> {
        let timeout = self.profile.patience;
        let departed = self.wait_for_state(Instant::now() + timeout, |state| {
            let is_disconnected = state.is_disconnected;
            let page = state.page().ok_or(TabFailure::DocumentGone)?;
            if baseline.is_left(page) || is_disconnected || page.is_crashed {
                return Ok(Some(()));
            }
            match page.dialog {
                Some(_) => Err(TabFailure::DialogOpen),
                None => Ok(None),
            }
        });
        match departed.await {
            Err(TabFailure::DialogOpen) => Err(self.dialog_error()),
            departed => departed?.ok_or_else(|| timed_out("the page", timeout)),
        }
    }

    /// Waits for what an action has caused, and reports it.
    pub(super) async fn outcome_since(&mut self, baseline: &Baseline) -> Result<ActionEffect, Error> {
        let mut outcome = ActionEffect::default();
        if self.wait_for_idle(baseline).await? {
            outcome.visit = Some(self.arrive().await?);
        }
        outcome.notes = self.take_notes()?;
        Ok(outcome)
    }

    /// Reads where the tab is now.
    pub(super) async fn read_visit(&mut self) -> Result<Visit, Error> {
        self.read_arrival().await.map(|(visit, _)| visit)
    }

    /// Reads where the tab is now, and whether the document leads on by itself.
    pub(super) async fn read_arrival(&mut self) -> Result<(Visit, Onward), Error> {
        let mut info: DocumentInfo = match self.run(&self.main_frame()?, DOCUMENT_INFO).await {
            Err(TabFailure::DocumentGone) => {
                self.wait_for_load().await?;
                self.run(&self.main_frame()?, DOCUMENT_INFO).await?
            }
            Err(TabFailure::DialogOpen) => return Ok((self.blocked_visit()?, Onward::Nowhere)),
            info => info?,
        };
        if info.text == 0 && info.scripts {
            info = self.wait_for_render(info).await?;
        }
        let url = parse_address(&info.url)?;
        let (status, is_truncated) = {
            let state = self.tracker()?.state();
            let page = state.page().ok_or(TabFailure::DocumentGone)?;
            (page.status, page.is_truncated || page.is_incomplete())
        };
        self.check_proxy_answer(&url, status)?;
        self.import_cookies().await?;
        self.import_local_storage().await;
        let title = info.title.split_whitespace().collect::<Vec<_>>().join(" ");
        self.remember_title(&title);
        let mut warnings = page_warnings(&info, &url, &title, status);
        if is_truncated {
            warnings.push(PageWarning::Truncated);
        }
        if self.tracker()?.is_budget_spent() {
            warnings.push(PageWarning::BudgetExceeded);
        }
        self.url = Some(url.clone());
        let visit = Visit {
            url,
            status: status.code,
            title,
            warnings,
        };
        Ok((visit, info.onward()))
    }

    /// Where the tab is, while its open dialog keeps the page from being read.
    fn blocked_visit(&mut self) -> Result<Visit, Error> {
        let (address, status) = {
            let state = self.tracker()?.state();
            let page = state.page().ok_or(TabFailure::DocumentGone)?;
            (page.url.clone(), page.status)
        };
        let url = parse_address(&address)?;
        self.check_proxy_answer(&url, status)?;
        self.url = Some(url.clone());
        Ok(Visit {
            url,
            status: status.code,
            title: String::new(),
            warnings: Vec::new(),
        })
    }

    /// Gives an empty page with scripts time to render something.
    async fn wait_for_render(&mut self, mut info: DocumentInfo) -> Result<DocumentInfo, Error> {
        let deadline = Instant::now() + RENDER_TIMEOUT;
        while info.text == 0 && Instant::now() < deadline {
            let main = self.main_frame()?;
            let revision = self.tracker()?.state().revision;
            if let Err(failure @ (TabFailure::Cancelled | TabFailure::Disconnected | TabFailure::Crashed)) =
                self.wait_for_stable(100).await
            {
                return Err(failure.into());
            }
            info = match self.run(&main, DOCUMENT_INFO).await {
                Err(TabFailure::DocumentGone) => return Ok(info),
                info => info?,
            };
            if info.text > 0 {
                break;
            }
            // Still empty: wait for the network rather than poll the page.
            let (tracker, soon) = (self.tracker()?.clone(), Instant::now() + RENDER_CHECK);
            tokio::select! {
                biased;
                () = self.profile.cancel.cancelled() => return Err(Error::Cancelled),
                () = tracker.changed_since(revision, soon) => {}
            }
        }
        Ok(info)
    }
}

fn timed_out(what: &str, timeout: Duration) -> Error {
    Error::Timeout {
        what: what.to_owned(),
        seconds: timeout.as_secs(),
    }
}

fn parse_address(address: &str) -> Result<Url, Error> {
    Url::parse(address).map_err(|_| Error::Crashed("its address cannot be read"))
}

/// What a reader of the document should know. Its scripts have run, so what is empty now stays empty.
fn page_warnings(info: &DocumentInfo, url: &Url, title: &str, status: DocumentStatus) -> Vec<PageWarning> {
    if info.r#type.starts_with("image/") || info.r#type.starts_with("video/") {
        return vec![PageWarning::NotAPage];
    }
    if info.html.is_empty() {
        return Vec::new();
    }
    let page = Page::new(info.html.clone(), Some(url.clone()));
    let facts = ResponseFacts {
        status: status.code.unwrap_or(200),
        is_challenge: status.is_challenge,
    };
    let mut warnings = page_quality::warnings(&page, title, &facts);
    for warning in &mut warnings {
        if *warning == PageWarning::ScriptsNeeded {
            *warning = PageWarning::Empty;
        }
    }
    if info.text > 0 {
        warnings.retain(|warning| *warning != PageWarning::Empty);
    }
    warnings
}
