//! The scrape agent: pages in, one clean result per page out, page after page and several at once.

mod agentic;
mod asset;
mod decide;
mod earlier;
mod model;
mod observe;
mod output;
mod page;
mod picture;
mod read;
mod rows;

use futures_util::StreamExt as _;
use llm::Meter;
use serde_json::{Map, Value};
use tokio::time::Instant;
use wire::error::ErrorBody;
use wire::num::Num;
use wire::scrape::{
    Init, ScrapeError, ScrapeEvent, ScrapeRequest, ScrapeResponse, ScrapeStatus, Step, StepDetail,
};
use wire::{Entry, RunId};

use crate::asking::{self, Asker};
use crate::cancel::Cancelled;
use crate::error_codes;
use crate::run::Run;
use crate::services::AgentServices;
use crate::tooling::plugins;
pub(crate) use agentic::Task;
pub use page::PageResult;
pub(crate) use page::{open, refused};

/// Does a scrape run to its last event, or up to the point where another worker goes on.
///
/// `earlier` is what a worker before this one has logged; pages it finished are not read again.
///
/// # Errors
/// When the run was stopped in a way that leaves its log open.
pub async fn run(
    run: &Run<ScrapeEvent>,
    id: &RunId,
    request: &ScrapeRequest,
    services: &AgentServices,
    earlier: &[Entry],
) -> Result<(), Cancelled> {
    run_task(run, id, request, services, earlier, &Task::Choose).await
}

/// As [`run`], with a plan that is given.
pub(crate) async fn run_task(
    run: &Run<ScrapeEvent>,
    id: &RunId,
    request: &ScrapeRequest,
    services: &AgentServices,
    earlier: &[Entry],
    task: &Task,
) -> Result<(), Cancelled> {
    let began = Instant::now();
    let mut progress = earlier::progress(earlier, request.assets.len());
    progress.plugins = plugins::enabled(&request.enable_plugins, &services.tools);
    let outcome = pages(
        run,
        id,
        request,
        services,
        &mut progress,
        earlier.is_empty(),
        task,
    )
    .await;
    if let Err(stopped) = &outcome
        && stopped.leaves_the_log_open()
    {
        return outcome;
    }
    let response = progress.respond(id, request, outcome.err().as_ref(), began.elapsed().as_secs_f64());
    run.close(ScrapeEvent::Complete {
        data: Box::new(response),
    })
    .await
}

/// What a run has so far.
pub(crate) struct Progress {
    /// By place in the request's list.
    pub(crate) results: Vec<Option<PageResult>>,
    pub(crate) tally: wire::scrape::Tally,
    /// Why no page was read at all.
    pub(crate) fault: Option<ScrapeError>,
    /// The plugins of the request that stand for any tool.
    pub(crate) plugins: Vec<String>,
}

async fn pages(
    run: &Run<ScrapeEvent>,
    id: &RunId,
    request: &ScrapeRequest,
    services: &AgentServices,
    progress: &mut Progress,
    first: bool,
    task: &Task,
) -> Result<(), Cancelled> {
    if first {
        run.emit(ScrapeEvent::Init(Init {
            session_id: id.clone(),
        }))
        .await?;
        let urls = request.assets.clone();
        let columns = output::columns(request);
        let message = format!("{} page(s) to read", urls.len());
        progress
            .say(run, Step::completed(StepDetail::Plan { urls, columns }, message))
            .await?;
    }
    let open: Vec<usize> = progress
        .results
        .iter()
        .enumerate()
        .filter(|(_, result)| result.is_none())
        .map(|(index, _)| index)
        .collect();
    // Whatever a page asks models for is spent of one budget.
    let meter = services.meter();
    let asker = match asker(request, services, &meter) {
        Ok(asker) => asker,
        Err(error) => {
            progress.fault = Some(ScrapeError::new(error.code, error.message, None));
            return Ok(());
        }
    };
    // When the model's key, name or address turn out to be wrong, no further page is begun.
    let going = |_: &usize| !asker.as_ref().is_some_and(Asker::is_broken);
    let readings = open.into_iter().take_while(going);
    let readings =
        readings.map(|index| page::read(run, request, services, (asker.as_ref(), &meter), index, task));
    let mut readings = futures_util::stream::iter(readings).buffer_unordered(services.pages_at_once.max(1));
    while let Some(reading) = readings.next().await {
        let (index, result, tally) = reading?;
        progress.tally.join(&tally);
        if let Some(place) = progress.results.get_mut(index) {
            *place = Some(result);
        }
    }
    drop(readings);
    let text = output::render(request, &progress.results);
    let detail = StepDetail::Output {
        format: output::name(request.output_format).to_owned(),
        rows: Some(u32::try_from(progress.found()).unwrap_or(u32::MAX)),
        bytes: Some(text.len() as u64),
    };
    progress
        .say(run, Step::completed(detail, "the result is written"))
        .await
}

