//! Verification of a draft: each sentence is checked against its sources. One that nothing supports is revised once in modes in which a
//! model is asked about citations, else dropped.

use llm::Role;
use minijinja::context;
use serde_json::Value;
use wire::research::CitationCounts;

use super::citations::{CitationChecker, SupportVerdict, TextFacts, plain};
use super::context::{ModelQuestion, ResearchContext};
use super::phases::number;
use super::prompts::{self, forms, quoted};
use super::relevance::Focuses;
use super::state::{Draft, ResearchSource, ResearchState, Section, Sentence};
use crate::run_error::RunError;

/// Statements put to a model in one question.
const BATCH: usize = 8;
/// Bytes of a source shown with one statement.
const PASSAGE: usize = 900;
/// Most sources that are asked of a sentence whose own do not exist.
const MOST_OPEN: usize = 2;
/// Most sentences that are sent back to the writer.
const REVISED: usize = 12;

/// A section as the writer gave it.
#[derive(Debug, Clone, Default)]
pub(crate) struct DraftedSection {
    pub(crate) heading: String,
    /// Sentences with the numbers of their sources, of which some may not exist.
    pub(crate) sentences: Vec<(String, Vec<i64>)>,
}

/// A sentence of an answer with its sources; none without text.
pub(crate) fn sentence(value: &Value) -> Option<(String, Vec<i64>)> {
    let text = plain(value.get("text")?.as_str()?);
    let ids = value
        .get("sources")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let id = |value: &Value| {
        value
            .as_i64()
            .or_else(|| value.as_str()?.trim_matches(['[', ']', ' ']).parse().ok())
    };
    let mut found: Vec<i64> = ids.filter_map(id).collect();
    let mut seen = std::collections::HashSet::new();
    found.retain(|it| seen.insert(*it));
    (!text.is_empty()).then_some((text, found))
}

/// A sentence and what is thought of it.
struct CheckedSentence {
    text: String,
    line: TextFacts,
    /// Sources that support it.
    supporting: Vec<usize>,
    /// Sources of which rules cannot tell.
    open: Vec<usize>,
    /// What is wrong with the others.
    objections: Vec<String>,
    /// Whether it helps to answer the question, where a model was asked.
    relevant: Option<bool>,
    given: Vec<i64>,
}

impl CheckedSentence {
    fn new(checker: &CitationChecker<'_>, text: String, given: Vec<i64>) -> Self {
        let line = TextFacts::new(&text);
        let (mut supporting, mut open, mut objections) = (Vec::new(), Vec::new(), Vec::new());
        let named: Vec<usize> = given.iter().map(|id| usize::try_from(*id).unwrap_or(0)).collect();
        for id in &named {
            match checker.check(&line, *id) {
                SupportVerdict::Supported => supporting.push(*id),
                SupportVerdict::Open => open.push(*id),
                SupportVerdict::Unsupported(why) => objections.push(format!("source {id}: {why}")),
            }
        }
        // Where no source has one of the numbers, a weak model has made them up, and any source may say so.
        if !named.is_empty() && !named.iter().any(|id| checker.stems(*id).is_some()) {
            open.extend(checker.nearest(&line, MOST_OPEN));
        }
        Self {
            text,
            line,
            supporting,
            open,
            objections,
            relevant: None,
            given,
        }
    }
}

