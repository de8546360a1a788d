//! Phrases of several words that lists know: "washing machines", "bring my dog".

use tools::words::concepts;

use super::small_words::{BETWEEN, JOINTS, WITH};

/// The words at a place that are one phrase of several words, and how many tokens they take: "washing machines", "bring my dog".
pub(super) fn phrase(tokens: &[&str], at: usize) -> Option<(String, usize)> {
    let mut rest = tokens.get(at..)?.to_vec();
    // A bracket or quotation mark before a phrase is no part of it.
    if let Some(first) = rest.first_mut() {
        *first = first.trim_start_matches(['(', '[', '"', '„', '“', '‚', '\'']);
    }
    let rest = rest.as_slice();
    // A comma ends a phrase.
    let joined = rest
        .iter()
        .take_while(|token| token.chars().all(|c| c.is_alphanumeric() || c == '-'))
        .count();
    let ends = rest
        .get(joined)
        .map(|token| token.trim_end_matches(|c: char| !c.is_alphanumeric()));
    let is_between = |word: &str| BETWEEN.contains(&word.to_lowercase().as_str());
    // "drums and a bass amp" are two things.
    let begins_thing = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| rest.get(before));
        before.is_some_and(|word| JOINTS.contains(&word.to_lowercase().as_str()))
    };
    let words = rest.iter().take(joined).copied().chain(ends).enumerate();
    let words = words.take_while(|(at, word)| !(is_between(word) && begins_thing(*at)));
    let (places, words): (Vec<usize>, Vec<&str>) =
        words.filter(|(at, word)| *at == 0 || !is_between(word)).unzip();
    // "with a balcony" and "balcony" say the same; "with my dog" is more than a dog.
    let is_with = |word: &&str| WITH.iter().any(|with| word.eq_ignore_ascii_case(with));
    let length = match words.first().is_some_and(is_with) {
        true => concepts::asked_length(&words)?,
        false => concepts::phrase_length(&words)?,
    };
    let taken = places.get(length - 1)? + 1;
    // "energy class A": a grade belongs to its name.
    let is_grade = |token: &&&str| {
        let bare = token.trim_end_matches(|c: char| !c.is_alphanumeric());
        bare.chars().count() == 1 && bare.chars().all(char::is_uppercase)
    };
    let grade = rest.get(taken).filter(|token| taken <= joined && is_grade(token));
    let last = rest.get(taken - 1)?;
    let said = words.get(..length - 1)?.iter().chain([last]).chain(grade);
    let said: Vec<&str> = said.copied().collect();
    Some((said.join(" "), taken + usize::from(grade.is_some())))
}
