//! The writing phase: a draft from numbered sources, verified; quotes where no model writes.

use llm::Role;
use minijinja::context;
use serde_json::Value;
use wire::research::{Activity, ResearchEvent, WritingEnd, WritingStart};

use super::number;
use crate::research::answer_passages::{self, AnswerPassages};
use crate::research::bm25::{SourcePassages, best, excerpt};
use crate::research::citations::CitationChecker;
use crate::research::context::{ModelQuestion, ResearchContext};
use crate::research::extractive;
use crate::research::prompts::{self, forms, quoted, shown};
use crate::research::report::host;
use crate::research::state::{Draft, ResearchSource, ResearchState, Section};
use crate::research::verify_draft::{self, DraftedSection};
use crate::run_error::RunError;

/// Most sources that one draft is written from.
const SOURCES: usize = 40;
/// Bytes between two passages of an excerpt.
const JOINT: usize = 8;
/// Least bytes of a source that a writer sees.
const LEAST: usize = 500;

pub(crate) async fn run(
    context: &ResearchContext<'_>,
    state: &mut ResearchState,
    attempt: u32,
) -> Result<(), RunError> {
    let start = ResearchEvent::WritingStart(WritingStart {
        message: if attempt == 1 {
            "Writing the report".into()
        } else {
            "Writing the report again".into()
        },
        attempt,
        max_attempts: context.effort.drafts,
        is_revision: attempt > 1,
        previous_score: state
            .judgments
            .last()
            .map(|judgment| judgment.score)
            .filter(|_| attempt > 1),
    });
    let part = draft(context, state, attempt);
    let (draft, notes) = context
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
    state.progress.drafts = attempt;
    if !state.take_draft(draft) {
        // The draft before stays, which was judged.
        state.progress.judged = attempt;
        return Ok(());
    }
    for note in notes {
        if !state.notes.contains(&note) {
            state.notes.push(note);
        }
    }
    Ok(())
}

async fn draft(
    context: &ResearchContext<'_>,
    state: &ResearchState,
    attempt: u32,
) -> Result<(Draft, Vec<String>), RunError> {
    if !context.has_model() || !state.progress.sources {
        return Ok((quotes(context, state), Vec::new()));
    }
    let sections = match ask_writer(context, state, attempt).await {
        Ok(sections) => sections,
        Err(RunError::Recoverable(failure)) => {
            let note = format!(
                "The sources are quoted as they stand, because the model wrote no report: {}.",
                failure.text
            );
            let quoted = quotes(context, state);
            let notes = if quoted.is_unanswered {
                Vec::new()
            } else {
                vec![note]
            };
            return Ok((quoted, notes));
        }
        Err(error) => return Err(error),
    };
    let checker = CitationChecker::new(&state.sources);
    let texts = sections.iter().flat_map(|section| &section.sentences);
    let drafted: Vec<String> = texts.map(|(text, _)| text.clone()).collect();
    let draft = verify_draft::verify(context, state, &checker, sections, attempt).await?;
    if draft.sections.iter().any(|section| !section.sentences.is_empty()) {
        // Where no model has judged the relevance of the sentences, one of them has to hold what is asked for.
        if context.effort.asks {
            return Ok((draft, Vec::new()));
        }
        let answering = match verify_draft::is_answered(state, &checker, &draft) {
            true => draft.clone(),
            false => answer_passages::answering(context, state, &draft, attempt).await?,
        };
        if !answering.sections.is_empty() {
            let mut left_out = drafted;
            left_out.retain(|text| !draft.sentences().any(|sentence| sentence.text == *text));
            let with_rest = answer_passages::with_rest(context, state, answering, &left_out, attempt).await?;
            return Ok((with_rest, Vec::new()));
        }
    }
    let lines = answer_passages::lines_of_draft(context, state, &drafted, attempt).await?;
    let mut quoted = match lines.is_empty() {
        false => quoted_draft(lines),
        true => match AnswerPassages::find(context, state, &drafted, attempt).await? {
            None => quotes(context, state),
            Some(passages) => quoted_draft(passages.quotes(context, state, attempt).await?),
        },
    };
    quoted.citations.checked += draft.citations.checked;
    quoted.citations.dropped += draft.citations.checked;
    let notes = match quoted.is_unanswered {
        true => Vec::new(),
        false => vec![
            "No sentence that the model wrote was supported by a source and answered the question, so the sources are quoted instead."
                .to_owned(),
        ],
    };
    Ok((quoted, notes))
}

/// Asks the writer for the report, and once more with shorter sources when there is no usable answer: the reason is
/// most often the length.
async fn ask_writer(
    context: &ResearchContext<'_>,
    state: &ResearchState,
    attempt: u32,
) -> Result<Vec<DraftedSection>, RunError> {
    let bytes = context.effort.writer_bytes;
    match ask(context, state, attempt, bytes, "").await {
        Err(RunError::Recoverable(_)) => ask(context, state, attempt, bytes / 3, " short").await,
        outcome => outcome,
    }
}