/// The model of the run, where its mode needs one.
fn asker(
    request: &ScrapeRequest,
    services: &AgentServices,
    meter: &Meter,
) -> Result<Option<Asker>, ErrorBody> {
    let mode = read::mode(request, services.reading.mode);
    let asker = || Asker::new(services, meter.clone());
    mode.needs_model().then(asker).transpose()
}

/// Says, before a run is accepted, whether it can be done as asked.
///
/// # Errors
/// When its mode needs a model and none is configured, or its schema or provider is unknown; the text says what to set.
pub fn check(services: &AgentServices, request: &ScrapeRequest) -> Result<(), ErrorBody> {
    if let Some(name) = &request.provider
        && llm::config::Settings::read(|it| (it == "HUNTSMAN_LLM_PROVIDER").then(|| name.clone())).is_err()
    {
        let text =
            format!("provider: there is no provider named {name:?}; leave it out to use the server's own");
        return Err(ErrorBody::new(wire::Code::InvalidRequest, text));
    }
    asking::check(
        services,
        read::mode(request, services.reading.mode),
        request.schema.as_ref(),
    )
}

impl Progress {
    async fn say(&mut self, run: &Run<ScrapeEvent>, step: Step) -> Result<(), Cancelled> {
        self.tally.add(&step);
        run.emit(ScrapeEvent::Step { data: step }).await
    }

    /// Pages that gave something.
    fn found(&self) -> usize {
        self.results
            .iter()
            .flatten()
            .filter(|it| it.error.is_none())
            .count()
    }

    fn respond(
        &self,
        id: &RunId,
        request: &ScrapeRequest,
        stopped: Option<&Cancelled>,
        seconds: f64,
    ) -> ScrapeResponse {
        let mut errors: Vec<ScrapeError> = self
            .results
            .iter()
            .flatten()
            .filter_map(|it| it.error.clone())
            .chain(self.fault.clone())
            .collect();
        if let Some(stopped) = stopped {
            errors.insert(
                0,
                ScrapeError::new(error_codes::cancelled_code(stopped), stopped.to_string(), None),
            );
        }
        let status = match stopped {
            Some(Cancelled::Requested | Cancelled::ClientGone) => ScrapeStatus::Cancelled,
            _ if self.found() == 0 => ScrapeStatus::Failed,
            _ if errors.is_empty() => ScrapeStatus::Completed,
            _ => ScrapeStatus::Partial,
        };
        let data: Map<String, Value> = self
            .results
            .iter()
            .flatten()
            .map(|it| (it.url.clone(), it.json()))
            .collect();
        ScrapeResponse {
            session_id: id.clone(),
            status,
            total_steps: self.tally.steps(),
            total_reward: self.tally.reward(),
            extracted_data: data,
            output: output::render(request, &self.results),
            output_format: request.output_format,
            duration_seconds: Num::new((seconds * 1000.0).round() / 1000.0),
            urls_processed: u32::try_from(self.results.iter().flatten().count()).unwrap_or(u32::MAX),
            errors,
            enabled_plugins: self.plugins.clone(),
            requested_plugins: request.enable_plugins.clone(),
            selected_agents: request.selected_agents.clone(),
            memory_enabled: false,
            sandbox_artifacts: Vec::new(),
        }
    }
}
