//! The scrape agent: one result for each page, several pages at once.

pub(crate) mod address;
mod column_names;
mod csv_doubt;
pub mod csv_table;
mod host_turns;
mod list_rows;
mod load;
mod model_reading;
mod output;
mod page;
mod page_forms;
mod page_reading;
mod page_result;
mod plan_choice;
mod plan_run;
mod plan_steps;
mod progress;
mod resume;
mod rows;
mod rule_reading;
mod screenshot;
mod search_terms;
mod step_emitter;
mod tool_page;

use futures_util::StreamExt as _;
use llm::Meter;
use tokio::time::Instant;
use wire::error::ErrorBody;
use wire::scrape::{ScrapeError, ScrapeEvent, ScrapeInit, ScrapeRequest, ScrapeStep, StepDetail};
use wire::{BrowserEngine, LogEntry, RunId};

use crate::cancel::Cancelled;
use crate::page_model::{self, PageModel};
use crate::page_settings::PageWishes;
use crate::run::Run;
use crate::run_error::RunError;
use crate::services::AgentServices;
use crate::tooling::plugins;
pub(crate) use address::address;
use host_turns::HostTurns;
pub(crate) use list_rows::with_facts;
pub(crate) use load::{LoadedPage, load, load_error, login_error, may_pass, status_error};
pub(crate) use page_reading::{PageServices, columns_without_effect, extract, warnings};
pub use page_result::PageResult;
pub(crate) use plan_choice::may_need_tools;
pub(crate) use plan_run::run_plan;
use progress::ScrapeProgress;
pub(crate) use step_emitter::StepEmitter;
pub(crate) use tool_page::read_loaded;

/// Runs a scrape to its last event, or up to the point where another worker goes on.
///
/// `earlier` is what workers before this one have logged; pages that they finished are not read again.
///
/// # Errors
/// When the run was stopped in a way that leaves its log open.
pub async fn run(
    run: &Run<ScrapeEvent>,
    id: &RunId,
    request: &ScrapeRequest,
    services: &AgentServices,
    earlier: &[LogEntry],
) -> Result<(), Cancelled> {
    let started = Instant::now();
    let known = search_terms::logged_pages(earlier);
    let mut progress = resume::progress(earlier, known.as_ref().map_or(0, Vec::len));
    progress.plugins = plugins::enabled(&request.enable_plugins, &services.tools);
    progress.memory = services.session.memory.is_some();
    let mut with_pages = request.clone();
    let outcome = async {
        if earlier.is_empty() {
            init(run, id).await?;
        }
        with_pages.assets = match known {
            Some(pages) => pages,
            None => search_terms::pages(run, &mut progress, &request.assets, services).await?,
        };
        let request = &with_pages;
        if progress.results.is_empty() {
            progress.results.resize(request.assets.len(), None);
            let (urls, columns) = (request.assets.clone(), rows::requested_columns(request));
            begin(run, &mut progress, &request.enable_plugins, urls, columns).await?;
        }
        let own =
            asked_services(request, services).map_err(|error| RunError::fatal(error.code, error.message))?;
        pages(run, request, &own, &mut progress).await
    };
    let outcome = outcome.await;
    finish(run, id, request, progress, outcome, started).await
}

/// Emits the first event of a run: its session.
async fn init(run: &Run<ScrapeEvent>, id: &RunId) -> Result<(), Cancelled> {
    run.emit(ScrapeEvent::Init(ScrapeInit {
        session_id: id.clone(),
    }))
    .await
}

/// Emits what a run begins with: the plugins that it names, and the pages to read.
async fn begin(
    run: &Run<ScrapeEvent>,
    progress: &mut ScrapeProgress,
    plugins: &[String],
    urls: Vec<String>,
    columns: Vec<String>,
) -> Result<(), Cancelled> {
    if !plugins.is_empty() {
        let enabled = progress.plugins.clone();
        let message = format!("{} of {} plugins enabled", enabled.len(), plugins.len());
        let unknown = plugins
            .iter()
            .filter(|id| !enabled.contains(id))
            .cloned()
            .collect();
        let detail = StepDetail::Plugins {
            requested: plugins.to_vec(),
            enabled,
            unknown,
        };
        progress.emit(run, ScrapeStep::completed(detail, message)).await?;
    }
    let message = format!("{} page(s) to read", urls.len());
    let plan = StepDetail::Plan { urls, columns };
    progress.emit(run, ScrapeStep::completed(plan, message)).await
}

