//! The lines of the sources that a drafted sentence was made of.
//!
//! A weak model often writes the right answer in words of its own around a few of the source, so that no rule finds the sentence
//! supported. What it says beyond the question leads to the lines that it read, and these can be quoted.

use super::citations::quote;
use super::relevance::has;
use super::state::{ResearchSource, ResearchState};
use super::text::{sentences, terms};

/// Fewest words of a line that a draft has and the question has not. One word stands anywhere.
const FEWEST: usize = 2;
/// The share of what a drafted sentence says beyond the question that its line has. Set by hand: less leads to lines about something
/// else.
const SHARE: f32 = 0.5;
/// Most drafted sentences that are looked for.
const DRAFTED: usize = 4;

/// Lines of a source.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DraftedLines {
    /// The number of the source.
    pub(crate) source: usize,
    /// The line as it stands there.
    pub(crate) line: String,
    /// The line with those before and behind it.
    pub(crate) around: String,
}

/// For each drafted sentence the line of a source that has most of what the sentence says beyond the question.
pub(crate) fn find(state: &ResearchState, drafted: &[String]) -> Vec<DraftedLines> {
    let asked = terms(&state.question);
    let sources = state.relevant_sources();
    let mut found: Vec<DraftedLines> = Vec::new();
    for sentence in drafted.iter().take(DRAFTED) {
        let mut new = terms(sentence);
        new.retain(|term| !has(&asked, term));
        new.sort_unstable();
        new.dedup();
        let nearest = sources
            .iter()
            .flat_map(|source| nearest(source, &new, &asked))
            .max_by_key(|(score, _)| *score);
        if let Some((_, lines)) = nearest
            && !found.contains(&lines)
        {
            found.push(lines);
        }
    }
    found
}

/// The line of a source with most of some words, and how many of these and of the question's it and the title of the source have.
fn nearest(
    source: &ResearchSource,
    new: &[String],
    asked: &[String],
) -> Option<((usize, usize), DraftedLines)> {
    let lines = sentences(&source.text);
    let title = terms(&source.title);
    let score = |line: &&str| {
        let said = terms(line);
        let count = new.iter().filter(|term| has(&said, term)).count();
        let touched = asked
            .iter()
            .filter(|term| has(&said, term) || has(&title, term))
            .count();
        (count, touched)
    };
    let scores = lines.iter().map(score).enumerate();
    // Of equal lines the first, which is the nearer one to what the page is about.
    let (place, score) = scores.rev().max_by_key(|(_, score)| *score)?;
    let needed = FEWEST.max((SHARE * new.len() as f32).ceil() as usize);
    let around = lines.get(place.saturating_sub(1)..(place + 2).min(lines.len()))?;
    (score.0 >= needed).then(|| {
        let lines = DraftedLines {
            source: source.id,
            line: quote(lines.get(place).copied().unwrap_or_default()),
            around: around.join("\n"),
        };
        (score, lines)
    })
}

#[cfg(test)]
mod tests {
    use wire::research::UrlSource;

    use super::*;

    fn state(question: &str, texts: &[(&str, &str)]) -> ResearchState {
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
        ResearchState {
            question: question.to_owned(),
            sources: texts.iter().enumerate().map(source).collect(),
            ..ResearchState::default()
        }
    }

    #[test]
    fn what_a_draft_says_beyond_the_question_leads_to_its_line() {
        let state = state(
            "Why did the miller of the Quern mill close the door when he ground rye?",
            &[
                (
                    "A bakery",
                    "The door of the bakery is closed on Mondays. Rye is ground by the miller.",
                ),
                (
                    "The Quern mill",
                    "I ground rye at Quern. Each time I closed the door.\nThe draught had blown out my lamp. Nobody knew.",
                ),
            ],
        );
        let drafted = ["The miller closed the door because the draught blew out the lamp.".to_owned()];
        let found = find(&state, &drafted);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(
            (found[0].source, found[0].line.as_str()),
            (2, "The draught had blown out my lamp.")
        );
        assert!(found[0].around.contains("closed the door") && found[0].around.contains("Nobody"));
        // What only says the question again leads nowhere.
        assert_eq!(
            find(
                &state,
                &["The miller of Quern closed the door when he ground rye.".to_owned()]
            ),
            []
        );
    }
}
