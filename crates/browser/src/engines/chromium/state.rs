//! State of the tabs of one browser context, as the browser's events describe it.

use std::collections::HashMap;
use std::time::Duration;

use net::proxy::Proxy;
use serde_json::value::RawValue;
use tokio::time::Instant;
use url::{Host, Url};

use super::cdp::network::{DOCUMENT, LoadingFailed, RequestWillBeSent, ResponseReceived};
use super::cdp::page::{AddedScript, FrameRequestedNavigation, NavigatedFrame};
use super::cdp::{CdpEvent, PendingResponse};
use super::dialogs::{DialogAnswer, PendingDialog};
use crate::browser::PageWarning;

/// Most requests of one page that are tracked.
const MAX_REQUESTS: usize = 2000;
/// Most bytes of one document; loading is stopped beyond.
const MAX_DOCUMENT_BYTES: u64 = 16 << 20;
/// Most documents of one page whose bytes are counted at once.
const MAX_MEASURED_DOCUMENTS: usize = 50;
/// A requested navigation that nothing follows is forgotten after this time.
const NAVIGATION_REQUEST_LIFETIME: Duration = Duration::from_millis(500);
/// The longest time until the head of a response with data comes.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(15);
/// The longest time from there until the response has ended.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(3);
/// Most notes kept until they are taken.
const MAX_NOTES: usize = 30;

/// One frame: the tab's own, or one within it.
#[derive(Debug, Default, Clone)]
pub(super) struct Frame {
    pub(super) parent: Option<String>,
    /// The session of its process.
    pub(super) session: String,
    /// The isolated world in its present document, once it is created.
    pub(super) world: Option<i64>,
    /// The index of its frame element in the parent's document, once it is known.
    pub(super) owner_index: Option<u32>,
}

/// A request that has not ended.
#[derive(Debug)]
struct PendingRequest {
    began: Instant,
    /// The address, of a request by `fetch` or `XMLHttpRequest`.
    data_url: Option<Url>,
    /// When the head of the response came.
    answered: Option<Instant>,
}

impl PendingRequest {
    /// Whether its data may still come: a request that lasts longer waits for news, and a response that lasts longer is a stream.
    fn awaits_data(&self, now: Instant) -> bool {
        match self.answered {
            Some(answered) => now - answered < RESPONSE_TIMEOUT,
            None => now - self.began < ANSWER_TIMEOUT,
        }
    }
}

/// Whether an address of data belongs to the site of a page: both have one registrable domain, or else one host.
fn is_of_site(data: &Url, page: &str) -> bool {
    let page = Url::parse(page).ok();
    let (Some(data), Some(page)) = (data.host(), page.as_ref().and_then(Url::host)) else {
        return false;
    };
    match (&data, &page) {
        (Host::Domain(data), Host::Domain(page)) => {
            data == page
                || net::registrable_domain(page)
                    .is_some_and(|site| net::registrable_domain(data) == Some(site))
        }
        _ => data == page,
    }
}

/// The answer of a document: its status, and whether it says that it is a bot challenge.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DocumentStatus {
    pub(super) code: Option<u16>,
    pub(super) is_challenge: bool,
    /// Whether our proxy gave it, since it did not reach the site.
    pub(super) is_of_proxy: bool,
}

/// One tab.
#[derive(Default)]
pub(super) struct PageState {
    pub(super) number: u32,
    /// The target's id, which is the main frame's too.
    pub(super) target: String,
    pub(super) session: String,
    pub(super) frames: HashMap<String, Frame>,
    /// Sessions of frames in other processes.
    pub(super) frame_sessions: Vec<String>,
    /// Documents that the main frame has committed.
    pub(super) document_count: u64,
    /// Changes of the address within a document.
    pub(super) same_document_navigations: u64,
    /// When a navigation of the main frame was requested that nothing has followed yet.
    navigation_requested: Option<Instant>,
    pub(super) is_loading: bool,
    is_dom_ready: bool,
    pub(super) is_loaded: bool,
    pub(super) url: String,
    pub(super) loader: String,
    pub(super) status: DocumentStatus,
    /// The status of the loader whose document is not committed yet.
    next_status: Option<(String, DocumentStatus)>,
    requests: HashMap<String, PendingRequest>,
    /// Bytes of documents that are being loaded, by request.
    document_bytes: HashMap<String, u64>,
    /// The loader of the last document whose connection was lost.
    lost_document: Option<String>,
    /// Whether only the first part of its document was loaded, since it is too large.
    pub(super) is_truncated: bool,
    pub(super) is_crashed: bool,
    /// Dialogs that its document has opened.
    pub(super) dialog_count: usize,
    pub(super) dialog: Option<PendingDialog>,
    /// Whether the tab has been current, or was not opened by a page.
    pub(super) is_adopted: bool,
    /// The script that fills its local storage, where one is installed.
    pub(super) storage_script: Option<PendingResponse<AddedScript>>,
}

