//! Does a source support a sentence? By its words, its names and its numbers; what rules cannot tell is said to be open.

use std::collections::{BTreeSet, HashSet};

use super::source_text::{SourceText, TextFacts, ratio};

/// From this share of a sentence's words on a source supports it, when names and numbers are right as well.
const ENOUGH: f64 = 0.5;
/// Below this share it does not, whatever else is right.
const LITTLE: f64 = 0.3;
/// From this share of the words on, a line is about the same thing as the sentence.
const SAME: f64 = 0.6;
/// A number counts where at least this share of the sentence's words stands in the same line.
const BESIDE: f64 = 0.25;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// What a source has to say to a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SupportVerdict {
    /// It says so.
    Supported,
    /// It speaks of it, in other words.
    Open,
    /// It does not say so, and why that is thought.
    Unsupported(String),
}

/// Holds a sentence against a source. `proper` are words that are names wherever they stand.
pub(crate) fn check(
    sentence: &TextFacts,
    source_text: &SourceText,
    proper: &HashSet<String>,
) -> SupportVerdict {
    // Weak writers hand the question back, made of the source's own words.
    if sentence.text.trim_end().ends_with(['?', '？', '؟']) {
        return SupportVerdict::Unsupported("a question says nothing that a source could support".into());
    }
    let mut names = sentence.names.clone();
    names.extend(sentence.first.iter().filter(|it| proper.contains(*it)).cloned());
    if let Some(missing) = missing_name(sentence, &names, source_text) {
        return SupportVerdict::Unsupported(format!("{missing:?} does not occur in it"));
    }
    let mut union: BTreeSet<usize> = BTreeSet::new();
    let mut beside = false;
    for number in &sentence.numbers {
        let says = |line: &TextFacts| {
            let mut said = line.numbers.iter().filter(|it| number.is_stated_by(it));
            // A line that counts the same thing with another number says this one of something else.
            let elsewhere = number.unit.is_some()
                && line
                    .numbers
                    .iter()
                    .any(|it| it.unit == number.unit && !number.is_stated_by(it));
            said.any(|it| !elsewhere || it.unit.is_none() || it.unit == number.unit)
        };
        let percent = |line: &TextFacts| {
            !number.is_percent()
                || line.text.contains('%')
                || line.numbers.iter().any(super::numbers::NumberMention::is_percent)
        };
        let fits = |at: &usize| {
            source_text
                .lines
                .get(*at)
                .is_some_and(|line| says(line) && percent(line))
                && is_about(*at, source_text, &sentence.terms, &names)
        };
        let mut places: Vec<usize> = (0..source_text.lines.len()).filter(fits).collect();
        places.sort_by(|a, b| {
            share(source_text, *b, &sentence.terms).total_cmp(&share(source_text, *a, &sentence.terms))
        });
        let Some(place) = places.first() else {
            return SupportVerdict::Unsupported(format!(
                "the number {} does not stand in it beside these words",
                number.text
            ));
        };
        beside |= share(source_text, *place, &sentence.terms) >= BESIDE;
        union.insert(*place);
    }
    let mut ranked: Vec<usize> = (0..source_text.lines.len()).collect();
    ranked.sort_by(|a, b| {
        share(source_text, *b, &sentence.terms).total_cmp(&share(source_text, *a, &sentence.terms))
    });
    let Some(best) = ranked.first().copied() else {
        return SupportVerdict::Unsupported("it has no text".into());
    };
    if let Some(line) = source_text.lines.get(best)
        && line.share(&sentence.terms) >= SAME
    {
        if line.negated != sentence.negated && !twice(source_text, &ranked, sentence) {
            return SupportVerdict::Unsupported("one of the two denies what the other says".into());
        }
        if sentence
            .ways
            .iter()
            .any(|(pair, way)| line.ways.contains(&(*pair, !way)))
        {
            return SupportVerdict::Unsupported("it says the opposite".into());
        }
    }
    // The best line with its neighbthe next best ones, and the lines of the numbers.
    union.extend(ranked.iter().take(2));
    union.extend([best.saturating_sub(1), best + 1]);
    let held = |term: &&String| {
        union.iter().any(|at| {
            source_text
                .lines
                .get(*at)
                .is_some_and(|line| line.terms.contains(*term))
        })
    };
    for month in MONTHS.iter().filter(|it| sentence.names.contains(**it)) {
        let said = |at: &usize| {
            source_text
                .lines
                .get(*at)
                .is_some_and(|line| line.names.contains(*month) || line.first.as_deref() == Some(month))
        };
        if !union.iter().any(said) {
            return SupportVerdict::Unsupported(format!("{month:?} does not stand in it beside these words"));
        }
    }
    // What the title says holds for every line.
    let titled = |term: &&String| {
        source_text
            .lines
            .first()
            .is_some_and(|line| line.terms.contains(*term))
    };
    let share = ratio(
        sentence.terms.iter().filter(|it| held(it) || titled(it)).count(),
        sentence.terms.len(),
    );
    if sentence.terms.is_empty() && sentence.numbers.is_empty() {
        return SupportVerdict::Unsupported("it says nothing that could be looked up".into());
    }
    if share >= ENOUGH || (beside && share >= ENOUGH - 0.1) {
        SupportVerdict::Supported
    } else if share >= LITTLE {
        SupportVerdict::Open
    } else {
        SupportVerdict::Unsupported("it does not speak of this".into())
    }
}

