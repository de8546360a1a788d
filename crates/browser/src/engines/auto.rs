//! The engine that begins without a browser and goes on in one when a page needs it.

use std::sync::Arc;

use async_trait::async_trait;
use page::Page;
use serde_json::Value;
use url::Url;

use crate::action::{Action, Capability, NotCapable, Point};
use crate::browser::{
    ActionEffect, Browser, BrowserEvent, HitTestResult, OpenDialog, OpenTab, PageWarning, Profile, Receiver,
    Tab, Visit,
};
use crate::error::Error;
use crate::snapshot::{Ref, Snapshot};

/// Opens tabs of a quick engine that go on in a full one when they need it.
#[derive(Clone)]
pub struct AutoBrowser {
    quick: Arc<dyn Browser>,
    full: Arc<dyn Browser>,
}

impl AutoBrowser {
    /// `full` opens a tab only when a page needs it.
    pub fn new(quick: Arc<dyn Browser>, full: Arc<dyn Browser>) -> AutoBrowser {
        AutoBrowser { quick, full }
    }
}

#[async_trait]
impl Browser for AutoBrowser {
    async fn open(&self, profile: Profile) -> Result<Box<dyn Tab>, Error> {
        let tab = self.quick.open(profile.clone()).await?;
        Ok(Box::new(AutoTab {
            tab,
            upgrade: Some((self.full.clone(), profile)),
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
    /// The highest ref given out.
    last_ref: u32,
    /// Added to the refs of the current engine, so that a ref never means two elements.
    offset: u32,
}

impl AutoTab {
    /// Goes on in the full engine at this address. Without a browser everything stays as it is.
    async fn switch_engine(&mut self, url: &Url) -> Result<Visit, Error> {
        let Some((browser, profile)) = &self.upgrade else {
            return Err(Error::NoPage);
        };
        let mut tab = browser.open(profile.clone()).await?;
        let visit = tab.goto(url).await?;
        self.tab.close().await;
        self.tab = tab;
        self.upgrade = None;
        self.offset = self.last_ref;
        Ok(visit)
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

    /// Goes on in the full engine on the same page. The error is that of the quick one.
    async fn upgrade_for(&mut self, missing: NotCapable) -> Result<(), Error> {
        let url = self.tab.url().ok_or(Error::NoPage)?;
        let switched = self.switch_engine(&url).await;
        switched.map(drop).map_err(|_| missing.into())
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
        let visit = self.tab.goto(url).await?;
        let mut warnings = visit.warnings.iter();
        let needs_browser =
            warnings.any(|warning| matches!(warning, PageWarning::ScriptsNeeded | PageWarning::BotWall));
        if needs_browser && self.upgrade.is_some() {
            // Without a browser the page stays as it came, with its warning.
            return Ok(self.switch_engine(&visit.url).await.unwrap_or(visit));
        }
        Ok(visit)
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

    async fn act(&mut self, action: &Action) -> Result<ActionEffect, Error> {
        let inner = self.to_inner(action)?;
        let missing = match self.tab.act(&inner).await {
            Err(Error::NotCapable(missing)) if self.upgrade.is_some() => missing,
            done => return done.map_err(|why| self.to_outer_error(why)),
        };
        self.upgrade_for(missing).await?;
        match action.refs().first() {
            // The page was loaded again, and its elements have new refs.
            Some(target) => Err(Error::Stale(*target)),
            None => self.tab.act(action).await,
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
