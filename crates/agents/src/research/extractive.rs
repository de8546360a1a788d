//! Reports without a model: the sentences of the sources that answer the questions best, quoted.

use std::collections::HashSet;

use super::bm25::{Bm25, SourcePassages, best};
use super::citations::{TextFacts, plain};
use super::relevance::{QuestionFocus, is_statement};
use super::state::{ResearchSource, ResearchState, Section, Sentence};
use super::text::{sentences, terms};

/// Most sentences taken of one source for one question.
const OF_ONE: usize = 3;
/// Most sentences for one question.
const OF_ALL: usize = 6;
/// Sentences shorter or longer than this, in bytes, do not read well alone.
const LENGTHS: std::ops::RangeInclusive<usize> = 15..=600;
/// Two sentences with this share of common words say the same.
const SAME: f64 = 0.8;
/// How much a word of the question counts in a sentence when the page's title has it already.
const IN_TITLE: f64 = 0.3;
/// How much more a sentence counts that holds a number where a number is asked for, or a name where a person is.
const FITTING: f64 = 1.4;

/// The best sentences for each question, in sections. A question that nothing in the sources answers has none; `is_strict` where
/// a model has found no answer in them.
pub(crate) fn sections(
    state: &ResearchState,
    sources: &[&ResearchSource],
    most: usize,
    is_strict: bool,
) -> Vec<Section> {
    // What is asked at once stands before what a model made of it.
    let parts = state.parts();
    let mut questions: Vec<&str> = parts.iter().map(String::as_str).collect();
    if questions.is_empty() {
        questions.push(&state.question);
    }
    questions.extend(state.further_questions().into_iter().map(String::as_str));
    let known = state.source_terms();
    let focuses = state.focuses_among(&known);
    // A page without any name of the question is about something else.
    let is_of_page = |source: &&&ResearchSource| {
        let words = [&source.title, &source.text]
            .into_iter()
            .flat_map(|text| terms(text));
        focuses.asked.can_be_in(&words.collect())
    };
    let SourcePassages { passages, bm25 } = SourcePassages::of(sources.iter().filter(is_of_page).copied());
    let title = |id: usize| state.source(id).map_or("", |source| source.title.as_str());
    let each = (most / questions.len()).clamp(2, OF_ALL);
    let focus_of = |question: &str| {
        let focus = QuestionFocus::among(question, &known);
        if is_strict { focus.strictly() } else { focus }
    };
    let mut said: Vec<TextFacts> = Vec::new();
    let mut sections = Vec::new();
    for (number, question) in questions.iter().enumerate() {
        let is_part = number < parts.len();
        // "who wrote it" is looked for with the words of the whole question.
        let focus = focus_of(question);
        let scores = match is_part && !focus.stands_alone() {
            true => bm25.scores(&format!("{question} {}", state.question)),
            false => bm25.scores(question),
        };
        let wanted: HashSet<String> = terms(question).into_iter().collect();
        let mut chosen: Vec<Sentence> = Vec::new();
        for at in best(&scores).into_iter().take(4 * each) {
            let Some((id, passage)) = passages.get(at) else {
                continue;
            };
            if chosen.len() >= each {
                break;
            }
            if chosen.iter().filter(|it| it.sources.contains(id)).count() >= OF_ONE {
                continue;
            }
            let titled = title(*id);
            let answers = |text: &String| {
                let is_near = || match is_part {
                    true => focuses.fits(&focus, text, passage, titled),
                    false => focuses.is_near(text, passage, titled),
                };
                focus.is_answered_by(text, passage, titled) && is_near()
            };
            let spoken = speaking(passage, question, &wanted, titled, &bm25);
            // A sentence that goes on with what is asked where an answer stands is quoted with it.
            if !spoken.iter().any(answers) {
                continue;
            }
            for text in spoken {
                if !answers(&text) && !focus.is_spoken_of_by(&text, titled) {
                    continue;
                }
                let line = TextFacts::new(&text);
                if said.iter().any(|it| it.share(&line.terms) >= SAME) {
                    continue;
                }
                said.push(line);
                chosen.push(Sentence {
                    text,
                    sources: vec![*id],
                });
            }
        }
        chosen.truncate(each);
        if !chosen.is_empty() {
            let heading = if questions.len() > 1 {
                headed(question)
            } else {
                String::new()
            };
            sections.push(Section {
                heading,
                sentences: chosen,
            });
        }
    }
    sections
}