fn share(source_text: &SourceText, at: usize, terms: &HashSet<String>) -> f64 {
    source_text.lines.get(at).map_or(0.0, |line| line.share(terms))
}

/// The first name of a sentence that the source does not know. In a language that begins every noun with a capital, and
/// in a title, some may be missing.
fn missing_name<'a>(
    sentence: &TextFacts,
    names: &'a HashSet<String>,
    source_text: &SourceText,
) -> Option<&'a String> {
    let knows = |it: &&String| source_text.stems.contains(&crate::research::text::stem(it));
    let mut missing: Vec<&String> = names.iter().filter(|name| !knows(name)).collect();
    missing.sort();
    if sentence.capitals > 0.3 && names.len() >= 3 && ratio(missing.len(), names.len()) <= 0.4 {
        return None;
    }
    missing.into_iter().next()
}

/// Whether the line at a place speaks of what the sentence speaks of: it shares words with it, or it goes on where the
/// line before it did, and it is not about somebody else.
fn is_about(at: usize, source_text: &SourceText, terms: &HashSet<String>, names: &HashSet<String>) -> bool {
    let Some(line) = source_text.lines.get(at) else {
        return false;
    };
    let own = line.share(terms);
    let near = |it: usize| source_text.lines.get(it).map_or(0.0, |line| line.share(terms));
    let around = near(at.wrapping_sub(1)).max(near(at + 1));
    if own < BESIDE && !(around >= ENOUGH && own > 0.0) && around < SAME {
        return false;
    }
    let has = |it: &String| line.names.contains(it) || line.first.as_ref() == Some(it);
    let told: Vec<&String> = names
        .iter()
        .filter(|name| !MONTHS.contains(&name.as_str()))
        .collect();
    let strangers = line
        .names
        .iter()
        .chain(&line.first)
        .any(|name| !names.contains(name) && !terms.contains(&crate::research::text::stem(name)));
    // A line that names others and none of those the sentence names is about the others.
    told.is_empty() || told.iter().any(|it| has(it)) || !strangers || own >= SAME
}

/// Whether another line that says as much denies, or does not deny, as the sentence does.
fn twice(source_text: &SourceText, ranked: &[usize], sentence: &TextFacts) -> bool {
    ranked.iter().skip(1).take(3).any(|at| {
        source_text
            .lines
            .get(*at)
            .is_some_and(|line| line.share(&sentence.terms) >= SAME && line.negated == sentence.negated)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_supported_by_nothing() {
        let source_text = SourceText::new(
            "Mills",
            "https://mills.example/",
            "The Quern mill is 22 metres tall.",
        );
        let verdict = |text: &str| check(&TextFacts::new(text), &source_text, &HashSet::new());
        assert_eq!(
            verdict("The Quern mill is 22 metres tall."),
            SupportVerdict::Supported
        );
        assert!(matches!(
            verdict("Why is the Quern mill 22 metres tall?"),
            SupportVerdict::Unsupported(_)
        ));
    }
}
