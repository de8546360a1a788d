//! The ports `Browser` and `Tab`, which every engine implements.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use page::Page;
use serde_json::Value;
use tokio::time::Instant;
use url::Url;

use crate::action::{Action, Capability, NotCapable, Point};
use crate::error::Error;
use crate::local_storage::LocalStorage;
pub use crate::page_warning::PageWarning;
use crate::picture::PagePicture;
use crate::screencast::Screencast;
use crate::snapshot::{Ref, Snapshot};

/// Opens tabs. Every tab has its own cookies and storage; none sees another's.
#[async_trait]
pub trait Browser: Send + Sync {
    /// A new, empty tab.
    async fn open(&self, profile: Profile) -> Result<Box<dyn Tab>, Error>;

    /// The engine's name, as in the configuration: `http`, `chromium`.
    fn name(&self) -> &'static str;

    /// Checks that there is a browser, as far as possible without launching or reaching one.
    ///
    /// # Errors
    /// Says what to install or to set.
    fn ready(&self) -> Result<(), Error> {
        Ok(())
    }

    /// The engine for interactive use, where that is another one.
    fn acting(&self) -> Option<Arc<dyn Browser>> {
        None
    }
}

/// How a tab behaves.
#[derive(Clone)]
pub struct Profile {
    /// The cookie jar, shared with the tab.
    pub jar: net::CookieJar,
    /// Local storage that pages begin with and that their changes are collected in, by engines that run scripts; without it
    /// pages begin with none, and nothing is collected.
    pub storage: Option<LocalStorage>,
    /// Hosts that the operator named; they may be reached on every port although they are not public.
    pub granted: Vec<String>,
    /// Whether pages that the program found itself obey robots.txt.
    pub robots: net::RobotsMode,
    /// Shortest pause between two such pages of one host, as in [`net::Request::pause`].
    pub pause: Option<Duration>,
    /// Whether the cache is bypassed.
    pub fresh: bool,
    /// The `Accept-Language` value; the engine's own when absent. Its first tag is the language of the browser too.
    pub languages: Option<String>,
    /// The `User-Agent` value; the engine's own when absent.
    pub user_agent: Option<String>,
    /// The time zone of the browser, by its IANA name. Only engines with a browser have one.
    pub timezone: Option<String>,
    /// Headers that go to their site only.
    pub site_headers: Arc<[SiteHeaders]>,
    /// The client to load pages with, in place of the engine's own.
    pub client: Option<net::Client>,
    /// Width and height of the viewport in CSS pixels.
    pub view: (u32, u32),
    /// The longest wait for one navigation or one action.
    pub patience: Duration,
    /// Most tries of one request of the engine without a browser; its own number when absent.
    pub attempts: Option<u32>,
    /// Told of the waits that are neither the page's nor the server's.
    pub own_waits: net::OwnWaits,
    /// Cancels everything the tab does, now and later.
    pub cancel: net::CancellationToken,
    /// Further rules about the hosts that pages may connect to, applied after the guard.
    pub gate: Option<HostPolicy>,
    /// Whether dialogs (confirm, prompt, beforeunload) stay open for [`Action::Dialog`]. Without it they are answered at
    /// once: what is asked is denied, leaving is allowed.
    pub asks: bool,
    /// Files, and folders of files, that may be given to pages. Empty: none.
    pub uploads: Vec<PathBuf>,
    /// The folder of downloads; without it they are refused, and reported.
    pub downloads: Option<PathBuf>,
    /// Most bytes of one download.
    pub download_bytes: u64,
    /// Where people watch the tab, by engines with a browser; without it nobody does.
    pub screencast: Option<Screencast>,
}

/// What to wait for on a page that has loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageCondition {
    /// A visible element that a CSS selector matches.
    Selector(String),
    /// A text that is shown.
    Text(String),
    /// A time.
    Passed(Duration),
    /// No request under way for half a second.
    NetworkIdle,
}

/// The rules of a run about hosts, shared with its engine.
#[derive(Clone)]
pub struct HostPolicy(pub Arc<dyn net::proxy::ConnectionFilter>);

impl fmt::Debug for HostPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HostPolicy")
    }
}

