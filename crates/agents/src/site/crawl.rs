//! Crawls and batches: pages taken from a frontier, best first, read several at once, told in the events of a scrape.
//!
//! What is known of addresses and of the run's progress is in the frontier; results are in the log. A page's links are in
//! the frontier before its result is in the log, and the page is finished in the frontier after that. A successor
//! therefore reads again only those pages that were taken and whose results the log does not have.

mod fingerprint;
mod links;
mod pacing;
mod page;
mod plan;
mod progress;
mod recovery;
mod seeding;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Map;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tracing::{Instrument as _, debug_span};
use wire::RunId;
use wire::frontier::{AddressKey, DuplicateKind, FrontierReply, FrontierUpdate, ReadPage, TakenAddress};
use wire::num::Num;
use wire::scrape::{ScrapeError, ScrapeEvent, ScrapeInit, ScrapeResponse, ScrapeStatus};

use super::frontier::CrawlFrontier;
use crate::cancel::Cancelled;
use crate::error_codes;
use crate::page_model::PageModel;
use crate::run::Run;
use crate::run_error::RunError;
use crate::scrape::{self, PageResult};
use crate::services::AgentServices;
use pacing::Pacing;
use page::{CrawledPage, PageContext};
use plan::CrawlPlan;
pub use plan::{SiteJob, check};
use progress::CrawlProgress;

/// Addresses that are taken ahead, for each page that is read at once.
const AHEAD: usize = 4;
/// Most pages whose results are recorded together.
const MAX_RECORDED: usize = 64;
/// Longest time that the result of a page waits for those of others, to be recorded with them. Until then the page counts
/// as one that is being read: after a crash, only so many are fetched again.
const RECORDED_WITHIN: Duration = Duration::from_millis(20);
/// How far a batch runs ahead of its slowest page, so that whoever wants its order keeps few results waiting.
const WINDOW: u64 = 1_000;

/// A crawl in progress.
struct Crawl<'a> {
    run: &'a Run<ScrapeEvent>,
    id: &'a RunId,
    context: Arc<PageContext>,
    frontier: &'a dyn CrawlFrontier,
    progress: CrawlProgress,
    pacing: Pacing,
    /// Addresses that are taken and not begun.
    ready: VecDeque<TakenAddress>,
    /// Depths of the pages that are being read or not recorded, by their places.
    reading: BTreeMap<u64, u32>,
    tasks: JoinSet<Result<CrawledPage, RunError>>,
    /// Pages that were read and whose results are not in the log.
    unrecorded: Vec<CrawledPage>,
    /// Addresses whose results are in the log.
    told: Vec<AddressKey>,
    /// Up to when the time of the work is counted.
    counted: Instant,
}

/// Runs a crawl or a batch to its last event, or up to the point where another worker goes on. `is_new` says that nothing
/// is in its log.
///
/// # Errors
/// When the run was stopped in a way that leaves its log open.
pub async fn run(
    run: &Run<ScrapeEvent>,
    id: &RunId,
    job: SiteJob<'_>,
    services: &AgentServices,
    frontier: &dyn CrawlFrontier,
    is_new: bool,
) -> Result<(), Cancelled> {
    if is_new {
        run.emit(ScrapeEvent::Init(ScrapeInit {
            session_id: id.clone(),
        }))
        .await?;
    }
    let refused = |error: wire::error::ErrorBody| ScrapeError::new(error.code, error.message, None);
    let meter = services.meter();
    let plan = CrawlPlan::new(job).map_err(refused);
    let prepared = plan.and_then(|plan| {
        let services = scrape::asked_services(&plan.page, services).map_err(refused)?;
        let model = scrape::page_model(&plan.page, &services, &meter).map_err(refused)?;
        Ok((plan, services, model))
    });
    let (plan, services, model) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => {
            let data = Box::new(ScrapeResponse::failed(id.clone(), error));
            return run.close(ScrapeEvent::Complete { data }).await;
        }
    };
    let crawl = Crawl {
        run,
        id,
        frontier,
        progress: CrawlProgress::default(),
        pacing: Pacing::new(plan.delay),
        ready: VecDeque::new(),
        reading: BTreeMap::new(),
        tasks: JoinSet::new(),
        unrecorded: Vec::new(),
        told: Vec::new(),
        counted: Instant::now(),
        context: Arc::new(PageContext {
            run: run.clone(),
            may_need_tools: scrape::may_need_tools(&plan.page, &services),
            services,
            plan,
            model,
            meter,
        }),
    };
    crawl.work_and_close().await
}

