//! Redirects that a document makes by itself: `<meta http-equiv=refresh>`, and scripts that set another address.

use std::time::Duration;

use serde::de::IgnoredAny;
use serde_json::json;
use tokio::time::Instant;
use url::Url;

use super::super::meta_refresh::MAX_REFRESHES;
use super::failure::TabFailure;
use super::tab::ChromiumTab;
use crate::browser::Visit;
use crate::error::Error;

/// The longest wait for a script of a page that shows little to set another address.
const SCRIPT_TIMEOUT: Duration = Duration::from_secs(2);

/// Where a document leads by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Onward {
    Nowhere,
    /// To the address of a refresh that comes soon.
    Refresh(Url),
    /// To an address that a script may set.
    Script,
}

impl ChromiumTab {
    /// Reads where the tab is, once the redirects that its documents make have been followed.
    pub(super) async fn arrive(&mut self) -> Result<Visit, Error> {
        let mut seen = Vec::new();
        loop {
            let (visit, onward) = self.read_arrival().await?;
            seen.push(visit.url.clone());
            let is_followed = match onward {
                _ if seen.len() > MAX_REFRESHES => false,
                Onward::Nowhere => false,
                Onward::Refresh(url) => !seen.contains(&url) && self.follow_refresh(&url).await?,
                Onward::Script => self.wait_for_script_redirect().await?,
            };
            if !is_followed {
                return Ok(visit);
            }
        }
    }

    /// Goes where a refresh leads without its delay, as the engine without a browser does. Returns whether another document came.
    async fn follow_refresh(&mut self, url: &Url) -> Result<bool, Error> {
        self.check_address(url).await?;
        let (main, baseline) = (self.main_frame()?, self.baseline()?);
        if let Some(page) = self.tracker()?.state().page_mut() {
            page.expect_navigation();
        }
        let call = format!("void location.replace({})", json!(url.as_str()));
        match self.run::<IgnoredAny>(&main, &call).await {
            Ok(_) | Err(TabFailure::DocumentGone) => {}
            Err(failure) => return Err(failure.into()),
        }
        self.wait_for_idle(&baseline).await
    }

    /// Waits for a script to set another address. Returns whether another document came.
    async fn wait_for_script_redirect(&mut self) -> Result<bool, Error> {
        let baseline = self.baseline()?;
        let left = self.wait_for_state(Instant::now() + SCRIPT_TIMEOUT, |state| {
            let page = state.page().ok_or(TabFailure::DocumentGone)?;
            let is_over = state.is_disconnected || page.is_crashed || page.dialog.is_some();
            let is_leaving = baseline.is_left(page) || page.is_navigating(Instant::now());
            Ok((is_leaving || is_over).then_some(is_leaving))
        });
        match left.await? {
            Some(true) => self.wait_for_idle(&baseline).await,
            _ => Ok(false),
        }
    }
}
