//! A research run from its request to its last event.

use url::Url;
use wire::error::ErrorBody;
use wire::research::{
    Activity, ErrorDetail, IterationEnd, IterationStart, ResearchError, ResearchEvent, Start, StopReason,
};
use wire::tabstack::ResearchRequest;
use wire::{Code, Entry};

use super::agenda::{self, Step};
use super::desk::{Desk, Halt};
use super::notebook::Notebook;
use super::phases::{analyze, evaluate, follow, judge, outline, plan, prefetch, search, write};
use super::reader::addresses;
use super::{kept, report};
use crate::cancel::Cancelled;
use crate::error_codes;
use crate::run::Run;
use crate::services::AgentServices;

/// Says, before anything is accepted, whether there is anything to find pages with.
///
/// # Errors
/// When there is not, with the three ways out.
pub fn check(request: &ResearchRequest, services: &AgentServices) -> Result<(), ErrorBody> {
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
    earlier: &[Entry],
) -> Result<(), Cancelled> {
    let (walked, keeper, clock) = kept::take_over(run, earlier);
    let desk = Desk::new(walked, services, request, keeper, clock);
    let mut book = Notebook::default();
    let outcome = match check(request, services) {
        Ok(()) => Box::pin(walk(&desk, &mut book)).await,
        Err(error) => Err(Halt::Failed(error)),
    };
    let event = match outcome {
        Ok(()) => ResearchEvent::Complete(Box::new(report::complete(&desk, &book))),
        Err(Halt::Cancelled(stopped)) if stopped.leaves_the_log_open() => return Err(stopped),
        Err(Halt::Cancelled(stopped)) => {
            let error = ErrorBody::new(error_codes::cancelled_code(&stopped), stopped.to_string());
            failure(&desk, &book, error)
        }
        Err(Halt::Failed(error)) => failure(&desk, &book, error),
    };
    desk.run.close(event).await
}

fn failure(desk: &Desk<'_>, book: &Notebook, error: ErrorBody) -> ResearchEvent {
    let iteration = number_of(book);
    ResearchEvent::Error(ResearchError {
        message: format!("The research failed: {}", error.message),
        error: ErrorDetail {
            name: error.code.as_str().to_owned(),
            message: error.message,
            stack: None,
        },
        activity: desk.activity(),
        iteration: Some(iteration).filter(|it| *it > 0),
    })
}

/// The loop that the run is in, from 1.
fn number_of(book: &Notebook) -> u32 {
    u32::try_from(book.executed.len()).unwrap_or(u32::MAX)
}

/// The pages that a request names.
fn named(request: &ResearchRequest) -> Vec<Url> {
    let sources = request.sources.iter().filter_map(|source| Url::parse(source).ok());
    let mut named: Vec<Url> = Vec::new();
    for url in sources.chain(addresses(&request.query)) {
        if !named.contains(&url) {
            named.push(url);
        }
    }
    named
}

/// From one step to the next, until the agenda says that it is done.
async fn walk(desk: &Desk<'_>, book: &mut Notebook) -> Result<(), Halt> {
    book.question = desk.request.query.trim().to_owned();
    book.named = named(desk.request);
    book.progress.unread = !book.named.is_empty();
    let message = format!("Researching in {} mode", mode_name(desk));
    desk.run.emit(ResearchEvent::Start(Start { message })).await?;
    loop {
        if let Some(why) = desk.spent()
            && !book.progress.spent
            && book.progress.drafts == 0
        {
            book.progress.spent = true;
            book.notes.push(format!(
                "The budget of this run is spent ({why}); the report is written from what was found until then."
            ));
        }
        match agenda::next(&desk.effort, &book.progress) {
            Step::Prefetch => Box::pin(prefetch::run(desk, book)).await?,
            Step::Plan => Box::pin(plan::run(desk, book)).await?,
            Step::Iterate(number) => Box::pin(iterate(desk, book, number)).await?,
            Step::Outline => Box::pin(outline::run(desk, book)).await?,
            Step::Write(number) => {
                Box::pin(write::run(desk, book, number)).await?;
            }
            Step::Judge(number) => Box::pin(judge::run(desk, book, number)).await?,
            Step::Finish => {
                tell_disputes(book);
                return Ok(());
            }
        }
    }
}

fn mode_name(desk: &Desk<'_>) -> &'static str {
    match desk.effort.mode {
        wire::research::Mode::Fast => "fast",
        wire::research::Mode::Balanced => "balanced",
        wire::research::Mode::Deep => "deep",
        wire::research::Mode::Max => "max",
        wire::research::Mode::Ultra => "ultra",
    }
}

/// One loop: search, read, follow, weigh.
async fn iterate(desk: &Desk<'_>, book: &mut Notebook, iteration: u32) -> Result<(), Halt> {
    let queries = std::mem::take(&mut book.queries);
    book.executed.push(queries.clone());
    let most = desk.effort.iterations;
    let start = ResearchEvent::IterationStart(IterationStart {
        message: format!("Loop {iteration} of at most {most}"),
        iteration,
        max_iterations: most,
        queries: queries.clone(),
    });
    let part = async {
        Box::pin(search::run(desk, book, iteration, &queries)).await?;
        Box::pin(analyze::run(desk, book, iteration)).await?;
        if desk.effort.follows > 0 {
            Box::pin(follow::run(desk, book, iteration)).await?;
        }
        if desk.effort.analyzes {
            Box::pin(evaluate::run(desk, book, iteration)).await?;
        }
        Ok(book.progress.enough)
    };
    let enough = desk
        .phase(Activity::Iteration, start, part, |enough| {
            let is_last = enough.is_none_or(|enough| *enough) || iteration >= most || desk.spent().is_some();
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
    book.progress.enough = enough;
    book.progress.iterations = iteration;
    Ok(())
}

/// Notes for the reader about cited sources that contradict their copies.
fn tell_disputes(book: &mut Notebook) {
    let cited = book.draft.as_ref().map(report::order).unwrap_or_default();
    let name = |id: usize| book.source(id).map_or_else(String::new, |source| source.url.clone());
    let touches = |it: &&super::notebook::Dispute| cited.contains(&it.left) || cited.contains(&it.right);
    let told: Vec<String> = book
        .disputes
        .iter()
        .filter(touches)
        .map(|dispute| dispute.told(name))
        .collect();
    book.notes.extend(told);
    let left_out = book.draft.as_ref().map_or(0, |draft| draft.left_out);
    if left_out > 0 {
        book.notes.push(format!(
            "{left_out} sentence(s) of the draft were left out because no source supports them."
        ));
    }
}