impl PageState {
    pub(super) fn new(number: u32, target: &str, session: &str) -> PageState {
        let frame = Frame {
            session: session.to_owned(),
            ..Frame::default()
        };
        PageState {
            number,
            target: target.to_owned(),
            session: session.to_owned(),
            frames: HashMap::from([(target.to_owned(), frame)]),
            ..PageState::default()
        }
    }

    /// Whether the bytes of a document are being counted.
    pub(super) fn is_loading_document(&self) -> bool {
        !self.document_bytes.is_empty()
    }

    /// Notes that a navigation was requested.
    pub(super) fn expect_navigation(&mut self) {
        self.navigation_requested = Some(Instant::now());
    }

    /// Whether the session is that of the tab or of one of its frames.
    pub(super) fn has_session(&self, session: &str) -> bool {
        self.session == session || self.frame_sessions.iter().any(|own| own == session)
    }

    /// Whether another document is on its way.
    pub(super) fn is_navigating(&self, now: Instant) -> bool {
        let requested = self.navigation_requested;
        self.is_loading && !self.is_dom_ready
            || requested.is_some_and(|requested| now - requested < NAVIGATION_REQUEST_LIFETIME)
    }

    /// Requests younger than `age` that have not ended.
    pub(super) fn pending_requests(&self, now: Instant, age: Duration) -> usize {
        let pending = self.requests.values();
        pending.filter(|request| now - request.began < age).count()
    }

    /// Whether the page waits for data: for those of its own site, or of any.
    pub(super) fn awaits_data(&self, now: Instant, is_any_site: bool) -> bool {
        let pending = self.requests.values();
        pending
            .filter_map(|request| Some((request, request.data_url.as_ref()?)))
            .any(|(request, url)| request.awaits_data(now) && (is_any_site || is_of_site(url, &self.url)))
    }

    /// Applies an event of one of the page's sessions.
    pub(super) fn apply(&mut self, session: &str, event: CdpEvent) {
        match event {
            CdpEvent::FrameAttached(attached) => {
                let frame = self.frames.entry(attached.frame_id).or_default();
                frame.parent = attached.parent_frame_id;
                if frame.session.is_empty() {
                    frame.session = session.to_owned();
                }
            }
            // A frame that changes its process stays; its new session is known already or comes next.
            CdpEvent::FrameDetached(detached) if detached.reason.as_deref() != Some("swap") => {
                self.frames.remove(&detached.frame_id);
            }
            CdpEvent::FrameNavigated(navigated) => self.commit(session, navigated.frame),
            CdpEvent::NavigatedWithinDocument(navigated) if navigated.frame_id == self.target => {
                self.url = navigated.url;
                self.same_document_navigations += 1;
                self.navigation_requested = None;
            }
            CdpEvent::FrameRequestedNavigation(request) => self.request_navigation(&request),
            CdpEvent::FrameStartedLoading(frame) if frame.frame_id == self.target => {
                self.is_loading = true;
                self.is_dom_ready = false;
                self.is_loaded = false;
            }
            CdpEvent::FrameStoppedLoading(frame) if frame.frame_id == self.target => {
                self.is_loading = false;
                self.is_dom_ready = true;
                self.is_loaded = true;
                self.navigation_requested = None;
            }
            CdpEvent::DomContentEventFired(_) if session == self.session => self.is_dom_ready = true,
            CdpEvent::LoadEventFired(_) if session == self.session => self.is_loaded = true,
            CdpEvent::RequestWillBeSent(request) => self.begin_request(request),
            CdpEvent::ResponseReceived(received) => self.receive_response(received),
            CdpEvent::DataReceived(data) => {
                if let Some(bytes) = self.document_bytes.get_mut(&data.request_id) {
                    *bytes = bytes.saturating_add(data.data_length);
                    if *bytes > MAX_DOCUMENT_BYTES {
                        self.document_bytes.remove(&data.request_id);
                        self.is_truncated = true;
                    }
                }
            }
            CdpEvent::LoadingFinished(finished) => self.end_request(&finished.request_id),
            CdpEvent::LoadingFailed(failed) => {
                self.end_request(&failed.request_id);
                self.lose_document(&failed);
            }
            CdpEvent::JavascriptDialogClosed(_) => self.dialog = None,
            CdpEvent::TargetCrashed(_) if session == self.session => self.is_crashed = true,
            _ => {}
        }
    }

