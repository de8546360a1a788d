//! The port `Tab`, served by Chromium.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use page::Page;
use serde_json::{Value, json};
use tokio::time::Instant;
use url::Url;

use super::recovery::MAX_CRASHES;
use super::state::PageState;
use super::tab::ChromiumTab;
use crate::action::{Action, Capability, NotCapable, Point};
use crate::browser::{
    ActionEffect, BrowserEvent, HitTestResult, OpenDialog, OpenTab, PageCondition, Receiver, Tab, Visit,
};
use crate::diagnostics;
use crate::error::Error;
use crate::picture::PagePicture;
use crate::snapshot::{Ref, Snapshot};

/// The longest wait for the cookies and the storage of a tab that is closed.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);

/// The engine's name.
const ENGINE: &str = "chromium";

impl ChromiumTab {
    fn require_page(&self) -> Result<(), Error> {
        self.url.as_ref().map(drop).ok_or(Error::NoPage)
    }

    /// Makes sure that there is a living page without an open dialog.
    async fn prepare(&mut self) -> Result<(), Error> {
        self.require_page()?;
        self.recover().await?;
        self.dismiss_dialogs().await
    }

    async fn goto_address(&mut self, url: &Url) -> Result<Visit, Error> {
        self.recover().await?;
        self.dismiss_dialogs().await?;
        match self.navigate(url).await {
            // A page that crashes, or lost its browser, is tried once more.
            Err(Error::Crashed(_)) if !self.profile.cancel.is_cancelled() => {
                self.recover().await?;
                self.navigate(url).await
            }
            visit => visit,
        }
    }

    async fn goto_history(&mut self, offset: i64) -> Result<Visit, Error> {
        self.prepare().await?;
        self.navigate_history(offset).await
    }

    async fn read_snapshot(&mut self) -> Result<Snapshot, Error> {
        self.prepare().await?;
        self.prune_refs();
        for _ in 0..MAX_CRASHES {
            match self.take_snapshot().await {
                Err(Error::Crashed(_)) if !self.profile.cancel.is_cancelled() => self.recover().await?,
                snapshot => return snapshot,
            };
        }
        self.take_snapshot().await
    }

    async fn act_on_page(&mut self, action: &Action) -> Result<ActionEffect, Error> {
        self.require_page()?;
        if self.profile.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let targets = action.refs();
        for target in &targets {
            self.check_ref(*target)?;
        }
        let is_recovered = self.recover().await?;
        match targets.first() {
            Some(target) if is_recovered => Err(Error::Stale(*target)),
            _ => self.perform(action).await,
        }
    }
}

#[async_trait]
impl Tab for ChromiumTab {
    async fn goto(&mut self, url: &Url) -> Result<Visit, Error> {
        diagnostics::navigation(ENGINE, Some(url), self.goto_address(url)).await
    }

    async fn back(&mut self) -> Result<Visit, Error> {
        diagnostics::navigation(ENGINE, None, self.goto_history(-1)).await
    }

    async fn forward(&mut self) -> Result<Visit, Error> {
        diagnostics::navigation(ENGINE, None, self.goto_history(1)).await
    }

    async fn settle(&mut self, visit: &mut Visit, asked: Instant) -> Result<(), Error> {
        self.prepare().await?;
        self.settle_page(visit, asked).await
    }

    async fn page(&mut self) -> Result<Arc<Page>, Error> {
        self.prepare().await?;
        Ok(self.read_page().await?.page)
    }

    async fn snapshot(&mut self) -> Result<Snapshot, Error> {
        diagnostics::snapshot(ENGINE, self.read_snapshot()).await
    }

    async fn find(&mut self, css: &str) -> Result<Vec<Ref>, Error> {
        // The snapshot gives refs to all visible elements that can be acted on.
        let snapshot = self.snapshot().await?;
        let call = format!("huntsman.find({})", json!(css));
        let matches: Option<Vec<u32>> = self.run(&self.main_frame()?, &call).await?;
        let matches = matches.ok_or_else(|| Error::Selector(format!("{css:?} is no selector")))?;
        let targets = matches.into_iter().map(Ref);
        Ok(targets
            .filter(|target| snapshot.find(*target).is_some())
            .collect())
    }

    async fn receiver(&mut self, target: Ref) -> Result<Option<Receiver>, Error> {
        self.require_page()?;
        self.dismiss_dialogs().await?;
        let frame = self.frame_of(target)?;
        let call = format!("huntsman.formTarget({})", target.0);
        let reply: Option<(String, Vec<String>, String)> = self.run(&frame, &call).await?;
        let (document, actions, link) = reply.ok_or(Error::Stale(target))?;
        let unreadable = |_| Error::Browser("the address of a form cannot be read".into());
        let actions = actions.iter().map(|action| Url::parse(action));
        Ok(Some(Receiver {
            document: Url::parse(&document).map_err(unreadable)?,
            actions: actions.collect::<Result<_, _>>().map_err(unreadable)?,
            link: Url::parse(&link).ok(),
        }))
    }

    async fn wait_until(&mut self, condition: &PageCondition, within: Duration) -> Result<(), Error> {
        self.prepare().await?;
        self.wait_for_condition(condition, within).await
    }

    async fn act(&mut self, action: &Action) -> Result<ActionEffect, Error> {
        diagnostics::action(ENGINE, action, self.act_on_page(action)).await
    }

    async fn screenshot(&mut self, whole: bool) -> Result<Vec<u8>, Error> {
        self.prepare().await?;
        self.capture(whole).await
    }

    async fn picture(&mut self, target: Option<Ref>) -> Result<PagePicture, Error> {
        self.require_page()?;
        if self.open_dialog().is_some() {
            return Err(self.dialog_error());
        }
        self.take_picture(target).await
    }

    fn dialog(&self) -> Option<OpenDialog> {
        self.open_dialog()
    }

    async fn hit(&mut self, at: Point) -> Result<Option<HitTestResult>, Error> {
        self.prepare().await?;
        self.hit_test(at).await
    }

    async fn focused(&mut self) -> Result<Vec<Ref>, Error> {
        self.prepare().await?;
        self.focused_elements().await
    }

    async fn evaluate(&mut self, script: &str, args: &[Value], most: usize) -> Result<Value, Error> {
        self.prepare().await?;
        self.evaluate_in_page(script, args, most).await
    }

    fn can(&self, _: Capability) -> Result<(), NotCapable> {
        Ok(())
    }

    fn url(&self) -> Option<Url> {
        self.url.clone()
    }

    fn news(&mut self) -> Vec<BrowserEvent> {
        std::mem::take(&mut self.news)
    }

    fn tabs(&self) -> Vec<OpenTab> {
        let Ok(tracker) = self.tracker() else {
            return Vec::new();
        };
        let state = tracker.state();
        let tab = |page: &PageState| OpenTab {
            number: page.number,
            url: Url::parse(&page.url).ok(),
            title: self.titles.get(&page.number).cloned().unwrap_or_default(),
            current: page.number == state.current,
        };
        state.pages.iter().map(tab).collect()
    }

    async fn close(&mut self) {
        if !self.is_closed && self.context.is_some() {
            let import = async {
                let _ = self.import_cookies().await;
                self.import_local_storage().await;
            };
            let _ = tokio::time::timeout(CLOSE_TIMEOUT, import).await;
        }
        self.is_closed = true;
        self.context = None;
        self.ref_ranges.clear();
    }
}
