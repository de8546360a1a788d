//! The ledger: which source supports which sentence of a report. Nothing is cited that does not stand here.

mod check;
mod clean;
mod ground;
mod numbers;

use std::collections::HashSet;
use std::sync::OnceLock;

pub(crate) use check::Verdict;
pub(crate) use clean::plain;
pub(crate) use ground::{Ground, Line, ratio};
pub(crate) use numbers::{Number, numbers};

use super::notebook::Source;

/// The sources of a run, ready to be asked about sentences.
pub(crate) struct Ledger<'a> {
    sources: &'a [Source],
    grounds: Vec<OnceLock<Ground>>,
    proper: OnceLock<HashSet<String>>,
}

impl<'a> Ledger<'a> {
    pub(crate) fn new(sources: &'a [Source]) -> Self {
        Self {
            sources,
            grounds: sources.iter().map(|_| OnceLock::new()).collect(),
            proper: OnceLock::new(),
        }
    }

    /// What a source has to say to a sentence. A source that does not exist says nothing.
    pub(crate) fn check(&self, sentence: &Line, id: usize) -> Verdict {
        match self.ground(id) {
            Some(ground) => check::check(sentence, ground, self.proper()),
            None => Verdict::Unsupported(format!("there is no source {id}")),
        }
    }

    /// The source that supports a sentence best by rules alone, where one does.
    pub(crate) fn find(&self, sentence: &Line) -> Option<usize> {
        // Without anything that can be looked up exactly, any page of the subject would do.
        if sentence.numbers.is_empty() && sentence.names.is_empty() && sentence.matter.len() < 5 {
            return None;
        }
        let best = |id: usize| {
            let lines = self
                .ground(id)
                .map(|ground| ground.lines.iter().map(|line| line.share(&sentence.matter)));
            lines.into_iter().flatten().fold(0.0, f64::max)
        };
        (1..=self.sources.len())
            .filter(|id| self.check(sentence, *id) == Verdict::Supported)
            .map(|id| (best(id), id))
            .filter(|(share, _)| *share >= 0.6)
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
            .map(|(_, id)| id)
    }

    /// The lines of a source that are closest to a sentence, in their order, within that many bytes.
    pub(crate) fn closest(&self, sentence: &Line, id: usize, bytes: usize) -> String {
        let Some(ground) = self.ground(id) else {
            return String::new();
        };
        let mut ranked: Vec<usize> = (0..ground.lines.len()).collect();
        let share = |at: usize| ground.lines.get(at).map_or(0.0, |line| line.share(&sentence.matter));
        ranked.sort_by(|a, b| share(*b).total_cmp(&share(*a)));
        let mut chosen: Vec<usize> = Vec::new();
        let mut used = 0;
        for at in ranked {
            let length = ground.lines.get(at).map_or(0, |line| line.text.len());
            if used + length + 1 > bytes {
                break;
            }
            used += length + 1;
            chosen.push(at);
        }
        chosen.sort_unstable();
        let lines = chosen
            .iter()
            .filter_map(|at| ground.lines.get(*at))
            .map(|it| it.text.as_str());
        lines.collect::<Vec<_>>().join("\n")
    }

    fn ground(&self, id: usize) -> Option<&Ground> {
        let at = id.checked_sub(1)?;
        let (source, cell) = (self.sources.get(at)?, self.grounds.get(at)?);
        Some(cell.get_or_init(|| Ground::new(&source.title, &source.url, &source.text)))
    }

    /// Words that the sources begin with a capital in the middle of a sentence, and never write otherwise.
    fn proper(&self) -> &HashSet<String> {
        self.proper.get_or_init(|| {
            let mut names = HashSet::new();
            let mut small = HashSet::new();
            for id in 1..=self.sources.len() {
                for line in self.ground(id).map_or(&[][..], |ground| &ground.lines) {
                    names.extend(line.names.iter().cloned());
                    let words = line.text.split_whitespace();
                    let lower = words.filter(|word| {
                        word.chars()
                            .find(|character| character.is_alphabetic())
                            .is_some_and(char::is_lowercase)
                    });
                    small.extend(lower.flat_map(super::words::words));
                }
            }
            names.retain(|name| !small.contains(name));
            names
        })
    }
}
