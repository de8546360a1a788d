//! One page of a crawl: fetched, read, and looked through for links.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use browser::{Profile, Visit};
use futures_util::FutureExt as _;
use llm::Meter;
use page::Page;
use tokio::time::Instant;
use url::Url;
use wire::Code;
use wire::frontier::{AddressKey, TakenAddress};
use wire::scrape::{OutputFormat, RewardTotal, ScrapeError, ScrapeEvent, UrlStart};

use super::fingerprint::{Fingerprint, fingerprint};
use super::links::{FoundAddresses, found};
use super::pacing::HostReply;
use super::plan::{CrawlPlan, FollowRules};
use crate::page_model::PageModel;
use crate::run::Run;
use crate::run_error::RunError;
use crate::scrape::{self, PageResult, PageServices, StepEmitter};
use crate::services::AgentServices;
use crate::site::address;

/// Pause before a page is tried again, times the tries so far.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// What all pages of a crawl share.
pub(super) struct PageContext {
    pub(super) run: Run<ScrapeEvent>,
    pub(super) services: AgentServices,
    pub(super) plan: CrawlPlan,
    pub(super) model: Option<PageModel>,
    pub(super) meter: Meter,
    /// Whether the instructions may ask for tools.
    pub(super) may_need_tools: bool,
}

/// A page that was fetched, with whatever outcome.
pub(super) struct CrawledPage {
    pub(super) address: TakenAddress,
    pub(super) result: PageResult,
    pub(super) tally: RewardTotal,
    pub(super) found: FoundAddresses,
    pub(super) landed: Option<AddressKey>,
    pub(super) fingerprint: Fingerprint,
    pub(super) bytes: u64,
    pub(super) reply: HostReply,
    /// Whether its failure may pass.
    may_pass: bool,
    pub(super) took: Duration,
}

impl CrawledPage {
    /// A page with a result, of which nothing else is known.
    fn new(address: &TakenAddress, result: PageResult) -> Self {
        Self {
            address: address.clone(),
            result,
            tally: RewardTotal::default(),
            found: FoundAddresses::default(),
            landed: None,
            fingerprint: Fingerprint::default(),
            bytes: 0,
            reply: HostReply::Served,
            may_pass: false,
            took: Duration::ZERO,
        }
    }
}

/// Reads the page of an address, not before `start`. A page that fails, and one whose reading panics, is a result too.
///
/// # Errors
/// When the run is over.
pub(super) async fn read(
    context: Arc<PageContext>,
    address: TakenAddress,
    start: Instant,
    known: u64,
) -> Result<CrawledPage, RunError> {
    let index = usize::try_from(address.place).unwrap_or(usize::MAX);
    // The addresses of a batch are in its request.
    let url = context.plan.urls.get(index).unwrap_or(&address.url).clone();
    let broken = CrawledPage::new(&address, PageResult::broken(index, &url));
    let reading = read_named(context, address, url, start, known);
    caught(reading, broken).await
}

/// What a reading gives, or the page that stands for one that panics. The hook of the process has logged the panic by then.
async fn caught(
    reading: impl Future<Output = Result<CrawledPage, RunError>>,
    broken: CrawledPage,
) -> Result<CrawledPage, RunError> {
    let read = AssertUnwindSafe(reading).catch_unwind().await;
    read.unwrap_or(Ok(broken))
}

