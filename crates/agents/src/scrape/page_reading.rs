//! Reading one page as the request wants it read: loaded, by rules, with a model where its mode needs one.

use std::sync::Arc;

use browser::{Profile, Visit};
use extract::llm_extraction::ToolFinding;
use llm::Meter;
use plans::triggers::{InstructionFacts, PlanTarget};
use tokio::time::Instant;
use url::Url;
use wire::Code;
use wire::num::Num;
use wire::scrape::{ScrapeError, ScrapeEvent, ScrapeRequest, ScrapeStep, StepDetail};

use super::load::{LoadedPage, load, load_error};
use super::page_result::PageResult;
use super::rule_reading::{self, RuleReading};
use super::step_emitter::StepEmitter;
use super::{model_reading, plan_choice, screenshot};
use crate::page_model::PageModel;
use crate::run::Run;
use crate::run_error::RunError;
use crate::services::AgentServices;

/// What every page of a run is read with.
#[derive(Clone, Copy)]
pub(crate) struct PageServices<'a> {
    pub(crate) run: &'a Run<ScrapeEvent>,
    pub(crate) services: &'a AgentServices,
    /// The model that reads pages, where the mode needs one.
    pub(crate) model: Option<&'a PageModel>,
    /// Whether the instructions may ask for tools: read once for all pages.
    pub(crate) may_need_tools: bool,
    /// Counts what the page asks of models.
    pub(crate) meter: &'a Meter,
}

/// Loads a page and reads it.
///
/// # Errors
/// When the run is over, or the page could not be loaded.
pub(super) async fn load_and_read(
    with: PageServices<'_>,
    steps: &mut StepEmitter<'_>,
    request: &ScrapeRequest,
    address: &Url,
) -> Result<PageResult, RunError> {
    let profile = Profile {
        granted: with.services.granted.clone(),
        cancel: with.run.cancel_signal().token().clone(),
        ..Profile::default()
    };
    let loading = load(with.services, profile, address, request.screenshot);
    let (visit, LoadedPage { page, screenshot }) =
        steps.navigate(with.services.browser.name(), loading).await?;
    if let Some(error) = load_error(&visit, &steps.url) {
        return Ok(PageResult::failed(steps.index, &steps.url, error));
    }
    let mut result = extract(with, steps, request, page, Vec::new()).await?;
    if let Some(screenshot) = screenshot {
        screenshot::save(screenshot, with.services.screenshots.as_deref(), &mut result).await;
    }
    result.warnings = warnings(&visit).chain(result.warnings).collect();
    if with.model.is_none() {
        let facts = InstructionFacts::read(&request.instructions, PlanTarget::default());
        result.plan = plan_choice::verdict_without_plan(&facts, false);
    }
    Ok(result)
}

/// What the visit says about the page, in words.
pub(crate) fn warnings(visit: &Visit) -> impl Iterator<Item = String> {
    visit.warnings.iter().map(|warning| warning.text().to_owned())
}

/// Reads a page as the request wants it read. `seen` is what tools found there, for the model that reads the page.
///
/// # Errors
/// When the run is over.
pub(crate) async fn extract(
    with: PageServices<'_>,
    steps: &mut StepEmitter<'_>,
    request: &ScrapeRequest,
    page: Arc<::page::Page>,
    seen: Vec<ToolFinding>,
) -> Result<PageResult, RunError> {
    let (index, url) = (steps.index, steps.url.clone());
    let settings = with.services.reading;
    let mode = rule_reading::mode(request, settings.mode);
    let detail = |items, fields, coverage: Option<f64>| StepDetail::Extract {
        mode: mode.name().to_owned(),
        items,
        fields,
        confidence: coverage.map(Num::new),
    };
    steps
        .emit(ScrapeStep::running(
            detail(None, Vec::new(), None),
            "reading the page",
        ))
        .await?;
    let failed =
        |code, text: String| PageResult::failed(index, &url, ScrapeError::new(code, text, Some(url.clone())));
    let started = Instant::now();
    let for_thread = request.clone();
    // Reading is pure computing, and takes longer than a thread that serves others should be kept.
    let reading = tokio::task::spawn_blocking(move || {
        let content = rule_reading::content(&page, &for_thread);
        (content, rule_reading::read(&page, &for_thread, mode))
    });
    let Ok((content, by_rules)) = with.run.until_cancelled(reading).await? else {
        return Ok(failed(
            Code::Internal,
            "reading the page failed; please report its address".to_owned(),
        ));
    };
    if content.as_ref().is_some_and(|content| content.trim().is_empty()) {
        let text = "there is nothing to read on the page";
        return Ok(failed(Code::EmptyContent, text.to_owned()));
    }
    let reading = match (by_rules, with.model) {
        (RuleReading::Done(reading), _) => *reading,
        (RuleReading::NeedsModel(input), Some(model)) => {
            let options = (mode, settings.retries);
            model_reading::read(steps, model, request, options, input.with_seen(seen)).await?
        }
        (RuleReading::NeedsModel(_), None) => {
            return Ok(failed(
                Code::ModelNotConfigured,
                format!("mode {mode} needs a model"),
            ));
        }
    };
    let items = u32::from(!reading.fields.is_empty());
    let detail = detail(Some(items), reading.fields, reading.coverage);
    steps
        .emit(ScrapeStep::completed(detail, "the page is read").took(started.elapsed()))
        .await?;
    let failure = reading.failure;
    Ok(PageResult {
        index,
        item: Some(reading.item),
        rows: reading.rows,
        meta: reading.meta,
        content,
        warnings: reading.warnings,
        error: failure.map(|failure| ScrapeError::new(failure.code, failure.message, Some(url.clone()))),
        url,
        ..PageResult::default()
    })
}
