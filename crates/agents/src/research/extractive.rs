//! Reports without a model: the sentences of the sources that answer the questions best, quoted.

use std::collections::HashSet;

use super::bm25::{Bm25, SourcePassages, best};
use super::citations::{TextFacts, quote};
use super::relevance::subject::{self, Aboutness, Subject};
use super::relevance::{QuestionFocus, is_statement};
use super::state::{ResearchSource, ResearchState, Section, Sentence};
use super::table_rows::labelled;
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
    // A row of a table says what its cells are only with the headings of its columns.
    let split = |text: &str| super::text::passages(&labelled(text));
    let SourcePassages { passages, bm25 } =
        SourcePassages::split(sources.iter().filter(is_of_page).copied(), split);
    let counts = subject::counts(sources.iter().map(|source| source.text.as_str()));
    let subject_of = |question: &str, focus: &QuestionFocus| {
        Subject::of(question, &counts, focus.asks_kind(), focus.asks_person())
    };
    let whole = subject_of(&state.question, &focuses.asked);
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
        let own = subject_of(question, &focus);
        // "who built it" is asked of what the rest of the question names.
        let subject = match is_part && own.is_empty() && !focus.stands_alone() {
            true => &whole,
            false => &own,
        };
        let scores = match is_part && !focus.stands_alone() {
            true => bm25.scores(&format!("{question} {}", state.question)),
            false => bm25.scores(question),
        };
        let wanted: HashSet<String> = terms(question).into_iter().collect();
        let mut chosen: Vec<(Aboutness, Sentence)> = Vec::new();
        for at in best(&scores).into_iter().take(4 * each) {
            let Some((id, passage)) = passages.get(at) else {
                continue;
            };
            if chosen.len() >= each {
                break;
            }
            if chosen.iter().filter(|(_, it)| it.sources.contains(id)).count() >= OF_ONE {
                continue;
            }
            let titled = title(*id);
            let answers = |text: &str| {
                let is_near = || match is_part {
                    true => focuses.fits(&focus, text, passage, titled),
                    false => focuses.is_near(text, passage, titled),
                };
                focus.is_answered_by(text, passage, titled) && is_near()
            };
            let all: Vec<&str> = sentences(passage);
            let about = |at: usize| subject.aboutness(&all, at, titled);
            let rank = |at: usize, text: &str| match about(at) {
                Aboutness::Other => None,
                Aboutness::Titled | Aboutness::Named => Some(answers(text)),
            };
            let asked = Asked {
                question,
                wanted: &wanted,
                title: titled,
            };
            let spoken = asked.speaking(&all, &bm25, rank);
            // A sentence that goes on with what is asked where an answer stands is quoted with it.
            if !spoken.iter().any(|(_, text)| answers(text)) {
                continue;
            }
            for (place, text) in spoken {
                if !answers(&text) && !focus.is_spoken_of_by(&text, titled) {
                    continue;
                }
                let line = TextFacts::new(&text);
                if said.iter().any(|it| it.share(&line.terms) >= SAME) {
                    continue;
                }
                said.push(line);
                let sources = vec![*id];
                chosen.push((about(place), Sentence { text, sources }));
            }
        }
        // What another thing of the page is answers only where nothing is said of the one that is asked for.
        if chosen.iter().any(|(about, _)| *about == Aboutness::Named) {
            chosen.retain(|(about, _)| *about == Aboutness::Named);
        }
        let mut chosen: Vec<Sentence> = chosen.into_iter().map(|(_, sentence)| sentence).collect();
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

/// What is asked of a page with a title.
struct Asked<'a> {
    question: &'a str,
    /// The words of the question.
    wanted: &'a HashSet<String>,
    title: &'a str,
}

impl Asked<'_> {
    /// The one or two of these sentences that speak most of what is asked, in their order, with their places. What the page is called
    /// holds for each of its sentences, so that words of the title hardly count. `rank` says of each sentence whether it answers, which
    /// comes first; those for which it says nothing are left out.
    fn speaking(
        &self,
        all: &[&str],
        bm25: &Bm25,
        rank: impl Fn(usize, &str) -> Option<bool>,
    ) -> Vec<(usize, String)> {
        let titled: HashSet<String> = terms(self.title).into_iter().collect();
        let (amount, person) = asks_for(self.question);
        let score = |text: &str| -> f64 {
            let line = TextFacts::new(text);
            let own: HashSet<String> = terms(text).into_iter().collect();
            let weight =
                |text: &String| bm25.weight(text) * if titled.contains(text) { IN_TITLE } else { 1.0 };
            let mut held: Vec<f64> = self.wanted.intersection(&own).map(weight).collect();
            held.sort_by(f64::total_cmp);
            let sum: f64 = held.iter().sum();
            let fits = (amount && !line.numbers.is_empty()) || (person && line.names.len() >= 2);
            if fits { sum * FITTING } else { sum }
        };
        let is_readable =
            |text: &str| LENGTHS.contains(&text.len()) && is_statement(text, &TextFacts::new(text).numbers);
        let mut ranked: Vec<(usize, bool, f64)> = all
            .iter()
            .enumerate()
            .filter(|(_, text)| is_readable(text))
            .filter_map(|(at, text)| Some((at, rank(at, text)?, score(text))))
            .filter(|(_, answers, score)| *answers || *score > 0.0)
            .collect();
        ranked.sort_by(|a, b| b.1.cmp(&a.1).then(b.2.total_cmp(&a.2)).then(a.0.cmp(&b.0)));
        let mut places: Vec<usize> = ranked.into_iter().take(2).map(|(at, ..)| at).collect();
        places.sort_unstable();
        places
            .into_iter()
            .filter_map(|at| Some((at, quote(all.get(at)?))))
            .filter(|(_, text)| !text.is_empty())
            .collect()
    }
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
    let asked = Asked {
        question,
        wanted: &wanted,
        title,
    };
    let first = ranked.first().and_then(|at| passages.get(*at));
    let told = first
        .map(|first| asked.speaking(&sentences(first), &bm25, |_, _| Some(false)))
        .unwrap_or_default();
    let told: Vec<String> = told.into_iter().map(|(_, text)| text).collect();
    let told = told.join(" ");
    (told.chars().take(500).collect(), coverage)
}

