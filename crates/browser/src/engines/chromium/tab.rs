//! A tab of Chromium: what it holds, how it begins and ends, and the port it serves.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use page::Page;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;
use url::Url;

use super::frames::Slip;
use super::pool::{Context, Pool};
use super::watch::Watch;
use crate::action::{Action, Capability, NotCapable, Point};
use crate::browser::{Hit, News, OpenDialog, OpenTab, Outcome, Profile, Receiver, Tab, Visit};
use crate::error::Error;
use crate::snapshot::{Ref, Snapshot};

/// The longest wait for a new, empty page.
const NEW_PAGE: Duration = Duration::from_secs(20);

/// How many processes of pages may die one after the other before a page is given up.
const DEATHS: usize = 3;

pub(super) struct ChromiumTab {
    pub(super) pool: Arc<Pool>,
    pub(super) profile: Profile,
    /// What it has in the browser; gone when the browser is, until it is needed again.
    pub(super) context: Option<Context>,
    /// Which endpoint it is at.
    index: usize,
    /// The last number given out.
    pub(super) last: u32,
    pub(super) docs: Vec<Doc>,
    /// The page to open again when the browser is lost.
    pub(super) url: Option<Url>,
    news: Vec<News>,
    titles: HashMap<u32, String>,
    /// Cookies that the browser has been given or has told.
    pub(super) cookies: Vec<net::Cookie>,
    /// The world that was told which elements listen, and those elements.
    pub(super) heard: (i64, HashSet<i64>),
    closed: bool,
}

/// A range of refs and the document that knows them.
#[derive(Debug, Clone)]
pub(super) struct Doc {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) frame: String,
    pub(super) world: i64,
}

impl ChromiumTab {
    pub(super) async fn open(pool: Arc<Pool>, profile: Profile) -> Result<ChromiumTab, Error> {
        let mut tab = ChromiumTab {
            pool,
            profile,
            context: None,
            index: 0,
            last: 0,
            docs: Vec::new(),
            url: None,
            news: Vec::new(),
            titles: HashMap::new(),
            cookies: Vec::new(),
            heard: (0, HashSet::new()),
            closed: false,
        };
        tab.enter(0).await?;
        Ok(tab)
    }

