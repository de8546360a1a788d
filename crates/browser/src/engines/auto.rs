//! The engine that begins without a browser and goes on in one when a page needs it.

mod hosts;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use page::Page;
use serde_json::Value;
use tokio::time::Instant;
use url::Url;

use crate::action::{Action, Capability, NotCapable, Point};
use crate::browser::{
    ActionEffect, Browser, BrowserEvent, HitTestResult, OpenDialog, OpenTab, PageCondition, PageWarning,
    Profile, Receiver, Tab, Visit,
};
use crate::error::Error;
use crate::fetch::script_need::yielded_text;
use crate::picture::PagePicture;
use crate::snapshot::{Ref, Snapshot};
use hosts::{BrowserHelp, HostKnowledge};

/// Bytes of text that a browser has to show beyond what came over the network, to have helped.
const MIN_GAIN: usize = 100;

/// Bytes that a page holds for those without scripts, from which they are its content and no notice.
const MIN_NOTED: usize = 2_000;

/// Whether an address is that of a document of which browsers show less than the quick engine reads.
fn is_document(url: &Url) -> bool {
    const SUFFIXES: &[&str] = &[
        "atom", "csv", "docx", "epub", "json", "jsonl", "markdown", "md", "odp", "ods", "odt", "pdf", "pptx",
        "rss", "tsv", "txt", "xlsx", "xml",
    ];
    let suffix = url
        .path()
        .rsplit_once('.')
        .map(|(_, suffix)| suffix.to_ascii_lowercase());
    suffix.is_some_and(|suffix| SUFFIXES.contains(&suffix.as_str()))
}

/// Whether a browser shows what a warning says is missing: frames of other origins are not read in a browser either.
fn asks_for_browser(warning: &PageWarning, page: &Url) -> bool {
    match warning {
        PageWarning::BotWall | PageWarning::ScriptsNeeded => true,
        PageWarning::UnreadFrames(frames) => frames.iter().any(|frame| frame.origin() == page.origin()),
        PageWarning::SoftNotFound
        | PageWarning::ScriptsRun
        | PageWarning::Empty
        | PageWarning::Truncated
        | PageWarning::BudgetExceeded
        | PageWarning::NotAPage
        | PageWarning::Undecoded
        | PageWarning::StillLoading
        | PageWarning::ConsentDialog => false,
    }
}

/// Opens tabs of a quick engine that go on in a full one when they need it.
#[derive(Clone)]
pub struct AutoBrowser {
    quick: Arc<dyn Browser>,
    full: Arc<dyn Browser>,
    hosts: Arc<HostKnowledge>,
}

impl AutoBrowser {
    /// `full` opens a tab only when a page needs it. What pages needed is remembered by host for a day.
    pub fn new(quick: Arc<dyn Browser>, full: Arc<dyn Browser>) -> AutoBrowser {
        AutoBrowser {
            quick,
            full,
            hosts: Arc::default(),
        }
    }
}

#[async_trait]
impl Browser for AutoBrowser {
    async fn open(&self, profile: Profile) -> Result<Box<dyn Tab>, Error> {
        let tab = self.quick.open(profile.clone()).await?;
        Ok(Box::new(AutoTab {
            tab,
            upgrade: Some((self.full.clone(), profile)),
            hosts: self.hosts.clone(),
            is_settled: false,
            last_ref: 0,
            offset: 0,
        }))
    }

    fn name(&self) -> &'static str {
        "auto"
    }

    fn acting(&self) -> Option<Arc<dyn Browser>> {
        Some(self.full.clone())
    }
}

/// A tab that changes its engine at most once, and then stays: a site that needs a browser for one page
/// needs it for the next.
struct AutoTab {
    tab: Box<dyn Tab>,
    /// The full engine and the profile of its tab; gone once the tab is in it.
    upgrade: Option<(Arc<dyn Browser>, Profile)>,
    hosts: Arc<HostKnowledge>,
    /// Whether the page was waited for already, to tell whether the full engine helps.
    is_settled: bool,
    /// The highest ref given out.
    last_ref: u32,
    /// Added to the refs of the current engine, so that a ref never means two elements.
    offset: u32,
}

impl AutoTab {
    /// Opens an address in the full engine. Without a browser everything stays as it is.
    async fn open_in_full(&mut self, url: &Url) -> Result<(Box<dyn Tab>, Visit), Error> {
        let Some((browser, profile)) = &self.upgrade else {
            return Err(Error::NoPage);
        };
        let mut tab = browser.open(profile.clone()).await?;
        match tab.goto(url).await {
            Ok(visit) => Ok((tab, visit)),
            Err(error) => {
                tab.close().await;
                Err(error)
            }
        }
    }

    /// Goes on in a tab of the full engine.
    async fn adopt(&mut self, tab: Box<dyn Tab>) {
        self.tab.close().await;
        self.tab = tab;
        self.upgrade = None;
        self.offset = self.last_ref;
    }

