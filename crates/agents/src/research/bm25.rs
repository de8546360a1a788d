//! Ranking of passages by BM25 (Robertson and Zaragoza, 2009), and excerpts made of the best passages.

use std::collections::{HashMap, HashSet};

use super::state::ResearchSource;
use super::text::terms;

/// How soon a term that is repeated stops counting.
const K1: f64 = 1.2;
/// How far long passages are held back.
const B: f64 = 0.75;

/// Passages, ready to be asked.
pub(crate) struct Bm25 {
    passages: Vec<HashMap<String, u32>>,
    lengths: Vec<f64>,
    average: f64,
    holders: HashMap<String, u32>,
}

impl Bm25 {
    pub(crate) fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut holders: HashMap<String, u32> = HashMap::new();
        let mut passages = Vec::new();
        let mut lengths = Vec::new();
        for text in texts {
            let mut counts: HashMap<String, u32> = HashMap::new();
            let terms = terms(text);
            lengths.push(count(terms.len()));
            for term in terms {
                *counts.entry(term).or_default() += 1;
            }
            for term in counts.keys() {
                *holders.entry(term.clone()).or_default() += 1;
            }
            passages.push(counts);
        }
        let total: f64 = lengths.iter().sum();
        Self {
            average: (total / count(lengths.len().max(1))).max(1.0),
            passages,
            lengths,
            holders,
        }
    }

    /// How much a term tells passages apart.
    pub(crate) fn weight(&self, term: &str) -> f64 {
        let all = count(self.passages.len());
        let with = self.holders.get(term).map_or(0.0, |holder| f64::from(*holder));
        ((all - with + 0.5) / (with + 0.5)).ln_1p()
    }

    /// The score of each passage for a question.
    pub(crate) fn scores(&self, question: &str) -> Vec<f64> {
        let asked: HashSet<String> = terms(question).into_iter().collect();
        let mut asked: Vec<(f64, String)> = asked.into_iter().map(|it| (self.weight(&it), it)).collect();
        // A sum of floats depends on its order, and the same question has to get the same answer.
        asked.sort_by(|a, b| a.1.cmp(&b.1));
        let score = |(counts, length): (&HashMap<String, u32>, &f64)| {
            let stretch = K1 * (1.0 - B + B * length / self.average);
            asked
                .iter()
                .filter_map(|(weight, term)| {
                    let times = f64::from(*counts.get(term)?);
                    Some(weight * times * (K1 + 1.0) / (times + stretch))
                })
                .sum()
        };
        self.passages.iter().zip(&self.lengths).map(score).collect()
    }

    /// Share of the question's weight that the passages at these places hold together, 0 to 1.
    pub(crate) fn coverage(&self, question: &str, places: &[usize]) -> f64 {
        let asked: HashSet<String> = terms(question).into_iter().collect();
        let (mut held, mut whole) = (0.0, 0.0);
        for term in &asked {
            let weight = self.weight(term);
            whole += weight;
            let holds = |at: &usize| {
                self.passages
                    .get(*at)
                    .is_some_and(|passage| passage.contains_key(term))
            };
            if places.iter().any(holds) {
                held += weight;
            }
        }
        if whole > 0.0 { held / whole } else { 0.0 }
    }
}

/// The passages of sources, ready to be asked. What a page is called counts for each of its passages, as it does for whoever reads
/// it.
pub(crate) struct SourcePassages {
    /// Each with the number of its source.
    pub(crate) passages: Vec<(usize, String)>,
    pub(crate) bm25: Bm25,
}

impl SourcePassages {
    pub(crate) fn of<'s>(sources: impl IntoIterator<Item = &'s ResearchSource>) -> Self {
        Self::split(sources, super::text::passages)
    }

    /// The passages of sources whose texts are split so.
    pub(crate) fn split<'s>(
        sources: impl IntoIterator<Item = &'s ResearchSource>,
        split: impl Fn(&str) -> Vec<String>,
    ) -> Self {
        let mut passages = Vec::new();
        let mut titled = Vec::new();
        for source in sources {
            for passage in split(&source.text) {
                titled.push(format!("{} {passage}", source.title));
                passages.push((source.id, passage));
            }
        }
        Self {
            bm25: Bm25::new(titled.iter().map(String::as_str)),
            passages,
        }
    }
}

/// Places in falling order of their scores; equal ones in their own order, those without any score left out.
pub(crate) fn best(scores: &[f64]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..scores.len()).collect();
    let of = |at: &usize| scores.get(*at).copied().unwrap_or_default();
    places.retain(|at| of(at) > 0.0);
    places.sort_by(|a, b| of(b).total_cmp(&of(a)));
    places
}

/// The passages that speak most of a question, in the order of the text, within that many bytes. Of a text that does
/// not speak of it, the beginning.
pub(crate) fn excerpt(text: &str, question: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    let passages = super::text::passages(text);
    let bm25 = Bm25::new(passages.iter().map(String::as_str));
    let ranked = best(&bm25.scores(question));
    // What a text is about stands at its beginning.
    let order = std::iter::once(0).chain(ranked).chain(1..passages.len());
    let (mut chosen, mut used) = (std::collections::BTreeSet::new(), 0);
    for at in order {
        let Some(passage) = passages.get(at) else { continue };
        if chosen.contains(&at) || used + passage.len() + 4 > bytes {
            continue;
        }
        used += passage.len() + 4;
        chosen.insert(at);
    }
    let mut out = String::new();
    let mut before = None;
    for at in chosen {
        if before.is_some_and(|before| before + 1 != at) {
            out.push_str(" […]");
        }
        if before.is_some() {
            out.push('\n');
        }
        out.push_str(passages.get(at).map_or("", String::as_str));
        before = Some(at);
    }
    if out.is_empty() {
        out.push_str(text.get(..text.floor_char_boundary(bytes)).unwrap_or_default());
    }
    out
}

#[expect(clippy::cast_precision_loss, reason = "counts of words stay far below 2^53")]
fn count(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_passage_that_speaks_of_it_comes_first() {
        let texts = [
            "Kettles stand on stoves in many kitchens, and kettles are made of steel.",
            "The tides are caused by the moon and, less, by the sun.",
            "The moon has no kettles.",
        ];
        let bm25 = Bm25::new(texts);
        assert_eq!(best(&bm25.scores("what causes the tides?")), [1]);
        assert_eq!(best(&bm25.scores("kettles on the moon"))[0], 2);
        assert_eq!(best(&bm25.scores("xylophone")), [0; 0]);
    }

    #[test]
    fn an_excerpt_is_bounded_and_holds_what_was_asked_for() {
        let filler = "Nothing of interest stands in this sentence about paint. ".repeat(60);
        let text = format!("{filler}The Eiffel Tower is 330 metres tall. {filler}");
        for bytes in [600, 1500, 3000] {
            let excerpt = excerpt(&text, "how tall is the Eiffel Tower", bytes);
            assert!(excerpt.len() <= bytes, "{}", excerpt.len());
            assert!(bytes < 1500 || excerpt.contains("330 metres"), "{excerpt}");
        }
    }
}