    fn request_navigation(&mut self, request: &FrameRequestedNavigation) {
        let in_tab = request
            .disposition
            .as_deref()
            .is_none_or(|place| place == "currentTab");
        let is_page = request.url.starts_with("http") || request.url.starts_with("about:");
        if request.frame_id == self.target && in_tab && is_page {
            self.expect_navigation();
        }
    }

    fn begin_request(&mut self, request: RequestWillBeSent) {
        if request.r#type == DOCUMENT && self.document_bytes.len() < MAX_MEASURED_DOCUMENTS {
            self.document_bytes.insert(request.request_id.clone(), 0);
        }
        let is_awaited = matches!(
            request.r#type.as_str(),
            "Document" | "Stylesheet" | "Script" | "XHR" | "Fetch" | ""
        );
        if is_awaited && self.requests.len() < MAX_REQUESTS {
            let is_data = matches!(request.r#type.as_str(), "XHR" | "Fetch");
            let pending = PendingRequest {
                began: Instant::now(),
                data_url: Url::parse(&request.request.url).ok().filter(|_| is_data),
                answered: None,
            };
            self.requests.insert(request.request_id, pending);
        }
    }

    fn end_request(&mut self, request: &str) {
        self.document_bytes.remove(request);
        self.requests.remove(request);
    }

    /// Notes that the rest of the tab's document is lost. The id of a document's request is that of its loader.
    fn lose_document(&mut self, failed: &LoadingFailed) {
        let next = self.next_status.as_ref().map(|(loader, _)| loader);
        let is_main = self.loader == failed.request_id || next == Some(&failed.request_id);
        if is_main && !failed.canceled {
            self.lost_document = Some(failed.request_id.clone());
        }
    }

    /// Whether the connection was lost before the document had ended.
    pub(super) fn is_incomplete(&self) -> bool {
        let lost = self.lost_document.as_ref();
        !self.is_truncated && lost.is_some_and(|loader| *loader == self.loader)
    }

    fn receive_response(&mut self, received: ResponseReceived) {
        if let Some(request) = self.requests.get_mut(&received.request_id) {
            request.answered = Some(Instant::now());
        }
        if received.frame_id != self.target || received.r#type != DOCUMENT {
            return;
        }
        let mut headers = received.response.headers.iter();
        let is_challenge = |(name, value): (&String, &String)| {
            name.eq_ignore_ascii_case("cf-mitigated") && value == "challenge"
        };
        let status = DocumentStatus {
            code: Some(received.response.status),
            is_challenge: headers.clone().any(is_challenge),
            is_of_proxy: headers.any(|(name, _)| name.eq_ignore_ascii_case(Proxy::ERROR_HEADER)),
        };
        if self.loader == received.loader_id {
            self.status = status;
        } else {
            self.next_status = Some((received.loader_id, status));
        }
    }

    /// A frame shows another document.
    fn commit(&mut self, session: &str, navigated: NavigatedFrame) {
        let is_main = navigated.id == self.target;
        let frame = self.frames.entry(navigated.id).or_default();
        frame.session = session.to_owned();
        if navigated.parent_id.is_some() {
            frame.parent = navigated.parent_id;
        }
        frame.world = None;
        if !is_main {
            return;
        }
        self.document_count += 1;
        self.navigation_requested = None;
        self.is_crashed = false;
        self.dialog_count = 0;
        self.dialog = None;
        self.is_truncated = false;
        self.url = navigated.url + navigated.url_fragment.as_deref().unwrap_or_default();
        let next = self
            .next_status
            .take_if(|(loader, _)| *loader == navigated.loader_id);
        self.status = next.map(|(_, status)| status).unwrap_or_default();
        self.loader = navigated.loader_id;
        // The frames of the former document are gone with it.
        self.frames.retain(|id, _| *id == self.target);
        self.requests.clear();
    }
}

