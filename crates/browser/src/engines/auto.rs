//! The engine that begins without a browser and fetches one when the page needs it.

use std::sync::Arc;

use async_trait::async_trait;
use page::Page;
use serde_json::Value;
use url::Url;

use crate::action::{Action, Capability, NotCapable, Point};
use crate::browser::{
    Browser, Hit, News, OpenDialog, OpenTab, Outcome, Profile, Receiver, Tab, Visit, Warning,
};
use crate::error::Error;
use crate::snapshot::{Ref, Snapshot};

/// Opens tabs of a quick engine that go on in a full one when they have to.
#[derive(Clone)]
pub struct AutoBrowser {
    quick: Arc<dyn Browser>,
    full: Arc<dyn Browser>,
}

impl AutoBrowser {
    /// `full` is asked for a tab only when a page turns out to need it.
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
            spare: Some((self.full.clone(), profile)),
            given: 0,
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
    /// What it takes to change the engine; gone once that is done.
    spare: Option<(Arc<dyn Browser>, Profile)>,
    /// The highest ref shown so far.
    given: u32,
    /// What is added to the refs of the present engine, so that a ref never means two elements.
    offset: u32,
}

impl AutoTab {
    /// Goes on in the full engine at this address. When no browser can be had, everything stays as it is.
    async fn change(&mut self, url: &Url) -> Result<Visit, Error> {
        let Some((browser, profile)) = &self.spare else {
            return Err(Error::NoPage);
        };
        let mut tab = browser.open(profile.clone()).await?;
        let visit = tab.goto(url).await?;
        self.tab.close().await;
        self.tab = tab;
        self.spare = None;
        self.offset = self.given;
        Ok(visit)
    }

    /// The action in the present engine's own refs; the error names a ref of an earlier engine.
    fn inward(&self, action: &Action) -> Result<Action, Error> {
        match action.refs().into_iter().find(|target| target.0 <= self.offset) {
            Some(stale) if self.offset > 0 => Err(Error::Stale(stale)),
            _ => Ok(action.with_refs(|target| Ref(target.0.saturating_sub(self.offset)))),
        }
    }

    fn outward(&self, error: Error) -> Error {
        let shown = |target: Ref| Ref(target.0.saturating_add(self.offset));
        match error {
            Error::Stale(target) => Error::Stale(shown(target)),
            Error::UnknownRef(target) => Error::UnknownRef(shown(target)),
            Error::NotActionable { target, why } => Error::NotActionable {
                target: shown(target),
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
        let wants = visit
            .warnings
            .iter()
            .any(|it| matches!(it, Warning::ScriptsNeeded | Warning::BotWall));
        if wants && self.spare.is_some() {
            // Without a browser the page as it came is still the best there is, and its warning says why.
            return Ok(self.change(&visit.url).await.unwrap_or(visit));
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
            target.0 = target.0.saturating_add(self.offset);
            self.given = self.given.max(target.0);
        }
        Ok(snapshot)
    }

    async fn find(&mut self, css: &str) -> Result<Vec<Ref>, Error> {
        let mut found = self.tab.find(css).await?;
        for target in &mut found {
            target.0 = target.0.saturating_add(self.offset);
            self.given = self.given.max(target.0);
        }
        Ok(found)
    }

    async fn act(&mut self, action: &Action) -> Result<Outcome, Error> {
        let inner = self.inward(action)?;
        let missing = match self.tab.act(&inner).await {
            Err(Error::NotCapable(missing)) if self.spare.is_some() => missing,
            done => return done.map_err(|why| self.outward(why)),
        };
        let url = self.tab.url().ok_or(Error::NoPage)?;
        if self.change(&url).await.is_err() {
            return Err(missing.into());
        }
        match action.refs().first() {
            // The page is there anew, and its elements have new refs.
            Some(target) => Err(Error::Stale(*target)),
            None => self.tab.act(action).await,
        }
    }

    fn dialog(&self) -> Option<OpenDialog> {
        self.tab.dialog()
    }

    async fn hit(&mut self, at: Point) -> Result<Option<Hit>, Error> {
        let mut hit = self.tab.hit(at).await?;
        if let Some(hit) = &mut hit {
            hit.target.0 = hit.target.0.saturating_add(self.offset);
            self.given = self.given.max(hit.target.0);
        }
        Ok(hit)
    }

    async fn focused(&mut self) -> Result<Vec<Ref>, Error> {
        let focused = self.tab.focused().await?;
        let outer = focused
            .into_iter()
            .map(|it| Ref(it.0.saturating_add(self.offset)));
        let outer: Vec<Ref> = outer.collect();
        self.given = outer.iter().map(|it| it.0).fold(self.given, u32::max);
        Ok(outer)
    }

    async fn screenshot(&mut self, whole: bool) -> Result<Vec<u8>, Error> {
        match self.tab.screenshot(whole).await {
            Err(Error::NotCapable(missing)) if self.spare.is_some() => {
                let url = self.tab.url().ok_or(Error::NoPage)?;
                self.change(&url).await.map_err(|_| Error::from(missing))?;
                self.tab.screenshot(whole).await
            }
            done => done,
        }
    }

    async fn evaluate(&mut self, script: &str, args: &[Value], most: usize) -> Result<Value, Error> {
        match self.tab.evaluate(script, args, most).await {
            Err(Error::NotCapable(missing)) if self.spare.is_some() => {
                let url = self.tab.url().ok_or(Error::NoPage)?;
                self.change(&url).await.map_err(|_| Error::from(missing))?;
                self.tab.evaluate(script, args, most).await
            }
            done => done,
        }
    }

    fn can(&self, capability: Capability) -> Result<(), NotCapable> {
        // What the quick engine cannot do, the full one may; that shows when it is tried.
        match self.spare {
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
        receiver.map_err(|why| self.outward(why))
    }

    fn url(&self) -> Option<Url> {
        self.tab.url()
    }

    fn news(&mut self) -> Vec<News> {
        self.tab.news()
    }

    fn tabs(&self) -> Vec<OpenTab> {
        self.tab.tabs()
    }

    async fn close(&mut self) {
        self.tab.close().await;
    }
}