    /// Goes on in the full engine at this address.
    async fn switch_engine(&mut self, url: &Url) -> Result<(), Error> {
        let (tab, _) = self.open_in_full(url).await?;
        self.adopt(tab).await;
        Ok(())
    }

    /// Opens an address right in the full engine, where that helped on the same host before. A file that a browser does
    /// not show is left to the quick engine.
    async fn goto_as_known(&mut self, url: &Url) -> Option<Visit> {
        if self.upgrade.is_none() || is_document(url) || self.hosts.of(url) != Some(BrowserHelp::Helps) {
            return None;
        }
        let (mut tab, mut visit) = self.open_in_full(url).await.ok()?;
        if visit.warnings.contains(&PageWarning::NotAPage) {
            tab.close().await;
            return None;
        }
        self.adopt(tab).await;
        visit.warnings.push(PageWarning::ScriptsRun);
        Some(visit)
    }

    /// Opens a page once more in the full engine, when it needs that as far as can be seen, and remembers whether that
    /// helped. Without a browser the page stays as it came, with its warning.
    async fn goto_again(&mut self, quick: Visit, asked: Instant) -> Visit {
        let is_walled = quick.warnings.contains(&PageWarning::BotWall);
        if self.upgrade.is_none()
            || !quick
                .warnings
                .iter()
                .any(|warning| asks_for_browser(warning, &quick.url))
        {
            return quick;
        }
        let before = self.tab.page().await.map_or(0, |page| yielded_text(&page));
        // A page that shows something was no better on this host; one that shows nothing can only gain.
        if !is_walled && before > 0 && self.hosts.of(&quick.url) == Some(BrowserHelp::IsNoHelp) {
            return quick;
        }
        let Ok((mut tab, mut visit)) = self.open_in_full(&quick.url).await else {
            return quick;
        };
        let _ = tab.settle(&mut visit, asked).await;
        self.is_settled = true;
        let after = tab.page().await.map_or(0, |page| yielded_text(&page));
        if !is_walled {
            let help = match after > before + MIN_GAIN {
                true => BrowserHelp::Helps,
                false => BrowserHelp::IsNoHelp,
            };
            self.hosts.learn(&quick.url, help);
            // What came over the network says more than what blocked or broken scripts leave of it.
            if after == 0 && self.has_text().await {
                tab.close().await;
                return quick;
            }
        }
        self.adopt(tab).await;
        visit.warnings.push(PageWarning::ScriptsRun);
        visit
    }

    /// Whether the page says anything, be it to those without scripts.
    async fn has_text(&mut self) -> bool {
        let page = self.tab.page().await;
        page.is_ok_and(|page| {
            let noted = page
                .dom()
                .by_tag("noscript")
                .map(|node| node.raw_text().len())
                .max();
            yielded_text(&page) > 0 || noted.unwrap_or_default() > MIN_NOTED
        })
    }

    /// The action in the current engine's own refs. The error names a ref of the earlier engine.
    fn to_inner(&self, action: &Action) -> Result<Action, Error> {
        match action.refs().into_iter().find(|target| target.0 <= self.offset) {
            Some(stale) if self.offset > 0 => Err(Error::Stale(stale)),
            _ => Ok(action.with_refs(|target| Ref(target.0.saturating_sub(self.offset)))),
        }
    }

    /// Turns a ref of the current engine into one of this tab.
    fn raise(&mut self, target: &mut Ref) {
        target.0 = target.0.saturating_add(self.offset);
        self.last_ref = self.last_ref.max(target.0);
    }

    /// Goes on in the full engine on the same page. Where there is no browser, the error is that of the quick one.
    async fn upgrade_for(&mut self, missing: NotCapable) -> Result<(), Error> {
        let url = self.tab.url().ok_or(Error::NoPage)?;
        self.switch_engine(&url).await.map_err(|error| match error {
            Error::Unavailable(_) => missing.into(),
            error => error,
        })
    }

    fn to_outer_error(&self, error: Error) -> Error {
        let outer = |target: Ref| Ref(target.0.saturating_add(self.offset));
        match error {
            Error::Stale(target) => Error::Stale(outer(target)),
            Error::UnknownRef(target) => Error::UnknownRef(outer(target)),
            Error::NotActionable { target, why } => Error::NotActionable {
                target: outer(target),
                why,
            },
            other => other,
        }
    }
}

#[async_trait]
impl Tab for AutoTab {
    async fn goto(&mut self, url: &Url) -> Result<Visit, Error> {
        let asked = Instant::now();
        self.is_settled = false;
        if let Some(visit) = self.goto_as_known(url).await {
            return Ok(visit);
        }
        let visit = self.tab.goto(url).await?;
        Ok(self.goto_again(visit, asked).await)
    }

