//! Whether a source supports a sentence, decided by its words, names and numbers.

use std::collections::{BTreeSet, HashSet};

use tools::concepts::MONTHS;

use super::numbers::NumberMention;
use super::source_text::{COMPARED, SourceText, TextFacts, ratio};

/// From this share of a sentence's words on a source supports it, when names and numbers are right as well.
const ENOUGH: f64 = 0.5;
/// Below this share it does not, whatever else is right.
const LITTLE: f64 = 0.3;
/// From this share of the words on, a line is about the same thing as the sentence.
const SAME: f64 = 0.6;
/// Fewest words beside those of the title that have to stand in one place.
const SCATTERED: usize = 3;
/// Most words of a sentence that any line of its subject may agree with.
const SHORT: usize = 5;
/// A number counts where at least this share of the sentence's words stands in the same line.
const BESIDE: f64 = 0.25;

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

/// Checks whether a source supports a sentence. `proper` are words that are names wherever they stand.
pub(crate) fn check(sentence: &TextFacts, source: &SourceText, proper: &HashSet<String>) -> SupportVerdict {
    match rules(sentence, source, proper) {
        Ok(verdict) => verdict,
        Err(reason) => SupportVerdict::Unsupported(reason),
    }
}

/// The rules in their order; an error is the reason why the source does not support the sentence.
fn rules(
    sentence: &TextFacts,
    source: &SourceText,
    proper: &HashSet<String>,
) -> Result<SupportVerdict, String> {
    // Weak writers hand the question back, made of the source's own words.
    if sentence.text.trim_end().ends_with(['?', '？', '؟']) {
        return Err("a question says nothing that a source could support".into());
    }
    let mut names = sentence.names.clone();
    names.extend(
        sentence
            .first
            .iter()
            .filter(|word| proper.contains(*word))
            .cloned(),
    );
    if let Some(missing) = missing_name(sentence, &names, source) {
        return Err(format!("{missing:?} does not occur in it"));
    }
    let mut lines: BTreeSet<usize> = BTreeSet::new();
    let mut number_near_words = false;
    for number in &sentence.numbers {
        let Some(line) = line_of_number(number, sentence, source, &names) else {
            return Err(format!(
                "the number {} does not stand in it beside these words",
                number.text
            ));
        };
        number_near_words |= share(source, line, &sentence.terms) >= BESIDE;
        lines.insert(line);
    }
    let ranked = by_share((0..source.lines.len()).collect(), source, &sentence.terms);
    let Some(best) = ranked.first().copied() else {
        return Err("it has no text".into());
    };
    contradiction(sentence, source, &ranked, best)?;
    // The best line with its neighbours, the next best ones, and the lines of the numbers.
    lines.extend(ranked.iter().take(2));
    lines.extend([best.saturating_sub(1), best + 1]);
    let lines: Vec<&TextFacts> = lines
        .iter()
        .filter_map(|index| source.lines.get(*index))
        .collect();
    // What is "faster" or "higher" has to be so in the source, whatever else it shares with the sentence.
    let compared = sentence
        .directions
        .iter()
        .filter(|(pair, _)| COMPARED.contains(pair));
    for direction in compared {
        if !lines.iter().any(|line| line.directions.contains(direction)) {
            return Err("it does not say which way".into());
        }
    }
    for month in MONTHS.iter().filter(|month| sentence.names.contains(**month)) {
        let names_month =
            |line: &&TextFacts| line.names.contains(*month) || line.first.as_deref() == Some(month);
        if !lines.iter().any(names_month) {
            return Err(format!("{month:?} does not stand in it beside these words"));
        }
    }
    // What the title says holds for every line.
    let title = source.lines.first();
    let is_covered = |term: &&String| {
        lines.iter().any(|line| line.terms.contains(*term))
            || title.is_some_and(|title| title.terms.contains(*term))
    };
    let covered = sentence.terms.iter().filter(is_covered).count();
    let share = ratio(covered, sentence.terms.len());
    if sentence.terms.is_empty() && sentence.numbers.is_empty() {
        return Err("it says nothing that could be looked up".into());
    }
    let is_doubtful = is_scattered(sentence, source, best) || is_denied_elsewhere(sentence, source, &ranked);
    if share >= LITTLE && is_doubtful {
        Ok(SupportVerdict::Open)
    } else if share >= ENOUGH || (number_near_words && share >= ENOUGH - 0.1) {
        Ok(SupportVerdict::Supported)
    } else if share >= LITTLE {
        Ok(SupportVerdict::Open)
    } else {
        Err("it does not speak of this".into())
    }
}

/// Whether a line that is about half of the sentence denies what the sentence says, or the other way round, and none that is about
/// most of it agrees; what denies a short sentence weighs more than what agrees.
fn is_denied_elsewhere(sentence: &TextFacts, source: &SourceText, ranked: &[usize]) -> bool {
    let near = |least: f64| {
        let lines = ranked.iter().filter_map(|at| source.lines.get(*at));
        lines.take_while(move |line| line.share(&sentence.terms) >= least)
    };
    // Of a short sentence two words in three stand in many lines.
    let is_short = sentence.numbers.is_empty() && !sentence.negated && sentence.terms.len() <= SHORT;
    near(ENOUGH).any(|line| line.negated != sentence.negated)
        && (is_short || !near(SAME).any(|line| line.negated == sentence.negated))
}

/// Whether the words of a sentence without a number, those of the title left out, do not stand in one place of the source: words of
/// a whole page can be put together to anything.
fn is_scattered(sentence: &TextFacts, source: &SourceText, best: usize) -> bool {
    let has = |index: usize, term: &str| {
        source
            .lines
            .get(index)
            .is_some_and(|line| line.terms.contains(term))
    };
    let own: Vec<&String> = sentence.terms.iter().filter(|term| !has(0, term)).collect();
    let near = [best.wrapping_sub(1), best, best + 1];
    let held = own
        .iter()
        .filter(|term| near.iter().any(|index| has(*index, term)))
        .count();
    sentence.numbers.is_empty() && own.len() >= SCATTERED && ratio(held, own.len()) < ENOUGH
}

