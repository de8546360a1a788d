//! What is going on in the tabs of one run, as the browser's events tell it.
//!
//! Events are taken in by the connection's reading task, one after the other, and only change values here.
//! Whoever waits looks at the values again after each change.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::downloads::Download;
use super::frames::Frame;
use super::wire::Connection;
use crate::browser::Profile;

/// Most tabs of one run; further ones are closed at once and told.
const TABS: usize = 8;
/// Dialogs of one page after which its dialogs are taken away.
const DIALOGS: usize = 20;
/// Requests of one page that are kept in mind.
const REQUESTS: usize = 2000;
/// Notes kept until they are told.
const NOTES: usize = 30;
/// A request to navigate that nothing follows is forgotten after this time.
const PROMISE: Duration = Duration::from_millis(500);

/// The values, shared between the reading task and the tab.
pub(super) struct Watch {
    pub(super) connection: Connection,
    pub(super) context: String,
    state: Mutex<State>,
    changed: Notify,
    /// What every new page is told before it runs.
    view: (u32, u32),
    languages: Option<String>,
    downloads: Option<PathBuf>,
    download_bytes: u64,
}

/// Everything known about the run's tabs.
#[derive(Default)]
pub(super) struct State {
    pub(super) pages: Vec<PageState>,
    /// The number of the tab that is looked at.
    pub(super) current: u32,
    last_number: u32,
    /// Told with the next outcome.
    notes: Vec<String>,
    pub(super) downloads: HashMap<String, Download>,
    /// How dialogs are answered, once it has been said.
    pub(super) answer: Option<(bool, Option<String>)>,
    /// Whether leaving a page may be refused by the page.
    pub(super) drag: Option<Box<RawValue>>,
    pub(super) lost: bool,
    closed_popups: usize,
    /// Counts every change, so that a waiter knows whether something came.
    pub(super) events: u64,
}

/// One tab.
pub(super) struct PageState {
    pub(super) number: u32,
    pub(super) target: String,
    pub(super) session: String,
    pub(super) frames: HashMap<String, Frame>,
    /// Sessions of frames that live in other processes.
    sessions: Vec<String>,
    /// Documents that the main frame has committed.
    pub(super) documents: u64,
    /// Changes of the address within a document.
    pub(super) moves: u64,
    /// When a navigation of the main frame was asked for that nothing has followed yet.
    promised: Option<Instant>,
    pub(super) loading: bool,
    pub(super) ready: bool,
    pub(super) loaded: bool,
    pub(super) url: String,
    pub(super) loader: String,
    pub(super) status: Option<u16>,
    pub(super) challenged: bool,
    statuses: HashMap<String, (u16, bool)>,
    /// Why the last document did not come, in the browser's words.
    pub(super) failed: Option<String>,
    requests: HashMap<String, Instant>,
    pub(super) crashed: bool,
    dialogs: usize,
    pub(super) seen: bool,
}

impl PageState {
    fn new(number: u32, target: &str, session: &str) -> PageState {
        PageState {
            number,
            target: target.to_owned(),
            session: session.to_owned(),
            frames: HashMap::new(),
            sessions: Vec::new(),
            documents: 0,
            moves: 0,
            promised: None,
            loading: false,
            ready: false,
            loaded: false,
            url: String::new(),
            loader: String::new(),
            status: None,
            challenged: false,
            statuses: HashMap::new(),
            failed: None,
            requests: HashMap::new(),
            crashed: false,
            dialogs: 0,
            seen: false,
        }
    }

    /// Whether one of its processes is spoken to by this session.
    pub(super) fn speaks(&self, session: &str) -> bool {
        self.session == session || self.sessions.iter().any(|own| own == session)
    }

    /// Whether another document is on its way.
    pub(super) fn leaving(&self, now: Instant) -> bool {
        self.loading && !self.ready || self.promised.is_some_and(|at| now - at < PROMISE)
    }

