//! The order that an instruction asks for: superlatives and "sorted by".

use std::cmp::Reverse;
use std::ops::Range;

use regex::Captures;

use super::facts::InstructionFacts;
use super::vocabulary::{TriggerVocabulary, is_whole};

locale::patterns! {
    /// What goes somewhere, before where it goes.
    static JOURNEY = r"(?i)\b(?:\p{Latin}*züge?n?|\p{Latin}*bahn(?:en)?|\p{Latin}*busse?n?|\p{Latin}*bus|\p{Latin}*flüge?n?|\p{Latin}*flug|\p{Latin}*reisen?|\p{Latin}*fahrt(?:en)?|verbindung(?:en)?|tickets?|ausflüge?|tour(?:en)?|\p{Latin}*fähren?|fahren|fährt|reist|fliegt|fliegen|will|möchte|muss|kommen?)\s+$";
    /// What stands before the thing that an instruction asks for.
    static ASKING = r"(?i)^\W*(?:(?:please|bitte|proszę|show|give|get|find|list|return|tell|me|i|want|need|what|which|is|are|zeige?|finde|gib|nenne|suche|mir|ich|will|brauche|was|ist|pokaż|podaj|znajdź|wybierz|wypisz|mi|chcę|jaki|jaka|jakie|jest|to)\W+)*";
    /// A thing, and what begins what it has most or least of: "the course with the", "Wohnung mit der", "mieszkanie z".
    static THING_WITH = r"(?i)^(?:(?P<article>the|a|an|one|das|der|dem|den|die|ein(?:e[nmr]?)?|ten|ta|to|tę|jeden|jedną|jedno)\s+)?(?P<thing>\p{L}[\p{L}-]*(?:\s+\p{L}[\p{L}-]*){0,2})\s+(?P<with>with|having|(?:that|which)\s+has|mit|z|ze)\s*(?:the|den|der|dem|das|die)?\s*$";
    /// What a superlative belongs to: "with the best ratings" is about the ratings.
    static WITH = r"(?i)\b(?:with|having|mit|z|ze|by)\s+(?:the|den|der|dem|das|die)?\s*$";
    /// The same at the beginning of an order.
    static HAVING = r"(?i)^\s*(?:with|having|mit|z|ze)\b";
    /// German and Polish nouns that may be plurals.
    static MAY_BE_SEVERAL_GERMAN = r"(?i)(?:e|n|s|er|el)$";
    static MAY_BE_SEVERAL_POLISH = r"(?i)(?:[aiy]|ów|ami|ach|ych|ich|[^nc]ie|[^i]e)$";
    /// Words that put something first, or rank a number of things by something.
    static RANKED = r"(?i)\b(?:most|least|fewest|\p{Latin}{3,}est)\b[^,.;:]{0,30}\bfirst\b|\btop\s+\p{Latin}*\d*\s*(?:\p{Latin}+\s+){0,3}by\b|\b\p{Latin}{3,}ste[nrms]?\b[^,.;:]{0,30}\b(?:zuerst|oben)\b|\bnaj\p{Latin}+\b[^,.;:]{0,30}\b(?:pierwsz\p{Latin}+|na\s+górze)";
}

/// The words of an order that a text asks for.
pub(super) fn ranked(text: &str) -> Option<&str> {
    RANKED.find(text).map(|found| found.as_str())
}

/// Fields whose usual order is from the highest down.
const DESCENDING: [&str; 6] = ["rating", "reviews", "points", "comments", "date", "discount"];

/// Most words between a superlative and the noun that it is about.
const NOUN_REACH: usize = 3;

