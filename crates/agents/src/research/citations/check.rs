//! Whether a source supports a sentence, decided by its words, names and numbers.

use std::collections::{BTreeSet, HashSet};

use tools::words::concepts::MONTHS;

use super::numbers::NumberMention;
use super::source_text::{COMPARED, SourceText, TextFacts, ratio};

locale::patterns! {
    /// What joins two clauses of a sentence.
    static CLAUSE = r"(?i)[,;]\s+(?:and|but|while|whereas|und|aber|während|i|a|oraz)\s+|;\s+|\s+(?:while|whereas)\s+";
    /// The name of a part of a program or a system, and any compound: "io-util", "max_size".
    static COMPOUND = r"\b[a-z\d]+(?:(?:[-_]|::)[a-z\d]+)+\b";
    /// What stands between something and its cause or means.
    static CAUSE = r"(?i)\s+(?:by|because(?: of)?|due to|thanks to|through|so that|indem|weil|durch|ponieważ|dzięki|poprzez)\s+";
}

/// Most lines under a heading.
const LONGEST_SECTION: usize = 12;
/// Most places of a source in which a sentence is looked for as a whole.
const MOST_PLACES: usize = 12;
/// From this share of a sentence's words on a source supports it, when names and numbers are right as well.
const ENOUGH: f64 = 0.5;
/// The same of the lines under a heading that states a number: set by hand, so that what the heading alone says of time or place is
/// too little.
const UNDER_HEADING: f64 = 2.0 / 3.0;
/// Fewest words beside names and title of which a share is asked for, and the share below which a model is asked: set by hand, so
/// that of two words both, of three two have to stand in the source.
const FEW: usize = 2;
const TOLD: f64 = 0.65;
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

/// The share of a sentence's words that has to stand in one place of its source where no model is asked about citations. Set by hand:
/// with less, the words of several places can be put together to anything.
const CLOSE: f64 = 0.75;

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

