//! `CrawlFrontier`: the addresses of a crawl and its log, as the runtime gives them to the agent.

use std::collections::HashSet;

use async_trait::async_trait;
use wire::frontier::{FrontierReply, FrontierStatus, FrontierUpdate, TakenAddress};

use crate::cancel::Cancelled;
use crate::scrape::PageResult;

/// A page whose result is in the log.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedPage {
    /// Its result; its index is the place of the address.
    pub result: PageResult,
    /// Whether the event that ends the page is in the log too.
    pub is_closed: bool,
}

/// The addresses of one run, kept outside of the process.
///
/// Promises: what an update reported is durable when it returned; no other worker changes the addresses meanwhile.
#[async_trait]
pub trait CrawlFrontier: Send + Sync {
    /// Opens the frontier.
    ///
    /// # Errors
    /// When another worker holds the run or the store fails.
    async fn open(&self) -> Result<FrontierStatus, Cancelled>;

    /// Applies an update.
    ///
    /// # Errors
    /// As for [`CrawlFrontier::open`].
    async fn update(&self, update: FrontierUpdate) -> Result<FrontierReply, Cancelled>;

    /// Takes the addresses with the highest scores, none of a host of `busy`.
    ///
    /// # Errors
    /// As for [`CrawlFrontier::open`].
    async fn take(&self, limit: usize, busy: &[String]) -> Result<Vec<TakenAddress>, Cancelled>;

    /// Those of the pages at these places whose results are in the log after number `after_seq`.
    ///
    /// # Errors
    /// When the log cannot be read.
    async fn logged(&self, after_seq: u64, places: &HashSet<u64>) -> Result<Vec<LoggedPage>, Cancelled>;
}