    /// Requests that began after `since` ago and have not ended.
    pub(super) fn busy(&self, now: Instant, since: Duration) -> usize {
        self.requests.values().filter(|at| now - **at < since).count()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FrameTold {
    id: String,
    #[serde(default)]
    parent_id: Option<String>,
    #[serde(default)]
    loader_id: String,
    url: String,
    #[serde(default)]
    url_fragment: Option<String>,
    #[serde(default)]
    unreachable_url: Option<String>,
}

/// The fields that any of the events we know may have.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Told {
    #[serde(default)]
    frame_id: String,
    #[serde(default)]
    parent_frame_id: Option<String>,
    #[serde(default)]
    frame: Option<FrameTold>,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    disposition: Option<String>,
    #[serde(default)]
    url: String,
    #[serde(default)]
    request_id: String,
    #[serde(default)]
    loader_id: String,
    #[serde(default)]
    r#type: String,
    #[serde(default)]
    response: Option<Response>,
    #[serde(default)]
    error_text: Option<String>,
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    data: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Response {
    status: u16,
    #[serde(default)]
    headers: HashMap<String, String>,
}

impl Watch {
    pub(super) fn new(connection: Connection, context: String, profile: &Profile) -> Arc<Watch> {
        let behaviour = match &profile.downloads {
            Some(folder) => json!({
                "behavior": "allowAndName",
                "browserContextId": context,
                "downloadPath": folder,
                "eventsEnabled": true,
            }),
            None => json!({"behavior": "deny", "browserContextId": context, "eventsEnabled": true}),
        };
        drop(connection.call("", "Browser.setDownloadBehavior", behaviour));
        Arc::new(Watch {
            connection,
            context,
            state: Mutex::default(),
            changed: Notify::new(),
            view: profile.view,
            languages: profile.languages.clone(),
            downloads: profile.downloads.clone(),
            download_bytes: profile.download_bytes,
        })
    }

    /// The values; held for a moment only.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something has changed since `seen` events, or the time has come.
    pub(super) async fn change(&self, seen: u64, until: Instant) {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            // Changes between the look and the wait wake us too.
            changed.as_mut().enable();
            if self.state().events != seen {
                return;
            }
            if tokio::time::timeout_at(until, changed).await.is_err() {
                return;
            }
        }
    }

    fn touch(&self, state: &mut State) {
        state.events += 1;
        self.changed.notify_waiters();
    }

    /// A page or a frame in another process came under watch.
    pub(super) fn attached(
        &self,
        parent: &str,
        session: &str,
        target: &str,
        page: bool,
        opener: Option<&str>,
    ) {
        let mut state = self.state();
        if !page {
            self.greet(session, false);
            let found = state.pages.iter_mut().find(|it| it.speaks(parent));
            if let Some(page) = found {
                page.sessions.push(session.to_owned());
                let frame = page.frames.entry(target.to_owned()).or_default();
                frame.session = session.to_owned();
                frame.loader = String::new();
            }
            self.touch(&mut state);
            return;
        }
        if state.pages.len() >= TABS {
            state.closed_popups += 1;
            let call = |method, params| drop(self.connection.call(session, method, params));
            call("Runtime.runIfWaitingForDebugger", json!({}));
            drop(
                self.connection
                    .call("", "Target.closeTarget", json!({"targetId": target})),
            );
            self.touch(&mut state);
            return;
        }
        state.last_number += 1;
        let number = state.last_number;
        let mut page = PageState::new(number, target, session);
        page.frames.insert(
            target.to_owned(),
            Frame {
                session: session.to_owned(),
                ..Frame::default()
            },
        );
        page.seen = opener.is_none();
        state.pages.push(page);
        self.greet(session, true);
        self.touch(&mut state);
    }

    /// Everything a new page or frame needs before its first script runs.
    fn greet(&self, session: &str, page: bool) {
        let call = |method, params: serde_json::Value| drop(self.connection.call(session, method, params));
        call("Page.enable", json!({}));
        call(
            "Network.enable",
            json!({"maxTotalBufferSize": 0, "maxResourceBufferSize": 0, "maxPostDataSize": 0}),
        );
        call("Network.setBypassServiceWorker", json!({"bypass": true}));
        call("Inspector.enable", json!({}));
        let attach = json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true});
        call("Target.setAutoAttach", attach);
        call(
            "Page.addScriptToEvaluateOnNewDocument",
            json!({"source": include_str!("before.js"), "runImmediately": true}),
        );
        if page {
            let (width, height) = self.view;
            let view = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
            call("Emulation.setDeviceMetricsOverride", view);
            call("Emulation.setFocusEmulationEnabled", json!({"enabled": true}));
            call("Page.setInterceptFileChooserDialog", json!({"enabled": true}));
        }
        if let Some(languages) = &self.languages {
            call(
                "Network.setExtraHTTPHeaders",
                json!({"headers": {"Accept-Language": languages}}),
            );
        }
        call("Runtime.runIfWaitingForDebugger", json!({}));
    }

    pub(super) fn detached(&self, session: &str) {
        let mut state = self.state();
        state.pages.retain(|page| page.session != session);
        for page in &mut state.pages {
            page.sessions.retain(|own| own != session);
            page.frames.retain(|_, frame| frame.session != session);
        }
        self.touch(&mut state);
    }

    pub(super) fn lost(&self) {
        let mut state = self.state();
        state.lost = true;
        self.touch(&mut state);
    }

    /// Notes that the next outcome tells.
    pub(super) fn note(&self, text: impl Into<String>) {
        push(&mut self.state(), text.into());
    }

    /// Takes the notes.
    pub(super) fn take_notes(&self) -> Vec<String> {
        let mut state = self.state();
        let mut notes = std::mem::take(&mut state.notes);
        let closed = std::mem::take(&mut state.closed_popups);
        if closed > 0 {
            notes.push(format!("the page wanted {closed} more tabs; they were closed"));
        }
        notes
    }

    pub(super) fn event(&self, session: &str, method: &str, params: &RawValue) {
        if !KNOWN.contains(&method) {
            return;
        }
        let Ok(told) = serde_json::from_str::<Told>(params.get()) else {
            return;
        };
        let mut state = self.state();
        let at = state.pages.iter().position(|it| it.speaks(session));
        let Some(at) = at else { return };
        match method {
            "Page.javascriptDialogOpening" => self.dialog(&mut state, at, session, &told),
            "Page.fileChooserOpened" => push(
                &mut state,
                "the page asked for a file; give one to its file field by the upload action".into(),
            ),
            "Input.dragIntercepted" => state.drag = told.data,
            _ => {
                if let Some(page) = state.pages.get_mut(at) {
                    page.take(session, method, told);
                }
            }
        }
        self.touch(&mut state);
    }

    fn dialog(&self, state: &mut State, at: usize, session: &str, told: &Told) {
        let text: String = told
            .message
            .as_deref()
            .unwrap_or_default()
            .chars()
            .take(300)
            .collect();
        let (said, prompt) = state.answer.clone().map_or((None, None), |it| (Some(it.0), it.1));
        let accept = match told.r#type.as_str() {
            "alert" | "beforeunload" => true,
            _ => said.unwrap_or(false),
        };
        let Some(page) = state.pages.get_mut(at) else {
            return;
        };
        page.dialogs += 1;
        let count = page.dialogs;
        let answer = json!({"accept": accept, "promptText": prompt.unwrap_or_default()});
        drop(
            self.connection
                .call(session, "Page.handleJavaScriptDialog", answer),
        );
        if count == DIALOGS {
            // A page that does not stop asking is not asked any more.
            let silence = json!({"expression": include_str!("silence.js")});
            drop(self.connection.call(session, "Runtime.evaluate", silence));
            push(
                state,
                "the page opened one dialog after the other; it cannot open any more".into(),
            );
        }
        if count >= DIALOGS {
            return;
        }
        let note = match told.r#type.as_str() {
            "alert" => format!("the page said {text:?} in a dialog, which was closed"),
            "beforeunload" => "the page asked whether it may be left; it was left".to_owned(),
            kind => {
                let done = if accept { "accepted" } else { "dismissed" };
                let hint = match said {
                    Some(_) => "",
                    None => "; to answer otherwise, use the dialog action first and repeat",
                };
                format!("the page asked {text:?} ({kind}); it was {done}{hint}")
            }
        };
        push(state, note);
    }

    pub(super) fn download(&self, method: &str, params: &RawValue) {
        let mut state = self.state();
        if let Some(note) = super::downloads::take(
            &mut state,
            method,
            params,
            self.downloads.as_deref(),
            self.download_bytes,
            |guid| {
                let cancel = json!({"guid": guid, "browserContextId": self.context});
                drop(self.connection.call("", "Browser.cancelDownload", cancel));
            },
        ) {
            push(&mut state, note);
        }
        self.touch(&mut state);
    }
}