/// A draft of quotes. They stand in their sources because they were taken from there.
fn quotes(context: &ResearchContext<'_>, state: &ResearchState) -> Draft {
    let is_strict = context.has_model() && state.progress.sources;
    let sections = extractive::sections(
        state,
        &state.relevant_sources(),
        context.effort.sentences,
        is_strict,
    );
    quoted_draft(sections)
}

/// A draft of sentences that stand in their sources; without any, the sources do not answer the question.
fn quoted_draft(sections: Vec<Section>) -> Draft {
    let count = number(sections.iter().map(|section| section.sentences.len()).sum());
    Draft {
        is_unanswered: sections.is_empty(),
        extractive: !sections.is_empty(),
        sections,
        citations: wire::research::CitationCounts {
            checked: count,
            supported: count,
            dropped: 0,
        },
        ..Draft::default()
    }
}

async fn ask(
    context: &ResearchContext<'_>,
    state: &ResearchState,
    attempt: u32,
    bytes: usize,
    key_suffix: &str,
) -> Result<Vec<DraftedSection>, RunError> {
    let sources = state.relevant_sources();
    let count = sources.len().min(SOURCES).min((bytes / LEAST).max(1));
    let question = state.asked_questions();
    let shares = excerpt_bytes(sources.get(..count).unwrap_or(&sources), &question, bytes);
    let shown_sources: Vec<String> = sources
        .iter()
        .zip(shares)
        .filter(|(_, bytes)| *bytes > 0)
        .map(|(shown, bytes)| source(shown, &question, bytes))
        .collect();
    let name = |id: usize| format!("source {id}");
    let conflicts: Vec<String> = state
        .conflicts
        .iter()
        .map(|conflict| conflict.told(name))
        .collect();
    let outline = state
        .outline
        .as_ref()
        .map(|outline| outline.outline.as_str())
        .unwrap_or_default();
    let headings = outline
        .lines()
        .map(|line| line.trim_start_matches(['#', ' ']))
        .filter(|it| !it.is_empty());
    let headings: Vec<String> = headings.map(str::to_owned).collect();
    let feedback = state
        .judgments
        .last()
        .and_then(|judgment| judgment.feedback.clone());
    let values = context! {
        question => state.question.clone(),
        questions => if context.effort.outlines { state.plan.questions.clone() } else { Vec::new() },
        headings => headings,
        feedback => feedback.map(|feedback| shown(&feedback)).unwrap_or_default(),
        disputes => conflicts,
        sources => shown_sources.join("\n"),
        sentences => context.effort.sentences,
    };
    let question = ModelQuestion::new(
        Role::Writer,
        format!("write {attempt}{key_suffix}"),
        prompts::WRITE,
        values,
        forms::report(context.effort.sentences),
    )?;
    let answer = context.ask(question).await?;
    Ok(written(&answer, context.effort.sentences))
}

/// How many bytes of each source the writer sees: as many as its passages have among those of all sources that speak most of the
/// question. Where none does, all have the same.
fn excerpt_bytes(sources: &[&ResearchSource], question: &str, bytes: usize) -> Vec<usize> {
    let SourcePassages { passages, bm25 } = SourcePassages::of(sources.iter().copied());
    let mut shares = vec![0; sources.len()];
    let mut left = bytes;
    for (id, passage) in best(&bm25.scores(question))
        .into_iter()
        .filter_map(|place| passages.get(place))
    {
        let at = sources.iter().position(|source| source.id == *id);
        let Some(share) = at.and_then(|at| shares.get_mut(at)) else {
            continue;
        };
        // An excerpt begins as the text does.
        let beginning = passages
            .iter()
            .find(|(of, _)| of == id)
            .map_or(0, |(_, first)| first.len() + JOINT);
        let length = passage.len() + JOINT + if *share == 0 { beginning } else { 0 };
        if length > left {
            break;
        }
        left -= length;
        *share += length;
    }
    if left == bytes {
        shares.fill(bytes / sources.len().max(1));
    }
    shares
}

/// A source as the writer sees it: what was read in it, and the passages that speak of the question.
fn source(source: &ResearchSource, question: &str, bytes: usize) -> String {
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
    told.push_str(&excerpt(&source.text, question, bytes.saturating_sub(told.len())));
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
fn written(answer: &Value, most: usize) -> Vec<DraftedSection> {
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
        let sentences: Vec<_> = sentences
            .iter()
            .filter_map(verify_draft::sentence)
            .take(left)
            .collect();
        left -= sentences.len();
        found.push(DraftedSection {
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
