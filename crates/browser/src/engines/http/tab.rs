//! A tab of the http engine: visits, history and refs.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use net::{Client, Limits, Request};
use page::Page;
use page::dom::{Node, NodeId, Selector};
use url::Url;

use super::acts::no;
use super::fields::{Control, Fields, control};
use super::{form, refresh, view};
use crate::action::{Action, Capability, NotCapable};
use crate::browser::{Outcome, Profile, Receiver, Tab, Visit, Warning};
use crate::error::Error;
use crate::fetch::{Body, fetch};
use crate::snapshot::{Ref, Snapshot};
use sandbox::pdf::Reader;

pub(super) struct HttpTab {
    client: Client,
    documents: Option<Reader>,
    pub(super) profile: Profile,
    /// The pages visited, as they stood when they were left.
    history: Vec<Entry>,
    /// The present one, by position.
    at: usize,
    /// The last number given out.
    pub(super) last: u32,
}

/// A page of the history as it stood.
pub(super) struct Entry {
    pub(super) page: Arc<Page>,
    visit: Visit,
    pub(super) fields: Fields,
    refs: HashMap<NodeId, Ref>,
    pub(super) nodes: HashMap<Ref, NodeId>,
}

/// Pages a tab remembers.
const HISTORY: usize = 20;
/// Most pages in a row that may each send on to the next.
const REFRESHES: usize = 5;

impl HttpTab {
    pub(super) fn new(client: Client, documents: Option<Reader>, profile: Profile) -> HttpTab {
        HttpTab {
            client,
            documents,
            profile,
            history: Vec::new(),
            at: 0,
            last: 0,
        }
    }

    pub(super) fn entry(&self) -> Result<&Entry, Error> {
        self.history.get(self.at).ok_or(Error::NoPage)
    }

    pub(super) fn entry_mut(&mut self) -> Result<&mut Entry, Error> {
        self.history.get_mut(self.at).ok_or(Error::NoPage)
    }

    /// Sends a request and makes its answer the present page.
    pub(super) async fn load(&mut self, mut request: Request) -> Result<Visit, Error> {
        let mut seen = Vec::new();
        loop {
            request.jar = Some(self.profile.jar.clone());
            request.robots = self.profile.robots;
            request.no_cache = self.profile.fresh;
            request.cancel = self.profile.cancel.clone();
            request.granted = self.profile.grants(&request.url);
            request.limits = Some(Limits {
                total: self.profile.patience,
                ..self.client.limits().clone()
            });
            if let Some(languages) = &self.profile.languages {
                request = request.header("accept-language", languages)?;
            }
            let mut fetched = fetch(&self.client, request).await?;
            let mut page = fetched.body.page(&fetched.visit.url);
            if let (Body::Pdf(bytes), Some(reader)) = (&fetched.body, &self.documents)
                && let Ok(document) = reader.read(bytes.clone()).await
            {
                page = Arc::new(document.page(&fetched.visit.url));
                fetched.visit.title.clone_from(&document.title);
                fetched.visit.warnings.retain(|it| *it != Warning::NotAPage);
                if document.cut {
                    fetched.visit.warnings.push(Warning::Truncated);
                }
            }
            let onward = match &fetched.body {
                Body::Page(page) => refresh::target(page),
                _ => None,
            };
            seen.push(fetched.visit.url.clone());
            match onward.filter(|url| seen.len() <= REFRESHES && !seen.contains(url)) {
                Some(next) => request = Request::get(next),
                None => return Ok(self.arrive(page, fetched.visit)),
            }
        }
    }

    fn arrive(&mut self, page: Arc<Page>, visit: Visit) -> Visit {
        if !self.history.is_empty() {
            self.history.truncate(self.at + 1);
        }
        let entry = Entry {
            page,
            visit: visit.clone(),
            fields: Fields::default(),
            refs: HashMap::new(),
            nodes: HashMap::new(),
        };
        self.history.push(entry);
        if self.history.len() > HISTORY {
            self.history.remove(0);
        }
        self.at = self.history.len() - 1;
        visit
    }

    fn travel(&mut self, to: Option<usize>, way: &'static str) -> Result<Visit, Error> {
        self.entry()?;
        let entry = to.and_then(|to| self.history.get(to).map(|entry| (to, entry)));
        let (to, entry) = entry.ok_or(Error::NoHistory(way))?;
        let visit = entry.visit.clone();
        self.at = to;
        Ok(visit)
    }
}

