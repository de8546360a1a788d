//! `ContextTracker`: keeps the state of a browser context's tabs current from the browser's events.
//!
//! The connection's reading task applies events one after the other, and only changes the state. Whoever waits checks
//! the state again after each change.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use net::proxy::Proxy;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::cast_frames::{CastFrame, FrameSender};
use super::cdp::browser::{CancelDownload, DownloadBehavior, SetDownloadBehavior};
use super::cdp::emulation::{
    SetDeviceMetricsOverride, SetFocusEmulationEnabled, SetLocaleOverride, SetScriptExecutionDisabled,
    SetTimezoneOverride, SetUserAgentOverride,
};
use super::cdp::fetch::EnableFetch;
use super::cdp::network::{self, ExtraHeaders, SetBypassServiceWorker, SetExtraHttpHeaders};
use super::cdp::page::{
    self, AddScriptToEvaluateOnNewDocument, AddedScript, EnableInspector, HandleJavaScriptDialog,
    JavascriptDialogOpening, SetInterceptFileChooserDialog, StopLoading,
};
use super::cdp::runtime::{Evaluate, RunIfWaitingForDebugger};
use super::cdp::target::{AttachedToTarget, CloseTarget, SetAutoAttach};
use super::cdp::{BROWSER_SESSION, CdpEvent, Connection, PendingResponse};
use super::dialogs::{DialogAnswer, PendingDialog, answered_note, describe};
use super::downloads::{self, DownloadEnd};
use super::proxy_access::{self, ProxyAccess};
use super::site_headers::SiteHeaderRules;
use super::state::{ContextState, PageState};
use crate::browser::{OpenDialog, Profile};

/// Most tabs of one context; further ones are closed at once, and reported.
const MAX_TABS: usize = 8;
/// Dialogs of one document after which it cannot open any more.
const MAX_DIALOGS: usize = 20;
/// How long a dialog stays open before it gets its default answer: a page that stands still may lose its server.
const DIALOG_TIMEOUT: Duration = Duration::from_secs(30);
/// Most characters of a dialog's text.
const DIALOG_TEXT: usize = 300;

/// The state of one context, shared between the reading task and the tab.
pub(super) struct ContextTracker {
    pub(super) connection: Connection,
    pub(super) context_id: String,
    state: Mutex<ContextState>,
    changed: Notify,
    /// Absent where there is no proxy.
    pub(super) proxy: Option<ProxyAccess>,
    view: (u32, u32),
    languages: Option<String>,
    user_agent: Option<String>,
    timezone: Option<String>,
    pub(super) site_headers: SiteHeaderRules,
    downloads: Option<PathBuf>,
    download_bytes: u64,
    /// Whether dialogs stay open for the caller's answer.
    holds_dialogs: bool,
    /// Where frames of the screencast go.
    frames: Option<FrameSender>,
    /// For the timers of dialogs and the files of downloads.
    weak: Weak<ContextTracker>,
}

/// A list of languages without their weights, which the browser adds by itself.
fn without_weights(list: &str) -> String {
    let tags = list.split(',').filter_map(|entry| entry.split(';').next());
    tags.map(str::trim).collect::<Vec<_>>().join(",")
}

impl ContextTracker {
    pub(super) fn new(
        connection: Connection,
        context_id: String,
        profile: &Profile,
        proxy: Option<&Proxy>,
        frames: Option<FrameSender>,
    ) -> Arc<ContextTracker> {
        let behavior = SetDownloadBehavior {
            behavior: match profile.downloads {
                Some(_) => DownloadBehavior::AllowAndName,
                None => DownloadBehavior::Deny,
            },
            browser_context_id: &context_id,
            download_path: profile.downloads.as_deref(),
            events_enabled: true,
        };
        connection.send(BROWSER_SESSION, &behavior);
        Arc::new_cyclic(|weak| ContextTracker {
            connection,
            context_id,
            state: Mutex::default(),
            changed: Notify::new(),
            proxy: proxy.map(ProxyAccess::new),
            view: profile.view,
            languages: profile.languages.clone(),
            user_agent: profile.user_agent.clone(),
            timezone: profile.timezone.clone(),
            site_headers: SiteHeaderRules::new(&profile.site_headers),
            downloads: profile.downloads.clone(),
            download_bytes: profile.download_bytes,
            holds_dialogs: profile.asks,
            frames,
            weak: weak.clone(),
        })
    }

