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
use super::citations::{TextFacts, quote};
use super::context::{ModelQuestion, ResearchContext};
use super::drafted_lines::{self, DraftedLines};
use super::phases::{in_order, number};
use super::prompts::{self, forms, quoted, shown};
use super::relevance::{Focuses, has, is_statement};
use super::state::{Draft, ResearchState, Section, Sentence};
use super::text::{passages_of, sentences, stem, terms, words};
use crate::run_error::RunError;

/// Most passages that a model reads for what they say of the question.
const READ: usize = 8;
/// Most passages of which words are copied.
const COPIED: usize = 3;
/// Fewest words beyond the question of a sentence that says something. Set by hand.
const NEW: usize = 2;
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
}

/// The passages that a model says hold the answer, best first.
#[derive(Debug)]
pub(crate) struct AnswerPassages {
    passages: Vec<Passage>,
}

/// What a model says of a text that may answer the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AnswerVerdict {
    /// The text states the answer.
    Whole,
    /// The text states a part of the answer.
    Part,
    /// The text does not state the answer, or speaks of its subject only.
    Nothing,
}

/// How a model is asked whether a text answers the question. A small model denies too much of a passage when it is asked as of a
/// sentence, and affirms too much of a sentence when it is asked as of a passage (`docs/research.md` has the figures).
#[derive(Debug, Clone, Copy)]
enum AnswerQuestion {
    /// Of a passage, of which words are copied then: few that answer may be missed.
    OfPassage,
    /// Of sentences that go out: few that do not answer may pass.
    OfSentences,
}

impl AnswerQuestion {
    const fn prompt(self) -> &'static str {
        match self {
            Self::OfPassage => prompts::CAN_ANSWER,
            Self::OfSentences => prompts::IS_ANSWERED,
        }
    }

    const fn verdicts(self) -> &'static [&'static str] {
        match self {
            Self::OfPassage => &["yes", "partly", "no"],
            Self::OfSentences => &["yes", "no"],
        }
    }
}

/// Whether a model says that a text states the answer or a part of it.
fn is_answer(verdict: Option<AnswerVerdict>) -> bool {
    verdict.is_some_and(|verdict| verdict != AnswerVerdict::Nothing)
}

/// A draft without the sentences that do not answer the question: those that only say the question again, and those of which a model
/// says that they do not answer.
///
/// # Errors
/// When the run is cancelled, or no model of the configuration can answer.
pub(crate) async fn answering(
    context: &ResearchContext<'_>,
    state: &ResearchState,
    draft: &Draft,
    attempt: u32,
) -> Result<Draft, RunError> {
    let new: Vec<&Sentence> = draft
        .sentences()
        .filter(|sentence| says_something_new(&sentence.text, &state.question))
        .take(READ)
        .collect();
    let text = |sentence: &&Sentence| {
        let title = sentence
            .sources
            .first()
            .map_or_else(String::new, |id| title(state, *id));
        (title, sentence.text.clone())
    };
    let texts = new.iter().map(text).collect();
    let verdicts = ask(
        context,
        state,
        texts,
        AnswerQuestion::OfSentences,
        &format!("{attempt} sentence"),
    )
    .await?;
    let told = new.iter().zip(&verdicts);
    let kept: Vec<&str> = told
        .filter(|(_, verdict)| is_answer(**verdict))
        .map(|(sentence, _)| sentence.text.as_str())
        .collect();
    let mut answering = draft.clone();
    for section in &mut answering.sections {
        section
            .sentences
            .retain(|sentence| kept.contains(&sentence.text.as_str()));
    }
    answering.sections.retain(|section| !section.sentences.is_empty());
    let supported = number(answering.supported());
    let counts = &mut answering.citations;
    counts.supported = supported;
    counts.dropped = counts.checked.saturating_sub(supported);
    Ok(answering)
}

/// The lines that drafted sentences were made of, those of which a model says that they answer the question.
///
/// # Errors
/// When the run is cancelled, or no model of the configuration can answer.
pub(crate) async fn lines_of_draft(
    context: &ResearchContext<'_>,
    state: &ResearchState,
    drafted: &[String],
    attempt: u32,
) -> Result<Vec<Section>, RunError> {
    if context.spent().is_some() {
        return Ok(Vec::new());
    }
    let focuses = state.focuses();
    let mut found = drafted_lines::find(state, drafted);
    found.retain(|lines| has_kind(&focuses, &lines.line));
    let text = |lines: &DraftedLines| (title(state, lines.source), lines.around.clone());
    let texts = found.iter().map(text).collect();
    let key = format!("{attempt} line");
    let verdicts = ask(context, state, texts, AnswerQuestion::OfSentences, &key).await?;
    let told = found.into_iter().zip(verdicts);
    let answering = told.filter(|(_, verdict)| is_answer(*verdict));
    let quote = |(lines, _): (DraftedLines, _)| Sentence {
        text: lines.line,
        sources: vec![lines.source],
    };
    Ok(in_section(answering.map(quote).collect()))
}

