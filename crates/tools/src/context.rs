//! ToolContext: the tab, page, earlier results and policy available to a running tool.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use browser::{Action, ActionEffect, Browser, Profile, Tab, Visit};
use page::Page;
use serde_json::{Map, Value};
use url::Url;

use crate::error::Error;
use crate::grant;
pub use crate::grant::Grant;
use crate::rows::grouped_numbers;
use crate::rows::pieces::RowPieces;
use crate::rows::row_texts::RowTexts;

/// What every tool of a run shares: engines, model, clock.
#[derive(Clone, Default)]
pub struct ToolServices {
    /// Opens tabs.
    pub browser: Option<Arc<dyn Browser>>,
    /// How tabs behave.
    pub profile: Profile,
    /// The way out, for tools that fetch without a tab.
    pub client: Option<net::Client>,
    /// The model that tools may ask.
    pub seat: Option<llm::RoleModel>,
    /// Runs queries, patterns and readers of PDF documents apart.
    pub sandbox: Option<sandbox::Sandbox>,
    /// The moment that relative dates count from; the clock's when absent.
    pub now: Option<jiff::civil::DateTime>,
    /// What `memory` and `cache` tools keep while the run lasts.
    pub memory: Arc<Mutex<BTreeMap<String, Value>>>,
}

/// What a tool works with. One for each run of a plan; every step sees it as the step before left it.
#[derive(Default)]
pub struct ToolContext {
    /// What earlier steps gave: by step id, by `save_as`, and each of their fields by its own name (a later one
    /// replaces an earlier one).
    pub input: Map<String, Value>,
    /// What the run may do.
    pub grant: Grant,
    /// What its tools share.
    pub services: ToolServices,
    tab: Option<Box<dyn Tab>>,
    page: Option<Arc<Page>>,
    /// Pages of one list that a walk has read, the present one last.
    walked: Vec<Arc<Page>>,
    warnings: Vec<String>,
    /// The whole texts of the rows that the readers of lists have given.
    pub row_texts: RowTexts,
    /// The pieces of these rows.
    pub row_pieces: RowPieces,
    /// Composite tools that are being run now, one in the other.
    pub within: Vec<String>,
}

impl ToolContext {
    /// An empty place to work in.
    pub fn new(services: ToolServices, grant: Grant) -> ToolContext {
        ToolContext {
            services,
            grant,
            ..ToolContext::default()
        }
    }

    /// The same with a tab that is open already.
    #[must_use]
    pub fn with_tab(mut self, tab: Box<dyn Tab>) -> ToolContext {
        self.tab = Some(tab);
        self
    }

    /// The same with a page to read and no tab.
    #[must_use]
    pub fn with_page(mut self, page: Arc<Page>) -> ToolContext {
        self.page = Some(page);
        self
    }

    /// Gives a tab that is open already.
    pub fn give_tab(&mut self, tab: Box<dyn Tab>) {
        self.tab = Some(tab);
    }

    /// The page as it is now.
    ///
    /// # Errors
    /// When there is none, it may not be visited, or the tab fails.
    pub async fn page(&mut self) -> Result<Arc<Page>, Error> {
        let place = self.tab.as_ref().and_then(|it| it.url());
        if let Some(url) = &place {
            // A redirect or a script may have led the tab where a visit was refused.
            self.grant.visit(url)?;
        }
        match (&mut self.tab, &self.page) {
            (Some(tab), _) if place.is_some() => Ok(tab.page().await?),
            (_, Some(page)) => Ok(Arc::clone(page)),
            _ => Err(Error::Missing {
                what: "a page",
                advice: "go to an address first, or give one (--url)",
            }),
        }
    }

    /// The pages of the list that is read: those that a walk has just read, else the page as it is now.
    ///
    /// # Errors
    /// When there is none, or the tab fails.
    pub async fn pages(&mut self) -> Result<Vec<Arc<Page>>, Error> {
        if !self.walked.is_empty() {
            return Ok(self.walked.clone());
        }
        Ok(vec![self.page().await?])
    }

    /// Keeps the pages of a walk for whoever reads next, until the tab is acted on again.
    pub(crate) fn keep_walk(&mut self, pages: Vec<Arc<Page>>) {
        self.walked = pages;
    }

