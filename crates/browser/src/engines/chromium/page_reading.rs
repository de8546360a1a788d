//! Reading a page: its source as it is shown, with open shadow trees and the frames of its origin.

use std::sync::Arc;

use page::Page;
use serde::Deserialize;
use serde_json::json;
use url::Url;

use super::failure::TabFailure;
use super::tab::ChromiumTab;
use crate::error::Error;

/// Most characters of a page that are read.
const MAX_PAGE_CHARS: usize = 16 << 20;

/// A page's source.
#[derive(Deserialize)]
struct PageSource {
    html: String,
    truncated: bool,
    /// Addresses of the frames that are in it.
    frames: Vec<String>,
    /// Addresses of frames that show something and are not in it.
    unread: Vec<String>,
}

/// A page that was read, and the addresses of frames that show something and are not in it.
pub(super) struct ReadPage {
    pub(super) page: Arc<Page>,
    pub(super) unread: Vec<Url>,
}

impl ChromiumTab {
    /// The page as it stands.
    pub(super) async fn read_page(&mut self) -> Result<ReadPage, Error> {
        let mut source = self.page_source(&[]).await?;
        let denied = self.denied_frames(&source.frames).await;
        if !denied.is_empty() {
            source = self.page_source(&denied).await?;
        }
        if source.truncated {
            let mut state = self.tracker()?.state();
            state.add_note("only the first part of the page was read");
        }
        let unread = source
            .unread
            .iter()
            .filter_map(|address| Url::parse(address).ok());
        Ok(ReadPage {
            page: crate::fetch::parsed(source.html, self.url.clone()).await,
            unread: unread.collect(),
        })
    }

    async fn page_source(&mut self, denied: &[String]) -> Result<PageSource, Error> {
        let call = format!("huntsman.html({MAX_PAGE_CHARS}, {})", json!(denied));
        let source = self.run::<PageSource>(&self.main_frame()?, &call).await;
        if matches!(source, Err(TabFailure::DocumentGone)) {
            self.wait_for_load().await?;
            return Ok(self.run(&self.main_frame()?, &call).await?);
        }
        Ok(source?)
    }

    /// The frames that may not be read by the rules that hold for the page itself. Their requests have passed the guard.
    async fn denied_frames(&self, frames: &[String]) -> Vec<String> {
        let mut denied = Vec::new();
        for address in frames {
            let is_allowed = match Url::parse(address) {
                Ok(url) => self.check_address(&url).await.is_ok(),
                Err(_) => false,
            };
            if !is_allowed {
                denied.push(address.clone());
            }
        }
        denied
    }
}