impl Crawl<'_> {
    async fn work_and_close(mut self) -> Result<(), Cancelled> {
        let outcome = self.work().await;
        let has_read = std::iter::from_fn(|| self.tasks.try_join_next());
        let has_read: Vec<CrawledPage> = has_read.filter_map(|page| joined(page).ok()).collect();
        self.unrecorded.extend(has_read);
        // Whatever is being read now is not told any more.
        self.tasks.shutdown().await;
        let is_over = match &outcome {
            Err(RunError::Cancelled(cancelled)) => !cancelled.leaves_the_log_open(),
            Ok(()) | Err(_) => true,
        };
        if is_over {
            // The end of a run says whether the log takes anything.
            let _ = self.record().await;
        }
        match outcome {
            Ok(()) => self.close(None, None).await,
            Err(RunError::Cancelled(cancelled)) if cancelled.leaves_the_log_open() => {
                // A successor goes on; what is in the log need not be looked for.
                if self.run.settle().await.is_ok() {
                    let _ = self.save().await;
                }
                Err(cancelled)
            }
            Err(RunError::Cancelled(cancelled)) => self.close(Some(cancelled), None).await,
            Err(RunError::Fatal(failure) | RunError::Recoverable(failure)) => {
                let error = ScrapeError::new(failure.code, failure.text, None);
                self.close(None, Some(error)).await
            }
        }
    }

    async fn work(&mut self) -> Result<(), RunError> {
        self.recover().await?;
        if !self.progress.is_seeded {
            self.seed().await?;
        }
        let at_once = self.context.services.pages_at_once.max(1);
        // Up to when pages that were read wait to be recorded.
        let mut due = Instant::now();
        loop {
            self.fill().await?;
            self.begin_pages();
            let waiting = self.unrecorded.len();
            // With too little to read, the addresses on the pages that were read are needed.
            let is_short = self.tasks.len() + waiting < at_once;
            if waiting > 0 && (is_short || waiting * 2 >= at_once || due <= Instant::now()) {
                self.record().await?;
                continue;
            }
            let until = if waiting == 0 { None } else { Some(due) };
            match self
                .run
                .until_cancelled(next_page(&mut self.tasks, until))
                .await?
            {
                NextPage::Read(page) => self.unrecorded.push(joined(*page)?),
                NextPage::Due => continue,
                NextPage::None => break,
            }
            while self.unrecorded.len() < MAX_RECORDED
                && let Some(more) = self.tasks.try_join_next()
            {
                self.unrecorded.push(joined(more)?);
            }
            if until.is_none() {
                due = Instant::now() + RECORDED_WITHIN;
            }
        }
        self.save().await?;
        if self.stop_reason().is_some() && !self.is_exhausted().await? {
            self.progress.summary.stopped_by = self.stop_reason().map(str::to_owned);
        }
        Ok(())
    }

    /// Why no further page is begun.
    fn stop_reason(&self) -> Option<&'static str> {
        let (plan, summary) = (&self.context.plan, &self.progress.summary);
        let spent = Duration::from_millis(summary.milliseconds) + self.counted.elapsed();
        if self.context.model.as_ref().is_some_and(PageModel::is_broken) {
            Some("model")
        } else if plan.max_bytes.is_some_and(|most| summary.bytes >= most) {
            Some("bytes")
        } else if plan.max_time.is_some_and(|most| spent >= most) {
            Some("time")
        } else if summary.fetched + self.reading.len() as u64 >= plan.limit {
            Some("pages")
        } else {
            None
        }
    }

    async fn is_exhausted(&self) -> Result<bool, Cancelled> {
        Ok(self.ready.is_empty() && self.frontier.take(1, &[]).await?.is_empty())
    }

    /// Takes addresses from the frontier when few are ready.
    async fn fill(&mut self) -> Result<(), Cancelled> {
        let at_once = self.context.services.pages_at_once.max(1);
        if self.ready.len() >= at_once || self.stop_reason().is_some() || self.is_far_ahead() {
            return Ok(());
        }
        let open = (self.reading.len() + self.ready.len()) as u64;
        let left = self
            .context
            .plan
            .limit
            .saturating_sub(self.progress.summary.fetched + open);
        let wanted = usize::try_from(left).unwrap_or(usize::MAX).min(at_once * AHEAD);
        if wanted == 0 {
            return Ok(());
        }
        let busy = match self.context.plan.has_hosts() {
            true => self.pacing.busy((at_once / 2).max(1), Instant::now()),
            // There is nothing else to do.
            false => Vec::new(),
        };
        let mut taken = self.frontier.take(wanted, &busy).await?;
        if taken.is_empty() && !busy.is_empty() && self.tasks.is_empty() {
            taken = self.frontier.take(wanted, &[]).await?;
        }
        self.ready.extend(taken);
        Ok(())
    }

    /// Whether a batch is far ahead of its slowest page.
    fn is_far_ahead(&self) -> bool {
        let next = self.ready.front().map(|address| address.place);
        let place = |reading: Option<(&u64, &u32)>| reading.map(|(place, _)| *place);
        let last = place(self.reading.last_key_value());
        let (Some(slowest), Some(next)) = (place(self.reading.first_key_value()), next.or(last)) else {
            return false;
        };
        self.context.plan.follow.is_none() && next.saturating_sub(slowest) >= WINDOW
    }

    /// Whether the next address waits for pages that are two links or more nearer to the start: such a page may have a shorter
    /// way to it, and the links of a page are followed by its depth.
    fn is_early(&self) -> bool {
        let next = self.ready.front().map_or(0, |address| address.depth);
        self.reading.values().any(|depth| depth + 1 < next)
    }

    /// Lowers the depths of addresses that are ready to those of these links.
    fn lower_depths(&mut self, pages: &[ReadPage]) {
        let mut depths: HashMap<AddressKey, u32> = HashMap::new();
        for link in pages.iter().flat_map(|page| &page.links) {
            let depth = depths.entry(link.key).or_insert(link.depth);
            *depth = link.depth.min(*depth);
        }
        for address in &mut self.ready {
            if let Some(depth) = depths.get(&address.key) {
                address.depth = address.depth.min(*depth);
            }
        }
    }

    /// Begins to read pages that are ready.
    fn begin_pages(&mut self) {
        let at_once = self.context.services.pages_at_once.max(1);
        while self.tasks.len() + self.unrecorded.len() < at_once
            && self.stop_reason().is_none()
            && !self.is_far_ahead()
            && !self.is_early()
        {
            let Some(address) = self.ready.pop_front() else {
                return;
            };
            let start = self.pacing.begin(&address.host, Instant::now());
            self.reading.insert(address.place, address.depth);
            let known = self.progress.summary.known;
            let span = debug_span!("phase", phase = "page", index = address.place);
            let reading = page::read(Arc::clone(&self.context), address, start, known);
            self.tasks.spawn(reading.instrument(span));
        }
    }

    /// Records the pages that were read: first what was found on them, then their results.
    async fn record(&mut self) -> Result<(), Cancelled> {
        let pages = std::mem::take(&mut self.unrecorded);
        if pages.is_empty() {
            return Ok(());
        }
        let follows = self.context.plan.follow.is_some();
        let mut read = Vec::new();
        let mut results = Vec::with_capacity(pages.len());
        for page in pages {
            self.pacing
                .end(&page.address.host, page.reply, page.took, Instant::now());
            self.reading.remove(&page.address.place);
            self.progress.summary.bytes += page.bytes;
            self.progress.endless += page.found.endless;
            self.progress.files += page.found.files;
            self.progress.unwanted += page.found.unwanted;
            self.progress.tally.join(&page.tally);
            if follows && page.result.error.is_none() {
                read.push(ReadPage {
                    key: page.address.key,
                    landed: page.landed,
                    content: page.fingerprint.content,
                    sketch: page.fingerprint.sketch,
                    links: page.found.addresses,
                });
            }
            results.push((page.address.key, page.result, page.tally.reward()));
        }
        self.lower_depths(&read);
        let reply = self.update(read, Vec::new()).await?;
        let mut duplicates = reply.duplicates.into_iter();
        for (key, mut result, reward) in results {
            if follows && result.error.is_none() {
                mark_duplicate(&mut result, duplicates.next().flatten());
            }
            self.emit_page_end(&result, reward).await?;
            // A page that is not told to its end is counted by whoever tells it.
            self.progress.count(&result);
            self.told.push(key);
        }
        self.run.settle().await
    }

    /// Reports to the frontier, together with the addresses whose results are in the log.
    async fn update(
        &mut self,
        pages: Vec<ReadPage>,
        added: Vec<wire::frontier::NewAddress>,
    ) -> Result<FrontierReply, Cancelled> {
        let now = Instant::now();
        let worked = now.saturating_duration_since(self.counted).as_millis();
        self.progress.summary.milliseconds += u64::try_from(worked).unwrap_or(u64::MAX);
        self.counted = now;
        let update = FrontierUpdate {
            pages,
            added,
            finished: std::mem::take(&mut self.told),
            state: self.progress.state(),
            bounds: self.context.plan.bounds(),
        };
        let reply = self.frontier.update(update).await?;
        self.progress.take(&reply);
        Ok(reply)
    }

    /// Writes down what is done.
    async fn save(&mut self) -> Result<(), Cancelled> {
        self.update(Vec::new(), Vec::new()).await.map(|_| ())
    }

    /// Emits the events that end a page.
    async fn emit_page_end(&mut self, result: &PageResult, page_reward: Num) -> Result<(), Cancelled> {
        let run = self.run;
        if let Some(error) = &result.error {
            let data = error.clone();
            run.emit_result(ScrapeEvent::Error { data }).await?;
        }
        let step = result.last_step(page_reward);
        self.progress.tally.add(&step);
        run.emit_result(ScrapeEvent::Step { data: step }).await?;
        run.emit_result(ScrapeEvent::UrlComplete(result.complete())).await
    }

    /// Emits the last event.
    async fn close(
        mut self,
        cancelled: Option<Cancelled>,
        error: Option<ScrapeError>,
    ) -> Result<(), Cancelled> {
        let worked = self.counted.elapsed().as_millis();
        self.progress.summary.milliseconds += u64::try_from(worked).unwrap_or(u64::MAX);
        let summary = self.progress.ended();
        let stop = cancelled.as_ref().map(|cancelled| {
            ScrapeError::new(
                error_codes::cancelled_code(cancelled),
                cancelled.to_string(),
                None,
            )
        });
        let last = self.progress.last_error.clone().filter(|_| summary.read == 0);
        let errors: Vec<ScrapeError> = stop.into_iter().chain(error).chain(last).collect();
        let status = match cancelled {
            Some(Cancelled::Requested | Cancelled::ClientGone) => ScrapeStatus::Cancelled,
            _ if summary.read == 0 => ScrapeStatus::Failed,
            _ if errors.is_empty() && summary.failed == 0 => ScrapeStatus::Completed,
            _ => ScrapeStatus::Partial,
        };
        let page = &self.context.plan.page;
        let response = ScrapeResponse {
            session_id: self.id.clone(),
            status,
            total_steps: self.progress.tally.steps(),
            total_reward: self.progress.tally.reward(),
            extracted_data: Map::new(),
            output: String::new(),
            output_format: page.output_format,
            duration_seconds: seconds(summary.milliseconds),
            urls_processed: u32::try_from(summary.fetched).unwrap_or(u32::MAX),
            warnings: scrape::columns_without_effect(page, self.context.services.reading.mode)
                .into_iter()
                .collect(),
            errors,
            enabled_plugins: Vec::new(),
            requested_plugins: Vec::new(),
            selected_agents: Vec::new(),
            memory_enabled: false,
            sandbox_artifacts: Vec::new(),
            crawl: Some(summary),
        };
        self.run
            .close(ScrapeEvent::Complete {
                data: Box::new(response),
            })
            .await
    }
}

