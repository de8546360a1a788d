//! One page of a scrape run, from its start event to its result.

use tracing::{Instrument as _, debug_span};
use wire::scrape::{RewardTotal, ScrapeEvent, ScrapeRequest, UrlStart};

use super::page_reading::{PageServices, load_and_read};
use super::page_result::PageResult;
use super::step_emitter::StepEmitter;
use super::{address, tool_page};
use crate::run::Run;
use crate::run_error::RunError;

/// Reads the page at a place of the request's list. A page that fails is a result too.
///
/// # Errors
/// When the run is over.
pub(super) async fn read(
    with: PageServices<'_>,
    request: &ScrapeRequest,
    index: usize,
) -> Result<(PageResult, RewardTotal), RunError> {
    let url = request.assets.get(index).cloned().unwrap_or_default();
    let total = request.assets.len();
    in_events(
        with.run,
        url,
        (index, total),
        async |steps| match address::address(&steps.url) {
            Ok(address) if with.may_need_tools => tool_page::read(with, steps, request, &address).await,
            Ok(address) => load_and_read(with, steps, request, &address).await,
            Err(error) => Ok(PageResult::failed(index, &steps.url, error)),
        },
    )
    .await
}

/// Reads one page between its start event and its end event. `place` is its index and the number of pages.
///
/// # Errors
/// When the run is over.
pub(super) async fn in_events(
    run: &Run<ScrapeEvent>,
    url: String,
    place: (usize, usize),
    read: impl AsyncFnOnce(&mut StepEmitter<'_>) -> Result<PageResult, RunError>,
) -> Result<(PageResult, RewardTotal), RunError> {
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let (index, total) = place;
    run.emit(ScrapeEvent::UrlStart(UrlStart {
        url: url.clone(),
        index: number(index),
        total: number(total),
    }))
    .await?;
    let mut steps = StepEmitter {
        run,
        index,
        url: url.clone(),
        tally: RewardTotal::default(),
        quiet: false,
        final_url: None,
    };
    let span = debug_span!("phase", phase = "page", index);
    let mut result = match read(&mut steps).instrument(span).await {
        Ok(result) => result,
        Err(error) => PageResult::unavailable(index, &url, error.failure()?),
    };
    result.final_url = steps.final_url.take();
    if let Some(error) = &result.error {
        run.emit(ScrapeEvent::Error { data: error.clone() }).await?;
    }
    steps.emit(result.last_step(steps.tally.reward())).await?;
    run.emit(ScrapeEvent::UrlComplete(result.complete())).await?;
    Ok((result, steps.tally))
}