async fn read_named(
    context: Arc<PageContext>,
    address: TakenAddress,
    url: String,
    start: Instant,
    known: u64,
) -> Result<CrawledPage, RunError> {
    let run = &context.run;
    run.until_cancelled(tokio::time::sleep_until(start)).await?;
    let index = usize::try_from(address.place).unwrap_or(usize::MAX);
    let number = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
    run.emit(ScrapeEvent::UrlStart(UrlStart {
        url: url.clone(),
        index: number(address.place),
        total: number(known),
    }))
    .await?;
    let mut steps = StepEmitter {
        run,
        index,
        url,
        tally: RewardTotal::default(),
        quiet: true,
        final_url: None,
    };
    let began = Instant::now();
    let mut attempt = 0;
    let mut page = loop {
        let mut page = attempt_page(&context, &mut steps, &address).await?;
        if !page.may_pass || attempt >= context.plan.retries {
            page.took = began.elapsed();
            break page;
        }
        attempt += 1;
        run.until_cancelled(tokio::time::sleep(RETRY_PAUSE * attempt))
            .await?;
    };
    page.result.depth = context.plan.follow.as_ref().map(|_| address.depth);
    if is_for_links(&context.plan, &address) {
        page.result.rows = None;
    }
    page.result.final_url = steps.final_url;
    page.tally = steps.tally;
    Ok(page)
}

/// Whether a page is read for its links alone, as the start is that no pattern names: in a table, the rows of its list are not
/// those of the pages that are asked for.
fn is_for_links(plan: &CrawlPlan, address: &TakenAddress) -> bool {
    let is_unnamed = |rules: &FollowRules| !rules.scope.wants(&rules.start);
    address.depth == 0
        && plan.page.output_format == OutputFormat::Csv
        && plan.follow.as_ref().is_some_and(is_unnamed)
}

/// Tries once.
async fn attempt_page(
    context: &Arc<PageContext>,
    steps: &mut StepEmitter<'_>,
    address: &TakenAddress,
) -> Result<CrawledPage, RunError> {
    let mut page = CrawledPage::new(address, PageResult::default());
    let failed = |error| PageResult::failed(steps.index, &steps.url, error);
    let url = match scrape::address(&steps.url) {
        Ok(url) => url,
        Err(error) => {
            page.result = failed(error);
            return Ok(page);
        }
    };
    let loaded = load(context, steps, &url).await;
    let (visit, document) = match loaded {
        Ok(loaded) => loaded,
        Err(error) => {
            let failure = error.failure()?;
            page.may_pass = failure.code.retryable();
            page.result = PageResult::unavailable(steps.index, &steps.url, failure);
            return Ok(page);
        }
    };
    if matches!(visit.status, Some(429 | 503)) {
        page.reply = HostReply::Refused;
    }
    page.may_pass = visit.status.is_some_and(scrape::may_pass);
    page.bytes = document.html().len() as u64;
    let error = scrape::login_error(&context.services, &url, &visit, &document)
        .or_else(|| outside(context, &visit, address.depth))
        .or_else(|| scrape::load_error(&visit, &steps.url));
    if let Some(error) = error {
        page.result = PageResult::failed(steps.index, &steps.url, error);
        return Ok(page);
    }
    let (searching, key) = (
        search(context, &visit, &document, address),
        address::key(&visit.url),
    );
    page.landed = (key != address.key && context.plan.follow.is_some()).then_some(key);
    let with = PageServices {
        run: &context.run,
        services: &context.services,
        model: context.model.as_ref(),
        may_need_tools: context.may_need_tools,
        meter: &context.meter,
    };
    let request = &context.plan.page;
    let reading = async {
        if context.may_need_tools {
            return scrape::read_loaded(with, steps, request, &visit, Arc::clone(&document)).await;
        }
        let result = scrape::extract(with, steps, request, Arc::clone(&document), Vec::new()).await?;
        let warnings = scrape::warnings(&visit).chain(result.warnings).collect();
        Ok::<_, RunError>(PageResult { warnings, ..result })
    };
    let (searched, result) = futures_util::join!(searching, reading);
    page.result = result?;
    match searched {
        Some(searched) => (page.found, page.fingerprint) = searched,
        None => {
            let warning = "the links of the page could not be read, so none of them was followed; please report its address";
            page.result.warnings.push(warning.to_owned());
        }
    }
    Ok(page)
}

