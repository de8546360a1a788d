//! Which sentences of a draft may go out, and with which sources? What fails is mended once, else dropped.

use llm::Role;
use minijinja::context;
use serde_json::Value;
use wire::research::Citations;

use super::citations::{Ledger, Line, Verdict, plain};
use super::desk::{Ask, Desk, Halt};
use super::notebook::{Draft, Notebook, Section, Sentence};
use super::phases::{number, ours};
use super::prompts::{self, forms, quoted};

/// Statements put to a model in one question.
const BATCH: usize = 8;
/// Bytes of a source shown with one statement.
const PASSAGE: usize = 900;
/// Most sentences that are sent back to the writer.
const REVISED: usize = 12;

/// A section as the writer gave it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Written {
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
    let id = |it: &Value| {
        it.as_i64()
            .or_else(|| it.as_str()?.trim_matches(['[', ']', ' ']).parse().ok())
    };
    let mut found: Vec<i64> = ids.filter_map(id).collect();
    let mut seen = std::collections::HashSet::new();
    found.retain(|it| seen.insert(*it));
    (!text.is_empty()).then_some((text, found))
}

/// A sentence and what is thought of it.
struct Weighed {
    text: String,
    line: Line,
    /// Sources that support it.
    good: Vec<usize>,
    /// Sources of which rules cannot tell.
    open: Vec<usize>,
    /// What is wrong with the others.
    faults: Vec<String>,
    given: Vec<i64>,
}

impl Weighed {
    fn new(ledger: &Ledger<'_>, text: String, given: Vec<i64>) -> Self {
        let line = Line::new(&text);
        let (mut good, mut open, mut faults) = (Vec::new(), Vec::new(), Vec::new());
        for id in &given {
            let id = usize::try_from(*id).unwrap_or(0);
            match ledger.check(&line, id) {
                Verdict::Supported => good.push(id),
                Verdict::Open => open.push(id),
                Verdict::Unsupported(why) => faults.push(format!("source {id}: {why}")),
            }
        }
        Self {
            text,
            line,
            good,
            open,
            faults,
            given,
        }
    }
}

/// Checks every sentence and keeps what holds.
pub(crate) async fn settle(
    desk: &Desk<'_>,
    book: &Notebook,
    ledger: &Ledger<'_>,
    written: Vec<Written>,
    attempt: u32,
) -> Result<Draft, Halt> {
    let mut citations = Citations::default();
    let mut sections: Vec<(String, Vec<Weighed>)> = Vec::new();
    for section in written {
        let sentences = section.sentences.into_iter();
        let weighed: Vec<Weighed> = sentences
            .map(|(text, ids)| Weighed::new(ledger, text, ids))
            .collect();
        citations.checked += number(weighed.iter().map(|it| it.given.len()).sum());
        sections.push((plain(&section.heading), weighed));
    }
    let mut all: Vec<&mut Weighed> = sections.iter_mut().flat_map(|section| &mut section.1).collect();
    verify(desk, ledger, &mut all, &format!("verify {attempt}")).await?;
    for it in &mut all {
        attribute(ledger, it, &mut citations);
    }
    citations.checked += revise(desk, book, ledger, &mut all, attempt).await?;
    drop(all);
    let given: usize = sections.iter().map(|section| section.1.len()).sum();
    let mut draft = Draft::default();
    let mut said: Vec<String> = Vec::new();
    for (heading, weighed) in sections {
        let kept = weighed
            .into_iter()
            .filter_map(|it| keep(book, it, &mut said))
            .collect();
        draft.sections.push(Section {
            heading,
            sentences: kept,
        });
    }
    // A heading over nothing is left out.
    draft
        .sections
        .retain(|section| section.sentences.iter().any(|sentence| !sentence.sources.is_empty()));
    let supported: usize = draft
        .sections
        .iter()
        .flat_map(|section| &section.sentences)
        .map(|it| it.sources.len())
        .sum();
    let kept: usize = draft.sections.iter().map(|section| section.sentences.len()).sum();
    draft.left_out = given - kept;
    citations.supported = number(supported);
    citations.dropped = citations.checked.saturating_sub(citations.supported);
    draft.citations = citations;
    Ok(draft)
}

/// A sentence that no source of its own supports may be supported by another one.
fn attribute(ledger: &Ledger<'_>, it: &mut Weighed, citations: &mut Citations) {
    if it.good.is_empty()
        && let Some(id) = ledger.find(&it.line)
    {
        it.good.push(id);
        if !it.given.contains(&i64::try_from(id).unwrap_or(0)) {
            citations.checked += 1;
        }
    }
}

/// The sentence as it goes out; none when nothing supports it, or it was said before.
fn keep(book: &Notebook, it: Weighed, said: &mut Vec<String>) -> Option<Sentence> {
    let plain_words = super::words::words(&it.text).join(" ");
    if said.contains(&plain_words) {
        return None;
    }
    if it.good.is_empty() {
        return None;
    }
    said.push(plain_words);
    let mut sources = independent(book, it.good);
    sources.sort_unstable();
    let mut text = it.text;
    let disputed = book.disputes.iter().any(|dispute| {
        sources
            .iter()
            .any(|id| [dispute.left, dispute.right].contains(id))
            && dispute.touches(&text)
    });
    if disputed {
        text.push_str(" (Disputed: a near copy of this source gives another number.)");
    }
    Some(Sentence { text, sources })
}

