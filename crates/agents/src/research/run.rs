//! A research run from its request to its last event.

use url::Url;
use wire::error::ErrorBody;
use wire::research::{
    Activity, IterationEnd, IterationStart, ResearchError, ResearchErrorDetail, ResearchEvent, ResearchStart,
    StopReason,
};
use wire::tabstack::ResearchRequest;
use wire::{Code, LogEntry};

use super::context::ResearchContext;
use super::page_reader::addresses;
use super::phases::{analyze, evaluate, follow, judge, outline, plan, prefetch, search, write};
use super::planner::{self, ResearchStep};
use super::state::ResearchState;
use super::{memo_store, report};
use crate::cancel::Cancelled;
use crate::error_codes;
use crate::page_settings::PageWishes;
use crate::run::Run;
use crate::run_error::RunError;
use crate::services::AgentServices;

/// Says, before anything is accepted, whether there is anything to find pages with.
///
/// # Errors
/// When there is not, with the three ways out.
pub fn check(request: &ResearchRequest, services: &AgentServices) -> Result<(), ErrorBody> {
    services.for_pages(page_wishes(request))?;
    if services.search.is_some() || !named(request).is_empty() {
        return Ok(());
    }
    Err(ErrorBody::new(
        Code::SearchNotConfigured,
        "there is nothing to find pages with. Three ways out: set HUNTSMAN_SEARCH_PROVIDER (searxng with HUNTSMAN_SEARCH_URL, \
         or brave, tavily, exa, serper with HUNTSMAN_SEARCH_API_KEY, or duckduckgo without a key); name pages in the \
         question or as sources; or build a local index with `huntsman index add FOLDER`",
    ))
}

/// How a question wants its pages opened.
fn page_wishes(request: &ResearchRequest) -> PageWishes<'_> {
    PageWishes {
        fetch: Some(&request.fetch),
        nocache: request.nocache,
        fetch_timeout: request.fetch_timeout,
        ..PageWishes::default()
    }
}

/// Does a research run to its last event, or up to the point where another worker goes on.
///
/// `earlier` is what workers before this one have logged; what they asked for is not asked for again.
///
/// # Errors
/// When the run was stopped in a way that leaves its log open.
pub async fn run(
    run: &Run<ResearchEvent>,
    request: &ResearchRequest,
    services: &AgentServices,
    earlier: &[LogEntry],
) -> Result<(), Cancelled> {
    let (walked, memos, clock) = memo_store::take_over(run, earlier);
    let server = services;
    let own = services.for_pages(page_wishes(request));
    let services = own.as_ref().unwrap_or(services);
    let context = ResearchContext::new(walked, services, request, memos, clock);
    let mut state = ResearchState::default();
    let outcome = match check(request, server) {
        Ok(()) => Box::pin(drive(&context, &mut state)).await,
        Err(error) => Err(RunError::fatal(error.code, error.message)),
    };
    let event = match outcome {
        Ok(()) => ResearchEvent::Complete(Box::new(report::complete(&context, &state))),
        Err(RunError::Cancelled(cancelled)) if cancelled.leaves_the_log_open() => return Err(cancelled),
        Err(RunError::Cancelled(cancelled)) => {
            let error = ErrorBody::new(error_codes::cancelled_code(&cancelled), cancelled.to_string());
            failed(&context, &state, error)
        }
        Err(RunError::Fatal(failure) | RunError::Recoverable(failure)) => {
            failed(&context, &state, failure.into())
        }
    };
    context.run.close(event).await
}

fn failed(context: &ResearchContext<'_>, state: &ResearchState, error: ErrorBody) -> ResearchEvent {
    let iteration = number_of(state);
    ResearchEvent::Error(ResearchError {
        message: format!("The research failed: {}", error.message),
        error: ResearchErrorDetail {
            name: error.code.as_str().to_owned(),
            message: error.message,
            stack: None,
        },
        activity: context.activity(),
        iteration: Some(iteration).filter(|it| *it > 0),
    })
}

/// The loop that the run is in, from 1.
fn number_of(state: &ResearchState) -> u32 {
    u32::try_from(state.executed.len()).unwrap_or(u32::MAX)
}

/// The pages that a request names.
fn named(request: &ResearchRequest) -> Vec<Url> {
    let sources = request
        .sources
        .iter()
        .filter_map(|source| Url::parse(source).ok());
    let mut named: Vec<Url> = Vec::new();
    for url in sources.chain(addresses(&request.query)) {
        if !named.contains(&url) {
            named.push(url);
        }
    }
    named
}

