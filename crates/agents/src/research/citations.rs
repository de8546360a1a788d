//! CitationChecker: which source supports which sentence of a report.

mod check;
mod measures;
mod number_words;
mod numbers;
mod source_text;
mod strip_markup;

use std::collections::HashSet;
use std::sync::OnceLock;

pub(crate) use check::SupportVerdict;
pub(crate) use numbers::{NumberMention, numbers};
pub(crate) use source_text::{SourceText, TextFacts, ratio};
pub(crate) use strip_markup::{escaped, plain, quote};

use super::state::ResearchSource;

/// The sources of a run, ready to be asked about sentences.
pub(crate) struct CitationChecker<'a> {
    sources: &'a [ResearchSource],
    texts: Vec<OnceLock<SourceText>>,
    proper: OnceLock<HashSet<String>>,
}

impl<'a> CitationChecker<'a> {
    pub(crate) fn new(sources: &'a [ResearchSource]) -> Self {
        Self {
            sources,
            texts: sources.iter().map(|_| OnceLock::new()).collect(),
            proper: OnceLock::new(),
        }
    }

    /// What a source has to say to a sentence. A source that does not exist says nothing.
    pub(crate) fn check(&self, sentence: &TextFacts, id: usize) -> SupportVerdict {
        match self.source_text(id) {
            Some(source_text) => check::check(sentence, source_text, self.proper()),
            None => SupportVerdict::Unsupported(format!("there is no source {id}")),
        }
    }

    /// Whether one place of a source says a sentence nearly in its words.
    pub(crate) fn is_close(&self, sentence: &TextFacts, id: usize) -> bool {
        self.source_text(id)
            .is_some_and(|source_text| check::is_close(sentence, source_text))
    }

    /// Stems of every word of a source, its title and its address.
    pub(crate) fn stems(&self, id: usize) -> Option<&HashSet<String>> {
        Some(&self.source_text(id)?.stems)
    }

    /// The source that supports a sentence best by rules alone, where one does.
    pub(crate) fn find(&self, sentence: &TextFacts) -> Option<usize> {
        // Without anything that can be looked up exactly, any page of the subject would do.
        if sentence.numbers.is_empty() && sentence.names.is_empty() && sentence.terms.len() < 5 {
            return None;
        }
        (1..=self.sources.len())
            .filter(|id| self.check(sentence, *id) == SupportVerdict::Supported)
            .map(|id| (self.best_share(sentence, id), id))
            .filter(|(share, _)| *share >= 0.6)
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
            .map(|(_, id)| id)
    }

    /// The sources that may support a sentence, those that share most words with it first.
    pub(crate) fn nearest(&self, sentence: &TextFacts, most: usize) -> Vec<usize> {
        let may = |id: &usize| !matches!(self.check(sentence, *id), SupportVerdict::Unsupported(_));
        let mut found: Vec<(f64, usize)> = (1..=self.sources.len())
            .filter(may)
            .map(|id| (self.best_share(sentence, id), id))
            .collect();
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.into_iter().take(most).map(|(_, id)| id).collect()
    }

    /// The greatest share of the words of a sentence that a line of a source has.
    fn best_share(&self, sentence: &TextFacts, id: usize) -> f64 {
        let lines = self
            .source_text(id)
            .map(|source_text| source_text.lines.iter().map(|line| line.share(&sentence.terms)));
        lines.into_iter().flatten().fold(0.0, f64::max)
    }

    /// The lines of a source that are closest to a sentence, in their order, within that many bytes.
    pub(crate) fn closest(&self, sentence: &TextFacts, id: usize, bytes: usize) -> String {
        let Some(source_text) = self.source_text(id) else {
            return String::new();
        };
        let mut ranked: Vec<usize> = (0..source_text.lines.len()).collect();
        let share = |at: usize| {
            source_text
                .lines
                .get(at)
                .map_or(0.0, |line| line.share(&sentence.terms))
        };
        ranked.sort_by(|a, b| share(*b).total_cmp(&share(*a)));
        let mut chosen: Vec<usize> = Vec::new();
        let mut used = 0;
        for at in ranked {
            let length = source_text.lines.get(at).map_or(0, |line| line.text.len());
            if used + length + 1 > bytes {
                break;
            }
            used += length + 1;
            chosen.push(at);
        }
        chosen.sort_unstable();
        let lines = chosen
            .iter()
            .filter_map(|at| source_text.lines.get(*at))
            .map(|it| it.text.as_str());
        lines.collect::<Vec<_>>().join("\n")
    }

    fn source_text(&self, id: usize) -> Option<&SourceText> {
        let at = id.checked_sub(1)?;
        let (source, cell) = (self.sources.get(at)?, self.texts.get(at)?);
        Some(cell.get_or_init(|| SourceText::new(&source.title, &source.url, &source.text)))
    }

    /// Words that the sources begin with a capital in the middle of a sentence, and never write otherwise.
    fn proper(&self) -> &HashSet<String> {
        self.proper.get_or_init(|| {
            let mut names = HashSet::new();
            let mut small = HashSet::new();
            for id in 1..=self.sources.len() {
                for line in self
                    .source_text(id)
                    .map_or(&[][..], |source_text| &source_text.lines)
                {
                    names.extend(line.names.iter().cloned());
                    let words = line.text.split_whitespace();
                    let lower = words.filter(|word| {
                        word.chars()
                            .find(|character| character.is_alphabetic())
                            .is_some_and(char::is_lowercase)
                    });
                    small.extend(lower.flat_map(super::text::words));
                }
            }
            names.retain(|name| !small.contains(name));
            names
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_several_places_are_no_place_that_says_a_sentence() {
        let text = "The mill washes its wool with a sensor that looks for dirt.\nIts doors are of oak.\n\nThe bakery beside it heats its ovens beyond what the pipes of the town deliver.";
        let source = SourceText::new("The Quern mill", "https://mill.example/", text);
        let is_close = |sentence: &str| check::is_close(&TextFacts::new(sentence), &source);
        assert!(is_close("The Quern mill washes wool with a sensor for dirt."));
        assert!(!is_close(
            "The mill heats beyond what the town's pipes deliver by using a sensor that looks for dirt."
        ));
        assert!(!is_close("Wool is cleaned at Quern by means of a machine."));
    }
}