/// A question as a heading: it begins with a capital letter and ends with its sign.
fn headed(question: &str) -> String {
    let mut letters = question.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let end = if question.ends_with(['?', '.', '!']) {
        ""
    } else {
        "?"
    };
    format!("{first}{}{end}", letters.as_str())
}

/// The one or two sentences of a passage that speak most of what is asked, in their order. What the page is called
/// holds for each of its sentences, so that words of the title hardly count.
fn speaking(
    passage: &str,
    question: &str,
    wanted: &HashSet<String>,
    title: &str,
    bm25: &Bm25,
) -> Vec<String> {
    let all: Vec<&str> = sentences(passage);
    let titled: HashSet<String> = terms(title).into_iter().collect();
    let (amount, person) = asks_for(question);
    let score = |text: &str| -> f64 {
        let line = TextFacts::new(text);
        let own: HashSet<String> = terms(text).into_iter().collect();
        let weight = |text: &String| bm25.weight(text) * if titled.contains(text) { IN_TITLE } else { 1.0 };
        let mut held: Vec<f64> = wanted.intersection(&own).map(weight).collect();
        held.sort_by(f64::total_cmp);
        let sum: f64 = held.iter().sum();
        let fits = (amount && !line.numbers.is_empty()) || (person && line.names.len() >= 2);
        if fits { sum * FITTING } else { sum }
    };
    let mut ranked: Vec<(usize, f64)> = all
        .iter()
        .enumerate()
        .filter(|(_, it)| LENGTHS.contains(&it.len()) && is_statement(it, &TextFacts::new(it).numbers))
        .map(|(at, it)| (at, score(it)))
        .filter(|(_, it)| *it > 0.0)
        .collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut places: Vec<usize> = ranked.into_iter().take(2).map(|(at, _)| at).collect();
    places.sort_unstable();
    let text = |at: &usize| all.get(*at).map(|it| plain(it));
    places
        .iter()
        .filter_map(text)
        .filter(|it| !it.is_empty())
        .collect()
}

/// Whether a question asks for a number or a time, and whether for a person.
fn asks_for(question: &str) -> (bool, bool) {
    let words = super::text::words(question);
    let pair = |first: &str, second: &[&str]| {
        words
            .windows(2)
            .any(|window| matches!(window, [a, b] if a == first && second.contains(&b.as_str())))
    };
    let amounts = [
        "many", "much", "deep", "tall", "long", "old", "far", "big", "large", "high", "fast", "heavy",
        "wide", "often",
    ];
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let amount = pair("how", &amounts)
        || has(&[
            "when",
            "year",
            "date",
            "price",
            "cost",
            "percent",
            "number",
            "population",
        ]);
    (amount, has(&["who", "whom", "whose", "author"]))
}

/// What a page says of a question, in its own words: for a reading without a model.
pub(crate) fn summary(text: &str, title: &str, question: &str) -> (String, f64) {
    let passages = super::text::passages(text);
    let bm25 = Bm25::new(passages.iter().map(String::as_str));
    let ranked = best(&bm25.scores(question));
    let coverage = bm25.coverage(question, &ranked);
    let wanted: HashSet<String> = terms(question).into_iter().collect();
    let first = ranked.first().and_then(|at| passages.get(*at));
    let told = first
        .map(|first| speaking(first, question, &wanted, title, &bm25).join(" "))
        .unwrap_or_default();
    (told.chars().take(500).collect(), coverage)
}
