//! The report as Markdown with citation markers, and the last event of a run.

use std::fmt::Write as _;

use url::Url;
use wire::num::Num;
use wire::research::{
    CitedPage, PhaseMetrics, ReportMetadata, ReportOutcome, ResearchComplete, ResearchMetrics, SuccessRates,
    TokenMetrics, UrlSource, UrlSources,
};

use super::citations::escaped;
use super::context::ResearchContext;
use super::state::{Draft, ResearchState};
use crate::safe_markdown::safe_markdown;

/// The line at the head of a report that no model wrote.
const EXTRACTIVE: &str = "*Extractive answer: no model wrote this. Each sentence stands as it is in the source that is cited behind it.*";

/// The report where the sources do not answer the question.
const UNANSWERED: &str = "The sources do not answer this.";

/// The numbers of the cited sources, in order of first citation.
pub(crate) fn order(draft: &Draft) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    for sentence in draft.sections.iter().flat_map(|section| &section.sentences) {
        for id in &sentence.sources {
            if !order.contains(id) {
                order.push(*id);
            }
        }
    }
    order
}

/// The report as Markdown.
pub(crate) fn markdown(draft: &Draft, state: &ResearchState) -> String {
    let order = order(draft);
    let place = |id: &usize| order.iter().position(|it| it == id).map_or(0, |order| order + 1);
    let mut out = String::new();
    if draft.extractive {
        let _ = writeln!(out, "{EXTRACTIVE}\n");
    }
    for section in &draft.sections {
        if section.sentences.is_empty() {
            continue;
        }
        if !section.heading.is_empty() {
            let _ = writeln!(out, "## {}\n", section.heading);
        }
        for (number, sentence) in section.sentences.iter().enumerate() {
            let markers: String = sentence
                .sources
                .iter()
                .map(|source| format!("[{}]", place(source)))
                .collect();
            // Quotes from different places are no running text.
            let (before, after) = match (draft.extractive, number) {
                (true, _) => ("- ", "\n"),
                (false, 0) => ("", ""),
                (false, _) => (" ", ""),
            };
            let space = if markers.is_empty() { "" } else { " " };
            let _ = write!(out, "{before}{}{space}{markers}{after}", escaped(&sentence.text));
        }
        out.push_str(if draft.extractive { "\n" } else { "\n\n" });
    }
    if draft.sections.iter().all(|section| section.sentences.is_empty()) {
        let _ = writeln!(out, "{UNANSWERED}\n");
    }
    if !order.is_empty() {
        out.push_str("## Sources\n\n");
        for (number, id) in order.iter().enumerate() {
            let Some(source) = state.source(*id) else { continue };
            let title = if source.title.trim().is_empty() {
                &source.url
            } else {
                &source.title
            };
            let title: String = title
                .chars()
                .filter(|character| !matches!(character, '[' | ']' | '<' | '>' | '\n'))
                .collect();
            let url = source.url.replace('(', "%28").replace(')', "%29");
            let _ = writeln!(out, "{}. [{}]({url})", number + 1, title.trim());
        }
        out.push('\n');
    }
    if !state.notes.is_empty() {
        out.push_str("## Notes\n\n");
        for note in &state.notes {
            let _ = writeln!(out, "- {note}");
        }
    }
    out.trim_end().to_owned() + "\n"
}