fn push(state: &mut State, note: String) {
    if state.notes.len() < NOTES && state.notes.last() != Some(&note) {
        state.notes.push(note);
    }
}

/// The events that change something here.
const KNOWN: &[&str] = &[
    "Page.frameAttached",
    "Page.frameDetached",
    "Page.frameNavigated",
    "Page.navigatedWithinDocument",
    "Page.frameRequestedNavigation",
    "Page.frameStartedLoading",
    "Page.frameStoppedLoading",
    "Page.domContentEventFired",
    "Page.loadEventFired",
    "Page.javascriptDialogOpening",
    "Page.fileChooserOpened",
    "Network.requestWillBeSent",
    "Network.responseReceived",
    "Network.loadingFinished",
    "Network.loadingFailed",
    "Inspector.targetCrashed",
    "Input.dragIntercepted",
];

impl State {
    /// The tab that is looked at.
    pub(super) fn page(&self) -> Option<&PageState> {
        self.pages.iter().find(|page| page.number == self.current)
    }

    /// A frame of any tab.
    pub(super) fn frame_mut(&mut self, frame: &str) -> Option<&mut Frame> {
        self.pages.iter_mut().find_map(|page| page.frames.get_mut(frame))
    }
}

impl PageState {
    fn take(&mut self, session: &str, method: &str, told: Told) {
        let main = told.frame_id == self.target;
        match method {
            "Page.frameAttached" => {
                let frame = self.frames.entry(told.frame_id).or_default();
                frame.parent = told.parent_frame_id;
                if frame.session.is_empty() {
                    frame.session = session.to_owned();
                }
            }
            // A frame that changes its process stays; its new session is known already or comes next.
            "Page.frameDetached" if told.reason.as_deref() != Some("swap") => {
                self.frames.remove(&told.frame_id);
            }
            "Page.frameNavigated" => {
                if let Some(frame) = told.frame {
                    self.navigated(session, frame);
                }
            }
            "Page.navigatedWithinDocument" if main => {
                self.url = told.url;
                self.moves += 1;
                self.promised = None;
            }
            "Page.frameRequestedNavigation" => {
                let here = told.disposition.as_deref().is_none_or(|it| it == "currentTab");
                let page = told.url.starts_with("http") || told.url.starts_with("about:");
                if main && here && page {
                    self.promised = Some(Instant::now());
                }
            }
            "Page.frameStartedLoading" if main => {
                self.loading = true;
                self.ready = false;
                self.loaded = false;
                self.failed = None;
            }
            "Page.frameStoppedLoading" if main => {
                self.loading = false;
                self.ready = true;
                self.loaded = true;
                self.promised = None;
            }
            "Page.domContentEventFired" if session == self.session => self.ready = true,
            "Page.loadEventFired" if session == self.session => self.loaded = true,
            "Network.requestWillBeSent" => {
                let counts = matches!(
                    told.r#type.as_str(),
                    "Document" | "Stylesheet" | "Script" | "XHR" | "Fetch" | ""
                );
                if counts && self.requests.len() < REQUESTS {
                    self.requests.insert(told.request_id, Instant::now());
                }
            }
            "Network.responseReceived" => {
                if let (true, "Document", Some(response)) = (main, told.r#type.as_str(), told.response) {
                    let challenged = response.headers.iter().any(|(name, value)| {
                        name.eq_ignore_ascii_case("cf-mitigated") && value == "challenge"
                    });
                    if self.loader == told.loader_id {
                        self.status = Some(response.status);
                        self.challenged = challenged;
                    } else {
                        self.statuses.clear();
                        self.statuses
                            .insert(told.loader_id, (response.status, challenged));
                    }
                }
            }
            "Network.loadingFinished" => {
                self.requests.remove(&told.request_id);
            }
            "Network.loadingFailed" => {
                self.requests.remove(&told.request_id);
                if told.r#type == "Document" {
                    self.failed = told.error_text;
                }
            }
            "Inspector.targetCrashed" if session == self.session => self.crashed = true,
            _ => {}
        }
    }

    fn navigated(&mut self, session: &str, told: FrameTold) {
        let main = told.id == self.target;
        let frame = self.frames.entry(told.id.clone()).or_default();
        frame.session = session.to_owned();
        if told.parent_id.is_some() {
            frame.parent = told.parent_id;
        }
        frame.loader = told.loader_id.clone();
        frame.world = None;
        frame.url = told.url.clone();
        if !main {
            return;
        }
        self.documents += 1;
        self.promised = None;
        self.crashed = false;
        self.dialogs = 0;
        self.url = told.url + told.url_fragment.as_deref().unwrap_or_default();
        if told.unreachable_url.is_none() {
            self.failed = None;
        }
        let known = self.statuses.remove(&told.loader_id);
        self.status = known.map(|it| it.0);
        self.challenged = known.is_some_and(|it| it.1);
        self.loader = told.loader_id;
        let target = self.target.clone();
        // Frames of the document before are gone with it.
        self.frames.retain(|id, _| *id == target);
        self.requests.clear();
    }
}