    /// Width and height of the viewport in CSS pixels.
    pub(super) fn view(&self) -> (u32, u32) {
        self.view
    }

    /// The state; to be locked for a moment only.
    pub(super) fn state(&self) -> MutexGuard<'_, ContextState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the state has another revision, or for the deadline.
    pub(super) async fn changed_since(&self, revision: u64, deadline: Instant) {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            // A change between the check and the wait ends the wait too.
            changed.as_mut().enable();
            if self.state().revision != revision {
                return;
            }
            if tokio::time::timeout_at(deadline, changed).await.is_err() {
                return;
            }
        }
    }

    fn notify(&self, state: &mut ContextState) {
        state.revision += 1;
        self.changed.notify_waiters();
    }

    /// A tab, or a frame in another process, was attached to.
    pub(super) fn target_attached(&self, parent: &str, attached: &AttachedToTarget, is_page: bool) {
        let (session, target) = (&attached.session_id, &attached.target_info.target_id);
        let mut state = self.state();
        if !is_page {
            self.initialize(session, false);
            if let Some(page) = state.pages.iter_mut().find(|page| page.has_session(parent)) {
                page.frame_sessions.push(session.clone());
                page.frames
                    .entry(target.clone())
                    .or_default()
                    .session
                    .clone_from(session);
            }
        } else if state.pages.len() >= MAX_TABS {
            state.closed_popups += 1;
            self.close_unseen(session, target);
        } else {
            state.last_number += 1;
            let mut page = PageState::new(state.last_number, target, session);
            page.is_adopted = attached.target_info.opener_id.is_none();
            let source = state.storage_script.as_deref();
            page.storage_script = source.map(|source| self.install_storage_script(session, source));
            state.pages.push(page);
            self.initialize(session, true);
        }
        self.notify(&mut state);
    }

    /// Sends everything that a new tab or frame needs before its first script runs.
    fn initialize(&self, session: &str, is_page: bool) {
        let connection = &self.connection;
        connection.send(session, &page::EnablePage {});
        connection.send(session, &network::EnableNetwork::default());
        connection.send(session, &SetBypassServiceWorker { bypass: true });
        connection.send(session, &EnableInspector {});
        connection.send(session, &SetAutoAttach::PAUSED);
        if let Some(proxy) = self.proxy.as_ref().filter(|_| is_page) {
            proxy.initialize(connection, session);
        }
        // After the proxy: what is enabled last holds.
        self.site_headers.initialize(connection, session, is_page);
        let script = AddScriptToEvaluateOnNewDocument {
            source: include_str!("new_document.js"),
            run_immediately: true,
            world_name: None,
        };
        connection.send(session, &script);
        if is_page {
            let view = SetDeviceMetricsOverride {
                width: self.view.0,
                height: self.view.1,
                device_scale_factor: 1,
                mobile: false,
            };
            connection.send(session, &view);
            connection.send(session, &SetFocusEmulationEnabled { enabled: true });
            connection.send(session, &SetInterceptFileChooserDialog { enabled: true });
        }
        if let Some(accept_language) = self.languages.as_deref() {
            let headers = ExtraHeaders { accept_language };
            connection.send(session, &SetExtraHttpHeaders { headers });
        }
        self.emulate(session, is_page);
        connection.send(session, &RunIfWaitingForDebugger {});
    }

    /// Makes a tab or frame one of the language, time zone and user agent that the profile names.
    fn emulate(&self, session: &str, is_page: bool) {
        let connection = &self.connection;
        if self.user_agent.is_some() || self.languages.is_some() {
            let languages = self.languages.as_deref().map(without_weights);
            let identity = SetUserAgentOverride {
                user_agent: self.user_agent.as_deref().unwrap_or_default(),
                accept_language: languages.as_deref(),
            };
            connection.send(session, &identity);
        }
        if let Some(timezone_id) = self.timezone.as_deref() {
            connection.send(session, &SetTimezoneOverride { timezone_id });
        }
        let locale = self
            .languages
            .as_deref()
            .and_then(|list| list.split([',', ';']).next());
        if let Some(locale) = locale.filter(|_| is_page) {
            connection.send(
                session,
                &SetLocaleOverride {
                    locale: &locale.replace('-', "_"),
                },
            );
        }
    }

    /// Installs the script that fills the storage of an origin, in a world of its own, which pages do not see.
    fn install_storage_script(&self, session: &str, source: &str) -> PendingResponse<AddedScript> {
        let command = AddScriptToEvaluateOnNewDocument {
            source,
            run_immediately: false,
            world_name: Some("huntsman_storage"),
        };
        self.connection.call(session, &command)
    }

    /// Installs another script that fills local storage, in the open tabs and in those to come. Returns the former ones with
    /// their sessions, to be removed: an origin is never without its script.
    pub(super) fn replace_storage_script(
        &self,
        source: Option<String>,
    ) -> Vec<(String, PendingResponse<AddedScript>)> {
        let mut state = self.state();
        let install = |page: &mut PageState| {
            let source = source.as_deref();
            let script = source.map(|source| self.install_storage_script(&page.session, source));
            let former = std::mem::replace(&mut page.storage_script, script)?;
            Some((page.session.clone(), former))
        };
        let former = state.pages.iter_mut().filter_map(install).collect();
        state.storage_script = source;
        former
    }

    pub(super) fn target_detached(&self, session: &str) {
        let mut state = self.state();
        state.pages.retain(|page| page.session != session);
        for page in &mut state.pages {
            page.frame_sessions.retain(|own| own != session);
            page.frames.retain(|_, frame| frame.session != session);
        }
        self.notify(&mut state);
    }

    pub(super) fn disconnected(&self) {
        let mut state = self.state();
        state.is_disconnected = true;
        self.notify(&mut state);
    }

    /// Applies an event of a session.
    pub(super) fn apply(&self, session: &str, event: CdpEvent) {
        if let CdpEvent::ScreencastFrame(frame) = event {
            let session = session.to_owned();
            if let Some(frames) = &self.frames {
                // A frame for which there is no room is one too many.
                let _ = frames.try_send(CastFrame { session, frame });
            }
            return;
        }
        let mut state = self.state();
        let Some(index) = state.pages.iter().position(|page| page.has_session(session)) else {
            return;
        };
        match event {
            CdpEvent::JavascriptDialogOpening(dialog) => {
                self.dialog_opened(&mut state, index, session, &dialog)
            }
            CdpEvent::FileChooserOpened(_) => {
                state.add_note("the page asked for a file; give one to its file field by the upload action");
            }
            CdpEvent::DragIntercepted(drag) => state.drag_data = Some(drag.data),
            CdpEvent::RequestPaused(paused) if !self.site_headers.is_empty() => {
                self.site_headers.answer(&self.connection, session, &paused);
            }
            CdpEvent::RequestPaused(_) | CdpEvent::AuthRequired(_) => {
                if let Some(proxy) = &self.proxy {
                    proxy.answer(&self.connection, session, &event, !self.site_headers.is_empty());
                } else if let CdpEvent::AuthRequired(required) = &event {
                    proxy_access::decline(&self.connection, session, required);
                }
            }
            event => {
                let Some(page) = state.pages.get_mut(index) else {
                    return;
                };
                if let (CdpEvent::RequestWillBeSent(_), Some(proxy)) = (&event, &self.proxy) {
                    proxy.count_request();
                }
                let was_truncated = page.is_truncated;
                page.apply(session, event);
                if page.is_truncated && !was_truncated {
                    self.connection.send(&page.session, &StopLoading {});
                }
            }
        }
        self.notify(&mut state);
    }

    /// Whether the pages have used up what they may load.
    pub(super) fn is_budget_spent(&self) -> bool {
        self.proxy.as_ref().is_some_and(ProxyAccess::is_budget_spent)
    }

    /// Applies an event about a download, which the browser reports for all contexts.
    pub(super) fn apply_download(&self, event: &CdpEvent) {
        let mut state = self.state();
        let folder = self.downloads.as_deref();
        let note = match event {
            CdpEvent::DownloadWillBegin(begin) => downloads::begin(&mut state, begin, folder),
            CdpEvent::DownloadProgress(progress) => {
                let cancel = |guid: &str| {
                    let browser_context_id = &self.context_id;
                    let cancel = CancelDownload {
                        guid,
                        browser_context_id,
                    };
                    self.connection.send(BROWSER_SESSION, &cancel);
                };
                let end = downloads::progress(&mut state, progress, folder, self.download_bytes, cancel);
                if let Some(end) = end {
                    self.settle_download(end);
                }
                None
            }
            _ => None,
        };
        if let Some(note) = note {
            state.add_note(note);
        }
        self.notify(&mut state);
    }

    /// Sees to the file of a download on a thread that may block, and reports the end.
    fn settle_download(&self, end: DownloadEnd) {
        let weak = self.weak.clone();
        tokio::task::spawn_blocking(move || {
            let note = end.settle();
            if let Some(tracker) = weak.upgrade() {
                let mut state = tracker.state();
                state.add_note(note);
                tracker.notify(&mut state);
            }
        });
    }

    /// Closes the tabs whose process has crashed.
    pub(super) fn close_crashed(&self, state: &mut ContextState) {
        for page in state.pages.iter().filter(|page| page.is_crashed) {
            self.close_target(&page.target);
        }
        state.pages.retain(|page| !page.is_crashed);
    }

    /// Closes a new tab before it loads or runs anything. Its opener waits for it as long as it is paused.
    fn close_unseen(&self, session: &str, target: &str) {
        let connection = &self.connection;
        connection.send(session, &SetScriptExecutionDisabled { value: true });
        connection.send(session, &EnableFetch::everything());
        connection.send(session, &RunIfWaitingForDebugger {});
        self.close_target(target);
    }

    fn close_target(&self, target_id: &str) {
        self.connection.send(BROWSER_SESSION, &CloseTarget { target_id });
    }

    /// Whether bytes that arrive in this session may be those of a document.
    pub(super) fn is_loading_document(&self, session: &str) -> bool {
        let pages = &self.state().pages;
        pages
            .iter()
            .any(|page| page.has_session(session) && page.is_loading_document())
    }

    fn dialog_opened(
        &self,
        state: &mut ContextState,
        index: usize,
        session: &str,
        opening: &JavascriptDialogOpening,
    ) {
        let shorten = |text: &str| -> String { text.chars().take(DIALOG_TEXT).collect() };
        let instructed = state.dialog_answer.clone();
        state.last_dialog += 1;
        let number = state.last_dialog;
        let Some(page) = state.pages.get_mut(index) else {
            return;
        };
        page.dialog_count += 1;
        let of_document = page.dialog_count;
        let dialog = PendingDialog {
            session: session.to_owned(),
            number,
            open: OpenDialog {
                kind: opening.r#type.clone(),
                text: shorten(&opening.message),
                suggestion: shorten(opening.default_prompt.as_deref().unwrap_or_default()),
            },
        };
        let kind = dialog.open.kind.as_str();
        if self.holds_dialogs && instructed.is_none() && kind != "alert" && of_document < MAX_DIALOGS {
            self.start_dialog_timer(number);
            page.dialog = Some(dialog);
            return;
        }
        let default = DialogAnswer::default_for(kind);
        let is_instructed = instructed.is_some();
        let answer = instructed.filter(|_| !default.accept).unwrap_or(default);
        self.answer(&dialog, &answer);
        if of_document == MAX_DIALOGS {
            let disable = Evaluate {
                expression: include_str!("disable_dialogs.js"),
                ..Evaluate::default()
            };
            self.connection.send(session, &disable);
            state.add_note("the page opened one dialog after the other; it cannot open any more");
        }
        if of_document < MAX_DIALOGS {
            state.add_note(answered_note(&dialog.open, &answer, is_instructed));
        }
    }

    /// Answers a dialog.
    pub(super) fn answer(&self, dialog: &PendingDialog, answer: &DialogAnswer) {
        let command = HandleJavaScriptDialog {
            accept: answer.accept,
            prompt_text: answer.text.as_deref().unwrap_or(&dialog.open.suggestion),
        };
        self.connection.send(&dialog.session, &command);
    }

    fn start_dialog_timer(&self, number: u64) {
        let weak = self.weak.clone();
        tokio::spawn(async move {
            tokio::time::sleep(DIALOG_TIMEOUT).await;
            let Some(tracker) = weak.upgrade() else { return };
            let mut state = tracker.state();
            let mut pages = state.pages.iter_mut();
            let dialog = pages.find_map(|page| page.dialog.take_if(|dialog| dialog.number == number));
            if let Some(dialog) = dialog {
                tracker.answer_by_default(&mut state, &dialog);
                tracker.notify(&mut state);
            }
        });
    }

    /// Gives a dialog its default answer, and reports that.
    pub(super) fn answer_by_default(&self, state: &mut ContextState, dialog: &PendingDialog) {
        let answer = DialogAnswer::default_for(&dialog.open.kind);
        self.answer(dialog, &answer);
        let asked = describe(&dialog.open);
        state.add_note(format!(
            "the page asked {asked}; nobody answered, and it was {}",
            answer.verb()
        ));
    }
}

#[cfg(test)]
mod tests;