impl Default for Profile {
    fn default() -> Self {
        Profile {
            jar: net::CookieJar::new(),
            storage: None,
            granted: Vec::new(),
            robots: net::RobotsMode::Ignore,
            pause: None,
            fresh: false,
            languages: None,
            user_agent: None,
            timezone: None,
            site_headers: Arc::default(),
            client: None,
            view: (1280, 800),
            patience: Duration::from_secs(30),
            attempts: None,
            own_waits: net::OwnWaits::default(),
            cancel: net::CancellationToken::new(),
            gate: None,
            asks: false,
            uploads: Vec::new(),
            downloads: None,
            download_bytes: 100 << 20,
            screencast: None,
        }
    }
}

/// Headers for the requests to one site.
#[derive(Clone)]
pub struct SiteHeaders {
    /// The site.
    pub origin: url::Origin,
    /// The headers, by name.
    pub headers: Vec<(String, String)>,
}

impl Profile {
    /// The headers for a request to an address.
    pub fn headers_for(&self, url: &Url) -> impl Iterator<Item = &(String, String)> {
        let origin = url.origin();
        let sites = self.site_headers.iter();
        sites
            .filter(move |site| site.origin == origin)
            .flat_map(|site| &site.headers)
    }

    /// Makes a request of a page one of this profile: what it sends, keeps and obeys, and how long it may take.
    ///
    /// # Errors
    /// When a header has a forbidden character.
    pub fn prepare(
        &self,
        mut request: net::Request,
        limits: &net::Limits,
    ) -> Result<net::Request, net::Error> {
        request.jar = Some(self.jar.clone());
        request.robots = self.robots;
        request.pause = self.pause;
        request.no_cache = self.fresh;
        request.cancel = self.cancel.clone();
        request.own_waits = self.own_waits.clone();
        request.granted = self.grants(&request.url);
        request.limits = Some(net::Limits {
            total: self.patience,
            attempts: self.attempts.unwrap_or(limits.attempts),
            ..limits.clone()
        });
        for (name, value) in [
            ("accept-language", &self.languages),
            ("user-agent", &self.user_agent),
        ] {
            if let Some(value) = value {
                request = request.identity(name, value)?;
            }
        }
        for (name, value) in self.headers_for(&request.url.clone()) {
            request = request.header(name, value)?;
        }
        Ok(request)
    }

    /// Whether the operator named the host of this URL.
    pub fn grants(&self, url: &Url) -> bool {
        url.host_str()
            .is_some_and(|host| self.granted.iter().any(|granted| granted == host))
    }

    /// The real path of a file that may be given to pages. The error says why it may not.
    pub(crate) fn uploadable(&self, file: &Path) -> Result<PathBuf, String> {
        let name = file.file_name().unwrap_or_default().display();
        let real = file
            .canonicalize()
            .map_err(|why| format!("the file {name} cannot be read ({why})"))?;
        let allowed = self
            .uploads
            .iter()
            .filter_map(|allowed| allowed.canonicalize().ok())
            .any(|allowed| real.starts_with(allowed));
        match allowed && real.is_file() {
            true => Ok(real),
            false => Err(format!(
                "the file {name} is not among those that may be given to pages"
            )),
        }
    }
}

/// One live browsing context.
///
/// Promises, tested by the conformance tests on every engine:
///
/// 1. Every address navigated to, also by a redirect, a link or a form, has passed the guard of `net`.
/// 2. A failure status is a result with that status, not an error; no page at all is an error.
/// 3. `act` returns when what it caused has happened: after a click on a link the new page is there.
/// 4. A ref means one element as long as the tab lives. It is valid in later snapshots of the same page
///    while that element exists, and afterwards it is [`Error::Stale`]; it never means another element.
/// 5. What the engine cannot do is [`Error::NotCapable`] with advice, and changes nothing.
/// 6. Every wait ends with the profile's token or its timeout.
#[async_trait]
pub trait Tab: Send {
    /// Goes to an address.
    async fn goto(&mut self, url: &Url) -> Result<Visit, Error>;

    /// Goes one page back.
    async fn back(&mut self) -> Result<Visit, Error>;

    /// Goes one page forward again.
    async fn forward(&mut self) -> Result<Visit, Error>;

