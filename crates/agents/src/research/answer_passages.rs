//! Passages of the sources that answer the question: a model reads the best ones one at a time and copies the words that answer.
//!
//! A small model that gets many passages at once answers from the first ones, whatever they say; of one passage it tells far better
//! whether the answer stands there (`docs/research.md` has the figures). Copied words are looked for in their passage, so that
//! nothing is quoted that stands nowhere.

use std::collections::HashSet;

use futures_util::future::BoxFuture;
use llm::Role;
use minijinja::context;
use serde_json::Value;

use super::bm25::{SourcePassages, best};
use super::citations::{CitationChecker, SupportVerdict, TextFacts, plain};
use super::context::{ModelQuestion, ResearchContext};
use super::phases::{in_order, number};
use super::prompts::{self, forms, quoted, shown};
use super::relevance::{Focuses, QuestionFocus, is_statement};
use super::state::{Draft, ResearchSource, ResearchState, Section, Sentence};
use super::text::{passages_of, sentences, words};
use crate::run_error::RunError;

/// Most passages that a model reads for what they say of the question.
const READ: usize = 8;
/// Most passages of which words are copied.
const COPIED: usize = 3;
/// Most sentences that one copy is quoted with.
const QUOTED: usize = 3;
/// Most drafted sentences whose passages are read.
const DRAFTED: usize = 4;
/// Longest passage, in bytes, unless one sentence alone is longer. Shorter than those that a writer sees: of a short one a small model
/// tells better whether the answer stands there.
const PASSAGE: usize = 420;
/// Bytes of a passage in a question, where one sentence is long.
const BYTES: usize = 1_500;

/// A passage of a source.
#[derive(Debug)]
struct Passage {
    source: usize,
    text: String,
    /// Whether a model says that the passage has the whole answer, and not a part.
    is_whole: bool,
}

/// The passages that a model says hold the answer, best first.
#[derive(Debug)]
pub(crate) struct AnswerPassages {
    passages: Vec<Passage>,
}

impl AnswerPassages {
    /// Asks a model about the passages of the sources that speak most of the question or of sentences that were drafted to answer it;
    /// nothing where it tells of none whether it answers.
    ///
    /// # Errors
    /// When the run is cancelled, or no model of the configuration can answer.
    pub(crate) async fn find(
        context: &ResearchContext<'_>,
        state: &ResearchState,
        drafted: &[String],
        attempt: u32,
    ) -> Result<Option<Self>, RunError> {
        if context.spent().is_some() {
            return Ok(None);
        }
        let candidates = Candidates::new(state, drafted);
        let of_draft = ask(context, state, candidates.of_draft, &format!("{attempt} draft")).await?;
        if of_draft.as_ref().is_some_and(|found| !found.passages.is_empty()) {
            return Ok(of_draft);
        }
        let of_question = ask(context, state, candidates.of_question, &attempt.to_string()).await?;
        Ok(of_question.or(of_draft))
    }

    /// A draft without the sentences that these passages do not say.
    pub(crate) fn confirmed(&self, state: &ResearchState, draft: &Draft) -> Draft {
        let sources: Vec<ResearchSource> = self
            .passages
            .iter()
            .filter_map(|passage| {
                let source = state.source(passage.source)?;
                Some(ResearchSource {
                    text: passage.text.clone(),
                    ..source.clone()
                })
            })
            .collect();
        let checker = CitationChecker::new(&sources);
        let focuses = state.focuses();
        let is_said = |sentence: &Sentence| {
            let line = TextFacts::new(&sentence.text);
            let mut passages = self.passages.iter().zip(1..);
            passages.any(|(passage, id)| {
                sentence.sources.contains(&passage.source)
                    && checker.check(&line, id) == SupportVerdict::Supported
                    && is_answer(&focuses, &sentence.text, passage, &title(state, passage))
            })
        };
        let mut confirmed = draft.clone();
        for section in &mut confirmed.sections {
            section.sentences.retain(is_said);
        }
        confirmed.sections.retain(|section| !section.sentences.is_empty());
        let sentences = confirmed.sections.iter().flat_map(|section| &section.sentences);
        let counts = &mut confirmed.citations;
        counts.supported = number(sentences.map(|sentence| sentence.sources.len()).sum());
        counts.dropped = counts.checked.saturating_sub(counts.supported);
        confirmed
    }