/// Checks every sentence and keeps what holds.
pub(crate) async fn verify(
    context: &ResearchContext<'_>,
    state: &ResearchState,
    checker: &CitationChecker<'_>,
    written: Vec<DraftedSection>,
    attempt: u32,
) -> Result<Draft, RunError> {
    let mut citations = CitationCounts::default();
    let mut sections: Vec<(String, Vec<CheckedSentence>)> = Vec::new();
    for section in written {
        let sentences = section.sentences.into_iter();
        let checked: Vec<CheckedSentence> = sentences
            .map(|(text, ids)| CheckedSentence::new(checker, text, ids))
            .collect();
        citations.checked += number(checked.iter().map(|it| it.given.len()).sum());
        sections.push((plain(&section.heading), checked));
    }
    let mut all: Vec<&mut CheckedSentence> = sections.iter_mut().flat_map(|section| &mut section.1).collect();
    ask_validator(
        context,
        &state.question,
        checker,
        &mut all,
        &format!("verify {attempt}"),
    )
    .await?;
    for it in &mut all {
        attribute(checker, it, &mut citations);
    }
    if context.effort.asks {
        citations.checked += revise(context, state, checker, &mut all, attempt).await?;
    }
    drop(all);
    let given: usize = sections.iter().map(|section| section.1.len()).sum();
    let mut draft = Draft::default();
    let mut said: Vec<String> = Vec::new();
    let relevance = RelevanceRules {
        state,
        checker,
        focuses: state.focuses(),
        is_judged: sections
            .iter()
            .flat_map(|section| &section.1)
            .any(|it| it.relevant.is_some()),
    };
    for (heading, checked) in sections {
        let kept = checked
            .into_iter()
            .filter(|it| relevance.is_relevant(it))
            .filter_map(|it| keep(state, it, &mut said))
            .collect();
        draft.sections.push(Section {
            heading,
            sentences: kept,
        });
    }
    // A heading over nothing is left out.
    draft.sections.retain(|section| {
        section
            .sentences
            .iter()
            .any(|sentence| !sentence.sources.is_empty())
    });
    let supported = draft.supported();
    let kept: usize = draft.sections.iter().map(|section| section.sentences.len()).sum();
    draft.left_out = given - kept;
    citations.supported = number(supported);
    citations.dropped = citations.checked.saturating_sub(citations.supported);
    draft.citations = citations;
    Ok(draft)
}

/// A sentence that no source of its own supports may be supported by another one.
fn attribute(checker: &CitationChecker<'_>, it: &mut CheckedSentence, citations: &mut CitationCounts) {
    if it.supporting.is_empty()
        && let Some(id) = checker.find(&it.line)
    {
        it.supporting.push(id);
        if !it.given.contains(&i64::try_from(id).unwrap_or(0)) {
            citations.checked += 1;
        }
    }
}

/// Whether a sentence of a draft holds what is asked for with every word of the question, by rules; of others a model is asked. Of
/// sources in another language that cannot be told.
pub(crate) fn is_answered(state: &ResearchState, checker: &CitationChecker<'_>, draft: &Draft) -> bool {
    let relevance = RelevanceRules {
        state,
        checker,
        focuses: state.focuses().wholly(),
        is_judged: false,
    };
    let mut sentences = draft.sections.iter().flat_map(|section| &section.sentences);
    relevance.is_foreign() || sentences.any(|sentence| relevance.answers(&sentence.text, &sentence.sources))
}

/// Whether sentences speak of the questions of a run.
struct RelevanceRules<'a> {
    state: &'a ResearchState,
    checker: &'a CitationChecker<'a>,
    focuses: Focuses,
    /// Whether a model has judged the relevance of the draft's sentences.
    is_judged: bool,
}

impl RelevanceRules<'_> {
    /// Whether a sentence speaks of the question: no model denies it, and it or the title of a source of it has a word of
    /// the question. Beside sentences that a model has judged, one that it was not shown has to hold what is asked for.
    fn is_relevant(&self, it: &CheckedSentence) -> bool {
        if !it.supporting.iter().any(|id| self.is_of_page(*id)) {
            return false;
        }
        let titles: Vec<&str> = it.supporting.iter().map(|id| self.title(*id)).collect();
        let touches = || self.focuses.touches(&it.text, &titles.join(" "));
        match it.relevant {
            Some(false) => false,
            None if self.is_judged => self.is_foreign() || self.answers(&it.text, &it.supporting),
            Some(true) | None => touches() || self.is_foreign(),
        }
    }

    /// Whether a source can be about what is asked.
    fn is_of_page(&self, id: usize) -> bool {
        let stems = self.checker.stems(id);
        stems.is_some_and(|stems| self.focuses.asked.can_be_in(stems))
    }

    /// Whether a sentence with what its sources say beside it answers the question, or one that was made of it and is near it.
    fn answers(&self, text: &str, sources: &[usize]) -> bool {
        let line = TextFacts::new(text);
        sources.iter().filter(|id| self.is_of_page(**id)).any(|id| {
            let passage = format!("{text} {}", self.checker.closest(&line, *id, PASSAGE));
            self.focuses.are_answered_by(text, &passage, self.title(*id))
        })
    }

    /// Whether no source has any word of the questions: they are in another language.
    fn is_foreign(&self) -> bool {
        let has_word = |source: &ResearchSource| self.focuses.touches(&source.text, &source.title);
        !self.state.sources.iter().any(has_word)
    }

    fn title(&self, id: usize) -> &str {
        self.state.source(id).map_or("", |source| source.title.as_str())
    }
}

