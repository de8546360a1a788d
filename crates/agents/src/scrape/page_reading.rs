//! Reading one page as the request wants it read: loaded, by rules, with a model where its mode needs one.

use std::sync::Arc;

use browser::Visit;
use extract::llm_extraction::ToolFinding;
use llm::Meter;
use plans::triggers::{InstructionFacts, PlanTarget};
use tokio::time::Instant;
use url::Url;
use wire::Code;
use wire::memory::SiteMemory;
use wire::num::Num;
use wire::scrape::{ExtractionMode, ScrapeError, ScrapeEvent, ScrapeRequest, ScrapeStep, StepDetail};

use super::load::{LoadedPage, load, load_error, login_error, login_warning};
use super::page_result::PageResult;
use super::rule_reading::{self, RuleReading};
use super::step_emitter::StepEmitter;
use super::{address, list_rows, model_reading, page_forms, plan_choice, rows, screenshot};
use crate::page_model::PageModel;
use crate::run::Run;
use crate::run_error::RunError;
use crate::services::AgentServices;
use crate::site_memory::{self, PageLesson};

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
    let cancel = with.run.cancel_signal().token().clone();
    let profile = with.services.profile(cancel, net::RobotsMode::Ignore);
    let loading = load(
        with.services,
        profile,
        address,
        true,
        screenshot::is_wanted(request),
    );
    let (visit, LoadedPage { page, screenshot }) =
        steps.navigate(with.services.browser.name(), loading).await?;
    if let Some(error) = login_error(with.services, address, &visit, &page) {
        return Ok(PageResult::failed(steps.index, &steps.url, error));
    }
    if let Some(error) = load_error(&visit, &steps.url) {
        return Ok(PageResult::failed(steps.index, &steps.url, error));
    }
    let login = login_warning(with.services, address, &visit, &page);
    let mut result = extract(with, steps, request, page, Vec::new()).await?;
    if let Some(screenshot) = screenshot {
        screenshot::save(screenshot, with.services.screenshots.as_deref(), &mut result).await;
    }
    result.warnings = warnings(&visit).chain(login).chain(result.warnings).collect();
    if with.model.is_none() {
        let facts = InstructionFacts::read(&request.instructions, PlanTarget::default());
        result.plan = plan_choice::verdict_without_plan(&facts, request, with.services, false);
        rows::of_item(&mut result, request, &facts);
    }
    Ok(result)
}

/// What the visit says about the page, in words.
pub(crate) fn warnings(visit: &Visit) -> impl Iterator<Item = String> {
    visit.warnings.iter().map(|warning| warning.text().into_owned())
}

/// What the request asks for and this run does not do, in words.
fn without_effect(request: &ScrapeRequest, has_model: bool) -> Vec<String> {
    let mut notes = Vec::new();
    let wishes = request.output_instructions.as_deref().unwrap_or_default();
    if !has_model && !wishes.trim().is_empty() && rows::requested_columns(request).is_empty() {
        notes.push(
            "output_instructions: without a model only `csv of NAME, NAME` is followed; name columns, or choose a mode \
             with a model"
                .to_owned(),
        );
    }
    notes
}

/// What is to be said where a crawl or a batch names columns and nothing chooses by them.
pub(crate) fn columns_without_effect(request: &ScrapeRequest, usual: ExtractionMode) -> Option<String> {
    let is_named = request
        .columns
        .as_ref()
        .is_some_and(|columns| !columns.is_empty());
    let is_followed =
        !request.instructions.trim().is_empty() || rule_reading::mode(request, usual).needs_model();
    (is_named && !is_followed).then(|| {
        "columns: without instructions or a mode with a model they choose nothing; `item` and `rows` of the pages have all \
         their fields"
            .to_owned()
    })
}