/// What a wait for pages gave.
enum NextPage {
    Read(Box<Result<Result<CrawledPage, RunError>, tokio::task::JoinError>>),
    /// The time is over.
    Due,
    /// No page is being read.
    None,
}

/// Waits for a page, for so long.
async fn next_page(tasks: &mut JoinSet<Result<CrawledPage, RunError>>, until: Option<Instant>) -> NextPage {
    let next = match until {
        Some(until) => tokio::time::timeout_at(until, tasks.join_next()).await,
        None => Ok(tasks.join_next().await),
    };
    match next {
        Ok(Some(page)) => NextPage::Read(Box::new(page)),
        Ok(None) => NextPage::None,
        Err(_) => NextPage::Due,
    }
}

fn joined(
    done: Result<Result<CrawledPage, RunError>, tokio::task::JoinError>,
) -> Result<CrawledPage, RunError> {
    done.map_err(|_| RunError::fatal(wire::Code::Internal, "reading a page met an unexpected fault"))?
}

#[expect(clippy::cast_precision_loss, reason = "no duration comes near 2^53 ms")]
fn seconds(milliseconds: u64) -> Num {
    Num::new(milliseconds as f64 / 1000.0)
}

/// Says in a result what it is a duplicate of. One that was read under another address gives nothing else.
fn mark_duplicate(result: &mut PageResult, duplicate: Option<wire::frontier::Duplicate>) {
    let Some(duplicate) = duplicate else { return };
    match duplicate.kind {
        DuplicateKind::Similar => result.similar_to = Some(duplicate.url),
        DuplicateKind::Content | DuplicateKind::Redirect => {
            *result = PageResult {
                index: result.index,
                url: std::mem::take(&mut result.url),
                final_url: std::mem::take(&mut result.final_url),
                depth: result.depth,
                duplicate_of: Some(duplicate.url),
                ..PageResult::default()
            };
        }
    }
}
