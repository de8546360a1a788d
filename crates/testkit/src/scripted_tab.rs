//! A browser whose pages and outcomes of actions come from a script.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use browser::snapshot::SnapshotElement;
use browser::{
    Action, ActionEffect, Browser, BrowserEvent, Capability, Error, NotCapable, Profile, Ref, Snapshot, Tab,
    Visit,
};
use page::Page;
use url::Url;

/// A page of the script.
#[derive(Debug, Clone)]
pub struct ScriptedPage {
    /// Its address.
    pub url: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its elements, one a line: `role "name" [state] E1`, indented by two blanks for each level.
    pub view: &'static str,
}

/// The outcome of an action.
#[derive(Debug, Clone)]
pub enum ActionResult {
    /// Nothing is reported.
    Nothing,
    /// Another page, by its index in the script.
    To(usize),
    /// The same page has become another one, without a visit.
    Becomes(usize),
    /// Nothing at first; the next snapshot shows another page.
    Later(usize),
    /// A note, such as of a dialog, and another page.
    Note(&'static str, usize),
    /// It fails.
    Fails(Error),
}

type DecideOutcome = dyn Fn(usize, &Action) -> ActionResult + Send + Sync;

/// The browser. Clones share the log.
#[derive(Clone)]
pub struct ScriptedBrowser {
    scenes: Arc<Vec<ScriptedPage>>,
    decide: Arc<DecideOutcome>,
    news: Arc<Mutex<VecDeque<Vec<BrowserEvent>>>>,
    done: Arc<Mutex<Vec<Action>>>,
}

impl ScriptedBrowser {
    /// A browser of these pages; `decide` gives the outcome of an action on the page at an index.
    pub fn new(
        scenes: impl IntoIterator<Item = ScriptedPage>,
        decide: impl Fn(usize, &Action) -> ActionResult + Send + Sync + 'static,
    ) -> Self {
        Self {
            scenes: Arc::new(scenes.into_iter().collect()),
            decide: Arc::new(decide),
            news: Arc::default(),
            done: Arc::default(),
        }
    }

    /// With news: the first list is given when news is first asked for, and so on.
    #[must_use]
    pub fn telling(self, news: impl IntoIterator<Item = Vec<BrowserEvent>>) -> Self {
        self.news.lock().expect("the news").extend(news);
        self
    }

    /// Every action so far.
    pub fn done(&self) -> Vec<Action> {
        self.done.lock().expect("the log").clone()
    }
}

#[async_trait]
impl Browser for ScriptedBrowser {
    async fn open(&self, _profile: Profile) -> Result<Box<dyn Tab>, Error> {
        Ok(Box::new(ScriptedTab {
            browser: self.clone(),
            past: Vec::new(),
            at: None,
            later: None,
        }))
    }

    fn name(&self) -> &'static str {
        "scripted"
    }
}

struct ScriptedTab {
    browser: ScriptedBrowser,
    past: Vec<usize>,
    at: Option<usize>,
    /// The page that comes by itself.
    later: Option<usize>,
}

impl ScriptedTab {
    fn scene(&self) -> Result<&ScriptedPage, Error> {
        self.at
            .and_then(|at| self.browser.scenes.get(at))
            .ok_or(Error::NoPage)
    }

    fn visit(&mut self, at: usize) -> Result<Visit, Error> {
        self.past.extend(self.at);
        self.at = Some(at);
        let scene = self.scene()?;
        Ok(Visit {
            url: scene.url.parse().expect("an address"),
            status: Some(200),
            title: scene.title.to_owned(),
            warnings: Vec::new(),
        })
    }
}

#[async_trait]
impl Tab for ScriptedTab {
    async fn goto(&mut self, url: &Url) -> Result<Visit, Error> {
        let at = self
            .browser
            .scenes
            .iter()
            .position(|scene| scene.url == url.as_str());
        match at {
            Some(at) => self.visit(at),
            None => Err(Error::Net(net::Error::Dns)),
        }
    }