/// A draft with the lines that its left-out sentences were made of, where a model says that they answer the question: of a question with
/// two parts, a weak writer says one rightly and the other in words that no rule finds supported.
///
/// # Errors
/// When the run is cancelled, or no model of the configuration can answer.
pub(crate) async fn with_rest(
    context: &ResearchContext<'_>,
    state: &ResearchState,
    mut draft: Draft,
    left_out: &[String],
    attempt: u32,
) -> Result<Draft, RunError> {
    if left_out.is_empty() {
        return Ok(draft);
    }
    let lines = lines_of_draft(context, state, left_out, attempt).await?;
    let of_said: HashSet<String> = draft.sentences().flat_map(|said| terms(&said.text)).collect();
    for section in lines {
        let is_new = |sentence: &Sentence| {
            let of_line = terms(&sentence.text);
            let new = of_line.iter().filter(|term| !of_said.contains(*term));
            new.count() >= NEW
        };
        let lines: Vec<Sentence> = section.sentences.into_iter().filter(is_new).collect();
        let count = number(lines.len());
        if let (Some(last), false) = (draft.sections.last_mut(), lines.is_empty()) {
            last.sentences.extend(lines);
            draft.citations.checked += count;
            draft.citations.supported += count;
        }
    }
    Ok(draft)
}

/// Sentences as the one section of a report; without any, no section.
fn in_section(sentences: Vec<Sentence>) -> Vec<Section> {
    let section = Section {
        heading: String::new(),
        sentences,
    };
    match section.sentences.is_empty() {
        true => Vec::new(),
        false => vec![section],
    }
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
        let of_draft = Self::among(context, state, candidates.of_draft, &format!("{attempt} draft")).await?;
        if of_draft.as_ref().is_some_and(|found| !found.passages.is_empty()) {
            return Ok(of_draft);
        }
        let of_question = Self::among(context, state, candidates.of_question, &attempt.to_string()).await?;
        Ok(of_question.or(of_draft))
    }

    /// Those of passages that a model says hold the answer; nothing where it tells of none.
    async fn among(
        context: &ResearchContext<'_>,
        state: &ResearchState,
        passages: Vec<Passage>,
        key: &str,
    ) -> Result<Option<Self>, RunError> {
        let text = |passage: &Passage| (title(state, passage.source), passage.text.clone());
        let verdicts = ask(
            context,
            state,
            passages.iter().map(text).collect(),
            AnswerQuestion::OfPassage,
            key,
        )
        .await?;
        if verdicts.iter().all(Option::is_none) {
            return Ok(None);
        }
        let told = passages.into_iter().zip(verdicts);
        let mut answering: Vec<(AnswerVerdict, Passage)> = told
            .filter_map(|(passage, verdict)| Some((verdict?, passage)))
            .filter(|(verdict, _)| *verdict != AnswerVerdict::Nothing)
            .collect();
        answering.sort_by_key(|(verdict, _)| *verdict != AnswerVerdict::Whole);
        Ok(Some(Self {
            passages: answering.into_iter().map(|(_, passage)| passage).collect(),
        }))
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
                title => title(state, passage.source),
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
        let copies = answer.get("quotes").and_then(Value::as_array);
        let mut quotes: Vec<(usize, Vec<&str>)> = Vec::new();
        for copy in copies.into_iter().flatten() {
            let Some((passage, lines)) = place_of_copy(copy, &passages) else {
                continue;
            };
            if has_kind(&focuses, &lines.join(" ")) {
                quotes.push((passage.source, lines));
            }
        }
        // Of a few sentences a model tells better than of the passage whether they answer.
        let text = |(source, lines): &(usize, Vec<&str>)| (title(state, *source), lines.join("\n"));
        let texts = quotes.iter().map(text).collect();
        let verdicts = ask(
            context,
            state,
            texts,
            AnswerQuestion::OfSentences,
            &format!("{attempt} copy"),
        )
        .await?;
        let mut found: Vec<Sentence> = Vec::new();
        for ((source, lines), verdict) in quotes.into_iter().zip(verdicts) {
            if !is_answer(verdict) {
                continue;
            }
            for line in lines.into_iter().map(quote) {
                if !found.iter().any(|sentence| sentence.text == line) {
                    found.push(Sentence {
                        text: line,
                        sources: vec![source],
                    });
                }
            }
        }
        Ok(in_section(found))
    }
}

