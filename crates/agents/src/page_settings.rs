//! `PageSettings`: how the pages of one request are opened, and `PageWishes`: what the request says about that.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use browser::{Browser, PageCondition, SiteHeaders, Tab, Visit};
use tokio::time::Instant;
use url::Url;
use wire::fetch_options::{FetchOptions, RobotsRule};
use wire::tabstack::{FetchEffort, GeoTarget};

/// Time for one page where nothing else is said, in a run.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// The engines that requests may choose among.
#[derive(Clone)]
pub struct Engines {
    /// The engine without a browser.
    pub http: Arc<dyn Browser>,
    /// The engine with one; none where the operator has none.
    pub chromium: Option<Arc<dyn Browser>>,
}

impl Engines {
    /// Without a browser.
    pub fn http(http: Arc<dyn Browser>) -> Self {
        Self { http, chromium: None }
    }
}

/// The operator's exits: a client for each country, by its two letters.
pub type Exits = BTreeMap<String, net::Client>;

/// How the pages of one request are opened. The default is as the server has it.
#[derive(Clone, Default)]
pub struct PageSettings {
    /// The longest time for one page.
    pub timeout: Option<Duration>,
    pub(crate) languages: Option<String>,
    pub(crate) user_agent: Option<String>,
    pub(crate) timezone: Option<String>,
    pub(crate) viewport: Option<(u32, u32)>,
    pub(crate) site_headers: Arc<[SiteHeaders]>,
    pub(crate) cookies: Arc<[(Url, String)]>,
    pub(crate) fresh: bool,
    pub(crate) robots: Option<RobotsRule>,
    pub(crate) attempts: Option<u32>,
    pub(crate) wait_for: Option<PageCondition>,
    pub(crate) exit: Option<net::Client>,
}

/// What a request says about its pages: in `fetch`, and in the fields that the contract has for it.
#[derive(Clone, Copy, Default)]
pub struct PageWishes<'a> {
    /// The field `fetch`.
    pub fetch: Option<&'a FetchOptions>,
    /// The field `geo_target`.
    pub geo_target: Option<&'a GeoTarget>,
    /// The field `effort`.
    pub effort: Option<FetchEffort>,
    /// The field `nocache`.
    pub nocache: bool,
    /// The field `fetch_timeout`, in seconds.
    pub fetch_timeout: Option<u32>,
}

impl PageSettings {
    /// Whether a named page obeys robots.txt because the request says so.
    pub(crate) fn obeys_robots(&self) -> bool {
        self.robots == Some(RobotsRule::Obey)
    }

    /// Waits for what the request names, on a page that it names. `began` is when the page was asked for.
    ///
    /// # Errors
    /// When it does not come in time, with what the page shows instead.
    pub(crate) async fn settle(&self, tab: &mut dyn Tab, began: Instant) -> Result<(), browser::Error> {
        let Some(condition) = &self.wait_for else {
            return Ok(());
        };
        let patience = match (self.timeout, condition) {
            (Some(timeout), _) => timeout.saturating_sub(began.elapsed()),
            (None, PageCondition::Passed(time)) => *time,
            (None, _) => PATIENCE,
        };
        let waited = tab.wait_until(condition, patience).await;
        waited.map_err(|error| match (error, self.timeout) {
            // The time that the request names is that of the whole page, and the one that its client knows.
            (browser::Error::WaitTimeout { what, instead, .. }, Some(timeout)) => {
                browser::Error::WaitTimeout {
                    what,
                    seconds: timeout.as_secs(),
                    instead,
                }
            }
            (error, _) => error,
        })
    }

    /// As [`settle`](Self::settle), on a page that is read: without a condition, the page is waited for as long as it shows that
    /// its content is still to come, and `visit` is brought up to date. A page that cannot be read is left to its reader.
    ///
    /// # Errors
    /// As for `settle`.
    pub(crate) async fn settle_content(
        &self,
        tab: &mut dyn Tab,
        visit: &mut Visit,
        began: Instant,
    ) -> Result<(), browser::Error> {
        self.settle(tab, began).await?;
        if self.wait_for.is_none() {
            let _ = tab.settle(visit, began).await;
        }
        Ok(())
    }
}