    /// The sentences of the passages that answer, as they stand there.
    ///
    /// # Errors
    /// When the run is cancelled, or no model of the configuration can answer.
    pub(crate) async fn quotes(
        &self,
        context: &ResearchContext<'_>,
        state: &ResearchState,
        attempt: u32,
    ) -> Result<Vec<Section>, RunError> {
        let passages: Vec<&Passage> = self.passages.iter().take(COPIED).collect();
        if passages.is_empty() {
            return Ok(Vec::new());
        }
        let numbered = passages.iter().enumerate().map(|(place, passage)| {
            context! {
                number => place + 1,
                title => title(state, passage),
                text => quoted(&passage.text, BYTES).to_string(),
            }
        });
        let question = ModelQuestion::new(
            Role::Writer,
            format!("copy {attempt}"),
            prompts::COPY,
            context! {
                question => state.question.clone(),
                passages => numbered.collect::<Vec<_>>(),
                most => COPIED,
            },
            forms::copies(COPIED),
        )?;
        let answer = context.ask_optional(question).await?.unwrap_or_default();
        let focuses = state.focuses();
        let mut found: Vec<Sentence> = Vec::new();
        let copies = answer.get("quotes").and_then(Value::as_array);
        for copy in copies.into_iter().flatten() {
            let Some(text) = copy.get("text").and_then(Value::as_str) else {
                continue;
            };
            // A weak model may give the number of another passage.
            let given = copy.get("passage").and_then(Value::as_u64);
            let given = given.and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
            let order = given.into_iter().chain(0..passages.len());
            let mut places = order.filter_map(|place| passages.get(place));
            let Some((passage, lines)) = places.find_map(|passage| {
                let lines = copied(&passage.text, text);
                (!lines.is_empty()).then_some((passage, lines))
            }) else {
                continue;
            };
            if !is_answer(&focuses, &lines.join(" "), passage, &title(state, passage)) {
                continue;
            }
            // A heading that stands between the sentences is no part of the answer.
            let is_told = |line: &&str| is_statement(line, &TextFacts::new(line).numbers);
            let has_statement = lines.iter().any(is_told);
            for line in lines.iter().filter(|line| !has_statement || is_told(line)) {
                let line = plain(line);
                if !found.iter().any(|sentence| sentence.text == line) {
                    found.push(Sentence {
                        text: line,
                        sources: vec![passage.source],
                    });
                }
            }
        }
        let section = Section {
            heading: String::new(),
            sentences: found,
        };
        Ok(match section.sentences.is_empty() {
            true => Vec::new(),
            false => vec![section],
        })
    }
}

/// What the page of a passage is called, as a prompt may show it.
fn title(state: &ResearchState, passage: &Passage) -> String {
    let source = state.source(passage.source);
    shown(source.map_or("", |source| source.title.as_str()))
}

/// The passages that a model reads.
#[derive(Debug)]
struct Candidates {
    /// For each drafted sentence the passage that speaks most of it: a draft that no rule finds supported often has the words of the
    /// place that it was made of.
    of_draft: Vec<Passage>,
    /// The others that speak most of the question.
    of_question: Vec<Passage>,
}

impl Candidates {
    fn new(state: &ResearchState, drafted: &[String]) -> Self {
        let split = |text: &str| passages_of(text, PASSAGE);
        let SourcePassages { passages, bm25 } = SourcePassages::split(state.relevant_sources(), split);
        let of_sentence = |sentence: &String| best(&bm25.scores(sentence)).first().copied();
        let mut of_draft: Vec<usize> = drafted.iter().take(DRAFTED).filter_map(of_sentence).collect();
        let mut seen = HashSet::new();
        of_draft.retain(|place| seen.insert(*place));
        let mut of_question = best(&bm25.scores(&state.question));
        of_question.retain(|place| seen.insert(*place));
        of_question.truncate(READ);
        let passage = |place: usize| {
            let (source, text) = passages.get(place)?;
            Some(Passage {
                source: *source,
                text: text.clone(),
                is_whole: false,
            })
        };
        Self {
            of_draft: of_draft.into_iter().filter_map(passage).collect(),
            of_question: of_question.into_iter().filter_map(passage).collect(),
        }
    }
}

