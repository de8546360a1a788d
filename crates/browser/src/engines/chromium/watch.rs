//! What is going on in the tabs of one run, as the browser's events tell it.
//!
//! Events are taken in by the connection's reading task, one after the other, and only change values here.
//! Whoever waits looks at the values again after each change.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::downloads::Download;
use super::frames::Frame;
use super::page::{KNOWN, PageState, Told};
use super::wire::Connection;
use crate::browser::Profile;

/// Most tabs of one run; further ones are closed at once and told.
const TABS: usize = 8;
/// Notes kept until they are told.
const NOTES: usize = 30;

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
    /// Whether questions of pages wait for an answer.
    pub(super) asks: bool,
    /// For whoever outlives a moment, such as the clock of a question.
    pub(super) own: Weak<Watch>,
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
        Arc::new_cyclic(|own| Watch {
            connection,
            context,
            state: Mutex::default(),
            changed: Notify::new(),
            view: profile.view,
            languages: profile.languages.clone(),
            downloads: profile.downloads.clone(),
            download_bytes: profile.download_bytes,
            asks: profile.asks,
            own: own.clone(),
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

    pub(super) fn touch(&self, state: &mut State) {
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
        if !KNOWN.contains(&method) || (method == "Network.dataReceived" && !self.measures(session)) {
            return;
        }
        let Ok(told) = serde_json::from_str::<Told>(params.get()) else {
            return;
        };
        let mut state = self.state();
        let at = state.pages.iter().position(|it| it.speaks(session));
        let Some(at) = at else { return };
        match method {
            "Page.javascriptDialogOpening" => self.asked(&mut state, at, session, &told),
            "Page.fileChooserOpened" => push(
                &mut state,
                "the page asked for a file; give one to its file field by the upload action".into(),
            ),
            "Input.dragIntercepted" => state.drag = told.data,
            _ => {
                let Some(page) = state.pages.get_mut(at) else {
                    return;
                };
                let before = page.cut;
                page.take(session, method, told);
                if page.cut && !before {
                    let stop = self.connection.call(&page.session, "Page.stopLoading", json!({}));
                    drop(stop);
                }
            }
        }
        self.touch(&mut state);
    }

    /// Closes the pages whose process has crashed.
    pub(super) fn bury(&self, state: &mut State) {
        for dead in state.pages.iter().filter(|it| it.crashed) {
            let close = json!({"targetId": dead.target});
            drop(self.connection.call("", "Target.closeTarget", close));
        }
        state.pages.retain(|page| !page.crashed);
    }

    /// Whether bytes that come for this session may be those of a document.
    fn measures(&self, session: &str) -> bool {
        let state = self.state();
        state.pages.iter().any(|it| it.speaks(session) && it.measures())
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

pub(super) fn push(state: &mut State, note: String) {
    if state.notes.len() < NOTES && state.notes.last() != Some(&note) {
        state.notes.push(note);
    }
}

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
