//! `LeasedFrontier`: the frontier and the log of a run, for its agent. Values of the request that readers may not see are
//! kept out of the frontier's files.

use std::collections::HashSet;
use std::sync::Arc;

use agents::cancel::Cancelled;
use agents::scrape::PageResult;
use agents::site::frontier::{CrawlFrontier, LoggedPage};
use async_trait::async_trait;
use serde_json::Value;
use store::frontier::{Frontier, FrontierReply, FrontierStatus, FrontierUpdate, TakenAddress};
use store::jobs::Lease;
use store::log::EventLog;
use wire::LogEntry;
use wire::request_secrets::RequestSecrets;

use crate::error::cancelled;

/// Entries read at once.
const BATCH: usize = 256;

/// The frontier of one lease.
pub(crate) struct LeasedFrontier {
    pub(crate) frontier: Arc<dyn Frontier>,
    pub(crate) log: Arc<dyn EventLog>,
    pub(crate) lease: Lease,
    pub(crate) secrets: RequestSecrets,
}

impl LeasedFrontier {
    fn unmasked(&self, mut addresses: Vec<TakenAddress>) -> Vec<TakenAddress> {
        for address in addresses.iter_mut().filter(|_| !self.secrets.is_empty()) {
            address.url = self.secrets.unmask(std::mem::take(&mut address.url));
        }
        addresses
    }
}

#[async_trait]
impl CrawlFrontier for LeasedFrontier {
    async fn open(&self) -> Result<FrontierStatus, Cancelled> {
        let mut status = self.frontier.open(&self.lease).await.map_err(cancelled)?;
        status.taken = self.unmasked(status.taken);
        status.state = status.state.map(|state| self.secrets.unmask_json(state));
        Ok(status)
    }

    async fn update(&self, mut update: FrontierUpdate) -> Result<FrontierReply, Cancelled> {
        if !self.secrets.is_empty() {
            let links = update.pages.iter_mut().flat_map(|page| page.links.iter_mut());
            for address in links.chain(&mut update.added) {
                address.url = self.secrets.mask(std::mem::take(&mut address.url));
            }
            update.state = update.state.map(|state| self.secrets.mask_json(state));
        }
        self.frontier.update(&self.lease, update).await.map_err(cancelled)
    }

    async fn take(&self, limit: usize, busy: &[String]) -> Result<Vec<TakenAddress>, Cancelled> {
        let taken = self
            .frontier
            .take(&self.lease, limit, busy)
            .await
            .map_err(cancelled)?;
        Ok(self.unmasked(taken))
    }

    async fn logged(&self, mut after_seq: u64, places: &HashSet<u64>) -> Result<Vec<LoggedPage>, Cancelled> {
        let mut found: Vec<LoggedPage> = Vec::new();
        loop {
            let batch = self
                .log
                .read(&self.lease.run, after_seq, BATCH)
                .await
                .map_err(cancelled)?;
            let Some(last) = batch.last() else {
                return Ok(found);
            };
            after_seq = last.seq;
            for entry in &batch {
                if let Some(result) = finished_page(entry, places) {
                    found.push(LoggedPage {
                        result,
                        is_closed: false,
                    });
                } else if let Some(index) = closed_page(entry)
                    && let Some(page) = found.iter_mut().find(|page| page.result.index as u64 == index)
                {
                    page.is_closed = true;
                }
            }
        }
    }
}

/// The result in the step that finishes a page at one of these places.
fn finished_page(entry: &LogEntry, places: &HashSet<u64>) -> Option<PageResult> {
    // Most steps are others, and reading them would cost much.
    if entry.name != "step" || !entry.data.contains("\"complete\"") {
        return None;
    }
    let body: Value = serde_json::from_str(&entry.data).ok()?;
    let step = body.get("data").filter(|step| step["action"] == "complete")?;
    let (index, result) = PageResult::from_json(step.get("extracted_data")?.get("result")?)?;
    places.contains(&(index as u64)).then_some(result)
}

/// The place of the page that an entry closes.
fn closed_page(entry: &LogEntry) -> Option<u64> {
    let body = (entry.name == "url_complete").then_some(&entry.data)?;
    serde_json::from_str::<Value>(body).ok()?.get("index")?.as_u64()
}
