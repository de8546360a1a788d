//! `CrawlPlan`: what a crawl or a batch is to do, checked.

use std::collections::HashSet;
use std::time::Duration;

use net::RobotsMode;
use url::Url;
use wire::error::ErrorBody;
use wire::frontier::FrontierBounds;
use wire::scrape::ScrapeRequest;
use wire::site::{BatchRequest, CrawlRequest};

use crate::scrape;
use crate::services::AgentServices;
use crate::site::scope::SiteScope;

/// Most addresses of one crawl.
const MAX_ADDRESSES: u64 = 5_000_000;
/// Most addresses of one series, such as the days of a calendar.
const MAX_SERIES: u64 = 500;
/// Addresses of site maps that are taken in for each page that may be fetched.
const LISTED_PER_PAGE: u64 = 10;
/// Addresses of site maps that are taken in at least.
const LEAST_LISTED: u64 = 10_000;
/// Retries of a page of a crawl.
const RETRIES: u32 = 1;

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub enum SiteJob<'a> {
    /// A crawl.
    Crawl(&'a CrawlRequest),
    /// A batch.
    Batch(&'a BatchRequest),
}

/// The rules of a crawl about links.
pub(super) struct FollowRules {
    pub(super) start: Url,
    pub(super) scope: SiteScope,
    /// Most links between the start and a page.
    pub(super) depth: u32,
    pub(super) sitemap: bool,
    /// Stems of the words of the instructions.
    pub(super) terms: HashSet<String>,
}

/// What a crawl or a batch is to do.
pub(super) struct CrawlPlan {
    /// How each page is read.
    pub(super) page: ScrapeRequest,
    /// Most pages that are fetched.
    pub(super) limit: u64,
    pub(super) max_bytes: Option<u64>,
    pub(super) max_time: Option<Duration>,
    pub(super) delay: Option<Duration>,
    pub(super) retries: u32,
    pub(super) robots: RobotsMode,
    /// The rules about links; none in a batch.
    pub(super) follow: Option<FollowRules>,
    /// The pages of a batch.
    pub(super) urls: Vec<String>,
}

impl CrawlPlan {
    /// Reads a request.
    ///
    /// # Errors
    /// When a pattern does not compile or the start is no address.
    pub(super) fn new(job: SiteJob<'_>) -> Result<Self, ErrorBody> {
        match job {
            SiteJob::Crawl(request) => Self::crawl(request),
            SiteJob::Batch(request) => Ok(Self::batch(request)),
        }
    }

    fn crawl(request: &CrawlRequest) -> Result<Self, ErrorBody> {
        let start = scrape::address(&request.url)
            .map_err(|error| ErrorBody::new(error.code, format!("url: {}", error.message)))?;
        let scope = SiteScope::new(&start, &request.include, &request.exclude, request.subdomains)?;
        let terms = locale::words::terms(&request.page.instructions)
            .into_iter()
            .collect();
        Ok(Self {
            page: request.page.scrape_request(),
            limit: u64::from(request.limit),
            max_bytes: request
                .max_megabytes
                .map(|megabytes| u64::from(megabytes) * 1_000_000),
            max_time: request
                .max_seconds
                .map(|seconds| Duration::from_secs(seconds.into())),
            delay: request.delay_ms.map(|delay| Duration::from_millis(delay.into())),
            retries: RETRIES,
            robots: RobotsMode::Obey,
            follow: Some(FollowRules {
                start,
                scope,
                depth: request.depth,
                sitemap: request.sitemap,
                terms,
            }),
            urls: Vec::new(),
        })
    }

    fn batch(request: &BatchRequest) -> Self {
        Self {
            page: request.page.scrape_request(),
            limit: request.urls.len() as u64,
            max_bytes: None,
            max_time: None,
            delay: None,
            retries: request.retries,
            // A person has named the pages.
            robots: RobotsMode::Ignore,
            follow: None,
            urls: request.urls.clone(),
        }
    }

    /// How many addresses are taken in.
    pub(super) fn bounds(&self) -> FrontierBounds {
        FrontierBounds {
            addresses: MAX_ADDRESSES,
            group: MAX_SERIES,
        }
    }

    /// Most addresses that are taken from site maps.
    pub(super) fn most_listed(&self) -> u64 {
        (self.limit * LISTED_PER_PAGE).clamp(LEAST_LISTED, MAX_ADDRESSES)
    }

    /// Whether pages of several hosts are read.
    pub(super) fn has_hosts(&self) -> bool {
        self.follow.as_ref().is_none_or(|follow| follow.scope.has_hosts())
    }
}

/// Checks, before a run is accepted, whether it can be done as asked.
///
/// # Errors
/// When a pattern does not compile, its mode needs a model and none is configured, or its schema cannot be used.
pub fn check(services: &AgentServices, job: SiteJob<'_>) -> Result<(), ErrorBody> {
    let plan = CrawlPlan::new(job)?;
    scrape::check(services, &plan.page)
}