/// The site of a page and what earlier runs learned about it, where the run asks for that.
async fn recall(services: &AgentServices, url: &str) -> (Option<String>, Option<SiteMemory>) {
    let Some(memories) = &services.session.memory else {
        return (None, None);
    };
    let site = address::address(url)
        .ok()
        .as_ref()
        .and_then(site_memory::site_name);
    let Some(site) = site else { return (None, None) };
    let memory = memories.recall(&site).await;
    (Some(site), memory)
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
    let kept = Arc::clone(&page);
    let reading = tokio::task::spawn_blocking(move || {
        let content = rule_reading::content(&page, &for_thread);
        let forms = page_forms::formats(&page, &for_thread);
        let wants_item = for_thread.wants_item();
        let by_rules = wants_item.then(|| rule_reading::read(&page, &for_thread, mode));
        let lists = page_forms::lists_for_csv(&page, &for_thread);
        (content, forms, lists, by_rules)
    });
    let Ok((content, mut forms, lists, by_rules)) = with.run.until_cancelled(reading).await? else {
        return Ok(PageResult::broken(index, &url));
    };
    if content.as_ref().is_some_and(|content| content.trim().is_empty()) {
        let text = "there is nothing to read on the page";
        return Ok(failed(Code::EmptyContent, text.to_owned()));
    }
    if let Some(complexity) = request.complexity {
        let read = page_forms::content_by_kind(&with.services.tools, kept, complexity);
        let (parts, warnings) = with.run.until_cancelled(read).await?;
        forms.content = Some(parts);
        forms.warnings.extend(warnings);
    }
    forms.warnings.extend(without_effect(request, mode.needs_model()));
    let Some(by_rules) = by_rules else {
        let done = StepDetail::Extract {
            mode: "none".to_owned(),
            items: Some(0),
            fields: Vec::new(),
            confidence: None,
        };
        steps
            .emit(ScrapeStep::completed(done, "the page is read"))
            .await?;
        return Ok(PageResult {
            index,
            url,
            content,
            formats: forms.formats,
            page: forms.content,
            warnings: forms.warnings,
            ..PageResult::default()
        });
    };
    let (site, memory) = recall(with.services, &url).await;
    let reading = match (by_rules, with.model) {
        (RuleReading::Done(reading), _) => *reading,
        (RuleReading::NeedsModel(input), Some(model)) => {
            let options = (mode, settings.retries);
            let known = memory.as_ref().map(site_memory::lines).unwrap_or_default();
            let input = input.with_seen(seen).with_memory(known);
            model_reading::read(steps, model, request, options, input).await?
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
    if let Some((memories, site)) = with.services.session.memory.as_ref().zip(site) {
        let lesson = PageLesson::of(&reading.item, reading.meta.as_ref());
        memories.learn(&site, lesson).await;
    }
    let list_rows = || lists.and_then(|lists| list_rows::list_rows(&reading.item, &lists));
    Ok(PageResult {
        index,
        rows: reading.rows.or_else(list_rows),
        item: Some(reading.item),
        meta: reading.meta,
        memory: memory.and_then(|memory| serde_json::to_value(memory).ok()),
        content,
        formats: forms.formats,
        page: forms.content,
        warnings: forms.warnings.into_iter().chain(reading.warnings).collect(),
        error: failure.map(|failure| ScrapeError::new(failure.code, failure.message, Some(url.clone()))),
        url,
        ..PageResult::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_nothing_chooses_by_are_told() {
        let told = |instructions: &str, mode: Option<ExtractionMode>, columns: Option<Vec<String>>| {
            let request = ScrapeRequest {
                mode,
                columns,
                ..ScrapeRequest::new(Vec::new(), instructions)
            };
            columns_without_effect(&request, ExtractionMode::RuleBased).is_some()
        };
        let columns = Some(vec!["name".to_owned()]);
        assert!(told("", None, columns.clone()));
        assert!(!told("", None, None));
        assert!(!told("the cheapest lamp", None, columns.clone()));
        assert!(!told("", Some(ExtractionMode::LlmFixed), columns));
    }
}