    async fn settle(&mut self, visit: &mut Visit, asked: Instant) -> Result<(), Error> {
        if std::mem::take(&mut self.is_settled) {
            return Ok(());
        }
        let is_run = visit.warnings.contains(&PageWarning::ScriptsRun);
        let settled = self.tab.settle(visit, asked).await;
        if is_run && !visit.warnings.contains(&PageWarning::ScriptsRun) {
            visit.warnings.push(PageWarning::ScriptsRun);
        }
        settled
    }

    async fn back(&mut self) -> Result<Visit, Error> {
        self.tab.back().await
    }

    async fn forward(&mut self) -> Result<Visit, Error> {
        self.tab.forward().await
    }

    async fn page(&mut self) -> Result<Arc<Page>, Error> {
        self.tab.page().await
    }

    async fn snapshot(&mut self) -> Result<Snapshot, Error> {
        let mut snapshot = self.tab.snapshot().await?;
        for target in snapshot.nodes.iter_mut().filter_map(|node| node.target.as_mut()) {
            self.raise(target);
        }
        Ok(snapshot)
    }

    async fn find(&mut self, css: &str) -> Result<Vec<Ref>, Error> {
        let mut targets = self.tab.find(css).await?;
        for target in &mut targets {
            self.raise(target);
        }
        Ok(targets)
    }

    async fn wait_until(&mut self, condition: &PageCondition, within: Duration) -> Result<(), Error> {
        match self.tab.wait_until(condition, within).await {
            Err(Error::NotCapable(missing)) if self.upgrade.is_some() => {
                self.upgrade_for(missing).await?;
                self.tab.wait_until(condition, within).await
            }
            done => done,
        }
    }

    async fn act(&mut self, action: &Action) -> Result<ActionEffect, Error> {
        let inner = self.to_inner(action)?;
        let missing = match self.tab.act(&inner).await {
            Err(Error::NotCapable(missing)) if self.upgrade.is_some() => missing,
            done => return done.map_err(|why| self.to_outer_error(why)),
        };
        let is_same = self.tab.is_reloadable();
        self.upgrade_for(missing).await?;
        match action.refs().first() {
            // The page was loaded again, and its elements have new refs.
            Some(target) => Err(Error::Stale(*target)),
            None if is_same => self.tab.act(action).await,
            None => Err(Error::Browser(
                "the page had to be opened again for this, without what was filled in or sent; take a new snapshot, and do \
                 that again"
                    .into(),
            )),
        }
    }

    fn dialog(&self) -> Option<OpenDialog> {
        self.tab.dialog()
    }

    async fn hit(&mut self, at: Point) -> Result<Option<HitTestResult>, Error> {
        let mut hit = self.tab.hit(at).await?;
        if let Some(hit) = &mut hit {
            self.raise(&mut hit.target);
        }
        Ok(hit)
    }

    async fn focused(&mut self) -> Result<Vec<Ref>, Error> {
        let mut focused = self.tab.focused().await?;
        for target in &mut focused {
            self.raise(target);
        }
        Ok(focused)
    }

    async fn screenshot(&mut self, whole: bool) -> Result<Vec<u8>, Error> {
        match self.tab.screenshot(whole).await {
            Err(Error::NotCapable(missing)) if self.upgrade.is_some() => {
                self.upgrade_for(missing).await?;
                self.tab.screenshot(whole).await
            }
            done => done,
        }
    }

    async fn picture(&mut self, target: Option<Ref>) -> Result<PagePicture, Error> {
        // An element of the earlier engine is gone.
        let inner = target.and_then(|target| target.0.checked_sub(self.offset).map(Ref));
        let picture = self.tab.picture(inner.filter(|inner| inner.0 > 0)).await;
        picture.map_err(|why| self.to_outer_error(why))
    }

    async fn evaluate(&mut self, script: &str, args: &[Value], most: usize) -> Result<Value, Error> {
        match self.tab.evaluate(script, args, most).await {
            Err(Error::NotCapable(missing)) if self.upgrade.is_some() => {
                self.upgrade_for(missing).await?;
                self.tab.evaluate(script, args, most).await
            }
            done => done,
        }
    }

    fn can(&self, capability: Capability) -> Result<(), NotCapable> {
        // The full engine may be capable of what the quick one is not.
        match self.upgrade {
            Some(_) => Ok(()),
            None => self.tab.can(capability),
        }
    }

    fn is_reloadable(&self) -> bool {
        self.tab.is_reloadable()
    }

    async fn receiver(&mut self, target: Ref) -> Result<Option<Receiver>, Error> {
        if target.0 <= self.offset {
            return Err(Error::Stale(target));
        }
        let inner = Ref(target.0 - self.offset);
        let receiver = self.tab.receiver(inner).await;
        receiver.map_err(|why| self.to_outer_error(why))
    }

    fn url(&self) -> Option<Url> {
        self.tab.url()
    }

    fn news(&mut self) -> Vec<BrowserEvent> {
        self.tab.news()
    }

    fn tabs(&self) -> Vec<OpenTab> {
        self.tab.tabs()
    }

    async fn close(&mut self) {
        self.tab.close().await;
    }
}