/// Asks a model of each passage whether the answer stands there; nothing where it tells of none.
async fn ask(
    context: &ResearchContext<'_>,
    state: &ResearchState,
    passages: Vec<Passage>,
    key: &str,
) -> Result<Option<AnswerPassages>, RunError> {
    let mut work: Vec<BoxFuture<'_, _>> = Vec::new();
    for (rank, passage) in passages.iter().enumerate() {
        let question = ModelQuestion::new(
            Role::Validator,
            format!("answers {key} {rank}"),
            prompts::ANSWERS,
            context! {
                question => state.question.clone(),
                title => title(state, passage),
                text => quoted(&passage.text, BYTES).to_string(),
            },
            forms::answers(),
        )?;
        work.push(Box::pin(context.ask_optional(question)));
    }
    let verdicts = in_order(context.effort.at_once, work).await;
    let verdicts: Vec<Option<Value>> = verdicts.into_iter().collect::<Result<_, _>>()?;
    if verdicts.iter().all(Option::is_none) {
        return Ok(None);
    }
    let mut answering = Vec::new();
    for (passage, verdict) in passages.into_iter().zip(verdicts) {
        let verdict = verdict.unwrap_or_default();
        match verdict.get("answers").and_then(Value::as_str) {
            Some("yes") => answering.push(Passage {
                is_whole: true,
                ..passage
            }),
            Some("partly") => answering.push(passage),
            _ => {}
        }
    }
    answering.sort_by_key(|passage| !passage.is_whole);
    Ok(Some(AnswerPassages { passages: answering }))
}

/// Whether lines have the kind of answer that is asked for, in a passage that speaks of the question. What a model takes for a part of
/// the answer has to hold as much of the question as what rules take for one.
fn is_answer(focuses: &Focuses, lines: &str, passage: &Passage, title: &str) -> bool {
    let is_near = |focus: &QuestionFocus| focus.is_near(lines, &passage.text, title);
    match passage.is_whole {
        true => std::iter::once(&focuses.asked).chain(&focuses.parts).any(is_near),
        false => focuses.are_answered_by(lines, &passage.text, title),
    }
}

/// The sentences of a passage in which copied words stand, at most [`QUOTED`]; none where the words stand nowhere in the passage.
/// Signs and cases of letters may differ.
fn copied<'p>(passage: &'p str, copy: &str) -> Vec<&'p str> {
    let wanted = words(copy);
    let all = sentences(passage);
    // Each word of the passage with the place of its sentence.
    let of_sentence =
        |(place, sentence): (usize, &&str)| words(sentence).into_iter().map(move |word| (place, word));
    let known: Vec<(usize, String)> = all.iter().enumerate().flat_map(of_sentence).collect();
    let is_copy = |window: &&[(usize, String)]| window.iter().map(|(_, word)| word).eq(&wanted);
    let found = known.windows(wanted.len().max(1)).find(is_copy);
    let Some(([(first, _), ..], (last, _))) = found
        .map(|found| (found, found.last()))
        .and_then(|(found, last)| Some((found, last?)))
    else {
        return Vec::new();
    };
    all.get(*first..=*last)
        .unwrap_or_default()
        .iter()
        .take(QUOTED)
        .copied()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSAGE: &str =
        "The Quern mill is old. It is 22 metres high, and its sails are of oak. Tickets are $7.95.";

    #[test]
    fn copied_words_are_quoted_with_their_sentence() {
        assert_eq!(
            copied(PASSAGE, "22 metres high"),
            ["It is 22 metres high, and its sails are of oak."]
        );
        assert_eq!(copied(PASSAGE, "“$7.95”"), ["Tickets are $7.95."]);
        assert_eq!(
            copied(PASSAGE, "its sails are of OAK. Tickets are"),
            [
                "It is 22 metres high, and its sails are of oak.",
                "Tickets are $7.95."
            ]
        );
    }

    #[test]
    fn words_that_stand_nowhere_are_not_quoted() {
        assert!(copied(PASSAGE, "It is 23 metres high").is_empty());
        assert!(copied(PASSAGE, "").is_empty());
        assert!(copied("", "It is").is_empty());
    }
}