/// The sentence as it goes out; none when nothing supports it, or it was said before.
fn keep(state: &ResearchState, it: CheckedSentence, said: &mut Vec<String>) -> Option<Sentence> {
    let plain_words = super::text::words(&it.text).join(" ");
    if said.contains(&plain_words) {
        return None;
    }
    if it.supporting.is_empty() {
        return None;
    }
    said.push(plain_words);
    let mut sources = independent(state, it.supporting);
    sources.sort_unstable();
    let mut text = it.text;
    let disputed = state.conflicts.iter().any(|conflict| {
        sources
            .iter()
            .any(|id| [conflict.left, conflict.right].contains(id))
            && conflict.touches(&text)
    });
    if disputed {
        text.push_str(" (Disputed: a near copy of this source gives another number.)");
    }
    Some(Sentence { text, sources })
}

/// Of sources that copy one another only the first: they do not confirm each other.
fn independent(state: &ResearchState, ids: Vec<usize>) -> Vec<usize> {
    let head = |id: usize| {
        state
            .copies
            .iter()
            .find(|(copy, _)| *copy == id)
            .map_or(id, |(_, first)| *first)
    };
    let mut kept: Vec<usize> = Vec::new();
    for id in ids {
        if !kept.iter().any(|it| head(*it) == head(id)) {
            kept.push(id);
        }
    }
    kept
}

/// Asks a model where rules cannot tell, and in thorough modes also where they can.
async fn ask_validator(
    context: &ResearchContext<'_>,
    question: &str,
    checker: &CitationChecker<'_>,
    all: &mut [&mut CheckedSentence],
    key: &str,
) -> Result<(), RunError> {
    let asks = context.effort.asks && context.has_model() && context.spent().is_none();
    let mut cases: Vec<(usize, usize, bool)> = Vec::new();
    for (at, it) in all.iter().enumerate() {
        let open = it.open.iter().map(|id| (at, *id, true));
        let supporting = it.supporting.iter().map(|id| (at, *id, false));
        cases.extend(open.chain(supporting));
    }
    if !asks {
        for it in all.iter_mut() {
            // Exact names and numbers in other words are as much as rules can ask for.
            let open = std::mem::take(&mut it.open);
            if !it.line.numbers.is_empty() {
                it.supporting.extend(open.iter().copied());
            }
            let line = &it.line;
            // What a number is of was checked with the number.
            it.supporting
                .retain(|id| !line.numbers.is_empty() || checker.is_close(line, *id));
            let objections = open.iter().filter(|id| !it.supporting.contains(id));
            it.objections.extend(
                objections.map(|id| format!("source {id}: it speaks of this in other words at best")),
            );
        }
        return Ok(());
    }
    for (batch, cases) in cases.chunks(BATCH).enumerate() {
        let statement = |(place, (at, id, _)): (usize, &(usize, usize, bool))| {
            let it = all.get(*at)?;
            let passage = checker.closest(&it.line, *id, PASSAGE);
            let passage = quoted(&passage, PASSAGE + 200).to_string();
            Some(context! { number => place + 1, text => it.text.clone(), passage => passage })
        };
        let statements: Vec<minijinja::Value> = cases.iter().enumerate().filter_map(statement).collect();
        let asked = ModelQuestion::new(
            Role::Validator,
            format!("{key} {batch}"),
            prompts::VERIFY,
            context! { question => question, statements => statements },
            forms::verdicts(cases.len()),
        )?;
        let answer = context.ask_optional(asked).await?.unwrap_or_default();
        let verdicts = answer
            .get("verdicts")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        for (place, (at, id, open)) in cases.iter().enumerate() {
            let own = verdicts
                .iter()
                .find(|verdict| verdict["number"].as_u64() == Some(place as u64 + 1));
            let supported = own.and_then(|it| it["supported"].as_bool());
            let Some(it) = all.get_mut(*at) else { continue };
            let relevant = own.and_then(|it| it["relevant"].as_bool());
            it.relevant = it
                .relevant
                .or(relevant)
                .map(|before| before && relevant != Some(false));
            match (open, supported) {
                (true, Some(true)) => it.supporting.push(*id),
                (true, _) => it.objections.push(format!("source {id}: it does not say this")),
                (false, Some(false)) => {
                    it.supporting.retain(|own| own != id);
                    it.objections
                        .push(format!("source {id}: it does not say quite this"));
                }
                (false, _) => {}
            }
        }
    }
    for it in all.iter_mut() {
        it.open.clear();
    }
    Ok(())
}

