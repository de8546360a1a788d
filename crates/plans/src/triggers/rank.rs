//! Ranking of tools by an instruction: matched triggers and shared words.

use std::collections::BTreeSet;

use crate::conditions::Conditions;
use tools::registry::{RegisteredTool, Registry};

/// Score of one matching trigger; the rarest shared word scores about as much.
const TRIGGER: f64 = 5.0;
/// Most triggers of one tool that count: its patterns overlap.
const MOST_TRIGGERS: usize = 2;
/// Shortest word that counts, in characters; shorter ones are articles and prepositions.
const SHORTEST_WORD: usize = 3;

/// The permitted tools by their score, best first: matched triggers, and words that the instruction shares with id and
/// description, weighted by inverse document frequency among the tools. A score of 0 means that nothing matches.
pub fn ranked<'r>(
    instruction: &str,
    registry: &'r Registry,
    conditions: &Conditions,
) -> Vec<(&'r RegisteredTool, f64)> {
    let allowed: Vec<(&RegisteredTool, BTreeSet<String>)> = registry
        .iter()
        .filter(|entry| conditions.allow(registry, entry.manifest()))
        .map(|entry| {
            let manifest = entry.manifest();
            (
                entry,
                words(&format!("{} {}", manifest.id(), manifest.description)),
            )
        })
        .collect();
    let worth: Vec<(String, f64)> = words(instruction)
        .into_iter()
        .map(|word| {
            let holders = allowed.iter().filter(|(_, words)| words.contains(&word)).count();
            let worth = fraction(allowed.len() + 1, holders + 1).ln();
            (word, worth)
        })
        .collect();
    let mut ranked: Vec<(&RegisteredTool, f64)> = allowed
        .into_iter()
        .map(|(entry, words)| {
            let patterns = entry.manifest().trigger_patterns().iter();
            let matched = patterns.filter(|it| it.is_match(instruction)).count();
            let triggers = TRIGGER * fraction(matched.min(MOST_TRIGGERS), 1);
            let shared = worth.iter().filter(|(word, _)| words.contains(word));
            (entry, triggers + shared.map(|(_, worth)| worth).sum::<f64>())
        })
        .collect();
    ranked.sort_by(|(one, a), (other, b)| b.total_cmp(a).then_with(|| one.id().cmp(other.id())));
    ranked
}

/// The words of a text, lower case, without the ending of an English plural; in order, so that sums over them are the
/// same each time.
fn words(text: &str) -> BTreeSet<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|it| it.chars().count() >= SHORTEST_WORD)
        .map(|it| it.strip_suffix('s').unwrap_or(it).to_owned())
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "counts of tools are small")]
fn fraction(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(instruction: &str) -> String {
        let registry = Registry::builtin();
        ranked(instruction, &registry, &Conditions::all())[0]
            .0
            .id()
            .to_owned()
    }

    #[test]
    fn rare_words_and_triggers_decide_and_common_words_do_not() {
        for (instruction, tool) in [
            ("which elements match the CSS selector .price", "html.select"),
            (
                "the median and the standard deviation of all numbers on the page",
                "stats.describe",
            ),
            ("turn the rows into a spreadsheet as csv", "csv.generate"),
        ] {
            assert_eq!(first(instruction), tool, "{instruction}");
        }
    }

    #[test]
    fn what_nothing_speaks_for_is_worth_nothing() {
        let registry = Registry::builtin();
        let ranked = ranked("xyzzy", &registry, &Conditions::all());
        assert!(ranked.iter().all(|(_, score)| *score == 0.0));
    }

    #[test]
    fn each_trigger_of_the_shop_speaks_for_its_tool() {
        let registry = Registry::builtin();
        for instruction in [
            "Find products on Ceneo",
            "Which products does ceneo.pl list?",
            "On Ceneo, list every product",
            "Ceneo: produkty do 100 zł",
            "List the products of a Polish shopping site",
            "A Polish e-commerce page: give me its products",
        ] {
            let ranked = ranked(instruction, &registry, &Conditions::all());
            assert_eq!(ranked[0].0.id(), "extraction.products_ceneo", "{instruction}");
        }
    }
}