async fn load(
    context: &PageContext,
    steps: &mut StepEmitter<'_>,
    url: &Url,
) -> Result<(Visit, Arc<Page>), RunError> {
    let services = &context.services;
    let profile = Profile {
        // The pace of a crawl is its own.
        pause: Some(Duration::ZERO),
        ..services.profile(context.run.cancel_signal().token().clone(), context.plan.robots)
    };
    let loading = scrape::load(services, profile, url, true, false);
    let (visit, loaded) = steps.navigate(services.browser.name(), loading).await?;
    Ok((visit, loaded.page))
}

/// Why a page that redirects led to does not belong to the crawl. The start is read wherever on its site it leads.
fn outside(context: &PageContext, visit: &Visit, depth: u32) -> Option<ScrapeError> {
    let follow = context.plan.follow.as_ref()?;
    let text = match &follow.scope {
        scope if !scope.is_inside(&visit.url) => {
            "it redirects to another site, which this crawl does not read"
        }
        scope if depth > 0 && scope.excludes(&visit.url) => {
            "it redirects to an address that this crawl leaves out"
        }
        _ => return None,
    };
    Some(ScrapeError::new(
        Code::UrlBlocked,
        text,
        Some(visit.url.to_string()),
    ))
}

/// Pages of fewer bytes are looked through at once: that takes less than handing them to a thread that may compute.
const SMALL_BYTES: usize = 32 << 10;

/// Collects links and fingerprint; those of a large page on a thread that may compute. None when that fails.
async fn search(
    context: &Arc<PageContext>,
    visit: &Visit,
    document: &Arc<Page>,
    address: &TakenAddress,
) -> Option<(FoundAddresses, Fingerprint)> {
    if context.plan.follow.is_none() {
        return Some(Default::default());
    }
    let (context, document, depth) = (Arc::clone(context), Arc::clone(document), address.depth);
    let is_small = document.html().len() < SMALL_BYTES;
    let search = move || {
        let found = context
            .plan
            .follow
            .as_ref()
            .map(|rules| found(&document, rules, depth));
        (found.unwrap_or_default(), fingerprint(&document))
    };
    let (found, fingerprint) = computed(is_small, search).await?;
    if !visit.is_ok() {
        // Sites that answer everything with the same page would lead the crawl on without end.
        return Some((FoundAddresses::default(), fingerprint));
    }
    Some((found, fingerprint))
}

/// What a computation gives, at once or on a thread that may compute; none when it panics.
async fn computed<T: Send + 'static>(is_small: bool, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let done = match is_small {
        true => catch_unwind(AssertUnwindSafe(work)).ok(),
        false => tokio::task::spawn_blocking(work).await.ok(),
    };
    if done.is_none() {
        tracing::error!("looking a page through for links met an unexpected fault");
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_page_whose_reading_panics_is_one_that_failed() {
        let address = TakenAddress {
            place: 7,
            key: AddressKey::of("https://a.example/7"),
            url: "https://a.example/7".to_owned(),
            host: "a.example".to_owned(),
            depth: 1,
            after_seq: 0,
        };
        let broken = || CrawledPage::new(&address, PageResult::broken(7, &address.url));
        let Ok(page) = caught(async { panic!("a fault") }, broken()).await else {
            panic!("a result");
        };
        let error = page.result.error.unwrap();
        assert_eq!((page.address.place, error.code), (7, Code::Internal));
        assert_eq!(error.url.as_deref(), Some("https://a.example/7"));
        let well = CrawledPage::new(&address, PageResult::default());
        let Ok(page) = caught(async { Ok(well) }, broken()).await else {
            panic!("a result");
        };
        assert_eq!(page.result.error, None);
    }

    #[tokio::test]
    async fn a_search_that_panics_is_told_apart_from_one_that_finds_nothing() {
        for is_small in [true, false] {
            assert_eq!(computed(is_small, || 0).await, Some(0));
            assert_eq!(computed(is_small, || -> u8 { panic!("a fault") }).await, None);
        }
    }
}