/// Of sources that copy one another only the first: they do not confirm each other.
fn independent(book: &Notebook, ids: Vec<usize>) -> Vec<usize> {
    let head = |id: usize| {
        book.copies
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
async fn verify(
    desk: &Desk<'_>,
    ledger: &Ledger<'_>,
    all: &mut [&mut Weighed],
    key: &str,
) -> Result<(), Halt> {
    let asks = desk.effort.asks && desk.has_model() && desk.spent().is_none();
    let mut cases: Vec<(usize, usize, bool)> = Vec::new();
    for (at, it) in all.iter().enumerate() {
        let open = it.open.iter().map(|id| (at, *id, true));
        let good = it.good.iter().map(|id| (at, *id, false));
        cases.extend(open.chain(good));
    }
    if !asks {
        for it in all.iter_mut() {
            // Exact names and numbers in other words are as much as rules can ask for.
            let exact = !it.line.numbers.is_empty();
            let open = std::mem::take(&mut it.open);
            if exact {
                it.good.extend(open);
            } else {
                it.faults.extend(
                    open.iter()
                        .map(|id| format!("source {id}: it speaks of this in other words at best")),
                );
            }
        }
        return Ok(());
    }
    for (batch, cases) in cases.chunks(BATCH).enumerate() {
        let statement = |(place, (at, id, _)): (usize, &(usize, usize, bool))| {
            let it = all.get(*at)?;
            let passage = ledger.closest(&it.line, *id, PASSAGE);
            let passage = quoted(&passage, PASSAGE + 200).to_string();
            Some(context! { number => place + 1, text => it.text.clone(), passage => passage })
        };
        let statements: Vec<minijinja::Value> = cases.iter().enumerate().filter_map(statement).collect();
        let ask = Ask {
            role: Role::Validator,
            key: format!("{key} {batch}"),
            system: prompts::SYSTEM.into(),
            text: prompts::render(prompts::VERIFY, context! { statements => statements }).map_err(ours)?,
            wanted: forms::verdicts(cases.len()).map_err(ours)?,
        };
        let answer = desk.ask(ask).await?.unwrap_or_default();
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
            match (open, supported) {
                (true, Some(true)) => it.good.push(*id),
                (true, _) => it.faults.push(format!("source {id}: it does not say this")),
                (false, Some(false)) => {
                    it.good.retain(|own| own != id);
                    it.faults.push(format!("source {id}: it does not say quite this"));
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

/// Sends sentences that nothing supports back to the writer, once. How many more citations were checked.
async fn revise(
    desk: &Desk<'_>,
    book: &Notebook,
    ledger: &Ledger<'_>,
    all: &mut [&mut Weighed],
    attempt: u32,
) -> Result<u32, Halt> {
    let failed: Vec<usize> = (0..all.len())
        .filter(|at| {
            all.get(*at)
                .is_some_and(|it| it.good.is_empty() && !it.given.is_empty())
        })
        .take(REVISED)
        .collect();
    if failed.is_empty() || !desk.has_model() {
        return Ok(0);
    }
    let told = |(place, at): (usize, &usize)| {
        let it = all.get(*at)?;
        let known = it
            .given
            .iter()
            .filter_map(|id| usize::try_from(*id).ok())
            .filter(|id| book.source(*id).is_some());
        let passages: Vec<String> = known
            .take(2)
            .map(|id| {
                format!(
                    "Source {id}:\n{}",
                    quoted(&ledger.closest(&it.line, id, PASSAGE), PASSAGE + 200)
                )
            })
            .collect();
        Some(context! {
            number => place + 1,
            text => it.text.clone(),
            why => it.faults.join("; "),
            text_of_sources => passages.join("\n"),
        })
    };
    let sentences: Vec<minijinja::Value> = failed.iter().enumerate().filter_map(told).collect();
    let ask = Ask {
        role: Role::Writer,
        key: format!("revise {attempt}"),
        system: prompts::SYSTEM.into(),
        text: prompts::render(
            prompts::REVISE,
            context! { question => book.question.clone(), failed => sentences },
        )
        .map_err(ours)?,
        wanted: forms::revision(failed.len()).map_err(ours)?,
    };
    let Ok(answer) = desk.ask(ask).await? else {
        return Ok(0);
    };
    let mut checked = 0;
    let mut mended: Vec<usize> = Vec::new();
    for value in answer
        .get("sentences")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let place = value["number"]
            .as_u64()
            .and_then(|it| usize::try_from(it).ok())
            .and_then(|it| it.checked_sub(1));
        let Some(at) = place.and_then(|place| failed.get(place)).copied() else {
            continue;
        };
        let (Some((text, given)), Some(place)) = (sentence(value), all.get_mut(at)) else {
            continue;
        };
        checked += number(given.len());
        **place = Weighed::new(ledger, text, given);
        mended.push(at);
    }
    let mut again: Vec<&mut Weighed> = all
        .iter_mut()
        .enumerate()
        .filter(|(at, _)| mended.contains(at))
        .map(|(_, it)| &mut **it)
        .collect();
    verify(desk, ledger, &mut again, &format!("verify {attempt} revised")).await?;
    Ok(checked)
}
