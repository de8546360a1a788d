//! The searching phase: several queries at once, each page once.

use futures_util::future::BoxFuture;
use search::SearchHit;
use wire::Code;
use wire::research::{Activity, ResearchEvent, SearchingEnd, SearchingStart, UrlSource};

use super::{in_order, number};
use crate::research::context::ResearchContext;
use crate::research::state::{PageCandidate, ResearchState};
use crate::run_error::RunError;

/// How much the first places of a list count over the others (reciprocal rank fusion).
const FUSION: f64 = 20.0;

pub(crate) async fn run(
    context: &ResearchContext<'_>,
    state: &mut ResearchState,
    iteration: u32,
    queries: &[String],
) -> Result<(), RunError> {
    let start = ResearchEvent::SearchingStart(SearchingStart {
        message: format!("Searching for {}", queries.join("; ")),
        iteration,
        queries: queries.to_vec(),
    });
    let part = search(context, state, queries);
    let SearchOutcome { failure, .. } = context
        .phase(Activity::Searching, start, part, |done| {
            let SearchOutcome { found, new, failure } = done.cloned().unwrap_or_default();
            let why = failure.map(|failure| format!("; {failure}")).unwrap_or_default();
            ResearchEvent::SearchingEnd(SearchingEnd {
                message: format!("{found} page(s) found, {new} of them new{why}"),
                iteration,
                urls_found: number(found),
                urls_new: number(new),
            })
        })
        .await?;
    // A search that failed is no end while there is something to write from.
    match failure {
        Some(why)
            if state.candidates.is_empty()
                && !state.progress.sources
                && context.services.search.is_some() =>
        {
            Err(RunError::fatal(Code::SearchFailed, why))
        }
        Some(why) => {
            let note = format!("Not every search worked: {why}.");
            if context.services.search.is_some() && !state.notes.contains(&note) {
                state.notes.push(note);
            }
            Ok(())
        }
        None => Ok(()),
    }
}

/// What the queries of one loop found.
#[derive(Debug, Clone, Default)]
struct SearchOutcome {
    /// Hits of all queries.
    found: usize,
    /// Hits that no query had found before.
    new: usize,
    /// Why the last query that failed did.
    failure: Option<String>,
}

async fn search(
    context: &ResearchContext<'_>,
    state: &mut ResearchState,
    queries: &[String],
) -> Result<SearchOutcome, RunError> {
    let mut work: Vec<BoxFuture<'_, _>> = Vec::new();
    for query in queries {
        work.push(Box::pin(context.search(query)));
    }
    let outcomes = in_order(context.effort.at_once, work).await;
    let mut total = SearchOutcome::default();
    for (query, outcome) in queries.iter().zip(outcomes) {
        match outcome {
            Ok(hits) => {
                for (rank, hit) in hits.into_iter().enumerate() {
                    total.found += 1;
                    total.new += usize::from(note(state, hit, query, rank));
                }
            }
            Err(RunError::Recoverable(failure)) => total.failure = Some(failure.text),
            Err(error) => return Err(error),
        }
    }
    state.candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    Ok(total)
}

/// Adds a hit to what may be read; says whether it was not known before.
fn note(state: &mut ResearchState, hit: SearchHit, query: &str, rank: usize) -> bool {
    let address = net::canonical(&hit.url);
    let score = 1.0 / (FUSION + f64::from(super::number(rank)));
    if let Some(known) = state
        .candidates
        .iter_mut()
        .find(|candidate| net::canonical(&candidate.url) == address)
    {
        known.score += score;
        if !known.queries.iter().any(|it| it == query) {
            known.queries.push(query.to_owned());
        }
        return false;
    }
    if !state.known.insert(address) {
        let source = state
            .sources
            .iter_mut()
            .find(|source| source.url == hit.url.as_str());
        if let Some(source) = source.filter(|it| !it.queries.iter().any(|it| it == query)) {
            source.queries.push(query.to_owned());
        }
        return false;
    }
    state.candidates.push(PageCandidate {
        url: hit.url,
        title: hit.title,
        found: UrlSource::SearchResult,
        queries: vec![query.to_owned()],
        text: hit.text,
        score,
        depth: 0,
        parent: None,
    });
    true
}