    async fn back(&mut self) -> Result<Visit, Error> {
        let at = self.past.pop().ok_or(Error::NoHistory("back"))?;
        let visit = self.visit(at)?;
        self.past.pop();
        Ok(visit)
    }

    async fn forward(&mut self) -> Result<Visit, Error> {
        Err(Error::NoHistory("forward"))
    }

    async fn page(&mut self) -> Result<Arc<Page>, Error> {
        let scene = self.scene()?;
        let html = format!("<title>{}</title><pre>{}</pre>", scene.title, scene.view);
        Ok(Arc::new(Page::new(html, scene.url.parse().ok())))
    }

    async fn snapshot(&mut self) -> Result<Snapshot, Error> {
        self.at = self.later.take().or(self.at);
        let scene = self.scene()?;
        Ok(Snapshot {
            url: scene.url.parse().ok(),
            title: scene.title.to_owned(),
            nodes: scene.view.lines().filter_map(element).collect(),
            ..Snapshot::default()
        })
    }

    async fn act(&mut self, action: &Action) -> Result<ActionEffect, Error> {
        self.browser.done.lock().expect("the log").push(action.clone());
        let snapshot = self.snapshot().await?;
        if let Some(gone) = action
            .refs()
            .into_iter()
            .find(|element| snapshot.find(*element).is_none())
        {
            return Err(Error::Stale(gone));
        }
        let at = self.at.unwrap_or_default();
        match (self.browser.decide)(at, action) {
            ActionResult::Nothing => Ok(ActionEffect::default()),
            ActionResult::To(next) => Ok(ActionEffect {
                visit: Some(self.visit(next)?),
                ..ActionEffect::default()
            }),
            ActionResult::Becomes(next) => {
                self.at = Some(next);
                Ok(ActionEffect::default())
            }
            ActionResult::Later(next) => {
                self.later = Some(next);
                Ok(ActionEffect::default())
            }
            ActionResult::Note(note, next) => {
                self.at = Some(next);
                Ok(ActionEffect {
                    notes: vec![note.to_owned()],
                    ..ActionEffect::default()
                })
            }
            ActionResult::Fails(error) => Err(error),
        }
    }

    async fn screenshot(&mut self, _whole: bool) -> Result<Vec<u8>, Error> {
        Ok(b"\x89PNG\r\n\x1a\n".to_vec())
    }

    fn can(&self, _capability: Capability) -> Result<(), NotCapable> {
        Ok(())
    }

    fn url(&self) -> Option<Url> {
        self.scene().ok().and_then(|scene| scene.url.parse().ok())
    }

    fn news(&mut self) -> Vec<BrowserEvent> {
        self.browser
            .news
            .lock()
            .expect("the news")
            .pop_front()
            .unwrap_or_default()
    }

    async fn close(&mut self) {
        self.at = None;
    }
}

/// An element from its line.
fn element(line: &str) -> Option<SnapshotElement> {
    let depth = line.len() - line.trim_start().len();
    let (role, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
    if role.is_empty() {
        return None;
    }
    let mut element = SnapshotElement {
        depth: u16::try_from(depth / 2).expect("a shallow tree"),
        role: role.to_owned(),
        ..SnapshotElement::default()
    };
    let mut rest = rest;
    if let Some(named) = rest.strip_prefix('"') {
        let (name, behind) = named.split_once('"').expect("a closing quote");
        element.name = name.to_owned();
        rest = behind;
    }
    for word in rest.split_whitespace() {
        if let Some(state) = word.strip_prefix('[') {
            element.states.push(state.trim_end_matches(']').to_owned());
        } else if let Some(value) = word.strip_prefix('=') {
            element.value = Some(value.to_owned());
        } else {
            element.target = Some(word.parse::<Ref>().expect("a ref"));
        }
    }
    Some(element)
}