#[cfg(test)]
mod tests {
    use wire::research::UrlSource;

    use super::*;

    const TEXTS: [(&str, &str); 5] = [
        (
            "Mills of Arn county",
            "The Quern mill is 31 metres tall. The Lumo mill is not 45 metres tall, as some say, but 54 metres.\n\
             The Brask mill was planned with a height of 80 metres; it was never built.\n\n\
             | mill | height | built |\n|---|---|---|\n| Zelt | 22 m | 1901 |\n| Marn | 37 m | 1955 |\n\n\
             The entrance fee is 5 euros for adults and 3 euros for children.",
        ),
        (
            "River Ompa",
            "The river Ompa is 212 kilometres long. Its tributary Sela is 48 kilometres long.\n\
             In 2019 about 12,000 people visited the museum; in 2020 it was 4,000.",
        ),
        (
            "Dogs are not allowed in the museum of Ompa.",
            "Dogs are not allowed in the museum of Ompa. The director of the museum is Eva Sund.\n\
             Tickets cost 8 euros. On Sundays the entrance is free.",
        ),
        (
            "Reports",
            "The night report number 4900 says that the water rose by 49 centimetres.\n\
             The night report number 4903 says that the water rose by 52 centimetres.",
        ),
        (
            "Die Mühlen von Harm",
            "Die Holt-Mühle ist 22 Meter hoch. Die Dorn-Mühle ist 30 Meter hoch und steht am Fluss.",
        ),
    ];

    fn answers(question: &str) -> Vec<String> {
        let source = |(place, (title, text)): (usize, &(&str, &str))| ResearchSource {
            id: place + 1,
            title: (*title).to_owned(),
            text: (*text).to_owned(),
            url: format!("https://mill.example/{place}"),
            links: Vec::new(),
            found: UrlSource::SearchResult,
            queries: Vec::new(),
            depth: 0,
            parent: None,
            reading: None,
        };
        let state = ResearchState {
            question: question.to_owned(),
            sources: TEXTS.iter().enumerate().map(source).collect(),
            ..ResearchState::default()
        };
        let sections = sections(&state, &state.relevant_sources(), 20, false);
        let sentences = sections.into_iter().flat_map(|section| section.sentences);
        sentences.map(|sentence| sentence.text).collect()
    }

    #[test]
    fn what_is_said_of_another_thing_answers_nothing() {
        for question in [
            "How tall is the Zarn mill?",
            "How deep is the river Ompa?",
            "How wide is the river Ompa?",
            "How many visitors did the museum have in 2018?",
            "How old is the Quern mill?",
            "Where is the Quern mill?",
            "What does the entrance cost for dogs?",
            "How much did the water rise in report number 4905?",
            "Wie tief ist die Holt-Mühle?",
        ] {
            assert_eq!(answers(question), Vec::<String>::new(), "{question}");
        }
    }

    #[test]
    fn what_is_said_of_the_thing_that_is_named_answers() {
        for (question, answer) in [
            ("How tall is the Quern mill?", "The Quern mill is 31 metres tall."),
            (
                "How tall is the Brask mill?",
                "The Brask mill was planned with a height of 80 metres; it was never built.",
            ),
            (
                "How tall is the Marn mill?",
                "mill: Marn; height: 37 m; built: 1955",
            ),
            (
                "When was the Zelt mill built?",
                "mill: Zelt; height: 22 m; built: 1901",
            ),
            (
                "How long is the river Ompa?",
                "The river Ompa is 212 kilometres long.",
            ),
            (
                "How long is the Sela?",
                "Its tributary Sela is 48 kilometres long.",
            ),
            (
                "What do tickets cost on Sundays?",
                "On Sundays the entrance is free.",
            ),
            (
                "How many people visited the museum in 2019?",
                "In 2019 about 12,000 people visited the museum; in 2020 it was 4,000.",
            ),
            (
                "Who is the director of the museum?",
                "The director of the museum is Eva Sund.",
            ),
            (
                "How much did the water rise in report number 4903?",
                "The night report number 4903 says that the water rose by 52 centimetres.",
            ),
            (
                "Wie hoch ist die Holt-Mühle?",
                "Die Holt-Mühle ist 22 Meter hoch.",
            ),
        ] {
            assert_eq!(answers(question), [answer], "{question}");
        }
    }
}
