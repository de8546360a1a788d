//! One tab, as the browser's events tell it.

use std::collections::HashMap;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::time::Instant;

use super::dialogs::Waiting;
use super::frames::Frame;

/// Requests of one page that are kept in mind.
const REQUESTS: usize = 2000;
/// Most bytes of one document that the browser is let load; beyond it the page is what came until then.
const DOCUMENT: u64 = 16 << 20;
/// Documents of one page that are measured at once.
const MEASURED: usize = 50;
/// A request to navigate that nothing follows is forgotten after this time.
const PROMISE: Duration = Duration::from_millis(500);

/// The events that change something here.
pub(super) const KNOWN: &[&str] = &[
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
    "Page.javascriptDialogClosed",
    "Page.fileChooserOpened",
    "Network.requestWillBeSent",
    "Network.responseReceived",
    "Network.dataReceived",
    "Network.loadingFinished",
    "Network.loadingFailed",
    "Inspector.targetCrashed",
    "Input.dragIntercepted",
];

/// One tab.
pub(super) struct PageState {
    pub(super) number: u32,
    pub(super) target: String,
    pub(super) session: String,
    pub(super) frames: HashMap<String, Frame>,
    /// Sessions of frames that live in other processes.
    pub(super) sessions: Vec<String>,
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
    /// Bytes of documents that are being loaded, by their requests.
    bodies: HashMap<String, u64>,
    /// Only the first part of its document was let come.
    pub(super) cut: bool,
    pub(super) crashed: bool,
    /// How many dialogs its document has opened.
    pub(super) dialogs: usize,
    /// The one that waits for an answer.
    pub(super) dialog: Option<Waiting>,
    pub(super) seen: bool,
}

impl PageState {
    pub(super) fn new(number: u32, target: &str, session: &str) -> PageState {
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
            bodies: HashMap::new(),
            cut: false,
            crashed: false,
            dialogs: 0,
            dialog: None,
            seen: false,
        }
    }

    /// Whether a document is being loaded, so that its bytes count.
    pub(super) fn measures(&self) -> bool {
        !self.bodies.is_empty()
    }

    /// Takes it that another document will come.
    pub(super) fn expect(&mut self) {
        self.promised = Some(Instant::now());
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
pub(super) struct Told {
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
    pub(super) r#type: String,
    #[serde(default)]
    response: Option<Response>,
    #[serde(default)]
    data_length: u64,
    #[serde(default)]
    error_text: Option<String>,
    #[serde(default)]
    pub(super) message: Option<String>,
    #[serde(default)]
    pub(super) default_prompt: Option<String>,
    #[serde(default)]
    pub(super) data: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Response {
    status: u16,
    #[serde(default)]
    headers: HashMap<String, String>,
}

impl PageState {
    pub(super) fn take(&mut self, session: &str, method: &str, told: Told) {
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
                if told.r#type == "Document" && self.bodies.len() < MEASURED {
                    self.bodies.insert(told.request_id.clone(), 0);
                }
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
            "Network.dataReceived" => {
                if let Some(bytes) = self.bodies.get_mut(&told.request_id) {
                    *bytes = bytes.saturating_add(told.data_length);
                    if *bytes > DOCUMENT {
                        self.bodies.remove(&told.request_id);
                        self.cut = true;
                    }
                }
            }
            "Network.loadingFinished" => {
                self.bodies.remove(&told.request_id);
                self.requests.remove(&told.request_id);
            }
            "Network.loadingFailed" => {
                self.bodies.remove(&told.request_id);
                self.requests.remove(&told.request_id);
                if told.r#type == "Document" {
                    self.failed = told.error_text;
                }
            }
            "Page.javascriptDialogClosed" => self.dialog = None,
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
        self.dialog = None;
        self.cut = false;
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