    /// Takes a context in a browser and an empty page in it.
    async fn enter(&mut self, first: usize) -> Result<(), Error> {
        let cancel = self.profile.cancel.clone();
        let entering = self.pool.context(&self.profile, first, &mut self.news);
        let entered = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(Error::Cancelled),
            entered = entering => entered?,
        };
        self.context = Some(entered.0);
        self.index = entered.1;
        self.cookies.clear();
        self.new_page().await?;
        Ok(())
    }

    /// Opens an empty page and makes it the present one.
    async fn new_page(&mut self) -> Result<(), Slip> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Created {
            target_id: String,
        }
        let watch = self.watch()?.clone();
        let asked = json!({"url": "about:blank", "browserContextId": watch.context});
        let reply = watch.connection.call("", "Target.createTarget", asked);
        let created: Created = self.answer_within("", reply, NEW_PAGE).await?;
        let until = Instant::now() + NEW_PAGE;
        let session = loop {
            let seen = {
                let mut state = watch.state();
                let found = state.pages.iter().find(|page| page.target == created.target_id);
                if let Some((number, session)) = found.map(|page| (page.number, page.session.clone())) {
                    state.current = number;
                    break session;
                }
                if state.lost {
                    return Err(Slip::Lost);
                }
                state.events
            };
            tokio::select! {
                () = self.profile.cancel.cancelled() => return Err(Slip::Cancelled),
                () = watch.change(seen, until) => {}
            }
            if Instant::now() >= until {
                return Err(Slip::Hung);
            }
        };
        // What the page was told at its start has arrived when this is answered; an earlier visit would be missed.
        let reply = watch.connection.call(&session, "Page.getFrameTree", json!({}));
        let _: Value = self.answer_within(&session, reply, NEW_PAGE).await?;
        Ok(())
    }

    pub(super) fn watch(&self) -> Result<&Arc<Watch>, Slip> {
        self.context.as_ref().map(|it| &it.watch).ok_or(Slip::Lost)
    }

    /// The session of the present page.
    pub(super) fn session(&self) -> Result<String, Slip> {
        let state = self.watch()?.state();
        state.page().map(|page| page.session.clone()).ok_or(Slip::Gone)
    }

    /// The main frame of the present page.
    pub(super) fn main_frame(&self) -> Result<String, Slip> {
        let state = self.watch()?.state();
        state.page().map(|page| page.target.clone()).ok_or(Slip::Gone)
    }

    /// Makes sure that there is a living page. A lost browser or a crashed page is replaced, and its address
    /// opened again; then everything seen before is stale. Returns whether that happened.
    pub(super) async fn revive(&mut self) -> Result<bool, Error> {
        if self.closed {
            return Err(Error::NoPage);
        }
        if self.profile.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let (lost, crashed, gone) = match self.watch() {
            Err(_) => (true, false, false),
            Ok(watch) => {
                let state = watch.state();
                let page = state.page();
                (state.lost, page.is_some_and(|it| it.crashed), page.is_none())
            }
        };
        if lost {
            self.context = None;
            self.docs.clear();
            // The endpoints are walked once; a browser of our own can always be started anew.
            let own = self.pool.settings.endpoints.is_empty();
            let first = if own { 0 } else { self.index + 1 };
            let total = self.pool.settings.endpoints.len();
            if !own && first < total {
                self.news.push(News::EndpointCycle {
                    attempt: first,
                    total,
                    error: "lost",
                });
            }
            self.enter(first).await?;
            let url = self.url.clone();
            if let Some(url) = &url {
                self.visit(url).await?;
            }
            self.news.push(News::Reconnected {
                url,
                index: self.index,
                total: self.pool.settings.endpoints.len().max(1),
            });
            return Ok(true);
        }
        if crashed || gone {
            let watch = self.watch()?.clone();
            let other = {
                let mut state = watch.state();
                watch.bury(&mut state);
                let last = state.pages.last().map(|page| page.number).filter(|_| gone);
                if let Some(last) = last {
                    state.current = last;
                }
                last.is_some()
            };
            if other {
                watch.note("the tab was closed; the one before it is the current one");
                return Ok(true);
            }
            self.docs.clear();
            let mut deaths = 0;
            loop {
                match self.reopen().await {
                    // The processes that new pages are given may have died with the other one.
                    Err(Error::Crashed(_)) if deaths < DEATHS && !self.profile.cancel.is_cancelled() => {
                        deaths += 1;
                        watch.bury(&mut watch.state());
                    }
                    opened => {
                        opened?;
                        break;
                    }
                }
            }
            if crashed {
                watch.note("the page crashed; it was opened again");
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Opens the page that was open, in a new one.
    async fn reopen(&mut self) -> Result<(), Error> {
        self.new_page().await?;
        if let Some(url) = self.url.clone() {
            self.visit(&url).await?;
        }
        Ok(())
    }

    /// The document that knows a ref, if it still stands in the present tab.
    pub(super) fn frame_of(&self, target: Ref) -> Result<String, Error> {
        if target.0 == 0 || target.0 > self.last {
            return Err(Error::UnknownRef(target));
        }
        let doc = self
            .docs
            .iter()
            .find(|doc| doc.from <= target.0 && target.0 <= doc.to)
            .ok_or(Error::Stale(target))?;
        match self.known_world(&doc.frame) == Some(doc.world) {
            true => Ok(doc.frame.clone()),
            false => Err(Error::Stale(target)),
        }
    }

    pub(super) fn remember_title(&mut self, title: &str) {
        let current = self
            .watch()
            .map(|watch| watch.state().current)
            .unwrap_or_default();
        self.titles.insert(current, title.to_owned());
    }

    /// Forgets the documents that are gone.
    fn prune(&mut self) {
        let living: HashSet<(String, i64)> = match self.watch() {
            Ok(watch) => {
                let state = watch.state();
                let frames = state.pages.iter().flat_map(|page| page.frames.iter());
                frames
                    .filter_map(|(id, frame)| Some((id.clone(), frame.world?)))
                    .collect()
            }
            Err(_) => HashSet::new(),
        };
        self.docs
            .retain(|doc| living.contains(&(doc.frame.clone(), doc.world)));
    }

    fn page_wanted(&self) -> Result<(), Error> {
        match self.url {
            Some(_) => Ok(()),
            None => Err(Error::NoPage),
        }
    }
}

#[async_trait]
impl Tab for ChromiumTab {
    async fn goto(&mut self, url: &Url) -> Result<Visit, Error> {
        self.revive().await?;
        self.settle_questions().await?;
        match self.visit(url).await {
            // A page that crashes is tried once more; so is one that lost its browser.
            Err(Error::Crashed(_)) if !self.profile.cancel.is_cancelled() => {
                self.revive().await?;
                self.visit(url).await
            }
            done => done,
        }
    }

    async fn back(&mut self) -> Result<Visit, Error> {
        self.page_wanted()?;
        self.revive().await?;
        self.settle_questions().await?;
        self.travel(-1).await
    }

    async fn forward(&mut self) -> Result<Visit, Error> {
        self.page_wanted()?;
        self.revive().await?;
        self.settle_questions().await?;
        self.travel(1).await
    }

    async fn page(&mut self) -> Result<Arc<Page>, Error> {
        self.page_wanted()?;
        self.revive().await?;
        self.settle_questions().await?;
        self.read().await
    }

    async fn snapshot(&mut self) -> Result<Snapshot, Error> {
        self.page_wanted()?;
        self.revive().await?;
        self.settle_questions().await?;
        self.prune();
        for _ in 0..DEATHS {
            match self.look().await {
                Err(Error::Crashed(_)) if !self.profile.cancel.is_cancelled() => self.revive().await?,
                looked => return looked,
            };
        }
        self.look().await
    }

    async fn find(&mut self, css: &str) -> Result<Vec<Ref>, Error> {
        // The snapshot gives refs to all that can be acted on and can be seen.
        let snapshot = self.snapshot().await?;
        let main = self.main_frame()?;
        let asked = format!("huntsman.find({})", json!(css));
        let found: Option<Vec<u32>> = self.run(&main, &asked).await?;
        let found = found.ok_or_else(|| Error::Selector(format!("{css:?} is no selector")))?;
        Ok(found
            .into_iter()
            .map(Ref)
            .filter(|it| snapshot.find(*it).is_some())
            .collect())
    }

    async fn receiver(&mut self, target: Ref) -> Result<Option<Receiver>, Error> {
        self.page_wanted()?;
        self.settle_questions().await?;
        let frame = self.frame_of(target)?;
        let asked = format!("huntsman.receiver({})", target.0);
        let told: Option<(String, bool, String)> = self.run(&frame, &asked).await?;
        let (address, form, link) = told.ok_or(Error::Stale(target))?;
        let link = Url::parse(&link).ok();
        Ok(Url::parse(&address).ok().map(|url| Receiver { url, form, link }))
    }

    async fn act(&mut self, action: &Action) -> Result<Outcome, Error> {
        self.page_wanted()?;
        if self.profile.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        for target in action.refs() {
            if target.0 == 0 || target.0 > self.last {
                return Err(Error::UnknownRef(target));
            }
        }
        let revived = self.revive().await?;
        if let Some(target) = action.refs().first()
            && revived
        {
            return Err(Error::Stale(*target));
        }
        self.perform(action).await
    }

    async fn screenshot(&mut self, whole: bool) -> Result<Vec<u8>, Error> {
        self.page_wanted()?;
        self.revive().await?;
        self.settle_questions().await?;
        self.picture(whole).await
    }

    fn dialog(&self) -> Option<OpenDialog> {
        self.waiting()
    }

    async fn hit(&mut self, at: Point) -> Result<Option<Hit>, Error> {
        self.page_wanted()?;
        self.revive().await?;
        self.settle_questions().await?;
        self.hit_at(at).await
    }

    async fn focused(&mut self) -> Result<Vec<Ref>, Error> {
        self.page_wanted()?;
        self.revive().await?;
        self.settle_questions().await?;
        self.having_focus().await
    }

    async fn evaluate(&mut self, script: &str, args: &[Value], most: usize) -> Result<Value, Error> {
        self.page_wanted()?;
        self.revive().await?;
        self.settle_questions().await?;
        self.run_foreign(script, args, most).await
    }

    fn can(&self, _: Capability) -> Result<(), NotCapable> {
        Ok(())
    }

    fn url(&self) -> Option<Url> {
        self.url.clone()
    }

    fn news(&mut self) -> Vec<News> {
        std::mem::take(&mut self.news)
    }

    fn tabs(&self) -> Vec<OpenTab> {
        let Ok(watch) = self.watch() else {
            return Vec::new();
        };
        let state = watch.state();
        state
            .pages
            .iter()
            .map(|page| OpenTab {
                number: page.number,
                url: Url::parse(&page.url).ok(),
                title: self.titles.get(&page.number).cloned().unwrap_or_default(),
                current: page.number == state.current,
            })
            .collect()
    }

    async fn close(&mut self) {
        if !self.closed && self.context.is_some() {
            // A last word about cookies is welcome, and nothing waits long for it.
            let _ = tokio::time::timeout(Duration::from_millis(500), self.keep_cookies()).await;
        }
        self.closed = true;
        self.context = None;
        self.docs = Vec::new();
    }
}
