//! From a checked draft to what the client gets: Markdown with markers and sources, and the pages that are cited.

use std::fmt::Write as _;

use url::Url;
use wire::num::Num;
use wire::research::{
    CitedPage, Complete, Metadata, Metrics, PhaseMetrics, SuccessRates, TokenMetrics, UrlSource, UrlSources,
};

use super::desk::Desk;
use super::notebook::{Draft, Notebook};

/// Said at the head of a report that no model wrote.
const EXTRACTIVE: &str = "*Extractive answer: no model wrote this. Each sentence stands as it is in the source that is cited behind it.*";

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
pub(crate) fn markdown(draft: &Draft, book: &Notebook) -> String {
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
            let _ = write!(out, "{before}{}{space}{markers}{after}", sentence.text);
        }
        out.push_str(if draft.extractive { "\n" } else { "\n\n" });
    }
    if draft.sections.iter().all(|section| section.sentences.is_empty()) {
        out.push_str("No source was found that answers the question.\n\n");
    }
    if !order.is_empty() {
        out.push_str("## Sources\n\n");
        for (number, id) in order.iter().enumerate() {
            let Some(source) = book.source(*id) else { continue };
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
    if !book.notes.is_empty() {
        out.push_str("## Notes\n\n");
        for note in &book.notes {
            let _ = writeln!(out, "- {note}");
        }
    }
    out.trim_end().to_owned() + "\n"
}

/// The last event of a run that has its report.
pub(crate) fn complete(desk: &Desk<'_>, book: &Notebook) -> Complete {
    let draft = book.draft.clone().unwrap_or_default();
    let cited: Vec<CitedPage> = order(&draft)
        .iter()
        .enumerate()
        .filter_map(|(number, id)| cited(number + 1, *id, &draft, book))
        .collect();
    let report = markdown(&draft, book);
    let found = |wanted: UrlSource| {
        u32::try_from(book.sources.iter().filter(|source| source.found == wanted).count()).unwrap_or(u32::MAX)
    };
    let metadata = Metadata {
        prompt: desk.request.query.clone(),
        mode: desk.request.mode,
        query_complexity: book.plan.complexity,
        research_objective: book.plan.objective.clone(),
        research_plan: book.plan.plan.clone(),
        research_questions: book.plan.questions.clone(),
        executed_queries: book.executed.clone(),
        total_pages_analyzed: u32::try_from(book.sources.len()).unwrap_or(u32::MAX),
        gap_evaluations: Some(book.evaluations.clone()).filter(|it| !it.is_empty()),
        judgments: Some(book.judgments.clone()).filter(|it| !it.is_empty()),
        metrics: Some(metrics(desk, book)),
        outline: book.outline.clone(),
        url_sources: Some(UrlSources {
            user_provided: found(UrlSource::UserInput),
            search_results: found(UrlSource::SearchResult),
            extracted_links: found(UrlSource::ExtractedLink),
        }),
        citations: Some(draft.citations),
        notes: book.notes.clone(),
        cited_pages: Some(cited),
    };
    let pages = metadata.cited_pages.as_ref().map_or(0, Vec::len);
    Complete {
        message: format!(
            "The report is written: {pages} source(s) cited, {} of {} citations supported ({})",
            draft.citations.supported,
            draft.citations.checked,
            desk.spending()
        ),
        report,
        metadata,
    }
}

fn cited(number: usize, id: usize, draft: &Draft, book: &Notebook) -> Option<CitedPage> {
    let source = book.source(id)?;
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
        summary: reading.map(|reading| reading.summary.clone()).filter(|it| !it.is_empty()),
        full_text: None,
        relevance: reading.map(|reading| reading.relevance),
        reliability: reading.map(|reading| reading.reliability),
        depth: Some(source.depth),
        parent_url: source.parent.clone(),
        url_source: Some(source.found),
    })
}

fn metrics(desk: &Desk<'_>, book: &Notebook) -> Metrics {
    let tally = desk.tally();
    let searches: u32 = tally.searches.values().sum();
    let rate = |good: u32, all: u32| {
        Num::new(if all == 0 {
            1.0
        } else {
            (f64::from(good) / f64::from(all) * 1000.0).round() / 1000.0
        })
    };
    #[expect(
        clippy::cast_precision_loss,
        reason = "milliseconds of a run stay far below 2^53"
    )]
    let millis = |it: i64| Num::new(it as f64);
    Metrics {
        total_duration: millis(desk.clock.now() - desk.began),
        iterations: book.progress.iterations,
        fetches: tally.fetches,
        cached_fetches: tally.cached_fetches,
        robots_blocked: tally.robots_blocked,
        success_rates: SuccessRates {
            fetches: rate(tally.fetched, tally.fetches),
            searches: rate(searches - tally.searches_failed.min(searches), searches),
            analyzes: rate(
                tally.analyses - tally.analyses_failed.min(tally.analyses),
                tally.analyses,
            ),
        },
        searches: tally.searches,
        cached_searches: tally.cached_searches,
        phases: tally
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
        tokens: tally
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