/// From one step to the next, until the planner says that it is done.
async fn drive(context: &ResearchContext<'_>, state: &mut ResearchState) -> Result<(), RunError> {
    state.question = context.request.query.trim().to_owned();
    state.named = named(context.request);
    state.progress.unread = !state.named.is_empty();
    let message = format!("Researching in {} mode", mode_name(context));
    context
        .run
        .emit(ResearchEvent::Start(ResearchStart { message }))
        .await?;
    loop {
        if let Some(why) = context.spent()
            && !state.progress.spent
            && state.progress.drafts == 0
        {
            state.progress.spent = true;
            state.notes.push(format!(
                "The budget of this run is spent ({why}); the report is written from what was found until then."
            ));
        }
        match planner::next(&context.effort, &state.progress) {
            ResearchStep::Prefetch => Box::pin(prefetch::run(context, state)).await?,
            ResearchStep::ResearchPlan => Box::pin(plan::run(context, state)).await?,
            ResearchStep::Iterate(number) => Box::pin(iterate(context, state, number)).await?,
            ResearchStep::Outline => Box::pin(outline::run(context, state)).await?,
            ResearchStep::Write(number) => {
                Box::pin(write::run(context, state, number)).await?;
            }
            ResearchStep::Judge(number) => Box::pin(judge::run(context, state, number)).await?,
            ResearchStep::Finish => {
                note_conflicts(state);
                return Ok(());
            }
        }
    }
}

fn mode_name(context: &ResearchContext<'_>) -> &'static str {
    match context.effort.mode {
        wire::research::ResearchMode::Fast => "fast",
        wire::research::ResearchMode::Balanced => "balanced",
        wire::research::ResearchMode::Deep => "deep",
        wire::research::ResearchMode::Max => "max",
        wire::research::ResearchMode::Ultra => "ultra",
    }
}

/// One loop: search, read, follow, weigh.
async fn iterate(
    context: &ResearchContext<'_>,
    state: &mut ResearchState,
    iteration: u32,
) -> Result<(), RunError> {
    let queries = std::mem::take(&mut state.queries);
    state.executed.push(queries.clone());
    let most = context.effort.iterations;
    let start = ResearchEvent::IterationStart(IterationStart {
        message: format!("Loop {iteration} of at most {most}"),
        iteration,
        max_iterations: most,
        queries: queries.clone(),
    });
    let part = async {
        Box::pin(search::run(context, state, iteration, &queries)).await?;
        Box::pin(analyze::run(context, state, iteration)).await?;
        if context.effort.follows > 0 {
            Box::pin(follow::run(context, state, iteration)).await?;
        }
        if context.effort.analyzes {
            Box::pin(evaluate::run(context, state, iteration)).await?;
        }
        Ok(state.progress.enough)
    };
    let enough = context
        .phase(Activity::Iteration, start, part, |enough| {
            let is_last =
                enough.is_none_or(|enough| *enough) || iteration >= most || context.spent().is_some();
            let reason = if iteration >= most || enough.is_none() {
                StopReason::MaxIterations
            } else {
                StopReason::CoverageSufficient
            };
            ResearchEvent::IterationEnd(IterationEnd {
                message: format!("Loop {iteration} is done"),
                iteration,
                is_last,
                stop_reason: Some(reason).filter(|_| is_last),
            })
        })
        .await?;
    state.progress.enough = enough;
    state.progress.iterations = iteration;
    Ok(())
}

/// Notes for the reader about cited sources that contradict their copies.
fn note_conflicts(state: &mut ResearchState) {
    let cited = state.draft.as_ref().map(report::order).unwrap_or_default();
    let name = |id: usize| {
        state
            .source(id)
            .map_or_else(String::new, |source| source.url.clone())
    };
    let touches = |conflict: &&super::state::NumberConflict| {
        cited.contains(&conflict.left) || cited.contains(&conflict.right)
    };
    let told: Vec<String> = state
        .conflicts
        .iter()
        .filter(touches)
        .map(|conflict| conflict.told(name))
        .collect();
    state.notes.extend(told);
    let left_out = state.draft.as_ref().map_or(0, |draft| draft.left_out);
    if left_out > 0 {
        state.notes.push(format!(
            "{left_out} sentence(s) of the draft were left out because no source supports them."
        ));
    }
}