    /// Waits until the content of a page that is read has come, as far as the page and its requests tell, and until the profile's
    /// `patience` from `asked` on has passed at the longest. `visit`, the result of the navigation, is brought up to date: it names
    /// the document that is there then, and what a reader has to know of it.
    ///
    /// # Errors
    /// When the tab fails.
    async fn settle(&mut self, visit: &mut Visit, asked: Instant) -> Result<(), Error> {
        let _ = (visit, asked);
        Ok(())
    }

    /// The page as it is now, for reading. An engine with a browser gives it as it is shown: with open shadow trees and the
    /// documents of frames of the same origin in their places.
    async fn page(&mut self) -> Result<Arc<Page>, Error>;

    /// The page as it is now, for acting: roles, names, states and refs.
    async fn snapshot(&mut self) -> Result<Snapshot, Error>;

    /// The elements that a CSS selector matches and that can be acted on, in document order; hidden ones are none. Those of the
    /// document come before those of its shadow trees and frames.
    ///
    /// # Errors
    /// When the text is no selector, or the engine cannot look elements up.
    async fn find(&mut self, css: &str) -> Result<Vec<Ref>, Error> {
        let _ = css;
        Err(Error::NotCapable(NotCapable {
            what: Capability::Selectors,
            advice: "use a ref from the snapshot",
        }))
    }

    /// Waits until a condition holds.
    ///
    /// # Errors
    /// When it does not within the time, with what the page shows instead; or the engine runs no scripts.
    async fn wait_until(&mut self, condition: &PageCondition, within: Duration) -> Result<(), Error> {
        let _ = (condition, within);
        self.can(Capability::Scripts)?;
        Err(Error::NotCapable(NotCapable {
            what: Capability::Scripts,
            advice: "use the chromium engine",
        }))
    }

    /// Does an action.
    async fn act(&mut self, action: &Action) -> Result<ActionEffect, Error>;

    /// The open dialog, where the profile keeps dialogs open. It blocks the page; [`Action::Dialog`] answers it, and
    /// anything else done to the tab gives it its default answer first.
    fn dialog(&self) -> Option<OpenDialog> {
        None
    }

    /// The element to act on at a point of the viewport, in CSS pixels from its top left corner.
    ///
    /// # Errors
    /// When the engine renders no pages.
    async fn hit(&mut self, at: Point) -> Result<Option<HitTestResult>, Error> {
        let _ = at;
        Err(Error::NotCapable(NotCapable {
            what: Capability::Pointer,
            advice: "use a ref from the snapshot",
        }))
    }

    /// The elements that get keys pressed without a target. With frames of other origins there may be several.
    async fn focused(&mut self) -> Result<Vec<Ref>, Error> {
        Ok(Vec::new())
    }

    /// A screenshot of the viewport, or of the whole page, as PNG.
    async fn screenshot(&mut self, whole: bool) -> Result<Vec<u8>, Error>;

    /// A picture of the viewport for people. The element, if one is given, is brought into view first. An open dialog stays
    /// open.
    ///
    /// # Errors
    /// When there is no page, a dialog is open, or the engine renders no pages.
    async fn picture(&mut self, target: Option<Ref>) -> Result<PagePicture, Error> {
        let _ = target;
        Err(Error::NotCapable(NotCapable {
            what: Capability::Screenshot,
            advice: "use the chromium engine",
        }))
    }

    /// Runs a script of the caller in the page and gives what it returns as JSON. `script` is the body of a function;
    /// `args` is the list of its arguments. The script may do whatever the page may, so it needs a grant.
    ///
    /// # Errors
    /// When the engine runs no scripts, or the script fails, takes too long, or gives more than `most` bytes.
    async fn evaluate(&mut self, script: &str, args: &[Value], most: usize) -> Result<Value, Error> {
        let _ = (script, args, most);
        self.can(Capability::Scripts)?;
        Err(Error::NotCapable(NotCapable {
            what: Capability::Scripts,
            advice: "use the chromium engine",
        }))
    }

    /// Checks that the engine has a capability. The error says what to do instead.
    fn can(&self, capability: Capability) -> Result<(), NotCapable>;

