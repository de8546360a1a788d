//! The port `Tab`, served without a browser.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use net::Request;
use page::Page;
use page::dom::Selector;
use url::Url;

use super::capabilities::not_capable;
use super::form_state::{FormControl, control};
use super::form_submission;
use super::tab::HttpTab;
use crate::action::{Action, Capability, NotCapable};
use crate::browser::{ActionEffect, Receiver, Tab, Visit};
use crate::diagnostics;
use crate::error::Error;
use crate::snapshot::{Ref, Snapshot};

/// The engine's name.
const ENGINE: &str = "http";

impl HttpTab {
    async fn perform(&mut self, action: &Action) -> Result<ActionEffect, Error> {
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
                    Some(FormControl::Text) => self.submit(*target).await,
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
            | Action::Dialog { .. } => Err(not_capable(action.needs()).into()),
        }
    }
}

#[async_trait]
impl Tab for HttpTab {
    async fn goto(&mut self, url: &Url) -> Result<Visit, Error> {
        let request = Request::get(url.clone());
        diagnostics::navigation(ENGINE, Some(url), self.load(request)).await
    }

    async fn back(&mut self) -> Result<Visit, Error> {
        diagnostics::navigation(ENGINE, None, async { self.navigate_history(true) }).await
    }

    async fn forward(&mut self) -> Result<Visit, Error> {
        diagnostics::navigation(ENGINE, None, async { self.navigate_history(false) }).await
    }

    async fn page(&mut self) -> Result<Arc<Page>, Error> {
        Ok(self.entry()?.page.clone())
    }

    async fn snapshot(&mut self) -> Result<Snapshot, Error> {
        diagnostics::snapshot(ENGINE, sandbox::unblocked(async { self.take_snapshot() })).await
    }

    async fn find(&mut self, css: &str) -> Result<Vec<Ref>, Error> {
        let selector = Selector::parse(css).map_err(|why| Error::Selector(why.to_string()))?;
        // The snapshot gives refs to all visible elements that can be acted on.
        self.take_snapshot()?;
        let entry = self.entry()?;
        let matches = entry.page.dom().root().select_all(&selector);
        let matches = matches.map_err(|why| Error::Selector(why.to_string()))?;
        Ok(matches
            .into_iter()
            .filter_map(|node| entry.refs.get(&node.id()).copied())
            .collect())
    }

    async fn act(&mut self, action: &Action) -> Result<ActionEffect, Error> {
        diagnostics::action(ENGINE, action, self.perform(action)).await
    }

    async fn screenshot(&mut self, _whole: bool) -> Result<Vec<u8>, Error> {
        Err(not_capable(Capability::Screenshot).into())
    }

    fn can(&self, capability: Capability) -> Result<(), NotCapable> {
        match capability {
            Capability::Links | Capability::Forms | Capability::Upload | Capability::Selectors => Ok(()),
            missing => Err(not_capable(missing)),
        }
    }

    fn is_reloadable(&self) -> bool {
        self.entry()
            .is_ok_and(|entry| !entry.is_posted && !entry.form_state.is_changed())
    }

    async fn receiver(&mut self, target: Ref) -> Result<Option<Receiver>, Error> {
        let id = self.node(target)?;
        let page = &self.entry()?.page;
        let actions = form_submission::targets(page, page.dom().node(id));
        Ok(Some(Receiver {
            document: self.url().ok_or(Error::NoPage)?,
            actions,
            // This engine clicks links only where they are the element itself.
            link: None,
        }))
    }

    fn url(&self) -> Option<Url> {
        self.entry().ok().map(|entry| entry.visit.url.clone())
    }

    async fn close(&mut self) {
        self.clear();
    }
}