/// The order and the number of results that a text asks for. What it denies ("not the cheapest") is not understood.
///
/// `led` is the number that the instruction begins with: "the five places with the most reviews".
pub(super) fn read_order(
    text: &str,
    words: &TriggerVocabulary,
    facts: &mut InstructionFacts,
    led: Option<usize>,
) {
    let is_ascending = words.ascending.is_match(text);
    let is_descending = words.descending.is_match(text);
    let mut found: Vec<(Captures<'_>, &str)> = words
        .orders
        .iter()
        .flat_map(|(name, pattern)| {
            pattern
                .captures_iter(text)
                .map(move |found| (found, name.as_str()))
        })
        .collect();
    // The first counts, of those at one place the longest: "cheapest to dearest".
    found.sort_by_key(|(found, _)| found.get(0).map(|it| (it.start(), Reverse(it.len()))));
    let mut end = 0;
    for (found, name) in found {
        let Some(whole) = found.get(0).filter(|whole| whole.start() >= end) else {
            continue;
        };
        end = whole.end();
        if found.name("not").is_some() {
            facts.not_understood.push(whole.as_str().trim().to_owned());
            continue;
        }
        if facts.sort.is_some() {
            continue;
        }
        let (field, direction) = name.split_once(' ').unwrap_or((name, "down"));
        facts.sort = Some((field.to_owned(), direction == "down"));
        let after = text.get(whole.end()..).unwrap_or_default();
        let before = text.get(..whole.start()).unwrap_or_default();
        if facts.count.is_none() {
            let last = before
                .split_whitespace()
                .next_back()
                .unwrap_or_default()
                .to_lowercase();
            facts.count = last
                .parse()
                .ok()
                .or_else(|| words.numbers.get(&last).copied())
                .filter(|count| *count > 0);
        }
        let is_superlative = !words.leading.is_match(whole.as_str());
        facts.count = facts.count.or(led.filter(|_| is_superlative));
        let is_one = asks_for_one(before, words) && is_superlative;
        if facts.count.is_none() && (is_one || is_about_one(before, whole.as_str(), after, words)) {
            facts.count = Some(1);
        }
    }
    for found in words.sort_by.find_iter(text) {
        let rest = text.get(found.end()..).unwrap_or_default();
        let head: String = rest.chars().take(40).collect();
        let named = words.fields.iter().filter_map(|(name, pattern)| {
            let found = pattern
                .find(&head)
                .filter(|found| head.get(..found.start()).is_some_and(|gap| gap.trim().is_empty()))?;
            Some((found.end(), name))
        });
        if let Some((_, field)) = named.max() {
            let usual = DESCENDING.contains(&field.as_str());
            // "sorted by price, most expensive first" has said the direction.
            let is_said =
                facts.sort.as_ref().is_some_and(|(said, _)| said == field) && !is_ascending && !is_descending;
            if !is_said {
                facts.sort = Some((field.clone(), (usual && !is_ascending) || is_descending));
            }
        } else if facts.sort.is_none() && !leads_to_place(text, found.start()) {
            // An order by something that no field is known for.
            let said = head.split([',', ';', '.', '\n']).next().unwrap_or_default();
            let said = format!("{}{said}", found.as_str());
            facts.not_understood.push(said.trim().to_owned());
        }
    }
}

/// Whether what stands before a word is a journey: "Züge nach Berlin" names no order.
fn leads_to_place(text: &str, at: usize) -> bool {
    text.get(..at).is_some_and(|before| JOURNEY.is_match(before))
}

/// Whether a superlative names one thing: "the cheapest laptop", "what is the cheapest?", "najtańszy".
fn is_about_one(before: &str, superlative: &str, after: &str, words: &TriggerVocabulary) -> bool {
    let last = before
        .split_whitespace()
        .next_back()
        .unwrap_or_default()
        .to_lowercase();
    // "from the newest on", "od najnowszych"
    if words.leading.is_match(superlative) || ["od", "from", "von", "vom"].contains(&last.as_str()) {
        return false;
    }
    let clause = after
        .split([',', ';', '.', '?', '!', ':'])
        .next()
        .unwrap_or_default();
    // "best one first"
    let mut near = clause.split_whitespace().take(NOUN_REACH);
    if near.any(|word| words.leading.is_match(word)) {
        return false;
    }
    // The noun phrase ends before the next word of grammar.
    let phrase: Vec<&str> = clause
        .split_whitespace()
        .take_while(|word| {
            let is_noun = is_whole(&words.singular, word) || words.is_entity(word);
            is_noun || !words.is_grammar(&word.to_lowercase())
        })
        .take(NOUN_REACH)
        .collect();
    if WITH.is_match(before) {
        return is_one_thing(before, words);
    }
    if phrase.iter().any(|word| is_whole(&words.singular, word)) {
        return true;
    }
    if asks_for_several(before, words) {
        return false;
    }
    let starts_list = clause
        .split_whitespace()
        .next()
        .is_some_and(|word| words.leading.is_match(word));
    let is_several = phrase.last().is_some_and(|word| words.plural.is_match(word));
    let first = superlative
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let end = superlative
        .split_whitespace()
        .next_back()
        .unwrap_or_default()
        .to_lowercase();
    let has_form = words.one_superlative.is_match(&first) || words.one_superlative.is_match(&end);
    let is_one = words.one_article.contains(&last) && has_form && (last != "to" || first.starts_with("naj"));
    // A question asks in its own clause: "everything that she wrote, newest first" is none.
    let question = before.rsplit([',', ';', '.']).next().unwrap_or_default();
    !is_several && !starts_list && (is_one || (phrase.is_empty() && words.asks_which.is_match(question)))
}

/// Whether the superlative at a place asks for the first row alone: "which course runs for the most weeks", "the longest walk".
pub(super) fn asks_for_first(text: &str, place: &Range<usize>, words: &TriggerVocabulary) -> bool {
    let part = |range: Range<usize>| text.get(range).unwrap_or_default();
    let (before, said, after) = (
        part(0..place.start),
        part(place.clone()),
        part(place.end..text.len()),
    );
    let is_superlative = !words.leading.is_match(said) && !words.sort_by.is_match(said);
    // "the car with the lowest mileage"
    let begins_property = HAVING.find(said).map(|with| format!("{before}{}", with.as_str()));
    let is_about = match begins_property {
        Some(thing) => !is_followed_by_leading(after, words) && is_one_thing(&thing, words),
        None => is_about_one(before, said, after, words),
    };
    is_superlative && (asks_for_one(before, words) || is_about)
}

/// Whether the words right behind an order put it first: "with the lowest mileage at the top".
fn is_followed_by_leading(after: &str, words: &TriggerVocabulary) -> bool {
    let mut near = after.split_whitespace().take(NOUN_REACH);
    near.any(|word| words.leading.is_match(word))
}

/// Whether a text asks for one thing by what it has: "the course with the", "Wohnung mit der", "mieszkanie z".
fn is_one_thing(text: &str, words: &TriggerVocabulary) -> bool {
    let Some(found) = THING_WITH.captures(text.get(asked_from(text)..).unwrap_or_default()) else {
        return false;
    };
    let group = |name: &str| {
        found
            .name(name)
            .map_or_else(String::new, |found| found.as_str().to_lowercase())
    };
    let (thing, article, with) = (group("thing"), group("article"), group("with"));
    let Some(noun) = thing.split_whitespace().next_back() else {
        return false;
    };
    let is_known = is_whole(&words.singular, noun);
    let is_named = thing
        .split_whitespace()
        .all(|word| word == noun || (!words.is_grammar(word) && !is_whole(&words.plural, word)));
    let is_one = match with.as_str() {
        "mit" => matches!(article.as_str(), "das" | "der" | "dem") || !MAY_BE_SEVERAL_GERMAN.is_match(noun),
        "z" | "ze" => !article.is_empty() || !MAY_BE_SEVERAL_POLISH.is_match(noun),
        _ => !is_whole(&words.plural, noun),
    };
    is_named && (is_known || (is_one && !words.is_grammar(noun)))
}

/// Where what an instruction asks for begins, behind "show me", "what is" and their like.
fn asked_from(text: &str) -> usize {
    ASKING.find(text).map_or(0, |found| found.end())
}

/// Whether the clause before a superlative asks for one thing: "which course runs for the", "który grzyb ma".
pub(super) fn asks_for_one(before: &str, words: &TriggerVocabulary) -> bool {
    let clause = before.rsplit([',', ';', '.']).next().unwrap_or_default();
    words.asks_one.is_match(clause)
}

/// Whether a question names several things: "which stories", "welche Produkte".
fn asks_for_several(before: &str, words: &TriggerVocabulary) -> bool {
    let spoken: Vec<&str> = before.split_whitespace().collect();
    spoken.windows(2).any(|pair| match pair {
        [asked, named] => {
            words.asks_which.is_match(asked) && words.is_entity(named) && !is_whole(&words.singular, named)
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use crate::triggers::facts::InstructionFacts;
    use crate::triggers::target::PlanTarget;

    fn facts(instruction: &str) -> InstructionFacts {
        InstructionFacts::read(instruction, PlanTarget::default())
    }

    #[test]
    fn one_thing_that_is_asked_for_is_one_row() {
        for instruction in [
            "the best paid job",
            "the course with the fewest lessons",
            "the car with the lowest mileage",
            "hotel with the best rating",
            "Wohnung mit der niedrigsten Kaltmiete",
            "die größte Wohnung",
            "najtańsze mieszkanie",
            "the largest flat",
            "cheapest course",
            "best product",
            "the best hotel with a pool",
        ] {
            let facts = facts(instruction);
            assert_eq!(facts.count, Some(1), "{instruction}");
            assert!(facts.sort.is_some(), "{instruction}");
        }
        for instruction in [
            "products between 20 and 60 euros with the best ratings",
            "cheapest black leather running shoes",
            "cheapest new or used cars",
            "jobs with the highest salary",
            "the courses with the fewest lessons",
            "the car with the lowest mileage first",
            "Wohnungen mit der niedrigsten Kaltmiete",
            "die größten Wohnungen",
            "najtańsze mieszkania",
            "cars, newest diesel first",
            "the best products",
        ] {
            let facts = facts(instruction);
            assert_eq!(facts.count, None, "{instruction}");
            assert!(facts.sort.is_some(), "{instruction}");
        }
    }

    #[test]
    fn the_best_are_the_best_rated() {
        let best = |instruction: &str| facts(instruction).sort;
        for instruction in [
            "best product",
            "the best hotels in London",
            "die besten Hotels",
            "najlepsze laptopy",
        ] {
            assert_eq!(
                best(instruction),
                Some(("rating".to_owned(), true)),
                "{instruction}"
            );
        }
        for instruction in [
            "products best before May",
            "the best value",
            "hotels called Best Western",
        ] {
            assert_ne!(
                best(instruction),
                Some(("rating".to_owned(), true)),
                "{instruction}"
            );
        }
    }
}