/// The passage in which copied words stand, and its sentences that have them. A weak model may give the number of another passage.
fn place_of_copy<'p>(copy: &Value, passages: &[&'p Passage]) -> Option<(&'p Passage, Vec<&'p str>)> {
    let text = copy.get("text").and_then(Value::as_str)?;
    let given = copy.get("passage").and_then(Value::as_u64);
    let given = given.and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
    let mut order = given.into_iter().chain(0..passages.len());
    order.find_map(|place| {
        let passage = *passages.get(place)?;
        let mut lines = copied(&passage.text, text);
        // A heading that stands between the sentences is no part of the answer.
        let is_told = |line: &&str| is_statement(line, &TextFacts::new(line).numbers);
        if lines.iter().any(is_told) {
            lines.retain(is_told);
        }
        (!lines.is_empty()).then_some((passage, lines))
    })
}

/// What the page of a source is called, as a prompt may show it.
fn title(state: &ResearchState, source: usize) -> String {
    let source = state.source(source);
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
            })
        };
        Self {
            of_draft: of_draft.into_iter().filter_map(passage).collect(),
            of_question: of_question.into_iter().filter_map(passage).collect(),
        }
    }
}

/// Asks a model of each text, which has the title of its page before it, whether it states the answer to the question.
async fn ask(
    context: &ResearchContext<'_>,
    state: &ResearchState,
    texts: Vec<(String, String)>,
    asked: AnswerQuestion,
    key: &str,
) -> Result<Vec<Option<AnswerVerdict>>, RunError> {
    let mut work: Vec<BoxFuture<'_, _>> = Vec::new();
    for (place, (title, text)) in texts.into_iter().enumerate() {
        let question = ModelQuestion::new(
            Role::Validator,
            format!("answers {key} {place}"),
            asked.prompt(),
            context! {
                question => state.question.clone(),
                title => title,
                text => quoted(&text, BYTES).to_string(),
            },
            forms::answers(asked.verdicts()),
        )?;
        work.push(Box::pin(context.ask_optional(question)));
    }
    let answers = in_order(context.effort.at_once, work).await;
    let answers: Vec<Option<Value>> = answers.into_iter().collect::<Result<_, _>>()?;
    let verdict = |answer: Option<Value>| match answer?.get("answers")?.as_str()? {
        "yes" => Some(AnswerVerdict::Whole),
        "partly" => Some(AnswerVerdict::Part),
        _ => Some(AnswerVerdict::Nothing),
    };
    Ok(answers.into_iter().map(verdict).collect())
}

/// Whether a sentence has a number or a name that a question has not, or at least [`NEW`] other words: one that has not only says the
/// question again.
fn says_something_new(sentence: &str, question: &str) -> bool {
    let (said, asked) = (TextFacts::new(sentence), TextFacts::new(question));
    let of_question = terms(question);
    let is_new = |term: &&String| !has(&of_question, term);
    let has_number = || {
        let mut numbers = said.numbers.iter();
        numbers.any(|number| !asked.numbers.iter().any(|other| other.text == number.text))
    };
    let has_name = || said.names.iter().any(|name| !has(&of_question, &stem(name)));
    has_number() || has_name() || said.terms.iter().filter(is_new).count() >= NEW
}

/// Whether lines have the kind of answer that the question or a part of it asks for, such as a number. That they have its words is not
/// asked: what a model says of them tells more.
fn has_kind(focuses: &Focuses, lines: &str) -> bool {
    let mut all = std::iter::once(&focuses.asked).chain(&focuses.parts);
    all.any(|focus| focus.has_kind(lines))
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

    #[test]
    fn a_sentence_of_the_words_of_the_question_says_nothing_new() {
        let question = "Why is the Quern mill so cheap to visit?";
        for restated in [
            "The Quern mill is cheap to visit.",
            "Visiting the Quern mill is so cheap.",
        ] {
            assert!(!says_something_new(restated, question), "{restated}");
        }
        for told in [
            "Friends of the mill pay for its upkeep.",
            "It is owned by Anna Holt.",
            "A visit is 2 euros.",
        ] {
            assert!(says_something_new(told, question), "{told}");
        }
    }

    #[test]
    fn a_copy_is_found_in_another_passage_than_it_names_and_without_headings() {
        let passage = |source: usize, text: &str| Passage {
            source,
            text: text.to_owned(),
        };
        let (one, other) = (
            passage(1, "The mill is old."),
            passage(2, "Tickets are $7.95.\nOpening hours"),
        );
        let copy = serde_json::json!({"passage": 1, "text": "Tickets are $7.95. Opening hours"});
        let (found, lines) = place_of_copy(&copy, &[&one, &other]).unwrap();
        assert_eq!((found.source, lines), (2, vec!["Tickets are $7.95."]));
        let nowhere = serde_json::json!({"passage": 9, "text": "Tickets are $8.95."});
        assert!(place_of_copy(&nowhere, &[&one, &other]).is_none());
    }
}
