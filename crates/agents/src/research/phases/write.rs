//! The report: written from numbered sources, each citation held against its source, what fails mended once.

use llm::Role;
use minijinja::context;
use serde_json::Value;
use wire::research::{Activity, ResearchEvent, WritingEnd, WritingStart};

use super::{number, ours};
use crate::research::citations::Ledger;
use crate::research::desk::{Ask, Desk, Halt, NoAnswer};
use crate::research::extractive;
use crate::research::notebook::{Draft, Notebook, Source};
use crate::research::prompts::{self, forms, quoted, shown};
use crate::research::rank::excerpt;
use crate::research::report::host;
use crate::research::settle::{self, Written};

/// Most sources that one draft is written from.
const SOURCES: usize = 40;
/// Least bytes of a source that a writer sees.
const LEAST: usize = 500;

pub(crate) async fn run(desk: &Desk<'_>, book: &mut Notebook, attempt: u32) -> Result<(), Halt> {
    let start = ResearchEvent::WritingStart(WritingStart {
        message: if attempt == 1 {
            "Writing the report".into()
        } else {
            "Writing the report again".into()
        },
        attempt,
        max_attempts: desk.effort.drafts,
        is_revision: attempt > 1,
        previous_score: book.judgments.last().map(|judgment| judgment.score).filter(|_| attempt > 1),
    });
    let part = draft(desk, book, attempt);
    let (draft, notes) = desk
        .phase(Activity::Writing, start, part, |done| {
            let told = done.map(|(draft, _)| {
                let it = draft.citations;
                format!(
                    "{} citation(s) checked, {} supported, {} dropped",
                    it.checked, it.supported, it.dropped
                )
            });
            ResearchEvent::WritingEnd(WritingEnd {
                message: told.unwrap_or_else(|| "No report".into()),
                attempt,
            })
        })
        .await?;
    for note in notes {
        if !book.notes.contains(&note) {
            book.notes.push(note);
        }
    }
    book.draft = Some(draft);
    book.progress.drafts = attempt;
    Ok(())
}

async fn draft(desk: &Desk<'_>, book: &Notebook, attempt: u32) -> Result<(Draft, Vec<String>), Halt> {
    let mut notes = Vec::new();
    let written = if desk.has_model() && book.progress.sources {
        let bytes = desk.effort.writer_bytes;
        let mut written = ask(desk, book, attempt, bytes, "").await?;
        if written.is_err() {
            // The reason is most often the length, and a shorter question may be answered.
            written = ask(desk, book, attempt, bytes / 3, " short").await?;
        }
        written
    } else {
        Err(NoAnswer("no model is configured".into()))
    };
    let ledger = Ledger::new(&book.sources);
    if let Ok(sections) = written {
        let draft = settle::settle(desk, book, &ledger, sections, attempt).await?;
        if draft.sections.iter().any(|section| !section.sentences.is_empty()) {
            return Ok((draft, notes));
        }
        notes.push(
            "No sentence that the model wrote was supported by a source, so the sources are quoted instead."
                .to_owned(),
        );
        let citations = draft.citations;
        let mut draft = quotes(desk, book);
        draft.citations.checked += citations.checked;
        draft.citations.dropped += citations.dropped;
        return Ok((draft, notes));
    }
    if desk.has_model() && book.progress.sources {
        let why = written.err().map(|it| it.0).unwrap_or_default();
        notes.push(format!(
            "The sources are quoted as they stand, because the model wrote no report: {why}."
        ));
    }
    Ok((quotes(desk, book), notes))
}

/// A draft of quotes. They stand in their sources because they were taken from there.
fn quotes(desk: &Desk<'_>, book: &Notebook) -> Draft {
    let sections = extractive::sections(book, &book.worth(), desk.effort.sentences);
    let count = number(sections.iter().map(|section| section.sentences.len()).sum());
    Draft {
        sections,
        citations: wire::research::Citations {
            checked: count,
            supported: count,
            dropped: 0,
        },
        extractive: true,
        left_out: 0,
    }
}

async fn ask(
    desk: &Desk<'_>,
    book: &Notebook,
    attempt: u32,
    bytes: usize,
    mark: &str,
) -> Result<Result<Vec<Written>, NoAnswer>, Halt> {
    let sources = book.worth();
    let count = sources.len().min(SOURCES).min((bytes / LEAST).max(1));
    let each = bytes / count.max(1);
    let shown_sources: Vec<String> = sources
        .iter()
        .take(count)
        .map(|it| source(it, book, each))
        .collect();
    let name = |id: usize| format!("source {id}");
    let disputes: Vec<String> = book.disputes.iter().map(|dispute| dispute.told(name)).collect();
    let outline = book
        .outline
        .as_ref()
        .map(|outline| outline.outline.as_str())
        .unwrap_or_default();
    let headings = outline
        .lines()
        .map(|line| line.trim_start_matches(['#', ' ']))
        .filter(|it| !it.is_empty());
    let headings: Vec<String> = headings.map(str::to_owned).collect();
    let feedback = book.judgments.last().and_then(|judgment| judgment.feedback.clone());
    let values = context! {
        question => book.question.clone(),
        questions => if desk.effort.outlines { book.plan.questions.clone() } else { Vec::new() },
        headings => headings,
        feedback => feedback.map(|feedback| shown(&feedback)).unwrap_or_default(),
        disputes => disputes,
        sources => shown_sources.join("\n"),
        sentences => desk.effort.sentences,
    };
    let ask = Ask {
        role: Role::Writer,
        key: format!("write {attempt}{mark}"),
        system: prompts::SYSTEM.into(),
        text: prompts::render(prompts::WRITE, values).map_err(ours)?,
        wanted: forms::report(desk.effort.sentences).map_err(ours)?,
    };
    Ok(desk
        .ask(ask)
        .await?
        .map(|answer| written(&answer, desk.effort.sentences)))
}

/// A source as the writer sees it: what was read in it, and the passages that speak of the question.
fn source(source: &Source, book: &Notebook, bytes: usize) -> String {
    let mut told = String::new();
    if let Some(reading) = &source.reading {
        for claim in &reading.claims {
            let line = if claim.quote.is_empty() {
                &claim.claim
            } else {
                &claim.quote
            };
            if told.len() + line.len() > bytes / 2 {
                break;
            }
            told.push_str(line);
            told.push('\n');
        }
    }
    told.push_str(&excerpt(
        &source.text,
        &book.whole_question(),
        bytes.saturating_sub(told.len()),
    ));
    let rated = source
        .reading
        .as_ref()
        .map(|reading| format!(", reliability {}", super::level(reading.reliability)));
    format!(
        "Source {}: \"{}\" ({}{})\n{}",
        source.id,
        shown(&source.title),
        shown(&host(&source.url)),
        rated.unwrap_or_default(),
        quoted(&told, bytes + 600)
    )
}

/// The sections of a writer's answer, read as far as they go.
fn written(answer: &Value, most: usize) -> Vec<Written> {
    let sections = answer
        .get("sections")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let mut left = most;
    let mut found = Vec::new();
    for section in &sections {
        let sentences = section
            .get("sentences")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        let sentences: Vec<_> = sentences.iter().filter_map(settle::sentence).take(left).collect();
        left -= sentences.len();
        found.push(Written {
            heading: section
                .get("heading")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            sentences,
        });
    }
    found
}