#[async_trait]
impl Tab for HttpTab {
    async fn goto(&mut self, url: &Url) -> Result<Visit, Error> {
        self.load(Request::get(url.clone())).await
    }

    async fn back(&mut self) -> Result<Visit, Error> {
        self.travel(self.at.checked_sub(1), "back")
    }

    async fn forward(&mut self) -> Result<Visit, Error> {
        self.travel(Some(self.at + 1), "forward")
    }

    async fn page(&mut self) -> Result<Arc<Page>, Error> {
        Ok(self.entry()?.page.clone())
    }

    async fn snapshot(&mut self) -> Result<Snapshot, Error> {
        let last = &mut self.last;
        let entry = self.history.get_mut(self.at).ok_or(Error::NoPage)?;
        let (refs, nodes) = (&mut entry.refs, &mut entry.nodes);
        let mut refer = |node: Node<'_>| {
            *refs.entry(node.id()).or_insert_with(|| {
                *last += 1;
                nodes.insert(Ref(*last), node.id());
                Ref(*last)
            })
        };
        Ok(view::snapshot(
            &entry.page,
            &entry.visit.title,
            &entry.fields,
            &mut refer,
        ))
    }

    async fn find(&mut self, css: &str) -> Result<Vec<Ref>, Error> {
        let selector = Selector::parse(css).map_err(|why| Error::Selector(why.to_string()))?;
        // The snapshot gives refs to all that can be acted on and is not hidden.
        self.snapshot().await?;
        let entry = self.entry()?;
        let found = entry.page.dom().select(&selector);
        Ok(found
            .filter_map(|node| entry.refs.get(&node.id()).copied())
            .collect())
    }

    async fn act(&mut self, action: &Action) -> Result<Outcome, Error> {
        if self.profile.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        for target in action.refs() {
            self.node(target)?;
        }
        match action {
            Action::Click { target, .. } => self.click(*target).await,
            Action::Fill { target, value } => self.fill(*target, value, false),
            Action::Type { target, text } => self.fill(*target, text, true),
            Action::Select { target, options } => self.choose(*target, options),
            Action::Check { target, on } => self.check(*target, *on),
            Action::Upload { target, files } => self.upload(*target, files),
            Action::Submit { target } => self.submit(*target).await,
            // Enter in a field sends its form, with or without scripts.
            Action::Press {
                keys,
                target: Some(target),
            } if keys == "Enter" => {
                let id = self.node(*target)?;
                match control(self.entry()?.page.dom().node(id)) {
                    Some(Control::Text) => self.submit(*target).await,
                    _ => self.click(*target).await,
                }
            }
            Action::Wait { until, timeout_ms } => self.wait(until, Duration::from_millis(*timeout_ms)).await,
            Action::Hover { .. }
            | Action::Press { .. }
            | Action::Scroll { .. }
            | Action::Drag { .. }
            | Action::RightClick { .. }
            | Action::ClickAt { .. }
            | Action::Focus { .. }
            | Action::DragTo { .. }
            | Action::SelectText { .. }
            | Action::SwitchTab { .. }
            | Action::CloseTab { .. }
            | Action::Dialog { .. } => Err(no(action.needs()).into()),
        }
    }

    async fn screenshot(&mut self, _whole: bool) -> Result<Vec<u8>, Error> {
        Err(no(Capability::Screenshot).into())
    }

    fn can(&self, capability: Capability) -> Result<(), NotCapable> {
        match capability {
            Capability::Links | Capability::Forms | Capability::Upload | Capability::Selectors => Ok(()),
            missing => Err(no(missing)),
        }
    }

    async fn receiver(&mut self, target: Ref) -> Result<Option<Receiver>, Error> {
        let id = self.node(target)?;
        let page = &self.entry()?.page;
        // An element that is no link itself is nothing that this engine clicks.
        let of = |url, form| Receiver {
            url,
            form,
            link: None,
        };
        let form = form::receiver(page, page.dom().node(id)).map(|url| of(url, true));
        Ok(form.or_else(|| Some(of(self.url()?, false))))
    }

    fn url(&self) -> Option<Url> {
        self.entry().ok().map(|entry| entry.visit.url.clone())
    }

    async fn close(&mut self) {
        self.history.clear();
        self.at = 0;
    }
}