/// Whether one place of a source says a sentence nearly in its words.
pub(crate) fn is_close(sentence: &TextFacts, source: &SourceText) -> bool {
    (0..source.lines.len()).any(|line| {
        // What the title and the line before it name, a line need not name again.
        let near = [Some(0), line.checked_sub(1), Some(line)].into_iter().flatten();
        share_of(source, near, &sentence.terms) >= CLOSE
    })
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
    let clauses = clauses(sentence);
    match clauses.len() {
        0 | 1 => numbers_of(sentence, source, &names)?,
        _ => clauses
            .iter()
            .try_for_each(|clause| numbers_of(clause, source, &names))?,
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
        if source
            .lines
            .get(line)
            .is_some_and(|line| is_opposite(sentence, line))
        {
            return Err("it says the opposite".into());
        }
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
    // Names and the words of the title stand everywhere; what is said of them has to stand here.
    let own: Vec<&String> = sentence
        .terms
        .iter()
        .filter(|term| {
            !names
                .iter()
                .any(|name| crate::research::text::stem(name) == **term)
        })
        .filter(|term| !title.is_some_and(|title| title.terms.contains(*term)))
        .collect();
    let told = own.iter().filter(|term| is_covered(term)).count();
    if is_glued(sentence, source, &ranked) {
        return Err("no place of it speaks of both parts".into());
    }
    let is_doubtful = (own.len() >= FEW && ratio(told, own.len()) < TOLD)
        || is_scattered(sentence, source, best)
        || is_denied_elsewhere(sentence, source, &ranked)
        || are_put_together(sentence, source);
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

/// The clauses of a sentence that each state a number of their own: "A takes 2 days, and B takes 5".
fn clauses(sentence: &TextFacts) -> Vec<TextFacts> {
    let clauses: Vec<TextFacts> = CLAUSE.split(&sentence.text).map(TextFacts::new).collect();
    let is_whole = |clause: &TextFacts| !clause.numbers.is_empty() && clause.terms.len() >= SCATTERED;
    match clauses.iter().all(is_whole) {
        true => clauses,
        false => Vec::new(),
    }
}

/// Whether each number of a clause stands in one place of the source with at least half of the clause's words: a number under one
/// heading says nothing of what stands under another.
fn numbers_of(clause: &TextFacts, source: &SourceText, names: &HashSet<String>) -> Result<(), String> {
    if clause.terms.len() < SCATTERED {
        return Ok(());
    }
    for number in &clause.numbers {
        // What is counted says nothing of what it is counted for.
        let mut words = clause.terms.clone();
        words.retain(|term| number.unit.as_ref() != Some(term));
        let is_told = line_of_number(number, clause, source, names).is_some_and(|line| {
            let least = if is_heading(source, line) {
                UNDER_HEADING
            } else {
                ENOUGH
            };
            share_around(source, line, &words) >= least
        });
        if !is_told {
            return Err(format!(
                "the number {} does not stand in it beside these words",
                number.text
            ));
        }
    }
    Ok(())
}

/// Whether a sentence gives the cause or means of something that no place of the source speaks of together: the words of a question
/// before a phrase of the source.
fn is_glued(sentence: &TextFacts, source: &SourceText, ranked: &[usize]) -> bool {
    let Some(joint) = CAUSE.find(&sentence.text) else {
        return false;
    };
    let part =
        |range: std::ops::Range<usize>| TextFacts::new(sentence.text.get(range).unwrap_or_default()).terms;
    let (what, how) = (part(0..joint.start()), part(joint.end()..sentence.text.len()));
    if what.len() < SCATTERED || how.len() < SCATTERED {
        return false;
    }
    let mut places = ranked.iter().take(MOST_PLACES);
    !places.any(|line| {
        share_around(source, *line, &what) >= ENOUGH && share_around(source, *line, &how) >= ENOUGH
    })
}

/// Whether a sentence joins compounds that no line of the source has together: the first half of one item of a list and the second
/// of another.
fn are_put_together(sentence: &TextFacts, source: &SourceText) -> bool {
    let compounds: BTreeSet<&str> = COMPOUND
        .find_iter(&sentence.text)
        .map(|found| found.as_str())
        .collect();
    let has_all = |line: &TextFacts| compounds.iter().all(|compound| line.text.contains(compound));
    compounds.len() > 1 && !source.lines.iter().any(has_all)
}

/// Whether a line is the heading of those below it.
fn is_heading(source: &SourceText, line: usize) -> bool {
    let line = source.lines.get(line);
    line.is_some_and(|line| !line.text.trim_end().ends_with(['.', '!', '?', ':', ';', ',']))
}

/// The share of the terms that a line has with those beside it and the title; a heading, with those below it.
fn share_around(source: &SourceText, line: usize, terms: &HashSet<String>) -> f64 {
    let below = || {
        let ends = |at: &usize| {
            is_heading(source, *at) && !source.lines.get(*at).is_none_or(|it| it.numbers.is_empty())
        };
        (line + 1..=line + LONGEST_SECTION).take_while(move |at| !ends(at))
    };
    let near: Vec<usize> = match is_heading(source, line) {
        true => [0, line].into_iter().chain(below()).collect(),
        false => vec![0, line.wrapping_sub(1), line, line + 1],
    };
    share_of(source, near, terms)
}

/// The share of the terms that some lines have together.
fn share_of(source: &SourceText, near: impl IntoIterator<Item = usize>, terms: &HashSet<String>) -> f64 {
    let lines: Vec<&TextFacts> = near.into_iter().filter_map(|at| source.lines.get(at)).collect();
    let has = |term: &&String| lines.iter().any(|line| line.terms.contains(*term));
    ratio(terms.iter().filter(has).count(), terms.len())
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
        let is_counted = line.numbers.iter().any(|other| other.measure == number.measure);
        let is_stating =
            |other: &&NumberMention| number.is_stated_by(other) && number.may_share_unit(other, is_counted);
        let mut stating = line.numbers.iter().filter(is_stating);
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
    if is_opposite(sentence, line) {
        return Err("it says the opposite".into());
    }
    Ok(())
}

/// Whether a line goes one way where the sentence goes the other.
fn is_opposite(sentence: &TextFacts, line: &TextFacts) -> bool {
    let mut directions = sentence.directions.iter();
    directions.any(|(pair, direction)| line.directions.contains(&(*pair, !direction)))
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
    fn each_number_of_a_sentence_stands_beside_its_own_words() {
        let source = SourceText::new(
            "A checklist for millers",
            "https://mills.example/",
            "6-8 months before the opening\nOrder the stones from the quarry.\n2-3 months before the opening\n\
             Print the tickets.",
        );
        let is_supported =
            |text: &str| check(&TextFacts::new(text), &source, &HashSet::new()) == SupportVerdict::Supported;
        assert!(is_supported(
            "Millers order the stones 6-8 months before the opening."
        ));
        assert!(!is_supported(
            "Millers order the stones 2-3 months before the opening, and they print tickets 2-3 months before the opening."
        ));
    }

    #[test]
    fn the_words_of_a_question_before_a_phrase_of_a_source_are_no_claim_of_the_source() {
        let source = SourceText::new(
            "The Quern mill",
            "https://mills.example/",
            "The Quern mill finds worn stones by the sound of its wheel. The owners live in \
             the house behind it. Four cats hunt the mice. Grain is dried in a tower, and damp air from the river \
             is kept away with doors of oak.",
        );
        let verdict = |text: &str| check(&TextFacts::new(text), &source, &HashSet::new());
        assert_ne!(
            verdict(
                "The Quern mill deals with damp river air and drying grain by finding worn stones from the sound of its wheel."
            ),
            SupportVerdict::Supported
        );
        assert_eq!(
            verdict("The Quern mill finds worn stones by the sound of its wheel."),
            SupportVerdict::Supported
        );
    }

    #[test]
    fn what_is_said_of_a_name_has_to_stand_beside_it() {
        let source = SourceText::new(
            "Free tours of the mills",
            "https://mills.example/",
            "Our season is over and we are closed, but we will reopen in May at the Quern mill. The Holt Trust will operate these \
             mills from May to July 31st.",
        );
        let verdict = |text: &str| check(&TextFacts::new(text), &source, &HashSet::new());
        let shut = verdict("The free tours of the Holt Trust are shut from May to July 31st.");
        assert!(matches!(shut, SupportVerdict::Unsupported(_)), "{shut:?}");
        assert_eq!(
            verdict("The Holt Trust keeps owls in its mills."),
            SupportVerdict::Open
        );
        assert_eq!(
            verdict("The Holt Trust will operate the mills from May to July 31st."),
            SupportVerdict::Supported
        );
    }

    #[test]
    fn two_items_of_a_list_say_nothing_together() {
        let source = SourceText::new(
            "Features of the quern crate",
            "https://docs.example/quern",
            "net-util: Enables the sockets of the crate.\n\nnet-ring: Enables rings of buffers (Linux only).\n\n\
             disk-util: Enables files. It needs disk-ring.",
        );
        let verdict = |text: &str| check(&TextFacts::new(text), &source, &HashSet::new());
        assert_ne!(
            verdict("The net-util feature enables net-ring (Linux only)."),
            SupportVerdict::Supported
        );
        assert_eq!(
            verdict("The net-ring feature enables rings of buffers (Linux only)."),
            SupportVerdict::Supported
        );
    }

    #[test]
    fn the_words_of_a_question_before_a_phrase_of_the_source_are_not_supported() {
        let source = SourceText::new(
            "The best washing machines",
            "https://homes.example/",
            "Best top-load machine: Holt PT800. The soil sensor of the Holt PT800 adjusts cycle times based on the dirtiness of your laundry. \
             Best front-load machine: Quern E7. An internal heater takes the water above that of the tap.",
        );
        let glued = check(
            &TextFacts::new(
                "The Holt PT800 gets hotter than the household tap supply by using a soil sensor that adjusts cycle times based on the dirtiness of your laundry.",
            ),
            &source,
            &HashSet::new(),
        );
        assert!(matches!(glued, SupportVerdict::Unsupported(_)), "{glued:?}");
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