/// The line that states a number of the sentence and shares most words with it.
fn line_of_number(
    number: &NumberMention,
    sentence: &TextFacts,
    source: &SourceText,
    names: &HashSet<String>,
) -> Option<usize> {
    let states = |line: &TextFacts| {
        let mut stating = line.numbers.iter().filter(|other| number.is_stated_by(other));
        // A line that counts the same thing with another number says this one of something else.
        let counts_otherwise = number.unit.is_some()
            && line
                .numbers
                .iter()
                .any(|other| other.unit == number.unit && !number.is_stated_by(other));
        stating.any(|other| !counts_otherwise || other.unit.is_none() || other.unit == number.unit)
    };
    let has_percent = |line: &TextFacts| {
        !number.is_percent() || line.text.contains('%') || line.numbers.iter().any(NumberMention::is_percent)
    };
    let fits = |index: &usize| {
        let line = source.lines.get(*index);
        line.is_some_and(|line| states(line) && has_percent(line))
            && is_about(*index, source, &sentence.terms, names)
    };
    let lines: Vec<usize> = (0..source.lines.len()).filter(fits).collect();
    by_share(lines, source, &sentence.terms).first().copied()
}

/// Lines by the share of the terms that each holds, highest first; equal ones keep their order.
fn by_share(mut lines: Vec<usize>, source: &SourceText, terms: &HashSet<String>) -> Vec<usize> {
    lines.sort_by(|a, b| share(source, *b, terms).total_cmp(&share(source, *a, terms)));
    lines
}

/// Whether the best line of the source, when it is about the same thing, denies or reverses the sentence.
fn contradiction(
    sentence: &TextFacts,
    source: &SourceText,
    ranked: &[usize],
    best: usize,
) -> Result<(), String> {
    let Some(line) = source
        .lines
        .get(best)
        .filter(|line| line.share(&sentence.terms) >= SAME)
    else {
        return Ok(());
    };
    if line.negated != sentence.negated && !twice(source, ranked, sentence) {
        return Err("one of the two denies what the other says".into());
    }
    let mut directions = sentence.directions.iter();
    if directions.any(|(pair, direction)| line.directions.contains(&(*pair, !direction))) {
        return Err("it says the opposite".into());
    }
    Ok(())
}

fn share(source: &SourceText, at: usize, terms: &HashSet<String>) -> f64 {
    source.lines.get(at).map_or(0.0, |line| line.share(terms))
}

/// The first name of a sentence that the source does not know. In a language that begins every noun with a capital, and
/// in a title, some may be missing.
fn missing_name<'a>(
    sentence: &TextFacts,
    names: &'a HashSet<String>,
    source: &SourceText,
) -> Option<&'a String> {
    let knows = |text: &&String| source.stems.contains(&crate::research::text::stem(text));
    let mut missing: Vec<&String> = names.iter().filter(|name| !knows(name)).collect();
    missing.sort();
    if sentence.capitals > 0.3 && names.len() >= 3 && ratio(missing.len(), names.len()) <= 0.4 {
        return None;
    }
    missing.into_iter().next()
}

/// Whether the line at a place speaks of what the sentence speaks of: it shares words with it, or it goes on where the
/// line before it did, and it is not about somebody else.
fn is_about(at: usize, source: &SourceText, terms: &HashSet<String>, names: &HashSet<String>) -> bool {
    let Some(line) = source.lines.get(at) else {
        return false;
    };
    let own = line.share(terms);
    let near = |index: usize| source.lines.get(index).map_or(0.0, |line| line.share(terms));
    let around = near(at.wrapping_sub(1)).max(near(at + 1));
    if own < BESIDE && !(around >= ENOUGH && own > 0.0) && around < SAME {
        return false;
    }
    let has = |text: &String| line.names.contains(text) || line.first.as_ref() == Some(text);
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
fn twice(source: &SourceText, ranked: &[usize], sentence: &TextFacts) -> bool {
    ranked.iter().skip(1).take(3).any(|at| {
        source
            .lines
            .get(*at)
            .is_some_and(|line| line.share(&sentence.terms) >= SAME && line.negated == sentence.negated)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compared_has_to_be_so_in_the_source() {
        let source = SourceText::new(
            "Mills",
            "https://mills.example/",
            "The Quern mill grinds 12 sacks of wheat and the Holt mill grinds 15 sacks of wheat.",
        );
        let verdict = |text: &str| check(&TextFacts::new(text), &source, &HashSet::new());
        assert_eq!(
            verdict("The Quern mill grinds 12 sacks of wheat."),
            SupportVerdict::Supported
        );
        assert!(matches!(
            verdict("The Quern mill grinds sacks of wheat faster than the Holt mill."),
            SupportVerdict::Unsupported(_)
        ));
    }

    #[test]
    fn what_a_line_denies_is_not_supported_by_words_of_others() {
        let source = SourceText::new(
            "Mills",
            "https://mills.example/",
            "The mill was not built for the grain of the abbey. Later owners rebuilt the wheel of the mill. \
             The abbey sold grain.",
        );
        let verdict = |text: &str| check(&TextFacts::new(text), &source, &HashSet::new());
        assert_ne!(
            verdict("The wheel of the mill was built for the grain of the abbey."),
            SupportVerdict::Supported
        );
        assert_eq!(
            verdict("The mill was not built for the grain of the abbey."),
            SupportVerdict::Supported
        );
    }

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