/// Emits the last event, unless another worker goes on with the run.
async fn finish(
    run: &Run<ScrapeEvent>,
    id: &RunId,
    request: &ScrapeRequest,
    mut progress: ScrapeProgress,
    outcome: Result<(), RunError>,
    started: Instant,
) -> Result<(), Cancelled> {
    let cancelled = match outcome {
        Ok(()) => None,
        Err(RunError::Cancelled(cancelled)) if cancelled.leaves_the_log_open() => return Err(cancelled),
        Err(RunError::Cancelled(cancelled)) => Some(cancelled),
        Err(RunError::Fatal(failure) | RunError::Recoverable(failure)) => {
            progress.error = Some(ScrapeError::new(failure.code, failure.text, None));
            None
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    let response = progress.respond(id, request, cancelled.as_ref(), seconds);
    run.close(ScrapeEvent::Complete {
        data: Box::new(response),
    })
    .await
}

/// Reads the pages that are not finished, and writes the output.
async fn pages(
    run: &Run<ScrapeEvent>,
    request: &ScrapeRequest,
    services: &AgentServices,
    progress: &mut ScrapeProgress,
) -> Result<(), RunError> {
    // Whatever a page asks models for is spent of one budget.
    let meter = services.meter();
    let model =
        page_model(request, services, &meter).map_err(|error| RunError::fatal(error.code, error.message))?;
    let with = PageServices {
        run,
        services,
        model: model.as_ref(),
        may_need_tools: plan_choice::may_need_tools(request, services),
        meter: &meter,
    };
    // When the model's key, name or address turn out to be wrong, no further page is begun.
    let turns = HostTurns::new(services.page_delay);
    let turns = &turns;
    let unfinished = turns.ordered(progress.unfinished(), &request.assets).into_iter();
    let unfinished = unfinished.take_while(|_| !model.as_ref().is_some_and(PageModel::is_broken));
    let readings = unfinished.map(async |index| {
        let turn = turns.turn(request.assets.get(index).map_or("", String::as_str));
        run.until_cancelled(turn).await?;
        page::read(with, request, index).await
    });
    let mut readings = futures_util::stream::iter(readings).buffer_unordered(services.pages_at_once.max(1));
    while let Some(reading) = readings.next().await {
        let (result, tally) = reading?;
        progress.finish_page(result, &tally);
    }
    drop(readings);
    Ok(progress.write_output(run, request).await?)
}

/// The model that reads pages, where the mode of the request needs one.
pub(crate) fn page_model(
    request: &ScrapeRequest,
    services: &AgentServices,
    meter: &Meter,
) -> Result<Option<PageModel>, ErrorBody> {
    let mode = rule_reading::mode(request, services.reading.mode);
    let model = || PageModel::new(services, meter.clone());
    mode.needs_model().then(model).transpose()
}

/// The services with the engine, exit and model that a request names.
pub(crate) fn asked_services(
    request: &ScrapeRequest,
    services: &AgentServices,
) -> Result<AgentServices, ErrorBody> {
    let mut own = services.for_pages(PageWishes {
        fetch: Some(&request.fetch),
        ..PageWishes::default()
    })?;
    own.models = services.chosen_models(request.provider.as_deref(), request.model.as_deref())?;
    Ok(own)
}

/// Checks, before a run is accepted, whether it can be done as asked.
///
/// # Errors
/// When its mode needs a model and none is configured, its schema cannot be used, or it names a model, engine or country
/// that the operator does not offer; the text says what to set.
pub fn check(services: &AgentServices, request: &ScrapeRequest) -> Result<(), ErrorBody> {
    if screenshot::is_wanted(request) && request.fetch.engine == Some(BrowserEngine::Http) {
        let text = "screenshot: needs a browser, and fetch.engine is http, which has none; give one of them";
        return Err(ErrorBody::new(wire::Code::InvalidRequest, text));
    }
    let services = &asked_services(request, services)?;
    if let Some((index, role)) = plugins::unknown_role(&request.selected_agents) {
        let known: Vec<&str> = plugins::roles().collect();
        let text = format!(
            "selected_agents[{index}]: there is no role {role:?}; there are {}",
            known.join(", ")
        );
        return Err(ErrorBody::new(wire::Code::InvalidRequest, text));
    }
    plan_choice::check(request, services)?;
    let mode = rule_reading::mode(request, services.reading.mode);
    page_model::check(services, mode, request.schema.as_ref())
}
