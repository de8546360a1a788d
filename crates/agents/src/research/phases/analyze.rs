//! What do the pages say about the question? Read, and where the mode has it, each by a model of its own.

use futures_util::future::BoxFuture;
use llm::Role;
use minijinja::context;
use wire::research::{Activity, AnalyzingEnd, AnalyzingStart, Rating, ResearchEvent};

use super::{in_order, number, ours, read_all, samples, take, text, word};
use crate::research::desk::{Ask, Desk, Halt};
use crate::research::extractive;
use crate::research::notebook::{Candidate, Claim, Notebook, Reading, Source};
use crate::research::prompts::{self, forms, quoted, shown};
use crate::research::rank::excerpt;
use crate::research::report::host;
use crate::research::twins;

/// Most claims taken of one page.
const CLAIMS: usize = 8;

pub(crate) async fn run(desk: &Desk<'_>, book: &mut Notebook, iteration: u32) -> Result<(), Halt> {
    // Pages that cannot be read are replaced by the next best ones.
    let most = desk.effort.pages.min(book.candidates.len());
    let unread: Vec<usize> = book
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
            let count = left.min(book.candidates.len());
            let batch: Vec<Candidate> = book.candidates.drain(..count).collect();
            if batch.is_empty() || (desk.spent().is_some() && book.progress.sources) {
                break;
            }
            let reads = read_all(desk, &batch).await?;
            let (fresh, failed) = take(book, &batch, reads);
            ids.extend(fresh);
            failures += failed;
            left = failed;
        }
        failures += judge(desk, book, &ids).await?;
        (book.copies, book.disputes) = twins::find(&book.sources);
        Ok((ids, failures, samples_of(book)))
    };
    desk.phase(Activity::Analyzing, start, part, |done| {
        let (ids, failures, samples) = done.cloned().unwrap_or_default();
        ResearchEvent::AnalyzingEnd(AnalyzingEnd {
            message: format!(
                "{} page(s) read, {failures} could not be; {} so far",
                ids.len(),
                desk.spending()
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
fn samples_of(book: &Notebook) -> Vec<wire::research::PageSample> {
    let ids: Vec<usize> = book.sources.iter().rev().map(|source| source.id).take(10).collect();
    samples(book, &ids)
}

/// Reads sources for what they say; how many of them could not be read so.
pub(crate) async fn judge(desk: &Desk<'_>, book: &mut Notebook, ids: &[usize]) -> Result<usize, Halt> {
    if !desk.effort.analyzes {
        return Ok(0);
    }
    let question = book.whole_question();
    let mut work: Vec<BoxFuture<'_, _>> = Vec::new();
    for source in ids.iter().filter_map(|id| book.source(*id)) {
        work.push(Box::pin(reading(desk, book, source, &question)));
    }
    let readings = in_order(desk.effort.at_once, work).await;
    let all: Vec<Option<Reading>> = readings.into_iter().collect::<Result<_, _>>()?;
    let mut failures = 0;
    for (id, reading) in ids.iter().zip(all) {
        failures += usize::from(reading.is_none());
        let fallback = book.source(*id).map(|source| by_rules(source, &question));
        if let Some(source) = id.checked_sub(1).and_then(|at| book.sources.get_mut(at)) {
            source.reading = reading.or(fallback);
        }
    }
    Ok(failures)
}

/// What a model makes of a page; none when it gives no answer.
async fn reading(
    desk: &Desk<'_>,
    book: &Notebook,
    source: &Source,
    question: &str,
) -> Result<Option<Reading>, Halt> {
    if !desk.has_model() {
        return Ok(Some(by_rules(source, question)));
    }
    if desk.spent().is_some() {
        return Ok(Some(by_rules(source, question)));
    }
    let bytes = desk.effort.page_bytes;
    let values = context! {
        question => book.question.clone(),
        questions => book.plan.questions.clone(),
        title => shown(&source.title),
        host => shown(&host(&source.url)),
        text => quoted(&excerpt(&source.text, question, bytes), bytes + 1_000).to_string(),
        claims => CLAIMS,
    };
    let ask = Ask {
        role: Role::Extractor,
        key: format!("analyze {}", source.url),
        system: prompts::SYSTEM.into(),
        text: prompts::render(prompts::ANALYZE, values).map_err(ours)?,
        wanted: forms::analysis(CLAIMS).map_err(ours)?,
    };
    let answer = desk.ask(ask).await?;
    desk.count(|it| {
        it.analyses += 1;
        it.analyses_failed += u32::from(answer.is_err());
    });
    let Ok(answer) = answer else { return Ok(None) };
    let claims: Vec<Claim> = word(&answer, "claims").unwrap_or_default();
    Ok(Some(Reading {
        relevance: word(&answer, "relevance").unwrap_or(Rating::Medium),
        reliability: word(&answer, "reliability").unwrap_or(Rating::Medium),
        summary: text(&answer, "summary"),
        claims: claims.into_iter().take(CLAIMS).collect(),
    }))
}

/// What rules make of a page: how much of the question's words it holds, and its sentences that hold most of them.
fn by_rules(source: &Source, question: &str) -> Reading {
    let (summary, coverage) = extractive::summary(&source.text, &source.title, question);
    Reading {
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
