//! The analyzing phase: reads the found pages and rates what each says about the question.

use futures_util::future::BoxFuture;
use llm::Role;
use minijinja::context;
use wire::research::{Activity, AnalyzingEnd, AnalyzingStart, Rating, ResearchEvent};

use super::{in_order, number, read_all, samples, take, text, word};
use crate::research::bm25::excerpt;
use crate::research::context::{ModelQuestion, ResearchContext};
use crate::research::extractive;
use crate::research::near_duplicates;
use crate::research::prompts::{self, forms, quoted, shown};
use crate::research::report::host;
use crate::research::state::{Claim, PageAnalysis, PageCandidate, ResearchSource, ResearchState};
use crate::run_error::RunError;

/// Most claims taken of one page.
const CLAIMS: usize = 8;

pub(crate) async fn run(
    context: &ResearchContext<'_>,
    state: &mut ResearchState,
    iteration: u32,
) -> Result<(), RunError> {
    // Pages that cannot be read are replaced by the next best ones.
    let most = context.effort.pages.min(state.candidates.len());
    let unread: Vec<usize> = state
        .sources
        .iter()
        .filter(|source| source.reading.is_none())
        .map(|source| source.id)
        .collect();
    let start = ResearchEvent::AnalyzingStart(AnalyzingStart {
        message: format!("Reading {most} page(s)"),
        iteration,
        page_count: number(most),
    });
    let part = async {
        let (mut ids, mut failures) = (unread, 0);
        let mut left = most;
        for _ in 0..2 {
            let count = left.min(state.candidates.len());
            let batch: Vec<PageCandidate> = state.candidates.drain(..count).collect();
            if batch.is_empty() || (context.spent().is_some() && state.progress.sources) {
                break;
            }
            let reads = read_all(context, &batch).await?;
            let (fresh, failed) = take(state, &batch, reads);
            ids.extend(fresh);
            failures += failed;
            left = failed;
        }
        failures += judge(context, state, &ids).await?;
        (state.copies, state.conflicts) = near_duplicates::find(&state.sources);
        Ok((ids, failures, samples_of(state)))
    };
    context
        .phase(Activity::Analyzing, start, part, |done| {
            let (ids, failures, samples) = done.cloned().unwrap_or_default();
            ResearchEvent::AnalyzingEnd(AnalyzingEnd {
                message: format!(
                    "{} page(s) read, {failures} could not be; {} so far",
                    ids.len(),
                    context.spending()
                ),
                iteration,
                analyzed: number(ids.len()),
                failed: number(failures),
                samples,
            })
        })
        .await?;
    Ok(())
}

/// The newest sources, as events tell of them.
fn samples_of(state: &ResearchState) -> Vec<wire::research::PageSample> {
    let ids: Vec<usize> = state
        .sources
        .iter()
        .rev()
        .map(|source| source.id)
        .take(10)
        .collect();
    samples(state, &ids)
}

/// Reads sources for what they say; how many of them could not be read so.
pub(crate) async fn judge(
    context: &ResearchContext<'_>,
    state: &mut ResearchState,
    ids: &[usize],
) -> Result<usize, RunError> {
    if !context.effort.analyzes {
        return Ok(0);
    }
    let question = state.full_question();
    let mut work: Vec<BoxFuture<'_, _>> = Vec::new();
    for source in ids.iter().filter_map(|id| state.source(*id)) {
        work.push(Box::pin(reading(context, state, source, &question)));
    }
    let readings = in_order(context.effort.at_once, work).await;
    let all: Vec<Option<PageAnalysis>> = readings.into_iter().collect::<Result<_, _>>()?;
    let mut failures = 0;
    for (id, reading) in ids.iter().zip(all) {
        failures += usize::from(reading.is_none());
        let fallback = state.source(*id).map(|source| by_rules(source, &question));
        if let Some(source) = id.checked_sub(1).and_then(|at| state.sources.get_mut(at)) {
            source.reading = reading.or(fallback);
        }
    }
    Ok(failures)
}

/// What a model makes of a page; none when it gives no answer.
async fn reading(
    context: &ResearchContext<'_>,
    state: &ResearchState,
    source: &ResearchSource,
    question: &str,
) -> Result<Option<PageAnalysis>, RunError> {
    if !context.has_model() {
        return Ok(Some(by_rules(source, question)));
    }
    if context.spent().is_some() {
        return Ok(Some(by_rules(source, question)));
    }
    let bytes = context.effort.page_bytes;
    let values = context! {
        question => state.question.clone(),
        questions => state.plan.questions.clone(),
        title => shown(&source.title),
        host => shown(&host(&source.url)),
        text => quoted(&excerpt(&source.text, question, bytes), bytes + 1_000).to_string(),
        claims => CLAIMS,
    };
    let question = ModelQuestion::new(
        Role::Extractor,
        format!("analyze {}", source.url),
        prompts::ANALYZE,
        values,
        forms::analysis(CLAIMS),
    )?;
    let answer = context.ask_optional(question).await?;
    context.count(|counters| {
        counters.analyses += 1;
        counters.analyses_failed += u32::from(answer.is_none());
    });
    let Some(answer) = answer else { return Ok(None) };
    let claims: Vec<Claim> = word(&answer, "claims").unwrap_or_default();
    Ok(Some(PageAnalysis {
        relevance: word(&answer, "relevance").unwrap_or(Rating::Medium),
        reliability: word(&answer, "reliability").unwrap_or(Rating::Medium),
        summary: text(&answer, "summary"),
        claims: claims.into_iter().take(CLAIMS).collect(),
    }))
}

/// What rules make of a page: how much of the question's words it holds, and its sentences that hold most of them.
fn by_rules(source: &ResearchSource, question: &str) -> PageAnalysis {
    let (summary, coverage) = extractive::summary(&source.text, &source.title, question);
    PageAnalysis {
        relevance: match coverage {
            it if it >= 0.7 => Rating::High,
            it if it >= 0.35 => Rating::Medium,
            _ => Rating::Low,
        },
        reliability: Rating::Medium,
        summary,
        claims: Vec::new(),
    }
}
