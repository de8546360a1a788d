//! Taking a crawl over: what was taken and not finished is looked up in the log, and read again where it is not there.

use std::collections::{HashMap, HashSet};

use wire::scrape::ScrapeEvent;

use super::{Crawl, CrawlProgress};
use crate::cancel::Cancelled;
use crate::site::frontier::LoggedPage;

impl Crawl<'_> {
    /// Finds the state that a worker before has left, if there was one.
    ///
    /// # Errors
    /// When the run is over.
    pub(super) async fn recover(&mut self) -> Result<(), Cancelled> {
        let status = self.frontier.open().await?;
        self.progress = CrawlProgress::restored(status.state.as_deref());
        self.progress.summary.known = status.known;
        let Some(after) = status.taken.iter().map(|address| address.after_seq).min() else {
            return Ok(());
        };
        let places: HashSet<u64> = status.taken.iter().map(|address| address.place).collect();
        let logged = self.frontier.logged(after, &places).await?;
        let mut logged: HashMap<u64, LoggedPage> = logged
            .into_iter()
            .map(|page| (page.result.index as u64, page))
            .collect();
        for address in status.taken {
            match logged.remove(&address.place) {
                Some(page) => {
                    self.progress.count(&page.result);
                    if !page.is_closed {
                        let complete = page.result.complete();
                        self.run.emit(ScrapeEvent::UrlComplete(complete)).await?;
                    }
                    self.told.push(address.key);
                }
                None => self.ready.push_back(address),
            }
        }
        // A deep page waits for those that are nearer to the start.
        self.ready.make_contiguous().sort_by_key(|address| address.depth);
        self.run.settle().await?;
        self.save().await
    }
}