    /// Whether the address of the page, opened again, gives the page as it is: nothing was filled in, and it is no answer to a
    /// form that was sent.
    fn is_reloadable(&self) -> bool {
        true
    }

    /// The receiver of an element: who gets what is put into it. None where the engine does not know.
    async fn receiver(&mut self, target: Ref) -> Result<Option<Receiver>, Error> {
        let _ = target;
        Ok(None)
    }

    /// The address of the current page.
    fn url(&self) -> Option<Url>;

    /// Takes what has happened to the tab's browser since the last call, oldest first.
    fn news(&mut self) -> Vec<BrowserEvent> {
        Vec::new()
    }

    /// The open tabs, in order of opening; none for engines without tabs.
    fn tabs(&self) -> Vec<OpenTab> {
        Vec::new()
    }

    /// Closes the tab and frees what it holds. Dropping a tab does the same, without waiting.
    async fn close(&mut self);
}

/// Something that happened to the browser of a tab.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BrowserEvent {
    /// One of several endpoints did not answer; the next one is tried.
    EndpointCycle {
        /// Which one failed, from 1.
        attempt: usize,
        /// How many there are.
        total: usize,
        /// What failed, as a stable name: `refused`, `timed_out`.
        error: &'static str,
    },
    /// An endpoint answered.
    EndpointConnected {
        /// Which one, from 0.
        index: usize,
        /// How many there are.
        total: usize,
    },
    /// The browser was lost and another one took over; the page was opened again.
    Reconnected {
        /// The page that was opened again.
        url: Option<Url>,
        /// Which endpoint, from 0; 0 for a browser of our own.
        index: usize,
        /// How many there are; 1 for a browser of our own.
        total: usize,
    },
}

/// One of several tabs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenTab {
    /// Its number; it stays while the tab lives.
    pub number: u32,
    /// Its address.
    pub url: Option<Url>,
    /// Its title.
    pub title: String,
    /// Whether it is the current one.
    pub current: bool,
}

/// A dialog of a page that waits for an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenDialog {
    /// `confirm`, `prompt` or `beforeunload`.
    pub kind: String,
    /// The text of the page; empty for `beforeunload`.
    pub text: String,
    /// The suggested text of a prompt.
    pub suggestion: String,
}

/// The result of a hit test.
#[derive(Debug, Clone, PartialEq)]
pub struct HitTestResult {
    /// The element.
    pub target: Ref,
    /// The point within it, from its top left corner.
    pub at: Point,
    /// The target of the link that it is in.
    pub link: Option<String>,
}

/// Who gets what is put into an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receiver {
    /// The address of the document that holds the element and whose scripts read it, which may be that of a frame. Of a
    /// document without an address of its own, the origin that it belongs to.
    pub document: Url,
    /// The addresses that its form may be sent to, by its buttons or by a script, that of Enter first; for a submit button
    /// its own alone. Empty where it belongs to no form.
    pub actions: Vec<Url>,
    /// The target of the link that it is in.
    pub link: Option<Url>,
}

/// The result of a navigation.
#[derive(Debug, Clone, PartialEq)]
pub struct Visit {
    /// The final address, after redirects.
    pub url: Url,
    /// The status of the response, where the engine knows it.
    pub status: Option<u16>,
    /// The page's title.
    pub title: String,
    /// What a reader of the page should know.
    pub warnings: Vec<PageWarning>,
}

impl Visit {
    /// Whether the page is the one asked for, as far as its status and its warnings tell.
    pub fn is_ok(&self) -> bool {
        self.status.is_none_or(|status| (200..300).contains(&status))
            && !self
                .warnings
                .iter()
                .any(|warning| matches!(warning, PageWarning::BotWall | PageWarning::SoftNotFound))
    }
}

/// The result of an action.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ActionEffect {
    /// The page it led to, when it led to another one.
    pub visit: Option<Visit>,
    /// Notes for the caller, such as that a dialog was dismissed.
    pub notes: Vec<String>,
}

impl ActionEffect {
    /// An outcome of one note.
    pub(crate) fn note(text: impl Into<String>) -> Self {
        Self {
            notes: vec![text.into()],
            ..Self::default()
        }
    }
}