    /// The live tab; opened when there is none yet and an engine is there.
    ///
    /// # Errors
    /// When no engine can open one.
    pub async fn tab(&mut self) -> Result<&mut dyn Tab, Error> {
        if self.tab.is_none() {
            let Some(browser) = &self.services.browser else {
                return Err(Error::Missing {
                    what: "a browser tab",
                    advice: "this tool needs a live page (--url)",
                });
            };
            self.tab = Some(browser.open(self.services.profile.clone()).await?);
        }
        match &mut self.tab {
            Some(tab) => Ok(&mut **tab),
            None => Err(Error::Missing {
                what: "a browser tab",
                advice: "no engine opened one",
            }),
        }
    }

    /// Goes to an address, when the grant covers its host.
    ///
    /// # Errors
    /// When it does not, or the visit fails.
    pub async fn goto(&mut self, url: &Url) -> Result<Visit, Error> {
        self.grant.visit(url)?;
        let visit = self.tab().await?.goto(url).await?;
        self.page = None;
        self.walked.clear();
        self.check_place(&visit.url)?;
        Ok(visit)
    }

    /// Does one thing in the tab. What would send the user's values to a host that the grant does not cover, or lead
    /// there, is refused before it is done.
    ///
    /// # Errors
    /// When it is refused, or the tab fails.
    pub async fn act(&mut self, action: &Action) -> Result<ActionEffect, Error> {
        if self.grant.hosts.is_some() {
            let tab = self.tab().await?;
            let snapshot = tab.snapshot().await?;
            let page = tab.page().await?;
            grant::check_action(&self.grant, action, &snapshot, &page)?;
        }
        if !matches!(action, Action::Wait { .. }) {
            self.walked.clear();
        }
        let outcome = self.tab().await?.act(action).await?;
        if let Some(visit) = &outcome.visit {
            self.check_place(&visit.url)?;
        }
        Ok(outcome)
    }

    /// The address of the present page.
    pub fn url(&self) -> Option<Url> {
        let of_tab = self.tab.as_ref().and_then(|it| it.url());
        of_tab.or_else(|| self.page.as_ref().and_then(|it| it.url().cloned()))
    }

    /// The list of what earlier steps gave: under this name, else the one that came last.
    pub fn list(&self, name: &str) -> Option<&Vec<Value>> {
        self.input.get(self.list_name(name)?).and_then(Value::as_array)
    }

    /// The name of the list that [`ToolContext::list`] finds.
    pub fn list_name(&self, name: &str) -> Option<&str> {
        let lists = self
            .input
            .iter()
            .filter(|(_, it)| it.is_array())
            .map(|(name, _)| name.as_str());
        let (mut last, mut named) = (None, None);
        for list in lists {
            last = Some(list);
            named = if list == name { last } else { named };
        }
        named.or(last)
    }

    /// Adds a warning to the outcome of the tool that is running.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.warnings.push(text.into());
    }

    /// Where work on hostile input is done.
    ///
    /// # Errors
    /// When this program was put together without a sandbox.
    pub(crate) fn sandbox(&self) -> Result<&sandbox::Sandbox, Error> {
        self.services.sandbox.as_ref().ok_or(Error::Missing {
            what: "the sandbox for queries, patterns and documents",
            advice: "this program was put together without one; use the huntsman binary",
        })
    }

    /// The code of the language of the page, as the page gives it; `None` without a page, and of one that gives none.
    pub(crate) async fn language(&mut self) -> Option<String> {
        if !self.has_page() {
            return None;
        }
        let page = self.page().await.ok()?;
        grouped_numbers::language(&page)
    }

    /// The date and time that relative words count from.
    pub fn now(&self) -> jiff::civil::DateTime {
        self.services.now.unwrap_or_else(|| jiff::Zoned::now().datetime())
    }

    /// Whether there is a tab, or an engine that opens one.
    pub fn has_tab(&self) -> bool {
        self.tab.is_some() || self.services.browser.is_some()
    }

    /// Whether there is a page to read, or a tab that may get one.
    pub fn has_page(&self) -> bool {
        self.page.is_some() || self.has_tab()
    }

    /// Whether there is a tab and it runs no scripts.
    pub(crate) fn lacks_scripts(&self) -> bool {
        let tab = self.tab.as_ref();
        tab.is_some_and(|it| it.can(browser::Capability::Scripts).is_err())
    }

    /// The tab, for whoever goes on with it when the tools are done.
    pub fn take_tab(&mut self) -> Option<Box<dyn Tab>> {
        self.tab.take()
    }

    pub(crate) fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    fn check_place(&self, url: &Url) -> Result<(), Error> {
        Ok(self.grant.visit(url)?)
    }
}