/// The last event of a run that has its report.
pub(crate) fn complete(context: &ResearchContext<'_>, state: &ResearchState) -> ResearchComplete {
    let draft = state.draft.clone().unwrap_or_default();
    let cited: Vec<CitedPage> = order(&draft)
        .iter()
        .enumerate()
        .filter_map(|(number, id)| cited(number + 1, *id, &draft, state))
        .collect();
    let report = safe_markdown(&markdown(&draft, state), &|_| false);
    let found = |wanted: UrlSource| {
        u32::try_from(
            state
                .sources
                .iter()
                .filter(|source| source.found == wanted)
                .count(),
        )
        .unwrap_or(u32::MAX)
    };
    let metadata = ReportMetadata {
        prompt: context.request.query.clone(),
        mode: context.request.mode,
        query_complexity: state.plan.complexity,
        research_objective: state.plan.objective.clone(),
        research_plan: state.plan.plan.clone(),
        research_questions: state.plan.questions.clone(),
        executed_queries: state.executed.clone(),
        total_pages_analyzed: u32::try_from(state.sources.len()).unwrap_or(u32::MAX),
        gap_evaluations: Some(state.evaluations.clone()).filter(|it| !it.is_empty()),
        judgments: Some(state.judgments.clone()).filter(|it| !it.is_empty()),
        metrics: Some(metrics(context, state)),
        outline: state.outline.clone(),
        url_sources: Some(UrlSources {
            user_provided: found(UrlSource::UserInput),
            search_results: found(UrlSource::SearchResult),
            extracted_links: found(UrlSource::ExtractedLink),
        }),
        citations: Some(draft.citations),
        notes: state.notes.clone(),
        outcome: order(&draft).is_empty().then_some(ReportOutcome::NotAnswered),
        cited_pages: Some(cited),
    };
    let pages = metadata.cited_pages.as_ref().map_or(0, Vec::len);
    if metadata.outcome == Some(ReportOutcome::NotAnswered) {
        return ResearchComplete {
            message: format!(
                "The sources do not answer this: {} page(s) were read ({})",
                metadata.total_pages_analyzed,
                context.spending()
            ),
            report,
            metadata,
        };
    }
    ResearchComplete {
        message: format!(
            "The report is written: {pages} source(s) cited, {} of {} citations supported ({})",
            draft.citations.supported,
            draft.citations.checked,
            context.spending()
        ),
        report,
        metadata,
    }
}

fn cited(number: usize, id: usize, draft: &Draft, state: &ResearchState) -> Option<CitedPage> {
    let source = state.source(id)?;
    let sentences = draft.sections.iter().flat_map(|section| &section.sentences);
    let reading = source.reading.as_ref();
    Some(CitedPage {
        id: number.to_string(),
        url: source.url.clone(),
        claims: sentences
            .filter(|sentence| sentence.sources.contains(&id))
            .map(|sentence| sentence.text.clone())
            .collect(),
        source_queries: source.queries.clone(),
        title: Some(source.title.clone()).filter(|it| !it.is_empty()),
        summary: reading
            .map(|reading| reading.summary.clone())
            .filter(|it| !it.is_empty()),
        full_text: None,
        relevance: reading.map(|reading| reading.relevance),
        reliability: reading.map(|reading| reading.reliability),
        depth: Some(source.depth),
        parent_url: source.parent.clone(),
        url_source: Some(source.found),
    })
}

fn metrics(context: &ResearchContext<'_>, state: &ResearchState) -> ResearchMetrics {
    let counters = context.counters();
    let searches: u32 = counters.searches.values().sum();
    let rate = |supporting: u32, all: u32| {
        Num::new(if all == 0 {
            1.0
        } else {
            (f64::from(supporting) / f64::from(all) * 1000.0).round() / 1000.0
        })
    };
    #[expect(
        clippy::cast_precision_loss,
        reason = "milliseconds of a run stay far below 2^53"
    )]
    let millis = |number: i64| Num::new(number as f64);
    ResearchMetrics {
        total_duration: millis(context.clock.now() - context.started_at),
        iterations: state.progress.iterations,
        fetches: counters.fetches,
        cached_fetches: counters.cached_fetches,
        robots_blocked: counters.robots_blocked,
        success_rates: SuccessRates {
            fetches: rate(counters.fetched, counters.fetches),
            searches: rate(searches - counters.searches_failed.min(searches), searches),
            analyzes: rate(
                counters.analyses - counters.analyses_failed.min(counters.analyses),
                counters.analyses,
            ),
        },
        searches: counters.searches,
        cached_searches: counters.cached_searches,
        phases: counters
            .phases
            .iter()
            .map(|(name, phase)| {
                (
                    (*name).to_owned(),
                    PhaseMetrics {
                        duration: millis(*phase),
                    },
                )
            })
            .collect(),
        tokens: counters
            .tokens
            .iter()
            .map(|(model, (input, output))| {
                let tokens = TokenMetrics {
                    input: *input,
                    output: *output,
                };
                (model.clone(), tokens)
            })
            .collect(),
    }
}

/// The host of an address, for people.
pub(crate) fn host(url: &str) -> String {
    let parsed = Url::parse(url).ok();
    let host = parsed
        .as_ref()
        .and_then(|parsed| parsed.host_str())
        .unwrap_or("this machine");
    host.strip_prefix("www.").unwrap_or(host).to_owned()
}