/// Sends sentences that nothing supports back to the writer, once; how many citations of revised sentences were checked.
async fn revise(
    context: &ResearchContext<'_>,
    state: &ResearchState,
    checker: &CitationChecker<'_>,
    all: &mut [&mut CheckedSentence],
    attempt: u32,
) -> Result<u32, RunError> {
    let is_unsupported =
        |sentence: &CheckedSentence| sentence.supporting.is_empty() && !sentence.given.is_empty();
    let unsupported: Vec<usize> = (0..all.len())
        .filter(|index| all.get(*index).is_some_and(|sentence| is_unsupported(sentence)))
        .take(REVISED)
        .collect();
    if unsupported.is_empty() || !context.has_model() {
        return Ok(0);
    }
    let shown = unsupported.iter().enumerate().filter_map(|(place, index)| {
        let sentence = all.get(*index)?;
        Some(context! {
            number => place + 1,
            text => sentence.text.clone(),
            why => sentence.objections.join("; "),
            text_of_sources => passages(state, checker, sentence),
        })
    });
    let question = ModelQuestion::new(
        Role::Writer,
        format!("revise {attempt}"),
        prompts::REVISE,
        context! { question => state.question.clone(), failed => shown.collect::<Vec<_>>() },
        forms::revision(unsupported.len()),
    )?;
    let Some(answer) = context.ask_optional(question).await? else {
        return Ok(0);
    };
    let mut checked = 0;
    let mut revised: Vec<usize> = Vec::new();
    let sentences = answer.get("sentences").and_then(Value::as_array);
    for value in sentences.into_iter().flatten() {
        let number_of = |value: &Value| usize::try_from(value["number"].as_u64()?).ok()?.checked_sub(1);
        let Some(index) = number_of(value).and_then(|place| unsupported.get(place)).copied() else {
            continue;
        };
        let (Some((text, given)), Some(place)) = (sentence(value), all.get_mut(index)) else {
            continue;
        };
        checked += number(given.len());
        **place = CheckedSentence::new(checker, text, given);
        revised.push(index);
    }
    let indexed = all.iter_mut().enumerate();
    let again = indexed.filter(|(index, _)| revised.contains(index));
    let mut again: Vec<&mut CheckedSentence> = again.map(|(_, sentence)| &mut **sentence).collect();
    ask_validator(
        context,
        &state.question,
        checker,
        &mut again,
        &format!("verify {attempt} revised"),
    )
    .await?;
    Ok(checked)
}

/// What the first two sources of a sentence say about it, quoted.
fn passages(state: &ResearchState, checker: &CitationChecker<'_>, sentence: &CheckedSentence) -> String {
    let ids = sentence.given.iter().filter_map(|id| usize::try_from(*id).ok());
    let known = ids.filter(|id| state.source(*id).is_some()).take(2);
    let passages = known.map(|id| {
        let passage = checker.closest(&sentence.line, id, PASSAGE);
        format!("Source {id}:\n{}", quoted(&passage, PASSAGE + 200))
    });
    passages.collect::<Vec<_>>().join("\n")
}