/// The tabs of one browser context.
#[derive(Default)]
pub(super) struct ContextState {
    pub(super) pages: Vec<PageState>,
    /// The number of the current tab.
    pub(super) current: u32,
    pub(super) last_number: u32,
    /// Reported with the next outcome.
    notes: Vec<String>,
    /// Names of the files that are being downloaded, by GUID.
    pub(super) downloads: HashMap<String, String>,
    /// Dialogs so far, of all documents.
    pub(super) last_dialog: u64,
    /// How dialogs are answered, once the caller has said so.
    pub(super) dialog_answer: Option<DialogAnswer>,
    /// What the browser drags at the moment.
    pub(super) drag_data: Option<Box<RawValue>>,
    pub(super) is_disconnected: bool,
    pub(super) closed_popups: usize,
    /// The script that fills the local storage of an origin, for every tab.
    pub(super) storage_script: Option<String>,
    /// Whether it was reported that the pages have used up what they may load.
    is_budget_reported: bool,
    /// Counts the changes, so that a waiter knows whether there was one.
    pub(super) revision: u64,
}

impl ContextState {
    /// The current tab.
    pub(super) fn page(&self) -> Option<&PageState> {
        self.pages.iter().find(|page| page.number == self.current)
    }

    pub(super) fn page_mut(&mut self) -> Option<&mut PageState> {
        self.pages.iter_mut().find(|page| page.number == self.current)
    }

    /// A frame of any tab.
    pub(super) fn frame_mut(&mut self, frame: &str) -> Option<&mut Frame> {
        self.pages.iter_mut().find_map(|page| page.frames.get_mut(frame))
    }

    /// Makes the newest tab the current one, and gives its number.
    pub(super) fn select_last(&mut self) -> Option<u32> {
        let number = self.pages.last()?.number;
        self.current = number;
        Some(number)
    }

    /// Adds a note for the next outcome, up to a bound, and not twice in a row.
    pub(super) fn add_note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if self.notes.len() < MAX_NOTES && self.notes.last() != Some(&note) {
            self.notes.push(note);
        }
    }

    /// Adds a note, once, that requests fail because the pages have used up what they may load.
    pub(super) fn report_spent_budget(&mut self) {
        if !std::mem::replace(&mut self.is_budget_reported, true) {
            self.add_note(PageWarning::BudgetExceeded.text().into_owned());
        }
    }

    /// Takes the notes.
    pub(super) fn take_notes(&mut self) -> Vec<String> {
        let mut notes = std::mem::take(&mut self.notes);
        let closed = std::mem::take(&mut self.closed_popups);
        if closed > 0 {
            notes.push(format!("the page wanted {closed} more tabs; they were closed"));
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_of_the_same_registrable_domain_or_host_are_of_the_site() {
        let is = |data: &str, page: &str| is_of_site(&Url::parse(data).unwrap(), page);
        assert!(is("https://shop.example/api", "https://shop.example/"));
        assert!(is("https://api.shop.example/", "https://www.shop.example/list"));
        assert!(is("https://data.shop.example/", "https://shop.example/list"));
        assert!(!is("https://count.example/", "https://shop.example/"));
        assert!(!is("https://workshop.example/", "https://shop.example/"));
        assert!(!is("https://shop.example/", "about:blank"));
        assert!(is("https://api.shop.co.uk/", "https://shop.co.uk/list"));
        assert!(!is("https://tracker.co.uk/", "https://shop.co.uk/"));
        assert!(!is("https://others.github.io/", "https://me.github.io/"));
        assert!(is("http://localhost:1/", "http://localhost:2/"));
        assert!(!is("http://10.0.0.2/", "http://10.1.0.2/"));
    }

    #[test]
    fn streams_and_requests_for_news_are_not_waited_for() {
        let began = Instant::now();
        let mut request = PendingRequest {
            began,
            data_url: None,
            answered: None,
        };
        assert!(request.awaits_data(began + Duration::from_secs(10)));
        assert!(!request.awaits_data(began + Duration::from_secs(20)));
        request.answered = Some(began);
        assert!(!request.awaits_data(began + Duration::from_secs(10)));
    }
}
