//! `HttpTab`: a tab of the http engine, its history and its refs.

use std::collections::HashMap;
use std::sync::Arc;

use net::{Client, Request};
use page::Page;
use page::dom::{Node, NodeId};
use sandbox::Sandbox;

use super::super::meta_refresh;
use super::form_state::FormState;
use super::snapshot;
use crate::browser::{PageWarning, Profile, Visit};
use crate::error::Error;
use crate::fetch::{FetchedBody, fetch, read_file};
use crate::snapshot::{Ref, Snapshot};

/// A tab without a browser.
pub(super) struct HttpTab {
    client: Client,
    sandbox: Option<Sandbox>,
    pub(super) profile: Profile,
    /// The pages navigated to, as they were left.
    history: Vec<HistoryEntry>,
    /// The index of the current one.
    at: usize,
    /// The last ref given out.
    pub(super) last_ref: u32,
}

/// A page of the history.
pub(super) struct HistoryEntry {
    pub(super) page: Arc<Page>,
    pub(super) visit: Visit,
    /// Whether it is the answer to a POST: its address alone gives another page.
    pub(super) is_posted: bool,
    pub(super) form_state: FormState,
    pub(super) refs: HashMap<NodeId, Ref>,
    pub(super) nodes: HashMap<Ref, NodeId>,
}

/// Most pages of a history.
const MAX_HISTORY: usize = 20;
/// Most bytes of HTML of a history. The current page stays, whatever its size.
const MAX_HISTORY_BYTES: usize = 16 << 20;

impl HttpTab {
    pub(super) fn new(client: Client, sandbox: Option<Sandbox>, profile: Profile) -> HttpTab {
        HttpTab {
            client,
            sandbox,
            profile,
            history: Vec::new(),
            at: 0,
            last_ref: 0,
        }
    }

    pub(super) fn entry(&self) -> Result<&HistoryEntry, Error> {
        self.history.get(self.at).ok_or(Error::NoPage)
    }

    pub(super) fn entry_mut(&mut self) -> Result<&mut HistoryEntry, Error> {
        self.history.get_mut(self.at).ok_or(Error::NoPage)
    }

    /// Sends a request and makes its response the current page.
    pub(super) async fn load(&mut self, mut request: Request) -> Result<Visit, Error> {
        let mut seen = Vec::new();
        // A tab that waits for the memory of a page holds none.
        if let Ok(entry) = self.entry() {
            entry.page.release();
        }
        loop {
            let posted = (request.method == http::Method::POST).then(|| request.url.clone());
            request = self.profile.prepare(request, self.client.limits())?;
            let mut fetched = fetch(&self.client, request).await?;
            let mut page = fetched.unblocked_page().await;
            if fetched.visit.title.is_empty() {
                fetched.visit.title = crate::fetch::page_quality::title(&page);
            }
            if let Some(sandbox) = &self.sandbox
                && let Some(file) = read_file(sandbox, &fetched).await?
            {
                page = file.page;
                fetched.visit.title = file.title;
                fetched
                    .visit
                    .warnings
                    .retain(|warning| *warning != PageWarning::NotAPage);
                if file.cut {
                    fetched.visit.warnings.push(PageWarning::Truncated);
                }
            }
            let onward = match &fetched.body {
                FetchedBody::Page(page) => meta_refresh::target(page),
                _ => None,
            };
            seen.push(fetched.visit.url.clone());
            match onward.filter(|url| seen.len() <= meta_refresh::MAX_REFRESHES && !seen.contains(url)) {
                Some(next) => request = Request::get(next),
                None => {
                    // After a redirect, the address is that of a page of its own.
                    let is_posted = posted.is_some_and(|url| url == fetched.visit.url);
                    return Ok(self.push_history(page, fetched.visit, is_posted));
                }
            }
        }
    }

    fn push_history(&mut self, page: Arc<Page>, visit: Visit, is_posted: bool) -> Visit {
        if !self.history.is_empty() {
            self.history.truncate(self.at + 1);
        }
        let entry = HistoryEntry {
            page,
            visit: visit.clone(),
            is_posted,
            form_state: FormState::default(),
            refs: HashMap::new(),
            nodes: HashMap::new(),
        };
        self.history.push(entry);
        let bytes =
            |history: &[HistoryEntry]| -> usize { history.iter().map(|entry| entry.page.html().len()).sum() };
        while self.history.len() > MAX_HISTORY
            || (self.history.len() > 1 && bytes(&self.history) > MAX_HISTORY_BYTES)
        {
            self.history.remove(0);
        }
        self.at = self.history.len() - 1;
        visit
    }

    /// Goes one page back or forward in the history.
    pub(super) fn navigate_history(&mut self, is_back: bool) -> Result<Visit, Error> {
        self.entry()?;
        let (index, direction) = match is_back {
            true => (self.at.checked_sub(1), "back"),
            false => (Some(self.at + 1), "forward"),
        };
        let entry = index.and_then(|index| Some((index, self.history.get(index)?)));
        let (index, entry) = entry.ok_or(Error::NoHistory(direction))?;
        let visit = entry.visit.clone();
        self.at = index;
        Ok(visit)
    }

    pub(super) fn take_snapshot(&mut self) -> Result<Snapshot, Error> {
        let last_ref = &mut self.last_ref;
        let entry = self.history.get_mut(self.at).ok_or(Error::NoPage)?;
        let (refs, nodes) = (&mut entry.refs, &mut entry.nodes);
        let mut assign_ref = |node: Node<'_>| {
            *refs.entry(node.id()).or_insert_with(|| {
                *last_ref += 1;
                nodes.insert(Ref(*last_ref), node.id());
                Ref(*last_ref)
            })
        };
        Ok(snapshot::snapshot(
            &entry.page,
            &entry.visit.title,
            &entry.form_state,
            &mut assign_ref,
        ))
    }

    pub(super) fn clear(&mut self) {
        self.history.clear();
        self.at = 0;
    }
}
